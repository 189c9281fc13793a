/* onednn_timer AvgPool|MaxPool SECONDS SHAPE OUTPUT KERNEL STRIDES PADS: measures a pool of oneDNN for SECONDS and
 * prints {"min_ns": ...}. SHAPE and the later arguments are comma-separated numbers. Tensors are f32 and row-major. */
#include "ops/fast/fast_dnnl.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALIGNMENT 64
#define MIN_RUNS  5

typedef struct pool_timer {
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  dnnl_exec_arg_t arguments[2];
} pool_timer;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int read_list(const char *text, dnnl_dim_t *out_numbers) {
  int n = 0;
  char *end;
  for (;; text = end + 1) {
    out_numbers[n++] = strtoll(text, &end, 10);
    if (*end != ',' || n == DNNL_MAX_NDIMS)
      return n;
  }
}

static bool make_memory(ir_const_layout descriptor, dnnl_engine_t engine, int argument, dnnl_exec_arg_t *out_argument) {
  const size_t size = (dnnl_memory_desc_get_size(descriptor) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  float *data = aligned_alloc(ALIGNMENT, size);
  uint32_t state = 1;
  if (data == NULL)
    return false;
  for (size_t i = 0; i < size / sizeof *data; i++) {
    state = state * 1664525u + 1013904223u;
    data[i] = (float)(state >> 8) * (1.0f / 16777216);
  }
  out_argument->arg = argument;
  return dnnl_memory_create(&out_argument->memory, descriptor, engine, data) == dnnl_success;
}

static dnnl_status_t describe_pool(dnnl_primitive_desc_t *out, dnnl_engine_t engine, bool is_average,
                                   ir_dnnl_layout from, ir_dnnl_layout to, const dnnl_dims_t strides,
                                   const dnnl_dims_t kernel, const dnnl_dims_t pads) {
  const dnnl_alg_kind_t kind = is_average ? dnnl_pooling_avg_exclude_padding : dnnl_pooling_max;
#if DNNL_VERSION_MAJOR >= 3
  const dnnl_dims_t dilations = {0};
  return dnnl_pooling_forward_primitive_desc_create(out, engine, dnnl_forward_inference, kind, from, to, strides,
                                                    kernel, dilations, pads, pads, NULL);
#else
  dnnl_pooling_desc_t pool;
  const dnnl_status_t status =
      dnnl_pooling_forward_desc_init(&pool, dnnl_forward_inference, kind, from, to, strides, kernel, pads, pads);
  return status == dnnl_success ? dnnl_primitive_desc_create(out, &pool, NULL, engine, NULL) : status;
#endif
}

/* `lists` are SHAPE, OUTPUT, KERNEL, STRIDES and PADS. PADS apply to both ends of each axis. */
static bool make_pool(bool is_average, char *const *lists, pool_timer *out) {
  dnnl_dims_t shape, output, kernel, strides, pads;
  ir_dnnl_layout from, to;
  dnnl_primitive_desc_t descriptor;
  const int rank = read_list(lists[0], shape);
  if (rank < 3 || rank > 5 || read_list(lists[1], output) != rank || read_list(lists[2], kernel) != rank - 2 ||
      read_list(lists[3], strides) != rank - 2 || read_list(lists[4], pads) != rank - 2)
    return false;
  static const dnnl_format_tag_t row_major[] = {dnnl_abc, dnnl_abcd, dnnl_abcde};
  return dnnl_engine_create(&out->engine, dnnl_cpu, 0) == dnnl_success &&
         dnnl_stream_create(&out->stream, out->engine, dnnl_stream_default_flags) == dnnl_success &&
         ir_make_tagged(&from, rank, shape, row_major[rank - 3], dnnl_f32) == dnnl_success &&
         ir_make_tagged(&to, rank, output, row_major[rank - 3], dnnl_f32) == dnnl_success &&
         describe_pool(&descriptor, out->engine, is_average, from, to, strides, kernel, pads) == dnnl_success &&
         dnnl_primitive_create(&out->primitive, descriptor) == dnnl_success &&
         make_memory(from, out->engine, DNNL_ARG_SRC, &out->arguments[0]) &&
         make_memory(to, out->engine, DNNL_ARG_DST, &out->arguments[1]);
}

static int64_t time_pool(const pool_timer *timer) {
  const int64_t start = now_ns();
  if (dnnl_primitive_execute(timer->primitive, timer->stream, 2, timer->arguments) != dnnl_success ||
      dnnl_stream_wait(timer->stream) != dnnl_success)
    return -1;
  return now_ns() - start;
}

int main(int argc, char **argv) {
  pool_timer timer;
  if (argc != 8 || !make_pool(strcmp(argv[1], "AvgPool") == 0, argv + 3, &timer)) {
    fputs("onednn_timer: no such pool\n", stderr);
    return 1;
  }
  int64_t best = time_pool(&timer);
  const int64_t end = now_ns() + (int64_t)(atof(argv[2]) * 1e9);
  for (int n = 0; best >= 0 && (n < MIN_RUNS || now_ns() < end); n++) {
    const int64_t taken = time_pool(&timer);
    best = taken < best ? taken : best;
  }
  if (best < 0) {
    fputs("onednn_timer: the pool fails\n", stderr);
    return 1;
  }
  printf("{\"min_ns\": %lld}\n", (long long)best);
  return 0;
}
