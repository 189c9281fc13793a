/* A source: a file, stream or text that diagnostics point into. Converts offsets to lines and columns, and gets the
 * text of a line. */
#ifndef IR_SOURCE_H
#define IR_SOURCE_H

#include "base/arena.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [begin, end) of a source. IR_NOWHERE means no place. */
typedef struct ir_span {
  int64_t begin, end;
} ir_span;
#define IR_NOWHERE ((ir_span){0, -1})

typedef enum ir_source_kind {
  IR_SOURCE_TEXT,   /* a place is line:column */
  IR_SOURCE_BYTES,  /* a place is 0xOFFSET */
  IR_SOURCE_NAME,   /* the source has a name, but no places: a tensor in a file, "in.npz:key" */
  IR_SOURCE_COMMAND /* the command line; no places */
} ir_source_kind;

/* A byte offset with its line and column, both counted from 1. */
typedef struct ir_line_mark {
  int64_t offset, line, column;
} ir_line_mark;

enum { IR_SOURCE_WINDOW = 4096 };

typedef struct ir_source {
  ir_source_kind kind;
  char *name;                   /* the path as the user typed it; "<stdin>" for "-" */
  int fd;                       /* a seekable file; -1: none */
  const unsigned char *bytes;   /* the text of a source in memory; else NULL */
  int stream;                   /* a stream that is not yet copied to `fd` to its end; -1: none */
  int64_t size;                 /* size of the source; while `stream` is open, bytes copied so far */
  int64_t text_begin, text_end; /* only lines in this part of the file are counted; text_end 0: the whole file */
  const ir_memory *memory;
  ir_line_mark *marks; /* one for every 64 KiB up to the farthest look-up. A look-up scans from the nearest mark before
                          its offset */
  size_t n_marks, marks_capacity;
  ir_line_mark cursor; /* position of the last look-up; the next one starts here if it is farther */
  int64_t window_begin, window_end;
  unsigned char window[IR_SOURCE_WINDOW]; /* bytes [window_begin, window_end), cached for the next look-ups */
  /* Writes the path of the innermost element that contains the span to `buffer`, such as "/0/ops/2/name". Returns
   * false if there is none. NULL: the text has no paths. */
  bool (*find_path)(struct ir_source *source, ir_span span, char *buffer, size_t size);
  void *path_state;     /* private state of `find_path`, or NULL */
  pthread_mutex_t lock; /* guards marks, cursor, window and find_path; runs in several threads can report at once */
} ir_source;

typedef struct ir_place {
  int64_t line, column, end_column; /* line and columns count from 1, columns in code points */
} ir_place;

/* Makes a source without bytes: IR_SOURCE_COMMAND or IR_SOURCE_NAME. NULL if memory is out. */
ir_source *ir_source_create(const ir_memory *memory, ir_source_kind kind, const char *name);
/* Opens `path`; "-" is stdin. On failure returns NULL and sets `*out_errno`, to EISDIR for a directory, or ENOMEM if
 * memory is out. A stream is copied to an unnamed temporary file, so that it can be read several times.
 * ir_source_fetch copies; this function does not yet. */
ir_source *ir_source_open(const ir_memory *memory, ir_source_kind kind, const char *path, int *out_errno);
/* Makes a source from `size` bytes in memory, which must outlive it. NULL if memory is out. */
ir_source *ir_source_of_bytes(const ir_memory *memory, ir_source_kind kind, const char *name, const void *bytes,
                              size_t size);
/* Copies the stream until the source has `bytes` bytes or the stream ends. Returns 0 or an errno. */
int ir_source_fetch(ir_source *source, int64_t bytes);
/* Describes an errno of ir_source_open or ir_source_fetch. For ENOSPC and EDQUOT the text names the folder of the
 * temporary copy. */
const char *ir_source_error_text(int error, char *buffer, size_t size);
#define IR_SOURCE_ERROR_TEXT 512
void ir_source_free(ir_source *source);
/* Reads up to `bytes` at `offset` and returns the number; it is smaller only at the end. Returns -1 and sets errno
 * after an error. */
int64_t ir_source_read(const ir_source *source, int64_t offset, void *buffer, int64_t bytes);
/* Finds line and columns of a span. `end_column` is the column after the span, at most the end of the line, and at
 * most 4096 bytes further. False if the source has no lines or cannot be read. */
bool ir_source_place(ir_source *source, ir_span span, ir_place *out_place);
/* Writes the path of the innermost element that contains the span. False if there is none, or the source has no
 * paths. */
bool ir_source_path(ir_source *source, ir_span span, char *buffer, size_t size);
/* Copies the part around `offset` of the line that contains it: at most `size` - 1 bytes, without the newline.
 * `*out_skipped` is the number of code points of the line before that part. */
bool ir_source_line(ir_source *source, int64_t offset, char *buffer, size_t size, int64_t *out_skipped);
/* Returns where the line `step` lines after that of `offset` begins; -1: there is none, or it begins more than 1 KiB
 * away. */
int64_t ir_source_next_line(const ir_source *source, int64_t offset, int step);

/* Writes all bytes. On failure returns false and sets errno. */
bool ir_write_all(int fd, const void *data, size_t n);

#endif
