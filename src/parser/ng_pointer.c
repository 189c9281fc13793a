#include "ng_pointer.h"
#include "base/limits.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES = 4096, NAME_BYTES = 256 };

/* Limits the bytes that are read to find pointers in one text. If a place is before the previous place, irrun reads the
 * text again from its beginning. */
static const int64_t most_bytes = INT64_C(1) << 28;

/* A pointer_step is the position in an open array or object. */
typedef struct pointer_step {
  bool is_object, expects_name;
  int64_t index;            /* array: index of the current item */
  int64_t name_begin, name; /* object: offset and length of the current field's name, without quotes */
} pointer_step;

typedef struct pointer_state {
  int64_t at, string_begin;
  bool in_string, escaped;
  int depth;
  pointer_step steps[IR_MAX_DEPTH];
} pointer_state;

/* A pointer_cursor has the state at the previous place, from which the next search continues. */
typedef struct pointer_cursor {
  pointer_state state;
  int64_t n_read;
} pointer_cursor;

/* ---- scanning the text up to a place ---- */

static pointer_step *innermost(pointer_state *s) {
  return s->depth > 0 ? &s->steps[s->depth - 1] : NULL;
}

static void end_string(pointer_state *s) {
  pointer_step *step = innermost(s);
  s->in_string = false;
  if (step == NULL || !step->expects_name)
    return;
  step->name_begin = s->string_begin;
  step->name = s->at - s->string_begin;
  step->expects_name = false;
}

static void pass_in_string(pointer_state *s, char c) {
  if (s->escaped)
    s->escaped = false;
  else if (c == '\\')
    s->escaped = true;
  else if (c == '"')
    end_string(s);
}

/* Scans one character. Returns false if arrays and objects are nested deeper than IR_MAX_DEPTH. */
static bool pass(pointer_state *s, char c) {
  pointer_step *step = innermost(s);
  if (s->in_string) {
    pass_in_string(s, c);
  } else if (c == '"') {
    s->in_string = true;
    s->string_begin = s->at + 1;
  } else if (c == '[' || c == '{') {
    if (s->depth == IR_MAX_DEPTH)
      return false;
    s->steps[s->depth++] = (pointer_step){.is_object = c == '{', .expects_name = c == '{'};
  } else if ((c == ']' || c == '}') && step != NULL) {
    s->depth--;
  } else if (c == ',' && step != NULL) {
    step->index++;
    step->expects_name = step->is_object;
  }
  s->at++;
  return true;
}

/* Updates `*common`, the number of levels that contain all text scanned so far. After `c`, it is at most the depth, and
 * after a comma at most depth - 1, because the next item begins. */
static void note_common(const pointer_state *s, char c, int *common) {
  const bool next = c == ',' && !s->in_string;
  const int depth = next ? s->depth - 1 : s->depth;
  if (depth < *common)
    *common = depth;
}

/* Scans up to `end`. If `common` is given and `end` is in a field's name, scans to the end of that name. Returns false
 * if the text cannot be read or a limit is exceeded. */
static bool pass_to(const ir_source *source, pointer_cursor *cursor, pointer_state *s, int64_t end, int *common) {
  char bytes[CHUNK_BYTES];
  for (;;) {
    const pointer_step *step = innermost(s);
    const bool in_name = common != NULL && s->in_string && step != NULL && step->expects_name;
    if (s->at >= end && (!in_name || s->at >= end + NAME_BYTES))
      return true;
    const int64_t left = s->at < end ? end - s->at : 1;
    const int64_t n = ir_source_read(source, s->at, bytes, left < CHUNK_BYTES ? left : CHUNK_BYTES);
    cursor->n_read += n;
    if (n <= 0 || cursor->n_read > most_bytes)
      return false;
    for (int64_t i = 0; i < n; i++) {
      if (!pass(s, bytes[i]))
        return false;
      if (common != NULL)
        note_common(s, bytes[i], common);
    }
  }
}

/* ---- the pointer ---- */

/* Writes "/name" as the file spells the name, with ~0 for ~ and ~1 for /. Returns false if the name is too long or
 * cannot be read. */
static bool add_name(const ir_source *source, const pointer_step *step, char *buffer, size_t size) {
  char name[NAME_BYTES];
  size_t used = 0;
  if (step->name > NAME_BYTES || ir_source_read(source, step->name_begin, name, step->name) != step->name)
    return false;
  used += (size_t)snprintf(buffer, size, "/");
  for (int64_t i = 0; i < step->name && used + 3 < size; i++) {
    if (name[i] == '~' || name[i] == '/')
      used += (size_t)snprintf(buffer + used, size - used, "~%d", name[i] == '/');
    else
      buffer[used++] = name[i];
  }
  buffer[used] = '\0';
  return used + 3 < size;
}

static bool print(const ir_source *source, const pointer_state *s, int n, char *buffer, size_t size) {
  size_t used = 0;
  for (int i = 0; i < n; i++) {
    if (used + 24 > size)
      return false;
    if (!s->steps[i].is_object)
      snprintf(buffer + used, size - used, "/%" PRId64, s->steps[i].index);
    else if (!add_name(source, &s->steps[i], buffer + used, size - used))
      return false;
    used += strlen(buffer + used);
  }
  return n > 0;
}

static bool find_path(ir_source *source, ir_span span, char *buffer, size_t size) {
  pointer_cursor *cursor = source->path_state;
  if (cursor == NULL || span.end < span.begin)
    return false;
  if (span.begin < cursor->state.at || cursor->state.at < source->text_begin)
    cursor->state = (pointer_state){.at = source->text_begin};
  if (!pass_to(source, cursor, &cursor->state, span.begin, NULL))
    return false;
  pointer_state s = cursor->state;
  int n = s.depth;
  /* scans at least one byte; then `n` is the number of steps that contain the whole span */
  if (!pass_to(source, cursor, &s, span.end > span.begin ? span.end : span.begin + 1, &n))
    return false;
  if (n > 0 && s.steps[n - 1].expects_name)
    n--;
  /* If the span begins within an item or a field's value, uses the step at the beginning of the span. If the span
   * begins at a field's name, keeps the step at the end, which has the name. */
  if (n > 0 && !cursor->state.steps[n - 1].expects_name)
    s.steps[n - 1] = cursor->state.steps[n - 1];
  return print(source, &s, n, buffer, size);
}

void ng_name_places(ir_source *source) {
  source->path_state = ir_alloc_zero(source->memory, 1, sizeof(pointer_cursor));
  source->find_path = find_path;
}
