/* The bytes of a model's text: fed front to back to the XML parser, and at hand again for the tags that it reports. */
#ifndef IR_WINDOW_H
#define IR_WINDOW_H

#include "base/source.h"

#define IR_WINDOW_BYTES (128 * 1024)

typedef struct ir_window {
  const ir_source *source;
  const ir_memory *memory;
  char *bytes; /* [begin, end) of the file */
  size_t size;
  int64_t begin, end;
  int64_t fed; /* up to here the parser has it */
  char *past;  /* a part that is no longer in `bytes`, read again */
  bool out_of_memory;
  int error; /* errno of a read that failed; the file then seems to end there */
} ir_window;

/* Begins at byte `begin` of the file and holds `size` bytes, a quarter of them behind the parser. False when memory is
 * out. */
bool ir_window_init(ir_window *window, const ir_source *source, int64_t begin, size_t size);
void ir_window_reset(ir_window *window);
/* Copies the next bytes to `buffer`: `n`, or fewer at the end of the file. */
size_t ir_window_feed(ir_window *window, char *buffer, size_t n);
/* The place of the last `c` in [from, to), or -1: not there, or it cannot be read. `to` is at most what was fed. */
int64_t ir_window_find_last(ir_window *window, char c, int64_t from, int64_t to);
/* The bytes [from, to), until the next call of any of these; NULL when memory is out or they cannot be read again. */
const char *ir_window_view(ir_window *window, int64_t from, int64_t to);

#endif
