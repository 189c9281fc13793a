/* The pass "fold". Before: only stored constants are constant. After: the results of operations on constants are
 * constant too; they are computed once for a model instead of in each run. */
#include "program/passes.h"

ir_code ir_pass_fold(ir_program *program, int64_t *count) {
  program->folds = true;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    const ir_operation *operation = &program->operations[at];
    if (!ir_program_is_foldable(program, operation))
      continue;
    ir_program_mark_outputs(program, operation);
    (*count)++;
  }
  return IR_OK;
}
