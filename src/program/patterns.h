/* Patterns: a few operations that a pass replaces by one operation. A pattern lists the ir_function of each operation;
 * the C code of the pass makes the replacement. */
#ifndef IR_PATTERNS_H
#define IR_PATTERNS_H

#include "program/program.h"

enum { IR_PATTERN_NODES = 4, IR_PATTERN_INPUTS = 2 };

/* An input of a pattern's operation: the output of operation 0, 1, .., or one of two values from outside the
 * pattern. */
enum { IR_X = -1, IR_Y = -2, IR_NO_INPUT = -3 };

typedef struct ir_pattern_node {
  ir_function function; /* IR_FUNCTION_OTHER: any op with a post-op */
  int in[IR_PATTERN_INPUTS];
} ir_pattern_node;

/* The matched operations, and the values X and Y. */
typedef struct ir_match {
  int32_t operations[IR_PATTERN_NODES];
  int n;
  int32_t x, y; /* y -1: the pattern has none */
} ir_match;

typedef struct ir_pattern {
  const char *name;
  int n;
  ir_pattern_node nodes[IR_PATTERN_NODES]; /* in running order: the last one makes the pattern's result */
} ir_pattern;

/* Whether the operation has the function of the pattern's node. Ignores its inputs. */
bool ir_pattern_is_of(const ir_operation *operation, const ir_pattern_node *node);
/* Whether operations that end with `last` match the pattern on value `x`. Only these operations may read `x` and the
 * values between them. */
bool ir_pattern_match(const ir_program *program, const ir_pattern *pattern, int32_t x, int32_t last, ir_match *out);

#endif
