/* The pass "fold". Before: only stored constants are constant. After: the results of operations on constants are
 * constant too; they are computed once for a model instead of in each run. */
#include "program/passes.h"

ir_code ir_pass_fold(ir_program *program, int64_t *count) {
  program->folds = true;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    if (!ir_program_is_foldable(program, operation))
      continue;
    bool is_local = false;
    for (int32_t i = 0; i < operation->n_in; i++)
      is_local = is_local || program->values[operation->in[i]].is_local;
    for (int32_t p = 0; p < operation->n_out; p++)
      if (operation->out[p] >= 0) {
        program->values[operation->out[p]].value.is_constant = true;
        program->values[operation->out[p]].is_local = is_local;
      }
    (*count)++;
  }
  return IR_OK;
}
