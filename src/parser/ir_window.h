/* A window is the part of a model's file that is in memory. It moves through the file while the XML parser reads. It
 * keeps some bytes behind the parser's position, because irrun parses each tag again itself. */
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
  int64_t fed; /* offset of the next byte for the XML parser */
  char *past;  /* bytes before `begin` that ir_window_view has read again; or NULL */
  bool out_of_memory;
  int error; /* errno of a failed read, or 0; after a failure, the window behaves as at the end of the file */
} ir_window;

/* Makes a window of `size` bytes that starts at offset `begin` of the file. A quarter of the window keeps bytes that
 * the parser has already got. Returns false if memory is out. */
bool ir_window_init(ir_window *window, const ir_source *source, int64_t begin, size_t size);
void ir_window_reset(ir_window *window);
/* Copies the next `n` bytes to `buffer`, fewer at the end of the file. Returns the number of bytes. */
size_t ir_window_feed(ir_window *window, char *buffer, size_t n);
/* Returns the offset of the last `c` in [from, to); -1 if there is none or the bytes cannot be read. `to` must not
 * exceed `fed`. */
int64_t ir_window_find_last(ir_window *window, char c, int64_t from, int64_t to);
/* Returns bytes [from, to) of the file, valid until the next call for this window. Returns NULL if memory is out or the
 * bytes cannot be read again. */
const char *ir_window_view(ir_window *window, int64_t from, int64_t to);

#endif
