/* ROIAlign of many regions lays the map with channels last: a region has the same bits as it has alone, where the map
 * stays plain. */
#include "draw.h"
#include "op_model.h"
#include "ops/kernels/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CHANNELS = 19, ROWS = 9, COLUMNS = 11, REGIONS = 40, N_MAP = 2 * CHANNELS * ROWS * COLUMNS };
enum { BINS = 2 * 3, N_REGION = CHANNELS * BINS };

static const char *const modes[] = {
    "pooled_h='2' pooled_w='3' sampling_ratio='2' spatial_scale='0.7' mode='avg' aligned_mode='asymmetric'",
    "pooled_h='2' pooled_w='3' sampling_ratio='0' spatial_scale='1' mode='avg' aligned_mode='half_pixel'",
    "pooled_h='2' pooled_w='3' sampling_ratio='0' spatial_scale='1' mode='max' aligned_mode='half_pixel_for_nn'",
};

/* Copies the bytes of the regions' results. */
static void pool(const char *data, ir_type type, const void *map, const void *corners, const int32_t *images, int64_t n,
                 unsigned char *bytes) {
  const op_model model = {.type = "ROIAlign",
                          .opset = 9,
                          .data = data,
                          .n_inputs = 3,
                          .inputs = {{.type = type, .rank = 4, .dims = {2, CHANNELS, ROWS, COLUMNS}, .data = map},
                                     {.type = type, .rank = 2, .dims = {n, 4}, .data = corners},
                                     {.type = IR_I32, .rank = 1, .dims = {n}, .data = images}}};
  model_run run = op_model_run(&model);
  const irrun_tensor_info info = irrun_tensor_get_info(run.values);
  assert_int_equal(info.bytes, (size_t)n * N_REGION * ir_type_size(type));
  memcpy(bytes, info.data, info.bytes);
  model_run_end(&run);
}

static void compare(const char *data, ir_type type, const void *map, const void *corners, const int32_t *images) {
  static unsigned char many[REGIONS * N_REGION * sizeof(double)], one[N_REGION * sizeof(double)];
  const size_t size = ir_type_size(type);
  pool(data, type, map, corners, images, REGIONS, many);
  for (int r = 0; r < REGIONS; r++) {
    pool(data, type, map, (const char *)corners + (size_t)r * 4 * size, images + r, 1, one);
    if (memcmp(one, many + (size_t)r * N_REGION * size, N_REGION * size) != 0)
      fail_msg("%s, %d bytes an element: region %d differs", data, (int)size, r);
  }
}

static void a_region_has_the_same_bits_alone_and_among_many(void **state) {
  (void)state;
  static float map[N_MAP], corners[REGIONS * 4];
  static double wide_map[N_MAP], wide_corners[REGIONS * 4];
  int32_t images[REGIONS];
  for (int i = 0; i < N_MAP; i++)
    wide_map[i] = map[i] = (float)between(-1000000, 1000000) / 100000.0f;
  for (int i = 0; i < REGIONS * 4; i++)
    wide_corners[i] = corners[i] = (float)between(-300, 1500) / 100.0f; /* some regions leave the map */
  for (int i = 0; i < REGIONS; i++)
    images[i] = i % 2;
  for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
    ir_isa_limit(isa);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
      compare(modes[m], IR_F32, map, corners, images);
      compare(modes[m], IR_F64, wide_map, wide_corners, images);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_region_has_the_same_bits_alone_and_among_many)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
