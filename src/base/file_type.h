/* Files that are known by their first bytes, whatever their names are. */
#ifndef IR_SIGNATURE_H
#define IR_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ir_file_kind {
  IR_FILE_XML, /* perhaps an IR: its root says so */
  IR_FILE_JSON,
  IR_FILE_NGRAPH, /* JSON with nGraph's functions in it, or the archive of such */
  IR_FILE_EMPTY,
  IR_FILE_TENSOR, /* .npy or .npz */
  IR_FILE_ONNX,
  IR_FILE_MODEL,   /* of another framework */
  IR_FILE_BLOB,    /* compiled by OpenVINO for a device */
  IR_FILE_POINTER, /* what Git LFS puts in the place of a file until it is fetched */
  IR_FILE_TEXT,
  IR_FILE_BINARY, /* unknown bytes, such as a .bin */
  IR_FILE_OTHER,  /* known, and no model */
  IR_FILE_UNREADABLE
} ir_file_kind;

typedef struct ir_file_type {
  size_t offset;
  const char *bytes;
  size_t n;
  ir_file_kind kind;
  const char *description; /* "an HDF5 file" */
} ir_file_type;

enum { IR_FILE_TYPE_HEAD = 512 }; /* bytes of a file in which each signature is found that it has */

/* What to do about a file of kind IR_FILE_POINTER. */
#define IR_POINTER_HINT "run 'git lfs pull', which puts the file itself in its place"

/* Of a file that begins with these bytes; NULL when it has none that is known. */
const ir_file_type *ir_file_type_of(const unsigned char *head, size_t n);
/* True when data do not begin so by chance: 5 bytes or more, which of 2^40 files of random bytes one has. */
bool ir_file_type_is_certain(const ir_file_type *file_type);
/* True when all bytes are those of a text. */
bool ir_is_text(const unsigned char *bytes, size_t n);

#endif
