/* Averages and maxima of any windows and every element type, in plain loops: for what has no kernel of vectors. A row
 * of the output is made at a time. The rows of its windows become one row of terms, then the windows are taken along
 * that row: a window costs the sum of its sides.
 *
 * There are four kinds of terms. A sum is a double where a double holds it exactly, else an integer of 128 bits. Floats
 * are added as doubles, in the order of pool_order.h. A maximum is the element. A place is 128 bits: above a number
 * that grows with the element, below one that grows towards the first place. The greatest place is the first of the
 * greatest elements, whatever the order of comparison. */
#ifndef IR_POOL_PLAIN_H
#define IR_POOL_PLAIN_H

#include "ops/pool/pool_repair.h"

typedef enum ir_plain_op {
  IR_PLAIN_AVERAGE,
  IR_PLAIN_QUOTIENT, /* an average that is cut toward zero, of integers alone */
  IR_PLAIN_MAXIMUM,
  IR_PLAIN_INDICES /* a maximum and its place */
} ir_plain_op;

typedef struct ir_plain_what {
  ir_plain_op op;
  ir_type type;
  int64_t divisor; /* of averages, as in ir_average */
  bool nan_if_empty;
  ir_max_start start; /* of maxima */
  /* An index is the position in the input, of a window that found nothing that of its plane's first element, modulo
   * this. */
  int64_t modulus;
} ir_plain_what;

typedef struct ir_plain_kernel ir_plain_kernel;

typedef struct ir_plain {
  ir_plain_what what;
  ir_windows windows;         /* axes that are alike, where they are next to each other, are one */
  int64_t apart[IR_MAX_RANK]; /* elements from one position on an axis to the next */
  ir_windows_axis along;      /* the last axis */
  bool slides;                /* windows along the row share terms; else they go one by one */
  int64_t tile_out;           /* outputs of a tile, at most */
  int64_t pitch, n_lines;     /* of terms */
  int64_t n_rows, plane_rows; /* of the output, in all planes and in one */
  int64_t most_taps;          /* of a window */
  const ir_plain_kernel *kernel;
} ir_plain;

typedef struct ir_plain_job {
  const ir_plain *plain;
  const void *in;
  void *out; /* NULL: nobody reads the values */
  void *indices;
  bool is_i64; /* the indices, or i32 */
} ir_plain_job;

/* Reports when memory is out, and returns false. Of a type without kernels the kernel is NULL. */
bool ir_plain_make(ir_plan *plan, const ir_windows *windows, const ir_plain_what *what, ir_plain *out);
/* Bytes for each worker. */
size_t ir_plain_scratch(const ir_plain *plain);
/* Rows [begin, end) of plain->n_rows. */
void ir_plain_rows(const ir_plain_job *job, void *scratch, int64_t begin, int64_t end);

/* Appends the step of the node from its input 0 to its output 0 and, of indices, to its output 1. Reports when memory
 * is out, and types that have no kernel. */
ir_code ir_plain_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, const ir_plain_what *what,
                      ir_scope *scope);

typedef enum ir_plain_kind { IR_PLAIN_SUMS, IR_PLAIN_WIDE_SUMS, IR_PLAIN_MAXIMA, IR_PLAIN_PLACES } ir_plain_kind;
/* NULL when there is none: of sums of 64 bits that are not wide, and wide ones of what is no integer. */
const ir_plain_kernel *ir_plain_kernel_of(ir_type type, ir_plain_kind kind);

enum {
  IR_PLAIN_SPAN = 512, /* columns of a tile: its lines stay in the first cache */
  IR_PLAIN_TERM = 16   /* bytes, at most */
};

#endif
