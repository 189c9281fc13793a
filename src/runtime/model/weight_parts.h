/* Finds the constants that make the weights of a model: stored elements, scales, zero points and codebooks; and layers
 * with bytes of the .bin that irrun does not know. */
#ifndef IR_WEIGHT_PARTS_H
#define IR_WEIGHT_PARTS_H

#include "runtime/model/model.h"

enum { IR_MOST_WEIGHT_NUMBERS = 8 };
/* The types of weights that scales unpack. */
#define IR_FEW_BITS (IR_SET_NARROW | IR_SET(IR_I8) | IR_SET(IR_U8))

/* A constant of weights, and the constants with which the layers behind it unpack it. */
typedef struct ir_weight_parts {
  int32_t numbers[IR_MOST_WEIGHT_NUMBERS]; /* layers of scales, zero points and codebooks */
  int n_numbers;
  int32_t scales; /* the layer that makes the factors of the elements; -1: there are none */
  bool has_zeros, has_codebook;
  int32_t end; /* the layer that makes the unpacked weights */
} ir_weight_parts;

/* The first reader of a layer's outputs. */
typedef struct ir_reader {
  int32_t layer, port; /* layer -1: nothing reads the outputs */
  bool only_gathers;   /* all readers are Gathers that read rows of it */
} ir_reader;

/* Fills readers[i] for each layer of the model or body. */
void ir_find_readers(const irrun_model *model, ir_reader *readers);
/* Finds the parts of the weights that the constant `layer` stores. False: it stores no weights. */
bool ir_find_weight_parts(const irrun_model *model, const ir_reader *readers, int32_t layer, ir_weight_parts *out);
/* Returns the first layer with foreign bytes (ops/const.h) in the model and its bodies; NULL if there is none. Passes
 * over the layers of the model itself for which `wanted` is false; NULL wants all. */
const ir_layer *ir_find_foreign_bytes(const irrun_model *model, const bool *wanted);

#endif
