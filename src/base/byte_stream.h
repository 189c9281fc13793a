/* Streams of bytes: sources and sinks, such as a file or an archive member. */
#ifndef IR_BYTE_STREAM_H
#define IR_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ir_byte_reader {
  /* Reads `bytes`, fewer only at the end; -1 on an error, which the reader's owner reports. */
  int64_t (*read)(void *user, void *buffer, int64_t bytes);
  /* Returns the total size if it is at most `bytes`, else any larger number; IR_SIZE_UNKNOWN if unknown. -1 on an
   * error. */
  int64_t (*size)(void *user, int64_t bytes);
  void *user;
} ir_byte_reader;

#define IR_SIZE_UNKNOWN INT64_MAX

typedef struct ir_byte_sink {
  /* Writes all bytes, or returns false; the sink keeps the reason. */
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} ir_byte_sink;

#endif
