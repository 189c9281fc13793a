/* Maxima of u8 and i8 in channels-last layout: all channels of a position are compared at once. */
#include "ops/kernels/isa.h"
#include "ops/pool/pool_kernels.h"
#include <string.h>

#define GREATER(name, type)                                                                                            \
  IR_LOOP void name##_loop(void *to, const void *from, int64_t n) {                                                    \
    const type *tap = from;                                                                                            \
    type *most = to;                                                                                                   \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      most[i] = tap[i] > most[i] ? tap[i] : most[i];                                                                   \
  }                                                                                                                    \
  IR_EACH_ISA(name, (void *to, const void *from, int64_t n), (to, from, n))
GREATER(greater_u8, uint8_t)
GREATER(greater_i8, int8_t)

static void make_rows(const ir_pool_last *pool, const uint8_t *in, uint8_t *out, int64_t begin, int64_t end,
                      void (*greater)(void *to, const void *from, int64_t n), int lowest) {
  const ir_windows_axis *axes = pool->axes;
  const int64_t n = pool->channels, plane = axes[0].n_in * axes[1].n_in * axes[2].n_in * n;
  uint8_t *to = out + begin * axes[2].n_out * n;
  int64_t since = 0;
  for (int64_t row = begin; row < end; row++) {
    const uint8_t *from = in + row / axes[1].n_out / axes[0].n_out * plane;
    const ir_tap_range zs = ir_windows_range(&axes[0], row / axes[1].n_out % axes[0].n_out);
    const ir_tap_range ys = ir_windows_range(&axes[1], row % axes[1].n_out);
    for (int64_t at = 0; at < axes[2].n_out && !ir_stop_asked_after(pool->stop, pool->worker, n, &since);
         at++, to += n) {
      const ir_tap_range xs = ir_windows_range(&axes[2], at);
      memset(to, lowest, (size_t)n);
      for (int64_t z = 0; z < zs.count; z++)
        for (int64_t y = 0; y < ys.count; y++) {
          const int64_t line = (zs.begin + z * axes[0].step) * axes[1].n_in + ys.begin + y * axes[1].step;
          for (int64_t x = 0; x < xs.count && !ir_stop_asked_after(pool->stop, pool->worker, n, &since); x++)
            greater(to, from + (line * axes[2].n_in + xs.begin + x * axes[2].step) * n, n);
        }
    }
  }
}

void ir_pool_last_rows_u8(const ir_pool_last *pool, const void *in, void *out, int64_t begin, int64_t end) {
  make_rows(pool, in, out, begin, end, greater_u8, 0);
}

void ir_pool_last_rows_i8(const ir_pool_last *pool, const void *in, void *out, int64_t begin, int64_t end) {
  make_rows(pool, in, out, begin, end, greater_i8, INT8_MIN);
}
