#include "base/file_type.h"
#include <string.h>
#include <strings.h>

enum {
  CERTAIN = 5,     /* a signature of at least so many bytes is reliable */
  ZIP_HEADER = 30, /* bytes before a member's name; the length of the name is at byte 26 */
  ZIP_VERSIONS = 64
};

#define BYTES(text) text, sizeof text - 1

static const ir_file_type rows[] = {
    {0, BYTES("version https://git-lfs.github.com/spec/"), IR_FILE_POINTER, "a Git LFS pointer"},
    {0, BYTES("<?xml"), IR_FILE_XML, "XML"},
    {0, BYTES("\x93NUMPY"), IR_FILE_TENSOR, "a NumPy .npy file"},
    {4, BYTES("TFL3"), IR_FILE_MODEL, "a TensorFlow Lite model"},
    {0, BYTES("\x89HDF\r\n\x1a\n"), IR_FILE_MODEL, "an HDF5 file, such as a Keras model"},
    {0, BYTES("GGUF"), IR_FILE_MODEL, "a GGUF model"},
    {0, BYTES("PK\3\4"), IR_FILE_OTHER, "a zip archive"},
    {0, BYTES("PK\5\6"), IR_FILE_OTHER, "a zip archive"},
    {0, BYTES("\x1f\x8b"), IR_FILE_OTHER, "a gzip archive"},
    {0, BYTES("BZh"), IR_FILE_OTHER, "a bzip2 archive"},
    {0, BYTES("\xfd\x37zXZ"), IR_FILE_OTHER, "an xz archive"},
    {0, BYTES("\x28\xb5\x2f\xfd"), IR_FILE_OTHER, "a zstd archive"},
    {0, BYTES("\xc7\x71"), IR_FILE_NGRAPH, "a cpio archive, as of nGraph"},
    {0, BYTES("\x71\xc7"), IR_FILE_NGRAPH, "a cpio archive, as of nGraph"},
    {0, BYTES("7z\xbc\xaf\x27\x1c"), IR_FILE_OTHER, "a 7z archive"},
    {257, BYTES("ustar"), IR_FILE_OTHER, "a tar archive"},
    {0,
     BYTES("\x7f"
           "ELF"),
     IR_FILE_OTHER, "an ELF program or library"},
    {0, BYTES("%PDF-"), IR_FILE_OTHER, "a PDF document"},
    {0, BYTES("\x89PNG\r\n\x1a\n"), IR_FILE_OTHER, "a PNG image"},
    {0, BYTES("\xff\xd8\xff"), IR_FILE_OTHER, "a JPEG image"},
};

/* These signatures are compared without regard to case. */
static const ir_file_type pages[] = {
    {0, BYTES("<!doctype html"), IR_FILE_OTHER, "an HTML page"},
    {0, BYTES("<html"), IR_FILE_OTHER, "an HTML page"},
};

/* Zip archives, told apart by the name of their first member. Bytes 4 and 5 are the zip version. */
static const ir_file_type zip = {0, BYTES("PK\3\4\x14\0"), IR_FILE_OTHER, "a zip archive"},
                          npz = {0, BYTES("PK\3\4\x14\0"), IR_FILE_TENSOR, "a NumPy .npz archive"},
                          pytorch = {0, BYTES("PK\3\4\x14\0"), IR_FILE_MODEL, "a PyTorch model"};

/* A model that OpenVINO compiled, with or without its own header. */
static const ir_file_type blob = {0, BYTES("RR_UPCVO"), IR_FILE_BLOB,
                                  "a compiled blob, as export_model and the model cache write"};

static bool begins(const unsigned char *head, size_t n, const ir_file_type *row) {
  return n >= row->offset + row->n && memcmp(head + row->offset, row->bytes, row->n) == 0;
}

static const ir_file_type *find_zip(const unsigned char *head, size_t n) {
  static const char npy[] = ".npy";
  const size_t n_npy = sizeof npy - 1;
  if (n < ZIP_HEADER || memcmp(head, "PK\3\4", 4) != 0 || head[4] >= ZIP_VERSIONS || head[5] != 0)
    return NULL;
  const char *name = (const char *)head + ZIP_HEADER;
  const size_t length = (size_t)head[26] | (size_t)head[27] << 8;
  if (length > n - ZIP_HEADER)
    return &zip;
  if (length >= n_npy && memcmp(name + length - n_npy, npy, n_npy) == 0)
    return &npz;
  return memmem(name, length, "data.pkl", 8) != NULL ? &pytorch : &zip;
}

/* Recognizes compiled models:
 * - The model cache writes an XML element <compiled_blob>, then the data of the device's plugin.
 * - The CPU plugin's data begin with RR_UPCVO since release 2026.
 * - Before, they began with binary numbers and an element <cnndata>. The zeros in these numbers occur in no text. */
static const ir_file_type *find_blob(const unsigned char *head, size_t n) {
  static const char prolog[] = "<?xml version=\"1.0\"?>", cache[] = "<compiled_blob", model[] = "<cnndata";
  const size_t n_prolog = sizeof prolog - 1;
  const bool has_prolog = n > n_prolog && memcmp(head, prolog, n_prolog) == 0;
  const unsigned char *first = has_prolog ? memchr(head + n_prolog, '<', n - n_prolog) : NULL;
  const size_t n_first = first == NULL ? 0 : n - (size_t)(first - head);
  const bool is_cached = n_first >= sizeof cache - 1 && memcmp(first, cache, sizeof cache - 1) == 0;
  const unsigned char *element = memmem(head, n, model, sizeof model - 1);
  const bool is_plain = element != NULL && memchr(head, '\0', (size_t)(element - head)) != NULL;
  return is_cached || is_plain || begins(head, n, &blob) ? &blob : NULL;
}

const ir_file_type *ir_file_type_of(const unsigned char *head, size_t n) {
  for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
    if (n >= pages[i].n && strncasecmp((const char *)head, pages[i].bytes, pages[i].n) == 0)
      return &pages[i];
  const ir_file_type *found = find_blob(head, n);
  if (found == NULL)
    found = find_zip(head, n);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0] && found == NULL; i++)
    if (begins(head, n, &rows[i]))
      found = &rows[i];
  return found;
}

bool ir_file_type_is_certain(const ir_file_type *file_type) {
  return file_type->n >= CERTAIN;
}

bool ir_is_text(const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = bytes[i];
    if (c == 0x7f || (c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b'))
      return false;
  }
  return true;
}
