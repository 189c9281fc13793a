#include "ops/pool/pool_fold_kernels.h"
#include "ops/pool/pool_sweep_isa.h"

#if defined(__x86_64__)
#define FOLD(op, name, type, bytes, taps)                                                                              \
  extern ir_fold_units ir_fold_##op##_##name##_avx512, ir_fold_##op##_##name##_avx2;
#include "ops/pool/pool_fold_list.inc"
#undef FOLD
#endif

#define FOLD(op, name, type, bytes, taps) extern ir_fold_units ir_fold_##op##_##name##_any;
#include "ops/pool/pool_fold_list.inc"
#include "ops/pool/pool_fold_rare_list.inc"
#undef FOLD

#define ROW(what, name, of, bytes, taps, set)                                                                          \
  {.type = of,                                                                                                         \
   .op = ir_fold_##what,                                                                                               \
   .isa = #set,                                                                                                        \
   .available = has_##set,                                                                                             \
   .units = ir_fold_##what##_##name##_##set,                                                                           \
   .term_bytes = bytes,                                                                                                \
   .most_taps = taps},

const ir_fold_kernel ir_fold_kernels[] = {
#if defined(__x86_64__)
#define FOLD(op, name, type, bytes, taps) ROW(op, name, type, bytes, taps, avx512)
#include "ops/pool/pool_fold_list.inc"
#undef FOLD
#define FOLD(op, name, type, bytes, taps) ROW(op, name, type, bytes, taps, avx2)
#include "ops/pool/pool_fold_list.inc"
#undef FOLD
#endif
#define FOLD(op, name, type, bytes, taps) ROW(op, name, type, bytes, taps, any)
#include "ops/pool/pool_fold_list.inc"
#include "ops/pool/pool_fold_rare_list.inc"
#undef FOLD
    {.units = NULL},
};

const ir_fold_kernel *ir_fold_kernel_for(ir_type type, ir_fold_op op, int64_t most_taps) {
  type = type == IR_BOOLEAN && op == ir_fold_maximum ? IR_U8 : type; /* of 0 and 1: whether one is 1 */
  for (const ir_fold_kernel *kernel = ir_fold_kernels; kernel->units != NULL; kernel++)
    if (kernel->type == type && kernel->op == op && most_taps <= kernel->most_taps && kernel->available())
      return kernel;
  return NULL;
}
