/* Recognizes the kind of a file by its content, never by its name. */
#ifndef IR_SNIFF_H
#define IR_SNIFF_H

#include "base/file_type.h"
#include "base/source.h"

/* ir_sniff examines IR_SNIFF_HEAD bytes at the start of a file, and as many after leading blanks. */
enum { IR_SNIFF_HEAD = 4096 };

/* Returns the kind of a file, and sets `*out_description` to words for it, such as "an ONNX model". If the file cannot
 * be read, returns IR_FILE_UNREADABLE and sets errno. */
ir_file_kind ir_sniff(const ir_source *source, const char **out_description);

#endif
