/* The constants of a model as its programs use them: as they lie in the file, or folded, converted and laid out. They
 * are made once and serve all runs of the model, in every thread. */
#ifndef IR_CONSTANTS_H
#define IR_CONSTANTS_H

#include "base/tensor.h"
#include "diag/account.h"
#include "ops/fast/fast.h"
#include "ops/op.h"
#include <pthread.h>

/* What passes and operations make of a layer's output, or for it. */
enum {
  IR_MADE_ITSELF,
  IR_MADE_SCALED,      /* weights times the layer's constant input */
  IR_MADE_SCALED_BIAS, /* a bias likewise */
  IR_MADE_SCALED_IN,   /* the layer's weights times a scale of its data */
  IR_MADE_VIEW,
  IR_MADE_BY_OPERATION,    /* and from there on: ir_plan_make */
  IR_MADE_OF_MADE = 1 << 6 /* times the number of the layer from 1 on, for which the source was made */
};

/* What a constant is: output `port` of a layer, in a type and a layout. `made` tells apart what passes make of it. */
typedef struct ir_constant_key {
  int32_t layer, port;
  ir_type type;
  ir_layout layout;
  int32_t made; /* 0: the output itself */
  bool is_own;  /* a copy, which nobody who writes to the file can change */
  int mode;     /* of the program that computed it (ir_program.mode); 0: it lies in the file */
} ir_constant_key;

typedef struct ir_constant {
  struct ir_constant *next; /* of the same layer */
  ir_constant_key key;
  ir_tensor tensor;         /* of a lone constant; data NULL: only laid-out weights are there */
  ir_fast_weights *weights; /* as a primitive wants them, or NULL */
} ir_constant;

typedef struct ir_constants {
  pthread_mutex_t lock;
  ir_account own_account, *account; /* all that is taken for them; of a body's, the account of the whole model */
  ir_constant **of_layer;           /* one a layer, made when the first is put there */
  const size_t *n_layers;           /* the model's */
} ir_constants;

/* `outer`: those of the model whose body this one is, or NULL. NULL when memory is out. */
ir_constants *ir_constants_create(const ir_memory *memory, ir_constants *outer, const size_t *n_layers);
static inline const ir_memory *ir_constants_memory(const ir_constants *constants) {
  return &constants->account->memory;
}
/* Accepts NULL. */
void ir_constants_free(ir_constants *constants);
/* The constant's tensor, borrowed; false when nobody has put it there. */
bool ir_constants_find(ir_constants *constants, const ir_constant_key *key, ir_tensor *out);
/* Takes the tensor and gives a borrowed one for it, which may be another thread's. False when memory is out; then
 * nothing is taken. */
bool ir_constants_put(ir_constants *constants, const ir_constant_key *key, ir_tensor *tensor);
/* The constant as weights that lie as `primitive` wants them; NULL: nobody has put them there. */
ir_fast_weights *ir_constants_find_weights(ir_constants *constants, const ir_constant_key *key,
                                           const ir_fast_primitive *primitive);
/* Takes the weights, of so many bytes, unless memory is out: then it frees them. */
bool ir_constants_put_weights(ir_constants *constants, const ir_constant_key *key, ir_fast_weights *weights,
                              size_t bytes);

#endif
