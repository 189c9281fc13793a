/* Computes averages and maxima of any windows and element type in plain loops, for pools that no vector kernel
 * supports. Each output row is computed in two steps: the input rows of its windows are reduced to one row of terms,
 * and the windows along this row are reduced to outputs. So the cost of a window is the sum of its sides.
 *
 * A term is a partial result of some elements. There are four kinds:
 *   sum       a double: for floats, added in the order of pool_order.h, and for integers if all sums are exact
 *   wide sum  an integer of 128 bits: for the other sums of integers
 *   maximum   an element
 *   place     an integer of 128 bits: the high half grows with the element, the low half falls with its position. So
 *             the greatest place is the first of the greatest elements, in any order of comparisons. */
#ifndef IR_POOL_PLAIN_H
#define IR_POOL_PLAIN_H

#include "ops/pool/pool_repair.h"

typedef enum ir_plain_op {
  IR_PLAIN_AVERAGE,
  IR_PLAIN_QUOTIENT, /* an average truncated toward zero, for integers only */
  IR_PLAIN_MAXIMUM,
  IR_PLAIN_INDICES /* maxima and their indices */
} ir_plain_op;

typedef struct ir_plain_what {
  ir_plain_op op;
  ir_type type;
  int64_t divisor; /* averages: divisor of every window; 0: the window's number of taps in the input */
  bool nan_if_empty;
  ir_max_start start; /* maxima: their start value */
  /* index = position in the input % modulus. If no element of a window exceeds the start value, the index is that of
   * the plane's first element. */
  int64_t modulus;
} ir_plain_what;

typedef struct ir_plain_kernel ir_plain_kernel;

typedef struct ir_plain {
  ir_plain_what what;
  ir_windows windows;         /* adjacent axes are merged if that does not change results */
  int64_t apart[IR_MAX_RANK]; /* input elements between neighbours on each axis */
  ir_windows_axis along;      /* the last axis */
  bool slides;                /* true: windows along the row share terms; false: each is computed alone */
  int64_t tile_out;           /* most outputs of a tile, a part of a row */
  int64_t pitch, n_lines;     /* terms of a line in the scratch; number of such lines */
  int64_t n_rows, plane_rows; /* output rows: in all planes; in one plane */
  int64_t most_taps;          /* taps of the largest window */
  const ir_plain_kernel *kernel;
} ir_plain;

typedef struct ir_plain_job {
  const ir_plain *plain;
  const void *in;
  void *out; /* NULL: the values are not read */
  void *indices;
  bool is_i64;   /* type of the indices: i64, else i32 */
  ir_stop *stop; /* as in ir_pool_job */
  int worker;
} ir_plain_job;

/* Plans plain loops over `windows`. If the type has no kernel, sets out->kernel to NULL. Returns false, with a report,
 * if memory is out. */
bool ir_plain_make(ir_plan *plan, const ir_windows *windows, const ir_plain_what *what, ir_plain *out);
/* Returns the bytes of scratch for each worker. */
size_t ir_plain_scratch(const ir_plain *plain);
/* Computes output rows [begin, end) of the plain->n_rows. */
void ir_plain_rows(const ir_plain_job *job, void *scratch, int64_t begin, int64_t end);

/* Appends the step that reads the node's input 0 and writes output 0 and, if what->op is IR_PLAIN_INDICES, output 1.
 * Reports if memory is out or the type has no kernel. */
ir_code ir_plain_step(ir_plan *plan, const ir_node *node, const ir_windows *windows, const ir_plain_what *what,
                      ir_scope *scope);

typedef enum ir_plain_kind { IR_PLAIN_SUMS, IR_PLAIN_WIDE_SUMS, IR_PLAIN_MAXIMA, IR_PLAIN_PLACES } ir_plain_kind;
/* Returns NULL if there is no such kernel: 64-bit integers have only wide sums, and only integers have wide sums. */
const ir_plain_kernel *ir_plain_kernel_of(ir_type type, ir_plain_kind kind);

enum {
  IR_PLAIN_SPAN = 512, /* columns of a tile: its lines stay in the L1 cache */
  IR_PLAIN_TERM = 16   /* bytes of the largest term */
};

#endif
