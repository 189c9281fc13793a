/* What kind of file it is: by its content, never by its name. */
#ifndef IR_SNIFF_H
#define IR_SNIFF_H

#include "source.h"

typedef enum ir_file_kind {
  IR_FILE_XML, /* perhaps an IR: its root says so */
  IR_FILE_JSON,
  IR_FILE_NGRAPH, /* JSON with nGraph's functions in it, or the archive of such */
  IR_FILE_EMPTY,
  IR_FILE_TENSOR, /* .npy or .npz */
  IR_FILE_ONNX,
  IR_FILE_MODEL, /* of another framework */
  IR_FILE_TEXT,
  IR_FILE_BINARY, /* unknown bytes, such as a .bin */
  IR_FILE_OTHER   /* known, and no model */
} ir_file_kind;

/* `*out_description` says what it is: "an ONNX model". */
ir_file_kind ir_sniff(const ir_source *source, const char **out_description);

#endif
