/* Recognizes the kind of a file by its content, never by its name. */
#ifndef IR_SNIFF_H
#define IR_SNIFF_H

#include "base/file_type.h"
#include "base/source.h"

enum { IR_SNIFF_HEAD = 4096 }; /* bytes examined after blanks */

/* `*out_description` describes the kind: "an ONNX model". IR_FILE_UNREADABLE with errno if the file cannot be read. */
ir_file_kind ir_sniff(const ir_source *source, const char **out_description);

#endif
