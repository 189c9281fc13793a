/* A file or stream that diagnostics point into: converts offsets to lines and columns, and reads the text of a line. */
#ifndef IR_SOURCE_H
#define IR_SOURCE_H

#include "base/arena.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [begin, end) of a source. begin 0 with end -1 means no place. */
typedef struct ir_span {
  int64_t begin, end;
} ir_span;
#define IR_NOWHERE ((ir_span){0, -1})

typedef enum ir_source_kind {
  IR_SOURCE_TEXT,   /* places are line:column */
  IR_SOURCE_BYTES,  /* places are 0xOFFSET */
  IR_SOURCE_NAME,   /* no places, only a name: a tensor file, "in.npz:key" */
  IR_SOURCE_COMMAND /* the command line */
} ir_source_kind;

/* A known position: byte, line and column; lines and columns count from 1. */
typedef struct ir_line_mark {
  int64_t offset, line, column;
} ir_line_mark;

enum { IR_SOURCE_WINDOW = 4096 };

typedef struct ir_source {
  ir_source_kind kind;
  char *name;                   /* as the user typed it; "<stdin>" for "-" */
  int fd;                       /* a seekable file, or -1 */
  const unsigned char *bytes;   /* the text, if the source is in memory; else NULL */
  int stream;                   /* a stream that is not copied to its end yet, or -1 */
  int64_t size;                 /* while there is a stream: bytes copied so far */
  int64_t text_begin, text_end; /* a part of the file whose lines are counted; text_end 0: the whole file */
  const ir_memory *memory;
  ir_line_mark *marks; /* one for every 64 KiB up to the last look-up, so that no look-up scans more than twice that */
  size_t n_marks, marks_capacity;
  ir_line_mark cursor; /* the last look-up; ascending look-ups continue from it */
  int64_t window_begin, window_end;
  unsigned char window[IR_SOURCE_WINDOW]; /* bytes cached by the last look-ups */
  /* Finds the path of the innermost element of the text that holds the span: "/0/ops/2/name". False if there is none.
   * NULL: the text has no paths. */
  bool (*find_path)(struct ir_source *source, ir_span span, char *buffer, size_t size);
  void *path_state;     /* of find_path, or NULL */
  pthread_mutex_t lock; /* of marks, cursor, window and find_path: runs of several threads may report of one model */
} ir_source;

typedef struct ir_place {
  int64_t line, column,
      end_column; /* from 1, in code points; end_column follows the span, within the line and 4096 bytes */
} ir_place;

/* Makes a source without a file: COMMAND or NAME. NULL when memory is out. */
ir_source *ir_source_create(const ir_memory *memory, ir_source_kind kind, const char *name);
/* Opens `path` ("-" is stdin). On failure returns NULL with `*out_errno` (EISDIR for a directory, ENOMEM). A stream
 * will be copied to an unnamed temporary file, so that it can be read again; nothing is copied yet. */
ir_source *ir_source_open(const ir_memory *memory, ir_source_kind kind, const char *path, int *out_errno);
/* Makes a source of `size` bytes in memory, which have to outlive it. NULL when memory is out. */
ir_source *ir_source_of_bytes(const ir_memory *memory, ir_source_kind kind, const char *name, const void *bytes,
                              size_t size);
/* Copies the stream until `source` has `bytes`, or to its end. Returns 0 or an errno. */
int ir_source_fetch(ir_source *source, int64_t bytes);
/* Describes an errno of opening and fetching. ENOSPC and EDQUOT concern the temporary copy, so its folder is named. */
const char *ir_source_error_text(int error, char *buffer, size_t size);
#define IR_SOURCE_ERROR_TEXT 512
void ir_source_free(ir_source *source);
/* Reads `bytes` at `offset`, fewer only at the end; -1 and errno on an error. */
int64_t ir_source_read(const ir_source *source, int64_t offset, void *buffer, int64_t bytes);
/* Finds line and columns of a span. False if the source has no lines or cannot be read. */
bool ir_source_place(ir_source *source, ir_span span, ir_place *out_place);
/* The path of a span, where the source has paths. */
bool ir_source_path(ir_source *source, ir_span span, char *buffer, size_t size);
/* Copies the text of the line that holds `offset` around it (at most `size` - 1 bytes, no newline) and says how many
 * code points of the line were left out before it. */
bool ir_source_line(ir_source *source, int64_t offset, char *buffer, size_t size, int64_t *out_skipped);

/* Writes all bytes; false and errno on failure. */
bool ir_write_all(int fd, const void *data, size_t n);

#endif
