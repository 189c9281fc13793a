#include "graph/weights.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

ir_weights *ir_weights_create(const ir_memory *memory, const char *path, bool given) {
  ir_weights *weights = ir_alloc_zero(memory, 1, sizeof *weights);
  if (weights == NULL)
    return NULL;
  weights->memory = memory;
  pthread_mutex_init(&weights->lock, NULL);
  weights->given = given;
  weights->path = ir_alloc(memory, strlen(path) + 1);
  weights->source = ir_source_create(memory, IR_SOURCE_BYTES, path);
  if (weights->path == NULL || weights->source == NULL) {
    ir_weights_free(weights);
    return NULL;
  }
  strcpy(weights->path, path);
  return weights;
}

char *ir_weights_path_beside(const ir_memory *memory, const char *model_path) {
  const char *slash = strrchr(model_path, '/');
  const char *name = slash == NULL ? model_path : slash + 1;
  const char *dot = strrchr(name, '.');
  size_t stem = dot == NULL ? strlen(model_path) : (size_t)(dot - model_path);
  char *path = ir_alloc(memory, stem + sizeof ".bin");
  if (path != NULL) {
    memcpy(path, model_path, stem);
    memcpy(path + stem, ".bin", sizeof ".bin");
  }
  return path;
}

void ir_weights_free(ir_weights *weights) {
  if (weights == NULL)
    return;
  if (weights->bytes != NULL && weights->source->bytes == NULL)
    munmap((void *)(uintptr_t)weights->bytes, (size_t)weights->source->size);
  ir_source_free(weights->source);
  ir_free(weights->memory, weights->path);
  pthread_mutex_destroy(&weights->lock);
  ir_free(weights->memory, weights);
}

/* Returns 0 if the path is a regular file, else an errno. Does not open the file, because opening a FIFO waits for a
 * writer. */
static int regular_file_error(const char *path) {
  struct stat info;
  if (strcmp(path, "-") == 0)
    return ESPIPE;
  if (stat(path, &info) != 0)
    return errno;
  if (S_ISDIR(info.st_mode))
    return EISDIR;
  return S_ISREG(info.st_mode) ? 0 : ESPIPE;
}

static bool is_ascii_text(const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i] >= 0x80)
      return false;
  return ir_is_text(bytes, n);
}

/* Sets `weights->file_type` from the first bytes. Returns 0 or an errno. */
static int read_file_type(ir_weights *weights, const ir_source *source) {
  enum { LEAST_TEXT = 8 }; /* bytes; 8 random bytes look like ASCII text once in 1800 times */
  static const ir_file_type text = {.kind = IR_FILE_TEXT, .description = "a text"};
  unsigned char head[IR_FILE_TYPE_HEAD];
  const int64_t n = ir_source_read(source, 0, head, IR_FILE_TYPE_HEAD);
  if (n < 0)
    return errno;
  weights->file_type = ir_file_type_of(head, (size_t)n);
  if (weights->file_type == NULL && n >= LEAST_TEXT && is_ascii_text(head, (size_t)n))
    weights->file_type = &text;
  return 0;
}

bool ir_weights_are_other(const ir_weights *weights) {
  return weights->file_type != NULL && ir_file_type_is_certain(weights->file_type);
}

/* Sets size, file type, error and presence from the source. */
static void look_at_source(ir_weights *weights) {
  weights->size = weights->source->size;
  weights->error = read_file_type(weights, weights->source);
  weights->present = weights->error == 0 && !ir_weights_are_other(weights);
}

/* Makes `source` the source of the weights, which then own it. */
static void take_source(ir_weights *weights, ir_source *source) {
  ir_source_free(weights->source);
  weights->source = source;
  look_at_source(weights);
}

bool ir_weights_open(ir_weights *weights) {
  if (weights->tried)
    return weights->present;
  weights->tried = true;
  weights->error = regular_file_error(weights->path);
  if (weights->error != 0)
    return false;
  ir_source *opened = ir_source_open(weights->memory, IR_SOURCE_BYTES, weights->path, &weights->error);
  if (opened == NULL)
    return false;
  take_source(weights, opened);
  return weights->present;
}

ir_weights *ir_weights_again(const ir_memory *memory, const ir_weights *weights) {
  const ir_source *source = weights->source;
  if (source->bytes != NULL)
    return ir_weights_of_bytes(memory, weights->path, source->bytes, (size_t)source->size);
  ir_weights *again = ir_weights_create(memory, weights->path, weights->given);
  if (again == NULL || source->fd < 0)
    return again;
  again->tried = true;
  again->source->fd = fcntl(source->fd, F_DUPFD_CLOEXEC, 0);
  again->source->size = source->size;
  if (again->source->fd < 0)
    again->error = errno;
  else
    look_at_source(again);
  return again;
}

ir_weights *ir_weights_of_bytes(const ir_memory *memory, const char *name, const void *bytes, size_t size) {
  ir_weights *weights = ir_weights_create(memory, name, true);
  ir_source *source = weights == NULL ? NULL : ir_source_of_bytes(memory, IR_SOURCE_BYTES, name, bytes, size);
  if (source == NULL) {
    ir_weights_free(weights);
    return NULL;
  }
  take_source(weights, source);
  weights->bytes = source->bytes;
  weights->tried = true;
  return weights;
}

bool ir_weights_add_tail(ir_weights *weights, int64_t begin, const void *bytes, int64_t size) {
  if (!ir_weights_open(weights)) {
    if (weights->error == ENOMEM)
      return false;
    weights->source->size = 0;
  }
  weights->tail = bytes;
  weights->tail_begin = begin;
  weights->size = begin + size;
  weights->present = true;
  return true;
}

const char *ir_weights_fault(const ir_weights *weights) {
  if (weights->error == ESPIPE)
    return "the constants have to be in a regular file, for they are mapped";
  if (weights->error == 0)
    return "it lacks bytes of a constant";
  return strerror(weights->error);
}

bool ir_weights_have(const ir_weights *weights, int64_t offset, int64_t size) {
  const int64_t end = ir_weights_in_tail(weights, offset) ? weights->size : weights->source->size;
  return size >= 0 && offset >= 0 && size <= end && offset <= end - size;
}

const unsigned char *ir_weights_bytes(ir_weights *weights, int64_t offset, int64_t size) {
  if (!ir_weights_open(weights) || !ir_weights_have(weights, offset, size))
    return NULL;
  if (size == 0)
    return (const unsigned char *)"";
  if (ir_weights_in_tail(weights, offset))
    return weights->tail + (offset - weights->tail_begin);
  if (weights->bytes == NULL) {
    void *mapping = mmap(NULL, (size_t)weights->source->size, PROT_READ, MAP_PRIVATE, weights->source->fd, 0);
    if (mapping == MAP_FAILED) {
      weights->error = errno;
      return NULL;
    }
    weights->bytes = mapping;
  }
  return weights->bytes + offset;
}

void ir_weights_release(const ir_weights *weights, int64_t offset, int64_t size) {
  if (weights->bytes != NULL && weights->source->bytes == NULL && ir_weights_have(weights, offset, size) &&
      !ir_weights_in_tail(weights, offset))
    ir_release_pages((void *)(uintptr_t)(weights->bytes + offset), (size_t)size);
}
