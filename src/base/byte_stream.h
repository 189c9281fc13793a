/* Streams of bytes. A reader reads a file or an archive member, a sink writes one. */
#ifndef IR_BYTE_STREAM_H
#define IR_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ir_byte_reader {
  /* Reads up to `bytes` and returns how many were read: fewer only at the end of the stream. Returns -1 after an
   * error, which the owner of the reader reports. */
  int64_t (*read)(void *user, void *buffer, int64_t bytes);
  /* Returns the size of the stream. If it exceeds `bytes`, any larger number can be returned; if it is unknown,
   * IR_SIZE_UNKNOWN. Returns -1 after an error. */
  int64_t (*size)(void *user, int64_t bytes);
  void *user;
} ir_byte_reader;

#define IR_SIZE_UNKNOWN INT64_MAX

typedef struct ir_byte_sink {
  /* Writes all bytes. Returns false after an error, whose cause the sink stores. */
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} ir_byte_sink;

#endif
