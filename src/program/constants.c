#include "program/constants.h"

ir_constants *ir_constants_create(const ir_memory *memory, ir_constants *outer, const size_t *n_layers) {
  ir_constants *constants = ir_alloc_zero(memory, 1, sizeof *constants);
  if (constants == NULL)
    return NULL;
  constants->n_layers = n_layers;
  ir_account_init(&constants->own_account, memory, NULL);
  constants->account = outer == NULL ? &constants->own_account : outer->account;
  pthread_mutex_init(&constants->lock, NULL);
  return constants;
}

void ir_constants_free(ir_constants *constants) {
  if (constants == NULL)
    return;
  for (size_t i = 0; constants->of_layer != NULL && i < *constants->n_layers; i++)
    for (ir_constant *next, *at = constants->of_layer[i]; at != NULL; at = next) {
      next = at->next;
      ir_tensor_release(&at->tensor);
      if (at->weights != NULL)
        ir_fast()->free_weights(at->weights);
      ir_free(ir_constants_memory(constants), at);
    }
  ir_free(ir_constants_memory(constants), constants->of_layer);
  pthread_mutex_destroy(&constants->lock);
  ir_free(constants->own_account.from, constants);
}

static bool is_same(const ir_constant_key *a, const ir_constant_key *b) {
  return a->port == b->port && a->type == b->type && a->layout == b->layout && a->made == b->made &&
         a->is_own == b->is_own && a->mode == b->mode;
}

/* The caller holds the lock. */
static ir_constant *find(const ir_constants *constants, const ir_constant_key *key,
                         const ir_fast_primitive *primitive) {
  ir_constant *at = constants->of_layer == NULL ? NULL : constants->of_layer[key->layer];
  for (; at != NULL; at = at->next) {
    const bool fits =
        primitive == NULL ? at->weights == NULL : at->weights != NULL && ir_fast()->takes(primitive, at->weights);
    if (fits && is_same(&at->key, key))
      break;
  }
  return at;
}

static ir_constant *add(ir_constants *constants, const ir_constant_key *key) {
  if (constants->of_layer == NULL)
    constants->of_layer =
        ir_alloc_zero(ir_constants_memory(constants), *constants->n_layers + 1, sizeof *constants->of_layer);
  ir_constant *constant = ir_alloc_zero(ir_constants_memory(constants), 1, sizeof *constant);
  if (constants->of_layer == NULL || constant == NULL) {
    ir_free(ir_constants_memory(constants), constant);
    return NULL;
  }
  *constant = (ir_constant){.next = constants->of_layer[key->layer], .key = *key};
  return constants->of_layer[key->layer] = constant;
}

bool ir_constants_find(ir_constants *constants, const ir_constant_key *key, ir_tensor *out) {
  pthread_mutex_lock(&constants->lock);
  const ir_constant *constant = find(constants, key, NULL);
  if (constant != NULL) {
    *out = constant->tensor;
    out->release = NULL;
  }
  pthread_mutex_unlock(&constants->lock);
  return constant != NULL;
}

bool ir_constants_put(ir_constants *constants, const ir_constant_key *key, ir_tensor *tensor) {
  pthread_mutex_lock(&constants->lock);
  ir_constant *constant = find(constants, key, NULL);
  if (constant != NULL) {
    ir_tensor_release(tensor);
  } else {
    constant = add(constants, key);
    if (constant != NULL)
      constant->tensor = *tensor;
  }
  if (constant != NULL) {
    *tensor = constant->tensor;
    tensor->release = NULL;
  }
  pthread_mutex_unlock(&constants->lock);
  return constant != NULL;
}

ir_fast_weights *ir_constants_find_weights(ir_constants *constants, const ir_constant_key *key,
                                           const ir_fast_primitive *primitive) {
  pthread_mutex_lock(&constants->lock);
  const ir_constant *constant = find(constants, key, primitive);
  pthread_mutex_unlock(&constants->lock);
  return constant == NULL ? NULL : constant->weights;
}

bool ir_constants_put_weights(ir_constants *constants, const ir_constant_key *key, ir_fast_weights *weights,
                              size_t bytes) {
  pthread_mutex_lock(&constants->lock);
  ir_constant *constant = add(constants, key);
  if (constant != NULL) {
    constant->weights = weights;
    ir_account_take(constants->account, bytes);
  }
  pthread_mutex_unlock(&constants->lock);
  if (constant == NULL)
    ir_fast()->free_weights(weights);
  return constant != NULL;
}
