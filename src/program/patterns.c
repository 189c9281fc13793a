#include "program/patterns.h"

bool ir_pattern_is_of(const ir_operation *operation, const ir_pattern_node *node) {
  const ir_op *op = operation->node.op;
  return operation->n_out == 1 &&
         (node->function == IR_FUNCTION_OTHER ? op->post_op != NULL : op->function == node->function);
}

static int count_inputs(const ir_pattern_node *node) {
  int n = 0;
  while (n < IR_PATTERN_INPUTS && node->in[n] != IR_NO_INPUT)
    n++;
  return n;
}

static bool match_node(const ir_program *program, const ir_pattern *pattern, int node, int32_t at, ir_match *m);

static bool match_input(const ir_program *program, const ir_pattern *pattern, int wanted, int32_t value, ir_match *m) {
  if (wanted == IR_X)
    return value == m->x;
  if (wanted == IR_Y) {
    const bool fits = m->y < 0 ? value != m->x : m->y == value;
    m->y = value;
    return fits;
  }
  const int32_t producer = program->values[value].producer;
  return producer >= 0 && match_node(program, pattern, wanted, producer, m);
}

/* Matches two inputs in either order: every binary function in the patterns is commutative. */
static bool match_node(const ir_program *program, const ir_pattern *pattern, int node, int32_t at, ir_match *m) {
  const ir_pattern_node *wanted = &pattern->nodes[node];
  const ir_operation *operation = &program->operations[at];
  const int n = count_inputs(wanted);
  if (operation->is_dead || !ir_pattern_is_of(operation, wanted) || operation->n_in < n ||
      (n == 2 && operation->n_in != 2))
    return false;
  m->operations[node] = at;
  for (int swap = 0; swap < n; swap++) {
    ir_match try = *m;
    bool fits = true;
    for (int i = 0; i < n && fits; i++)
      fits = match_input(program, pattern, wanted->in[i], operation->in[swap == 0 ? i : 1 - i], &try);
    if (fits) {
      *m = try;
      return true;
    }
  }
  return false;
}

/* Whether only the first `n` operations of the match read the value. */
static bool is_read_within(const ir_program *program, int32_t value, const ir_match *m, int n) {
  const ir_program_value *v = &program->values[value];
  bool within = !v->is_kept;
  for (int32_t u = 0; u < v->n_uses && within; u++) {
    within = false;
    for (int i = 0; i < n && !within; i++)
      within = program->uses[v->first_use + u].operation == m->operations[i];
  }
  return within;
}

bool ir_pattern_match(const ir_program *program, const ir_pattern *pattern, int32_t x, int32_t last, ir_match *out) {
  *out = (ir_match){.n = pattern->n, .x = x, .y = -1};
  if (!match_node(program, pattern, pattern->n - 1, last, out) || !is_read_within(program, x, out, pattern->n))
    return false;
  bool within = true;
  for (int i = 0; i < pattern->n - 1 && within; i++)
    within = is_read_within(program, program->operations[out->operations[i]].out[0], out, pattern->n);
  return within;
}
