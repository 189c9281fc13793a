/* Copies that take another way in some parts of an axis than in others: Pad, Roll, ReverseSequence, BatchToSpace. Each
 * axis is cut into a few sections; what one of each axis makes is a strided copy. */
#ifndef IR_SECTIONS_H
#define IR_SECTIONS_H

#include "ops/prepare.h"

#define IR_MOST_SECTIONS 3 /* of an axis */

/* A part of an axis, in two dims: where it begins, and its steps, in elements. */
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

/* Adds a section; one without elements is left out. */
void ir_sections_add(ir_axis_sections *axis, const ir_section *section);
/* The same with one dim. */
void ir_sections_add_line(ir_axis_sections *axis, int64_t n, int64_t from, int64_t from_step, int64_t to,
                          int64_t to_step);

/* Copies elements of 1, 2, 4 or 8 bytes; large blocks are shared by `exec`, or by nobody (NULL). */
void ir_sections_copy(const ir_sections *sections, size_t element, const void *from, void *to, ir_exec *exec);

/* What stands in the output where no section leads. */
typedef enum ir_fill { IR_FILL_NONE, IR_FILL_ZERO, IR_FILL_INPUT } ir_fill;

/* Appends the step that fills output 0 of the node, IR_FILL_INPUT: with the one element of its last input, and copies
 * input 0. It reads no other one. */
ir_code ir_sections_step(ir_plan *plan, const ir_node *node, const ir_sections *sections, ir_fill fill);

#endif
