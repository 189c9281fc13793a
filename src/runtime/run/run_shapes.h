/* Types and shapes for a run: those of the model, and where it leaves something open, inferred again from the run's
 * inputs. */
#ifndef IR_RUN_SHAPES_H
#define IR_RUN_SHAPES_H

#include "runtime/model/model.h"

/* `inputs[i]` counts where `set[i]`; `needed` has one entry a node. `*out_nodes` is a copy of the model's nodes, in
 * `arena`, whose needed ones have outputs of known shape; `*out_by_contents` when these may depend on what is in the
 * inputs. Reports what the model allows and these inputs do not. */
ir_code ir_infer_run(irrun_model *model, const ir_tensor *inputs, const bool *set, const bool *needed, ir_arena *arena,
                     ir_node **out_nodes, bool *out_by_contents);

#endif
