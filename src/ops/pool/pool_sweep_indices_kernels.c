#include "ops/pool/pool_sweep_indices_kernels.h"
#include "ops/pool/pool_sweep_isa.h"

#define KERNEL(name, set)  ir_indices_##name##_##set
#define ROW(name, of, set) {.type = of, .isa = #set, .available = has_##set, .units = KERNEL(name, set)},

#if defined(__x86_64__)
#define SWEEP(name, type) extern ir_indices_units KERNEL(name, avx512), KERNEL(name, avx2);
#include "ops/pool/pool_sweep_indices_list.inc"
#undef SWEEP
#endif

#define SWEEP(name, type) extern ir_indices_units KERNEL(name, any);
#include "ops/pool/pool_sweep_indices_list.inc"
#undef SWEEP

const ir_indices_kernel ir_indices_kernels[] = {
#if defined(__x86_64__)
#define SWEEP(name, type) ROW(name, type, avx512)
#include "ops/pool/pool_sweep_indices_list.inc"
#undef SWEEP
#define SWEEP(name, type) ROW(name, type, avx2)
#include "ops/pool/pool_sweep_indices_list.inc"
#undef SWEEP
#endif
#define SWEEP(name, type) ROW(name, type, any)
#include "ops/pool/pool_sweep_indices_list.inc"
#undef SWEEP
    {.units = NULL},
};

const ir_indices_kernel *ir_indices_kernel_for(ir_type type) {
  type = type == IR_BOOLEAN ? IR_U8 : type; /* of 0 and 1: the first 1 */
  for (const ir_indices_kernel *kernel = ir_indices_kernels; kernel->units != NULL; kernel++)
    if (kernel->type == type && kernel->available())
      return kernel;
  return NULL;
}
