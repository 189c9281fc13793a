/* Reads the start of a text: byte order mark, blanks, declared encoding. */
#ifndef IR_PROLOG_H
#define IR_PROLOG_H

#include "diag/diag.h"

/* Finds the first byte after byte order mark and blanks, or the end of the file. -1 and errno if it cannot be read. */
int64_t ir_text_begin(const ir_source *source);
/* Returns "UTF-16" or the like if the first bytes show an encoding that does not extend ASCII; else NULL. */
const char *ir_wide_encoding(const ir_source *source);
/* Reports IR006 unless the first bytes and the XML declaration say UTF-8; IR701 if the file cannot be read.
 * `*out_begin` becomes the offset of the XML. */
ir_code ir_check_encoding(ir_source *source, ir_diags *diags, int64_t *out_begin);

#endif
