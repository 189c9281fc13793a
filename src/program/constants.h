/* The constants of a model as its programs use them: as stored in the file, or folded, converted and laid out. They are
 * made once and shared by all runs of the model, in every thread. */
#ifndef IR_CONSTANTS_H
#define IR_CONSTANTS_H

#include "base/tensor.h"
#include "diag/account.h"
#include "ops/fast/fast.h"
#include "ops/op.h"
#include <pthread.h>

/* Kinds of constants: a layer's output itself, or what a pass or operation made from it. */
enum {
  IR_MADE_ITSELF,
  IR_MADE_SCALED,      /* weights of a product before the layer, times the layer's constant input */
  IR_MADE_SCALED_BIAS, /* bias of a product before the layer, times the layer's constant input */
  IR_MADE_SCALED_IN,   /* the layer's weights times the constant that multiplies the layer's data input */
  IR_MADE_VIEW,
  IR_MADE_SHIFT, /* the product of the layer's weights and the constant that is added to the layer's data input */
  IR_MADE_SHIFTED_BIAS,      /* the layer's constant input plus such a product */
  IR_MADE_LEVELS,            /* levels of a FakeQuantize of weights, in f32 */
  IR_MADE_TRANSPOSED,        /* packed weights, or their scales or zero points, with the axis of the rows first */
  IR_MADE_TRANSPOSED_GROUPS, /* the same if each matrix has an axis of groups */
  IR_MADE_STORED_WEIGHTS,    /* the same levels as i8 */
  IR_MADE_BY_OPERATION, /* the first constant that ir_plan_make makes for a layer; the next ones count up from here */
  IR_MADE_OF_MADE = 1 << 6 /* is added (1 + L) times if the source was itself made, for layer L */
};

/* Identifies a constant: output `port` of a layer, in a type and a layout, or a form made from that output. */
typedef struct ir_constant_key {
  int32_t layer, port;
  ir_type type;
  ir_layout layout;
  int32_t made; /* 0: the output itself */
  bool is_own;  /* a private copy: writing to the file does not change it */
  int mode;     /* mode of the program that computed it (ir_program.mode); 0: it is stored in the file */
} ir_constant_key;

typedef struct ir_constant {
  struct ir_constant *next; /* next constant of the same layer */
  ir_constant_key key;
  ir_tensor tensor;         /* the plain tensor; data NULL: only laid-out weights exist */
  ir_fast_weights *weights; /* weights in the layout of a primitive, or NULL */
} ir_constant;

typedef struct ir_constants {
  pthread_mutex_t lock;
  ir_account own_account, *account; /* memory of all constants; a body uses the account of the whole model */
  ir_constant **of_layer;           /* one list per layer; allocated with the first constant */
  const size_t *n_layers;           /* points to the model's number of layers */
} ir_constants;

/* `outer`: for a body, the constants of the model that contains the body; else NULL. Returns NULL when memory is out.
 */
ir_constants *ir_constants_create(const ir_memory *memory, ir_constants *outer, const size_t *n_layers);
static inline const ir_memory *ir_constants_memory(const ir_constants *constants) {
  return &constants->account->memory;
}
/* Accepts NULL. */
void ir_constants_free(ir_constants *constants);
/* Borrows the tensor of a constant. False if the model does not have the constant. */
bool ir_constants_find(ir_constants *constants, const ir_constant_key *key, ir_tensor *out);
/* Gives the tensor to the model and makes `*tensor` a borrowed one. If another thread gave the constant first, releases
 * the tensor and borrows that thread's. If memory is out, returns false, and the caller keeps the tensor. */
bool ir_constants_put(ir_constants *constants, const ir_constant_key *key, ir_tensor *tensor);
/* The constant as weights in the layout of `primitive`; NULL: the model does not have them. */
ir_fast_weights *ir_constants_find_weights(ir_constants *constants, const ir_constant_key *key,
                                           const ir_fast_primitive *primitive);
/* Takes weights of `bytes` bytes; if memory is out, frees them and returns false. */
bool ir_constants_put_weights(ir_constants *constants, const ir_constant_key *key, ir_fast_weights *weights,
                              size_t bytes);

#endif
