/* Recognizes the type of a file by its first bytes, regardless of its name. Such bytes are its signature. */
#ifndef IR_SIGNATURE_H
#define IR_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ir_file_kind {
  IR_FILE_XML, /* can be an IR: the root element decides */
  IR_FILE_JSON,
  IR_FILE_NGRAPH, /* JSON of an nGraph function, or an archive that contains it */
  IR_FILE_EMPTY,
  IR_FILE_TENSOR, /* .npy or .npz */
  IR_FILE_ONNX,
  IR_FILE_MODEL,   /* a model of another framework */
  IR_FILE_BLOB,    /* a model that OpenVINO compiled for a device */
  IR_FILE_POINTER, /* a Git LFS pointer: git-lfs has not fetched the file itself */
  IR_FILE_TEXT,
  IR_FILE_BINARY, /* unknown bytes, such as a .bin */
  IR_FILE_OTHER,  /* a known format that is neither a model nor a tensor */
  IR_FILE_UNREADABLE
} ir_file_kind;

typedef struct ir_file_type {
  size_t offset;
  const char *bytes;
  size_t n;
  ir_file_kind kind;
  const char *description; /* "an HDF5 file" */
} ir_file_type;

enum { IR_FILE_TYPE_HEAD = 512 }; /* bytes: enough for every signature */

/* Advice for a file of kind IR_FILE_POINTER. */
#define IR_POINTER_HINT "run 'git lfs pull', which puts the file itself in its place"

/* The type of a file that begins with the `n` bytes at `head`. NULL if they match no signature. */
const ir_file_type *ir_file_type_of(const unsigned char *head, size_t n);
/* Whether the signature has 5 bytes or more. Random bytes match such a signature once in 2^40 files. */
bool ir_file_type_is_certain(const ir_file_type *file_type);
/* Whether every byte can occur in a text. */
bool ir_is_text(const unsigned char *bytes, size_t n);

#endif
