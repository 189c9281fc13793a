#include "program/passes.h"
#include "exec/workers.h"
#include "program/fast_contraction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ir_pass ir_passes[] = {{"widen", "outputs", IR_PASS_UNLESS_PLAIN, false, ir_pass_widen},
                             {"fold", "layers", IR_PASS_ALWAYS, false, ir_pass_fold},
                             {"quantize", "layers", IR_PASS_IF_FAST, false, ir_pass_quantize},
                             {"pack", "layers", IR_PASS_ALWAYS, false, ir_pass_pack},
                             {"fuse", "layers", IR_PASS_IF_FAST, true, ir_pass_fuse},
                             {"layout", "tensors", IR_PASS_IF_FAST, false, ir_pass_layout},
                             {NULL, NULL, IR_PASS_ALWAYS, false, NULL}};

/* The least multiplications of a program for which the fast module is loaded. Plain kernels compute fewer in less than
 * a millisecond; loading the module takes longer. */
#define IR_LEAST_FAST (INT64_C(4) << 20)
/* The module takes 3 ms to load. After this many multiplications, plain kernels have taken longer. */
#define IR_PLAIN_MOST (4 * IR_LEAST_FAST)
/* oneDNN takes 1 us to begin a product. In that time, plain kernels compute about this many multiplications. */
#define IR_LEAST_PRODUCT 4096

/* Loads the fast module if the contractions justify it; otherwise notes why not. If 16-bit products were asked for, the
 * module computes any number of them: otherwise results would depend on the number of executions. */
static ir_code choose_module(ir_program *program) {
  int64_t sum = 0, n = 0;
  const ir_value **in = ir_program_room(program);
  if (in == NULL)
    return IR_NO_MEMORY;
  for (int32_t at = program->first; at >= 0 && sum < INT64_MAX; at = program->operations[at].next) {
    ir_operation *operation = &program->operations[at];
    const ir_op *op = operation->node.op;
    if (op->contraction == NULL || op->cost == NULL)
      continue;
    ir_program_gather(program, operation, in);
    const int64_t cost = op->cost(&operation->node, in);
    n++;
    if (cost < 0 || !ir_add(sum, cost, &sum))
      sum = INT64_MAX;
  }
  program->is_small = sum < IR_LEAST_FAST;
  const bool pays = n > 0 && sum / n >= IR_LEAST_PRODUCT;
  const bool is_asked_for = n > 0 && program->request->precision != IR_F32;
  if (program->is_small && pays && !program->request->is_frequent && !is_asked_for)
    program->n_plain = (IR_PLAIN_MOST - 1) / sum + 1;
  if (program->is_small && !(pays && program->request->is_frequent) && !is_asked_for)
    program->why_plain =
        "all products of the plan together are too few for oneDNN: less than 4 million multiplications";
  else if (ir_fast() == NULL)
    program->why_plain = "the module of oneDNN is missing";
  program->is_fast = program->why_plain == NULL;
  return IR_OK;
}

/* Chooses the precision of products. If 16 bits were asked for and the products are computed in f32, warns once for the
 * run, at the first product. */
static ir_code choose_precision(ir_program *program) {
  const ir_type asked = program->request->precision;
  int32_t at = program->first;
  while (at >= 0 && program->operations[at].node.op->contraction == NULL)
    at = program->operations[at].next;
  if (asked == IR_F32 || at < 0)
    return IR_OK;
  const char *why = program->why_plain;
  if (why == NULL && !ir_fast()->has_type(asked == IR_BF16 ? IR_FAST_BF16 : IR_FAST_F16))
    why = "this processor, or this version of oneDNN, has no such products";
  if (why == NULL) {
    program->precision = asked;
    return IR_OK;
  }
  if (*program->request->is_f32_said)
    return IR_OK;
  *program->request->is_f32_said = true;
  const ir_layer *layer = program->operations[at].node.layer;
  return ir_report(program->diags, IR706_PRECISION_NOT_KEPT, ir_layer_where(program->request->graph, layer, layer->at),
                   "products of %s were asked for, and they are computed in f32: %s", ir_type_name(asked), why);
}

/* Notes `why_plain` at every contraction. Pass "fuse" replaces the contractions that the module computes. */
static void explain_plain(ir_program *program) {
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    if (program->operations[at].node.op->contraction != NULL)
      program->operations[at].why = program->why_plain;
}

static void check(const ir_program *program, const char *after) {
#ifndef NDEBUG
  char problem[256];
  if (!ir_program_check(program, problem, sizeof problem)) {
    fprintf(stderr, "after %s: %s\n", after, problem);
    abort();
  }
#else
  (void)program, (void)after;
#endif
}

ir_code ir_program_run_passes(ir_program *program, const char *until) {
  const ir_program_request *request = program->request;
  ir_code code = IR_OK;
  check(program, "lower");
  if (until != NULL && strcmp(until, "lower") == 0)
    return IR_OK;
  program->why_plain = request->visited    ? "somebody looks at what each layer computes"
                       : !request->is_fast ? "plain kernels were asked for"
                                           : NULL;
  if (program->why_plain == NULL)
    code = choose_module(program);
  if (code == IR_OK)
    code = choose_precision(program);
  explain_plain(program);
  /* A visitor expects each layer's own result: keep every operation and recompute every constant. */
  if (request->visited)
    return code;
  program->mode |= request->is_fast ? IR_MODE_FAST : 0;
  for (int i = 0; ir_passes[i].name != NULL && code == IR_OK; i++) {
    const ir_pass *pass = &ir_passes[i];
    const bool is_run = (request->skipped_passes >> i & 1) == 0 || pass->has_a_core;
    if (is_run && (pass->when == IR_PASS_ALWAYS || program->is_fast ||
                   (pass->when == IR_PASS_UNLESS_PLAIN && request->is_fast))) {
      code = pass->run(program, &program->counts[i]);
      if (code == IR_OK && !ir_program_prune(program))
        code = IR_NO_MEMORY;
      if (code == IR_OK)
        check(program, pass->name);
    }
    if (until != NULL && strcmp(pass->name, until) == 0)
      return code;
  }
  if (code == IR_OK && program->is_fast)
    code = ir_program_insert_copies(program);
  if (code == IR_OK)
    check(program, "insert copies");
  return code == IR_OK && !ir_program_find_uses(program) ? IR_NO_MEMORY : code;
}
