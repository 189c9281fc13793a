#include "ir_window.h"
#include <errno.h>
#include <string.h>

bool ir_window_init(ir_window *window, const ir_source *source, int64_t begin, size_t size) {
  *window = (ir_window){.source = source, .memory = source->memory, .size = size};
  window->begin = window->end = window->fed = begin;
  window->bytes = ir_alloc(window->memory, size);
  return window->bytes != NULL;
}

void ir_window_reset(ir_window *window) {
  if (window->memory == NULL)
    return;
  ir_free(window->memory, window->bytes);
  ir_free(window->memory, window->past);
  *window = (ir_window){.source = NULL};
}

static void slide(ir_window *window) {
  int64_t held = window->end - window->begin, kept = (int64_t)window->size / 4;
  kept = kept < held ? kept : held;
  memmove(window->bytes, window->bytes + held - kept, (size_t)kept);
  window->begin = window->end - kept;
  /* ignores bytes that another process appends: places have 32 bits, and only the size at the beginning was checked */
  const int64_t room = (int64_t)window->size - kept, left = window->source->size - window->end;
  errno = 0;
  int64_t n = ir_source_read(window->source, window->end, window->bytes + kept, room < left ? room : left);
  if (n < 0)
    window->error = errno;
  window->end += n > 0 ? n : 0;
}

size_t ir_window_feed(ir_window *window, char *buffer, size_t n) {
  size_t done = 0;
  while (done < n) {
    if (window->fed == window->end)
      slide(window);
    size_t left = (size_t)(window->end - window->fed), piece = left < n - done ? left : n - done;
    if (piece == 0)
      break;
    memcpy(buffer + done, window->bytes + (window->fed - window->begin), piece);
    window->fed += (int64_t)piece;
    done += piece;
  }
  return done;
}

/* Searches the file for `c` in bytes [from, to), which the window has dropped. */
static int64_t find_in_past(ir_window *window, char c, int64_t from, int64_t to) {
  char bytes[4096];
  while (from < to) {
    int64_t first = to - from > (int64_t)sizeof bytes ? to - (int64_t)sizeof bytes : from;
    if (ir_source_read(window->source, first, bytes, to - first) != to - first)
      return -1;
    const char *found = memrchr(bytes, c, (size_t)(to - first));
    if (found != NULL)
      return first + (found - bytes);
    to = first;
  }
  return -1;
}

int64_t ir_window_find_last(ir_window *window, char c, int64_t from, int64_t to) {
  if (to > window->begin) {
    int64_t first = from > window->begin ? from : window->begin;
    const char *bytes = window->bytes + (first - window->begin);
    const char *found = to > first ? memrchr(bytes, c, (size_t)(to - first)) : NULL;
    if (found != NULL)
      return first + (found - bytes);
    to = first;
  }
  return find_in_past(window, c, from, to);
}

const char *ir_window_view(ir_window *window, int64_t from, int64_t to) {
  if (from >= window->begin && to <= window->end)
    return window->bytes + (from - window->begin);
  ir_free(window->memory, window->past);
  window->past = ir_alloc(window->memory, (size_t)(to - from));
  window->out_of_memory = window->past == NULL;
  if (window->past == NULL || ir_source_read(window->source, from, window->past, to - from) != to - from)
    return NULL;
  return window->past;
}
