/* irrun: what a program needs to find out where a model goes wrong, beside irrun.h, whose rules hold here too: inputs
 * that are written out, and assertions. */
#ifndef IRRUN_DEBUG_H
#define IRRUN_DEBUG_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `text` is numbers between commas, "1,2.5,-inf", as irrun_tensor_literal takes them. */
IRRUN_API bool irrun_is_literal(const char *text);
/* A tensor of the numbers in `text`, row-major, with type and shape of `value`: there are as many as its shape has
 * elements; of a single open size they tell how large it is, of an unknown rank they make one axis. IR503 for another
 * number of them, IR504 for one that the type does not have. `name` is the input's, for messages. */
IRRUN_API irrun_status irrun_tensor_literal(irrun_context *context, const char *text, const char *name,
                                            const irrun_value *value, irrun_tensor **out_tensor);

/* Checks that an output has a type and shape: IR606. `text` is "[NAME=]VALUE", NAME as irrun_match_name has it, VALUE
 * "f32[1,?,10]", "[1,1..9]" or "f32": a size lies within the stated one, `?` is any. It is what `run` computed, or what
 * was inferred where `run` is NULL or did not compute it. IR801 for text that is none of that. */
IRRUN_API irrun_status irrun_assert_output(irrun_model *model, const irrun_run *run, const char *text);

#ifdef __cplusplus
}
#endif

#endif
