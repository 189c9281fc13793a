#include "ops/pool/pool_kernels.h"
#include "ops/kernels/isa.h"

ir_pool_units ir_pool_units_any;
ir_places_units ir_places_units_any;
ir_pool_last_rows ir_pool_last_rows_any;
#if defined(__x86_64__)
ir_pool_units ir_pool_units_avx2, ir_pool_units_avx512;
ir_places_units ir_places_units_avx2, ir_places_units_avx512;
ir_pool_last_rows ir_pool_last_rows_avx2, ir_pool_last_rows_avx512;
#endif

/* Most taps of an average of i8 or u8: with more, a float sum or the rounded mean would not be exact. */
enum { EXACT_TAPS = 1 << 16 };

/* clang-format off */
#define AVERAGE(type, set, taps)                                                                                       \
  {type, IR_POOL_SUM, #set, ir_has_##set, ir_pool_units_##set, NULL, ir_pool_last_rows_##set, taps}
#define MAXIMUM(type, set)                                                                                             \
  {type, IR_POOL_MAX, #set, ir_has_##set, ir_pool_units_##set, ir_places_units_##set, ir_pool_last_rows_##set, INT64_MAX}
#define ROWS(set)                                                                                                      \
  AVERAGE(IR_F32, set, INT64_MAX), AVERAGE(IR_F16, set, INT64_MAX), AVERAGE(IR_BF16, set, INT64_MAX),                  \
  AVERAGE(IR_I8, set, EXACT_TAPS), AVERAGE(IR_U8, set, EXACT_TAPS),                                                    \
  MAXIMUM(IR_F32, set), MAXIMUM(IR_F16, set), MAXIMUM(IR_BF16, set), MAXIMUM(IR_I8, set), MAXIMUM(IR_U8, set)
/* clang-format on */

const ir_pool_kernel ir_pool_kernels[] = {
#if defined(__x86_64__)
    ROWS(avx512),
    ROWS(avx2),
#endif
    ROWS(any),
    {.units = NULL},
};

const ir_pool_kernel *ir_pool_kernel_for(ir_type type, ir_pool_op op) {
  type = type == IR_BOOLEAN && op == IR_POOL_MAX ? IR_U8 : type; /* elements are 0 or 1, so booleans compare like u8 */
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (kernel->type == type && kernel->op == op && kernel->available())
      return kernel;
  return NULL;
}
