#include "base/source.h"
#include "base/message_text.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

enum {
  MARK_STEP = 64 * 1024,
  LINE_REACH = 1024, /* bytes of the line that are shown before and after a place, at most */
  SPAN_REACH = 4096  /* bytes of a span that are scanned at most: many places can have the same long name */
};

int64_t ir_source_read(const ir_source *source, int64_t offset, void *buffer, int64_t bytes) {
  if (offset < 0 || bytes < 0) {
    errno = EINVAL;
    return -1;
  }
  int64_t done = 0;
  if (source->bytes != NULL) {
    done = source->size - offset < bytes ? source->size - offset : bytes;
    done = done > 0 ? done : 0;
    memcpy(buffer, source->bytes + (done > 0 ? offset : 0), (size_t)done);
    return done;
  }
  while (done < bytes) {
    ssize_t n = pread(source->fd, (char *)buffer + done, (size_t)(bytes - done), (off_t)(offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += n;
  }
  return done;
}

/* ---- byte to line and column ---- */

static int64_t count_columns(const unsigned char *bytes, int64_t n) {
  int64_t columns = 0;
  for (int64_t i = 0; i < n; i++)
    columns += !ir_utf8_continues((char)bytes[i]);
  return columns;
}

static void advance(ir_line_mark *mark, const unsigned char *bytes, int64_t n) {
  const unsigned char *newline = memrchr(bytes, '\n', (size_t)n);
  int64_t head = newline == NULL ? 0 : newline + 1 - bytes;
  for (int64_t i = 0; i < head; i++)
    mark->line += bytes[i] == '\n';
  mark->column = (head > 0 ? 1 : mark->column) + count_columns(bytes + head, n - head);
  mark->offset += n;
}

/* Returns bytes at `offset`, at least one and at most `wanted`; NULL if they cannot be read. They are valid until
 * the next call. Look-ups mostly ascend in small steps, so one read serves several. */
static const unsigned char *view(ir_source *source, int64_t offset, int64_t wanted, int64_t *out_n) {
  if (offset < source->window_begin || offset >= source->window_end) {
    const int64_t n = ir_source_read(source, offset, source->window, IR_SOURCE_WINDOW);
    source->window_begin = offset;
    source->window_end = offset + (n > 0 ? n : 0);
  }
  const int64_t held = source->window_end - offset;
  *out_n = held < wanted ? held : wanted;
  return held > 0 ? source->window + (offset - source->window_begin) : NULL;
}

/* The position of line 1, column 1: after the byte order mark, if the text begins with one. */
static ir_line_mark first_mark(const ir_source *source) {
  unsigned char bytes[3];
  const int64_t begin = source->text_begin;
  bool has_bom = ir_source_read(source, begin, bytes, 3) == 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0;
  return (ir_line_mark){begin + (has_bom ? 3 : 0), 1, 1};
}

static int64_t text_end(const ir_source *source) {
  return source->text_end > 0 ? source->text_end : source->size;
}

/* Appends a mark. If memory is out, the mark is missing, and later look-ups only take longer. */
static void add_mark(ir_source *source, ir_line_mark mark) {
  void *marks = source->marks;
  if (!ir_reserve(source->memory, &marks, source->n_marks, &source->marks_capacity, sizeof *source->marks))
    return;
  source->marks = marks;
  source->marks[source->n_marks++] = mark;
}

/* The last known position at or before `offset`: a mark or the cursor. */
static ir_line_mark nearest_mark(ir_source *source, int64_t offset) {
  if (source->n_marks == 0)
    add_mark(source, first_mark(source));
  if (source->n_marks == 0)
    return source->cursor.line > 0 && source->cursor.offset <= offset ? source->cursor : first_mark(source);
  size_t step = (size_t)(offset / MARK_STEP);
  ir_line_mark mark = source->marks[step < source->n_marks ? step : source->n_marks - 1];
  bool use_cursor = source->cursor.offset <= offset && source->cursor.offset > mark.offset;
  return use_cursor ? source->cursor : mark;
}

static bool find_mark(ir_source *source, int64_t offset, ir_line_mark *out_mark) {
  *out_mark = (ir_line_mark){0};
  if (source->kind != IR_SOURCE_TEXT || (source->fd < 0 && source->bytes == NULL) || offset < 0)
    return false;
  offset = offset < text_end(source) ? offset : text_end(source);
  ir_line_mark mark = nearest_mark(source, offset);
  while (mark.offset < offset) {
    const int64_t to_mark = MARK_STEP - mark.offset % MARK_STEP, to_offset = offset - mark.offset;
    int64_t n;
    const unsigned char *bytes = view(source, mark.offset, to_mark < to_offset ? to_mark : to_offset, &n);
    if (bytes == NULL)
      return false;
    advance(&mark, bytes, n);
    if (mark.offset == (int64_t)source->n_marks * MARK_STEP && source->n_marks > 0)
      add_mark(source, mark);
  }
  source->cursor = mark;
  *out_mark = mark;
  return true;
}

/* The column of byte `end`, counted from `mark`. The scan stops at the end of the line, and after SPAN_REACH bytes. */
static int64_t find_end_column(ir_source *source, ir_line_mark mark, int64_t end) {
  end = end - mark.offset > SPAN_REACH ? mark.offset + SPAN_REACH : end;
  bool after_return = false;
  while (mark.offset < end) {
    int64_t n;
    const unsigned char *bytes = view(source, mark.offset, end - mark.offset, &n);
    if (bytes == NULL)
      break;
    const unsigned char *newline = memchr(bytes, '\n', (size_t)n);
    if (newline != NULL) {
      n = newline - bytes;
      after_return = n > 0 ? bytes[n - 1] == '\r' : after_return;
      return mark.column + count_columns(bytes, n) - after_return;
    }
    after_return = bytes[n - 1] == '\r';
    advance(&mark, bytes, n);
  }
  return mark.column;
}

static bool find_place(ir_source *source, ir_span span, ir_place *out_place) {
  ir_line_mark mark;
  if (span.end < span.begin || !find_mark(source, span.begin, &mark))
    return false;
  int64_t end_column = find_end_column(source, mark, span.end);
  *out_place = (ir_place){mark.line, mark.column, end_column > mark.column ? end_column : mark.column};
  return true;
}

bool ir_source_place(ir_source *source, ir_span span, ir_place *out_place) {
  *out_place = (ir_place){0};
  pthread_mutex_lock(&source->lock);
  const bool found = find_place(source, span, out_place);
  pthread_mutex_unlock(&source->lock);
  return found;
}

bool ir_source_path(ir_source *source, ir_span span, char *buffer, size_t size) {
  if (source->find_path == NULL)
    return false;
  pthread_mutex_lock(&source->lock);
  const bool found = source->find_path(source, span, buffer, size);
  pthread_mutex_unlock(&source->lock);
  return found;
}

/* ---- the text of a line ---- */

/* Bytes around a place. Bytes [from, to) are shown; `at` is the place. */
typedef struct line_view {
  unsigned char bytes[2 * LINE_REACH + 1]; /* one byte more, to see whether the last character is complete */
  int64_t at, from, to;
} line_view;

/* Shortens the shown bytes to `budget`: half of them before the place, more if the text after the place is short. */
static void cut_to_budget(line_view *view, int64_t budget) {
  const unsigned char *bytes = view->bytes;
  int64_t lead = view->at - view->from, trail = view->to - view->at;
  int64_t kept_lead = lead < budget / 2 ? lead : budget / 2;
  int64_t kept_trail = trail < budget - kept_lead ? trail : budget - kept_lead;
  kept_lead = lead < budget - kept_trail ? lead : budget - kept_trail;
  view->from = view->at - kept_lead;
  view->to = view->at + kept_trail;
  for (int i = 0; i < 3 && kept_trail < trail && view->to > view->at && ir_utf8_continues((char)bytes[view->to]); i++)
    view->to--;
}

static bool read_line(const ir_source *source, int64_t offset, int64_t budget, line_view *view) {
  unsigned char *bytes = view->bytes;
  const int64_t begin = source->text_begin, rest = text_end(source) - offset;
  int64_t first = offset - begin > budget ? offset - budget : begin;
  int64_t n = ir_source_read(source, first, bytes, offset - first + (rest < budget ? rest : budget) + 1);
  n = n > offset - first + rest ? offset - first + rest : n;
  int64_t at = offset - first;
  if (n < at)
    return false;
  const unsigned char *before = memrchr(bytes, '\n', (size_t)at), *behind = memchr(bytes + at, '\n', (size_t)(n - at));
  view->at = at;
  view->from = before == NULL ? 0 : before + 1 - bytes;
  view->to = behind == NULL ? n : behind - bytes;
  bool is_begin = before != NULL || first == begin;
  int64_t line_from = view->from, line_to = view->to;
  cut_to_budget(view, budget);
  while ((view->from > line_from || !is_begin) && view->from < at && ir_utf8_continues((char)bytes[view->from]))
    view->from++;
  if (first == begin && view->from == 0 && at >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0)
    view->from = 3;
  if (behind != NULL && view->to == line_to && view->to > view->from && bytes[view->to - 1] == '\r')
    view->to--;
  return true;
}

int64_t ir_source_next_line(const ir_source *source, int64_t offset, int step) {
  unsigned char bytes[2 * LINE_REACH];
  const int64_t begin = source->text_begin, end = text_end(source);
  const int64_t first = offset - begin > LINE_REACH ? offset - LINE_REACH : begin;
  const int64_t last = end - offset < LINE_REACH ? end : offset + LINE_REACH;
  const int64_t n = ir_source_read(source, first, bytes, last - first);
  int64_t at = offset - first;
  if (at < 0 || at > n)
    return -1;
  for (int k = 0; k < step; k++) {
    const unsigned char *newline = memchr(bytes + at, '\n', (size_t)(n - at));
    if (newline == NULL || first + (newline + 1 - bytes) >= end)
      return -1;
    at = newline + 1 - bytes;
  }
  for (int k = 0; k <= -step; k++) {
    const unsigned char *newline = memrchr(bytes, '\n', (size_t)at);
    if (newline == NULL)
      return k == -step && first == begin ? begin : -1;
    at = newline - bytes;
  }
  return first + at + (step <= 0);
}

bool ir_source_line(ir_source *source, int64_t offset, char *buffer, size_t size, int64_t *out_skipped) {
  *out_skipped = 0;
  if (size > 0)
    buffer[0] = '\0';
  ir_line_mark mark;
  line_view view;
  int64_t budget = size == 0 || size - 1 > LINE_REACH ? LINE_REACH : (int64_t)size - 1;
  pthread_mutex_lock(&source->lock);
  const bool found = size > 0 && find_mark(source, offset, &mark) && read_line(source, mark.offset, budget, &view);
  pthread_mutex_unlock(&source->lock);
  if (!found)
    return false;
  for (int64_t i = view.from; i < view.to; i++) {
    unsigned char byte = view.bytes[i];
    *buffer++ = byte == '\0' ? '\x1a' : (char)byte; /* a NUL would end the text; SUBSTITUTE shows it */
  }
  *buffer = '\0';
  *out_skipped = mark.column - 1 - count_columns(view.bytes + view.from, view.at - view.from);
  return true;
}
