/* What stands before the first element of a text: a byte order mark, blanks, the encoding that it declares. */
#ifndef IR_PROLOG_H
#define IR_PROLOG_H

#include "diag/diag.h"

/* The first byte that is neither byte order mark nor blank; the size of the file when there is none. -1 and errno when
 * it cannot be read. */
int64_t ir_text_begin(const ir_source *source);
/* "UTF-16" and the like, when the first bytes show that a text is not made of ASCII and what extends it; or NULL. */
const char *ir_wide_encoding(const ir_source *source);
/* IR006 unless the text is, by its first bytes and its XML declaration, UTF-8; IR701. `*out_begin` is where XML begins.
 */
ir_code ir_check_encoding(ir_source *source, ir_diags *diags, int64_t *out_begin);

#endif
