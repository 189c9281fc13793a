/* A file (or stream) that diagnostics point into: where byte N is, in lines and columns, and the text of its line. */
#ifndef IR_SOURCE_H
#define IR_SOURCE_H

#include "base/arena.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [begin, end) of a source. An empty span at 0 with `end` -1 is "no place in it". */
typedef struct ir_span {
  int64_t begin, end;
} ir_span;
#define IR_NOWHERE ((ir_span){0, -1})

typedef enum ir_source_kind {
  IR_SOURCE_TEXT,   /* places are line:column */
  IR_SOURCE_BYTES,  /* places are 0xOFFSET */
  IR_SOURCE_NAME,   /* no places: a tensor file, "in.npz:key" */
  IR_SOURCE_COMMAND /* the command line */
} ir_source_kind;

/* Where a byte is: line and column from 1. */
typedef struct ir_line_mark {
  int64_t offset, line, column;
} ir_line_mark;

enum { IR_SOURCE_WINDOW = 4096 };

typedef struct ir_source {
  ir_source_kind kind;
  char *name;                   /* as the user wrote it; "<stdin>" for "-" */
  int fd;                       /* seekable, or -1 */
  const unsigned char *bytes;   /* of one in memory, which has no file; else NULL */
  int stream;                   /* what cannot seek and is not yet copied to its end, or -1 */
  int64_t size;                 /* so far, while there is a stream */
  int64_t text_begin, text_end; /* of a text inside the file, whose lines then count; text_end 0: all of it is text */
  const ir_memory *memory;
  ir_line_mark *marks; /* of every 64 KiB as far as was asked for, so that no lookup scans more than that twice */
  size_t n_marks, marks_capacity;
  ir_line_mark cursor; /* the last lookup: rising lookups go on from it */
  int64_t window_begin, window_end;
  unsigned char window[IR_SOURCE_WINDOW]; /* these bytes of it, as the last lookups read them */
  /* Of a text whose parts have paths: that of the innermost one that holds the span, "/0/ops/2/name". False when there
   * is none. NULL: they have not. */
  bool (*find_path)(struct ir_source *source, ir_span span, char *buffer, size_t size);
  void *path_state;     /* of find_path, or NULL */
  pthread_mutex_t lock; /* of marks, cursor, window and find_path: runs of several threads may report of one model */
} ir_source;

typedef struct ir_place {
  int64_t line, column,
      end_column; /* from 1; a column is one code point. end_column is behind the last of the line and of 4096 bytes */
} ir_place;

/* A source without a file behind it: COMMAND or NAME. NULL when memory is out. */
ir_source *ir_source_create(const ir_memory *memory, ir_source_kind kind, const char *name);
/* Opens `path` ("-" is stdin). NULL: `*out_errno` says why (EISDIR for a directory, ENOMEM). What cannot seek is to be
 * copied to an unnamed temporary file, so that it is read twice at will; nothing of it is copied yet. */
ir_source *ir_source_open(const ir_memory *memory, ir_source_kind kind, const char *path, int *out_errno);
/* A source of `size` bytes in memory, which have to outlive it. NULL when memory is out. */
ir_source *ir_source_of_bytes(const ir_memory *memory, ir_source_kind kind, const char *name, const void *bytes,
                              size_t size);
/* Copies of a stream until `source` has `bytes`, or to its end. 0, or an errno. */
int ir_source_fetch(ir_source *source, int64_t bytes);
/* What an errno of opening and fetching means. ENOSPC and EDQUOT are of the copy, and name the folder it is in. */
const char *ir_source_error_text(int error, char *buffer, size_t size);
#define IR_SOURCE_ERROR_TEXT 512
void ir_source_free(ir_source *source);
/* Reads `bytes` at `offset`, fewer only at the end; -1 and errno on an error. */
int64_t ir_source_read(const ir_source *source, int64_t offset, void *buffer, int64_t bytes);
/* Line and columns of a span. False when the source has no lines or cannot be read. */
bool ir_source_place(ir_source *source, ir_span span, ir_place *out_place);
/* The path of a span, where the source has paths. */
bool ir_source_path(ir_source *source, ir_span span, char *buffer, size_t size);
/* Copies the text of the line that holds `offset` around it (at most `size` - 1 bytes, no newline) and says how many
 * code points of the line were left out before it. */
bool ir_source_line(ir_source *source, int64_t offset, char *buffer, size_t size, int64_t *out_skipped);

/* Writes all of it; false and errno when that cannot be. */
bool ir_write_all(int fd, const void *data, size_t n);

#endif
