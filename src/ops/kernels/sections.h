/* Copies tensors whose strides change along an axis: Pad, Roll, ReverseSequence, BatchToSpace. Each axis is cut into a
 * few sections. Each combination of sections, one of each axis, is a strided copy. */
#ifndef IR_SECTIONS_H
#define IR_SECTIONS_H

#include "ops/prepare.h"

#define IR_MOST_SECTIONS 3 /* most sections of an axis */

/* A section of an axis, as one or two dims, in elements. Its start and strides are `from` and from_steps in the input,
 * and `to` and to_steps in the output. */
typedef struct ir_section {
  int64_t from, to;
  int64_t dims[2], from_steps[2], to_steps[2];
} ir_section;

typedef struct ir_axis_sections {
  int n;
  ir_section items[IR_MOST_SECTIONS];
} ir_axis_sections;

typedef struct ir_sections {
  int n_axes;
  ir_axis_sections axes[IR_MAX_RANK];
} ir_sections;

/* Adds a section to an axis; skips an empty section. */
void ir_sections_add(ir_axis_sections *axis, const ir_section *section);
/* Adds a section of one dim, with n elements, to an axis; skips an empty section. */
void ir_sections_add_line(ir_axis_sections *axis, int64_t n, int64_t from, int64_t from_step, int64_t to,
                          int64_t to_step);

/* Copies all sections; elements have 1, 2, 4 or 8 bytes. `exec` shares large blocks among workers; if it is NULL, there
 * are no workers. */
void ir_sections_copy(const ir_sections *sections, size_t element, const void *from, void *to, ir_exec *exec);

/* Values of output elements that no section writes. */
typedef enum ir_fill { IR_FILL_NONE, IR_FILL_ZERO, IR_FILL_INPUT } ir_fill;

/* Appends the step that fills output 0, then copies the sections from input 0. IR_FILL_INPUT fills with the one element
 * of the node's last input. The step reads no other input. */
ir_code ir_sections_step(ir_plan *plan, const ir_node *node, const ir_sections *sections, ir_fill fill);

#endif
