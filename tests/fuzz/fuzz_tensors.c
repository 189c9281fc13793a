/* Fuzz target: reads tensors from a file: .npy, .npz or raw. Input: a byte for the element type, a byte for the shape,
 * then the file. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_KEYS = 16 };

/* The shape that a caller expects; NULL: any. */
static const irrun_shape *shape_of(uint8_t byte, irrun_shape *shape) {
  *shape = (irrun_shape){.rank = byte % 5 - 1};
  for (int i = 0; i < shape->rank; i++) {
    shape->dims[i].lo = byte >> 5;
    shape->dims[i].hi = (byte & 16) != 0 ? INT64_MAX : byte >> 5;
  }
  return byte % 5 == 0 && (byte & 16) != 0 ? NULL : shape;
}

static void read_tensors(irrun_context *context, irrun_tensor_file *file, irrun_element_type type,
                         const irrun_shape *shape) {
  const int64_t n = irrun_tensor_file_count(file) < 0 ? 1 : irrun_tensor_file_count(file);
  char text[64];
  for (int64_t i = 0; i < n && i < MOST_KEYS; i++) {
    irrun_tensor *tensor = NULL;
    const char *key = irrun_tensor_file_key(file, i);
    const irrun_status status = irrun_tensor_file_read(file, i, type, shape, &tensor);
    fuzz_judge(context, status);
    if (key != NULL && strlen(key) > (1 << 16))
      fuzz_fail("a key longer than a member's name can be");
    if (status == IRRUN_OK && irrun_tensor_get_info(tensor).data != NULL) {
      (void)irrun_tensor_statistics(tensor);
      if (irrun_tensor_get_info(tensor).elements > 0)
        (void)irrun_tensor_text(tensor, 0, text, sizeof text);
    }
    irrun_tensor_free(tensor);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int fd = -1;
  char path[64];
  irrun_shape shape;
  irrun_tensor_file *file = NULL;
  if (size < 2)
    return 0;
  if (fd < 0)
    fd = memfd_create("tensors", 0);
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data + 2, size - 2, 0) != (ssize_t)(size - 2))
    fuzz_fail("no file in memory");
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  irrun_context *context = irrun_context_create(NULL);
  irrun_context_set_max_memory(context, (size_t)64 << 20);
  const irrun_status status = irrun_tensor_file_open(context, path, &file);
  fuzz_judge(context, status);
  if (status == IRRUN_OK)
    read_tensors(context, file, (irrun_element_type)(data[0] % (IRRUN_STRING + 1)), shape_of(data[1], &shape));
  fuzz_count(status == IRRUN_OK);
  irrun_tensor_file_free(file);
  irrun_context_free(context);
  return 0;
}

/* ---- the mutator: keeps the checksums of a .npz right ---- */

static uint32_t number_at(const uint8_t *at) {
  uint32_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

/* Corrects the CRC-32 of stored members: in each local header, and in the directory's entry of the same place. */
static void mend_checksums(uint8_t *data, size_t size) {
  for (size_t i = 0; i + 46 <= size; i++) {
    if (memcmp(data + i, "PK\1\2", 4) != 0)
      continue;
    const size_t local = number_at(data + i + 42), bytes = number_at(data + i + 20);
    if (local > size || size - local < 30 || memcmp(data + local, "PK\3\4", 4) != 0)
      continue;
    const uint32_t lengths = number_at(data + local + 26); /* of the name and of the extra field */
    const size_t begin = local + 30 + (lengths & 0xffff) + (lengths >> 16);
    if (begin > size || bytes > size - begin || data[i + 10] != 0) /* method 0: stored */
      continue;
    const uint32_t sum = (uint32_t)crc32(0, data + begin, (uInt)bytes);
    memcpy(data + i + 16, &sum, sizeof sum);
    memcpy(data + local + 14, &sum, sizeof sum);
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (size > 2 && seed % 8 != 0)
    mend_checksums(data + 2, size - 2);
  return size;
}
