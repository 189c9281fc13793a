/* Where bytes come from and go to, one after the other: a file, or a member of an archive. */
#ifndef IR_BYTE_STREAM_H
#define IR_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ir_byte_reader {
  /* Fewer than `bytes` at the end; -1 on an error, which the reader's owner reports. */
  int64_t (*read)(void *user, void *buffer, int64_t bytes);
  /* Bytes of all there is, where that is at most `bytes`; else some number above, IR_SIZE_UNKNOWN when nobody knows. -1
   * as above. */
  int64_t (*size)(void *user, int64_t bytes);
  void *user;
} ir_byte_reader;

#define IR_SIZE_UNKNOWN INT64_MAX

typedef struct ir_byte_sink {
  /* Takes all, or returns false; the sink knows why. */
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} ir_byte_sink;

#endif
