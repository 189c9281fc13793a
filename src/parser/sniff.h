/* What kind of file it is: by its content, never by its name. */
#ifndef IR_SNIFF_H
#define IR_SNIFF_H

#include "base/file_type.h"
#include "base/source.h"

enum { IR_SNIFF_HEAD = 4096 }; /* bytes behind blanks that are looked at */

/* `*out_description` says what it is: "an ONNX model". Of a file that cannot be read IR_FILE_UNREADABLE, and errno says
 * why. */
ir_file_kind ir_sniff(const ir_source *source, const char **out_description);

#endif
