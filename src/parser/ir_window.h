/* A window on the bytes of a model's text: feeds them to the XML parser front to back, and gives access to the bytes of
 * the tags that it reports. */
#ifndef IR_WINDOW_H
#define IR_WINDOW_H

#include "base/source.h"

#define IR_WINDOW_BYTES (128 * 1024)

typedef struct ir_window {
  const ir_source *source;
  const ir_memory *memory;
  char *bytes; /* bytes [begin, end) of the file */
  size_t size;
  int64_t begin, end;
  int64_t fed; /* the parser has the bytes before this one */
  char *past;  /* a part that was dropped from `bytes` and read again */
  bool out_of_memory;
  int error; /* errno of a failed read; the file then seems to end there */
} ir_window;

/* Makes a window of `size` bytes that starts at byte `begin` of the file; a quarter of it is for bytes that the parser
 * has read already. False when memory is out. */
bool ir_window_init(ir_window *window, const ir_source *source, int64_t begin, size_t size);
void ir_window_reset(ir_window *window);
/* Copies the next bytes to `buffer`: `n`, or fewer at the end of the file. */
size_t ir_window_feed(ir_window *window, char *buffer, size_t n);
/* Finds the last `c` in [from, to); -1 if there is none or the bytes cannot be read. Only bytes that were fed may be
 * searched. */
int64_t ir_window_find_last(ir_window *window, char c, int64_t from, int64_t to);
/* The bytes [from, to), valid until the next call of these functions; NULL when memory is out or they cannot be read
 * again. */
const char *ir_window_view(ir_window *window, int64_t from, int64_t to);

#endif
