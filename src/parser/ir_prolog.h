/* Reads the start of a model's text: the byte order mark, blanks, and the encoding that the XML declaration states. */
#ifndef IR_PROLOG_H
#define IR_PROLOG_H

#include "diag/diag.h"

/* Returns the offset of the first byte after the byte order mark and blanks, or the file's size if there is none. If
 * the file cannot be read, returns -1 and sets errno. */
int64_t ir_text_begin(const ir_source *source);
/* Returns the name of the encoding if the first bytes show UTF-16, UTF-32 or EBCDIC; else NULL. */
const char *ir_wide_encoding(const ir_source *source);
/* Sets `*out_begin` to the offset of the XML. Reports IR006 if the first bytes or the XML declaration show an encoding
 * other than UTF-8 or ASCII, IR701 if the file cannot be read. */
ir_code ir_check_encoding(ir_source *source, ir_diags *diags, int64_t *out_begin);

#endif
