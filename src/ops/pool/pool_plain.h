/* Averages and maxima of any windows and element type, in plain loops, where no vector kernel applies. Each row of the
 * output is computed at once: the rows of its windows are reduced to one row of terms, then each window along that row;
 * so a window costs the sum of its sides.
 *
 * There are four kinds of terms. A sum is a double if that is exact, else an integer of 128 bits. Floats are added as
 * doubles, in the order of pool_order.h. A maximum is the element. A place is 128 bits: the high half grows with the
 * element, the low half towards the first place. So the greatest place is the first of the greatest elements, in any
 * order of comparisons. */
#ifndef IR_POOL_PLAIN_H
#define IR_POOL_PLAIN_H

#include "ops/pool/pool_repair.h"

typedef enum ir_plain_op {
  IR_PLAIN_AVERAGE,
  IR_PLAIN_QUOTIENT, /* an average truncated toward zero, for integers only */
  IR_PLAIN_MAXIMUM,
  IR_PLAIN_INDICES /* maxima with their places */
} ir_plain_op;

typedef struct ir_plain_what {
  ir_plain_op op;
  ir_type type;
  int64_t divisor; /* for averages, as in ir_average */
  bool nan_if_empty;
  ir_max_start start; /* for maxima */
  /* An index is the position in the input, modulo this. For a window that finds nothing it is the first element of the
   * plane. */
  int64_t modulus;
} ir_plain_what;

typedef struct ir_plain_kernel ir_plain_kernel;

typedef struct ir_plain {
  ir_plain_what what;
  ir_windows windows;         /* adjacent axes of the same kind are merged */
  int64_t apart[IR_MAX_RANK]; /* distance between positions on an axis, in elements */
  ir_windows_axis along;      /* the last axis */
  bool slides;                /* windows along the row share terms; else each is computed alone */
  int64_t tile_out;           /* most outputs of a tile */
  int64_t pitch, n_lines;     /* pitch: terms in a line */
  int64_t n_rows, plane_rows; /* rows of the output, in all planes and in one */
  int64_t most_taps;          /* in a window */
  const ir_plain_kernel *kernel;
} ir_plain;

typedef struct ir_plain_job {
  const ir_plain *plain;
  const void *in;
  void *out; /* NULL: the values are not read */
  void *indices;
  bool is_i64; /* type of the indices: i64, else i32 */
} ir_plain_job;

/* Returns false, with a report, if memory is out. The kernel is NULL for a type without kernels. */
bool ir_plain_make(ir_plan *plan, const ir_windows *windows, const ir_plain_what *what, ir_plain *out);
/* Bytes of scratch for each worker. */
size_t ir_plain_scratch(const ir_plain *plain);
/* Computes rows [begin, end) of plain->n_rows. */
void ir_plain_rows(const ir_plain_job *job, void *scratch, int64_t begin, int64_t end);

/* Appends the step of the node from input 0 to output 0 and, for indices, output 1. Reports if memory is out, or if the
 * type has no kernel. */
ir_code ir_plain_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, const ir_plain_what *what,
                      ir_scope *scope);

typedef enum ir_plain_kind { IR_PLAIN_SUMS, IR_PLAIN_WIDE_SUMS, IR_PLAIN_MAXIMA, IR_PLAIN_PLACES } ir_plain_kind;
/* NULL if there is none: 64-bit sums exist only wide, wide sums only for integers. */
const ir_plain_kernel *ir_plain_kernel_of(ir_type type, ir_plain_kind kind);

enum {
  IR_PLAIN_SPAN = 512, /* columns of a tile: its lines stay in the L1 cache */
  IR_PLAIN_TERM = 16   /* most bytes of a term */
};

#endif
