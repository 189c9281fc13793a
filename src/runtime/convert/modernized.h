/* The output of an IR of version 2 to 7 whose layers were replaced by ops (runtime/read/modernize.c). */
#ifndef IR_MODERNIZED_H
#define IR_MODERNIZED_H

#include "base/byte_stream.h"
#include "runtime/model/model.h"

/* Declares the inferred types and shapes at the ports of all layers, also in bodies. */
ir_code ir_declare_outputs(irrun_model *model);
/* Writes the constants that were made in memory behind the `size` bytes of the old .bin, and sets their offsets.
 * `*out_bytes` is the size of the new .bin. */
ir_code ir_write_made_constants(irrun_model *model, int64_t size, ir_byte_sink sink, int64_t *out_bytes);

#endif
