/* Implements the module of ops/fast/fast.h by oneDNN 2 or 3. */
#include "ops/fast/fast_guard.h"
#include "ops/fast/fast_primitive.h"
#include "ops/fast/fast_threads.h"
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_ARGS = 8 };

static dnnl_engine_t engine;
static pthread_mutex_t engine_lock = PTHREAD_MUTEX_INITIALIZER;

/* Creates the engine and sets the capacity of oneDNN's primitive cache. This cache keeps the code of freed primitives
 * for later equal primitives. A network has fewer than 64 distinct primitives; a larger cache wastes memory. */
static int make_engine(void *user) {
  enum { MOST_KEPT = 64 };
  (void)user;
  dnnl_set_primitive_cache_capacity(MOST_KEPT);
  return (int)dnnl_engine_create(&engine, dnnl_cpu, 0);
}

static bool has_engine(void) {
  pthread_mutex_lock(&engine_lock);
  if (engine == NULL && ir_fast_guard(make_engine, NULL, dnnl_out_of_memory) != dnnl_success)
    engine = NULL;
  const bool has = engine != NULL;
  pthread_mutex_unlock(&engine_lock);
  return has;
}

/* oneDNN's number of an instruction set has a bit for each part, so it contains the bits of all smaller sets. */
static bool has_type(ir_fast_type type) {
  const unsigned isa = (unsigned)dnnl_get_effective_cpu_isa(), bf16 = (unsigned)dnnl_cpu_isa_avx512_core_bf16;
  switch (type) {
  case IR_FAST_BF16:
    return (isa & bf16) == bf16;
  case IR_FAST_F16:
    return IR_ISA_F16 != 0 && (isa & IR_ISA_F16) == IR_ISA_F16;
  default:
    return true;
  }
}

/* ---- making a primitive ---- */

static dnnl_status_t make_memory(dnnl_memory_t *out, ir_const_layout layout) {
  return dnnl_memory_create(out, layout, engine, DNNL_MEMORY_NONE);
}

static bool make_zero_point(ir_fast_making *m) {
  ir_fast_primitive *p = m->p;
  ir_dnnl_layout layout = NULL;
  const dnnl_dims_t dims = {1};
  const bool made = ir_fast_is_done(m, ir_make_tagged(&layout, 1, dims, dnnl_a, dnnl_s32)) &&
                    ir_fast_is_done(m, make_memory(&p->zero_point, layout)) &&
                    ir_fast_is_done(m, ir_set_data(p->zero_point, &p->desc.in_zero_point, p->stream));
  ir_free_layout(layout);
  return made;
}

static bool make_memories(ir_fast_making *m) {
  ir_fast_primitive *p = m->p;
  ir_const_layout weights = dnnl_primitive_desc_query_md(m->description, dnnl_query_weights_md, 0);
  ir_const_layout scratch = dnnl_primitive_desc_query_md(m->description, dnnl_query_scratchpad_md, 0);
  const size_t bytes = dnnl_memory_desc_get_size(scratch);
  p->bytes = bytes;
  p->weights_bytes = dnnl_memory_desc_equal(weights, p->plain_weights) != 0 ? 0 : dnnl_memory_desc_get_size(weights);
  if (bytes > 0)
    p->scratchpad = aligned_alloc(64, (bytes + 63) / 64 * 64);
  return (bytes == 0 || p->scratchpad != NULL || ir_fast_is_done(m, dnnl_out_of_memory)) &&
         ir_fast_is_done(m, make_memory(&p->in, m->in)) && ir_fast_is_done(m, make_memory(&p->out, m->out)) &&
         ir_fast_is_done(m, make_memory(&p->weights, weights)) &&
         (!p->desc.has_bias || ir_fast_is_done(m, make_memory(&p->bias, m->bias))) &&
         (p->desc.scales == NULL || ir_fast_is_done(m, make_memory(&p->scales, m->scales))) &&
         (p->desc.in_zero_point == 0 || make_zero_point(m)) && ir_fast_is_done(m, make_memory(&p->scratch, scratch)) &&
         (ir_fast_find(&p->desc, IR_POST_ADD) < 0 || ir_fast_is_done(m, make_memory(&p->added, m->added))) &&
         ir_fast_is_done(m, ir_set_data(p->scratch, p->scratchpad, p->stream));
}

static void free_primitive(ir_fast_primitive *p) {
  const dnnl_memory_t memories[] = {p->in, p->weights, p->scales, p->bias, p->added, p->out, p->scratch, p->zero_point};
  for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
    if (memories[i] != NULL)
      dnnl_memory_destroy(memories[i]);
  if (p->primitive != NULL)
    dnnl_primitive_destroy(p->primitive);
  if (p->stream != NULL)
    dnnl_stream_destroy(p->stream);
  ir_free_layout(p->plain_weights);
  free(p->scratchpad);
  free(p);
}

static void end_making(ir_fast_making *m) {
  const ir_dnnl_layout layouts[] = {m->in, m->weights, m->bias, m->out, m->added, m->scales};
  for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
    ir_free_layout(layouts[i]);
  if (m->description != NULL)
    dnnl_primitive_desc_destroy(m->description);
  if (m->post_ops != NULL)
    dnnl_post_ops_destroy(m->post_ops);
  if (m->attributes != NULL)
    dnnl_primitive_attr_destroy(m->attributes);
}

static bool is_padding(const ir_fast_desc *desc, int axis, int64_t window) {
  for (int64_t i = 0; i < desc->kernel[axis]; i++) {
    const int64_t at = window * desc->strides[axis] - desc->pads_begin[axis] + i * desc->dilations[axis];
    if (at >= 0 && at < desc->in[axis])
      return false;
  }
  return true;
}

/* Whether a convolution has the post-op IR_POST_ADD, and a window that covers only padding. In this case, oneDNN 2.6
 * adds wrong elements or reads out of bounds. */
static bool goes_wrong(const ir_fast_desc *desc) {
  bool has_empty = false;
  if (desc->kind != IR_FAST_CONVOLUTION || ir_fast_find(desc, IR_POST_ADD) < 0)
    return false;
  for (int i = 0; i < desc->n_axes; i++)
    for (int64_t o = 0; o < desc->out[i] && !has_empty; o++)
      has_empty = is_padding(desc, i, o);
  return has_empty;
}

/* Whether the primitive is slower than separate steps. The name of oneDNN's implementation shows that. These are slow:
 * - reference implementations ("ref:any"): one element at a time, more slowly than irrun's plain kernels
 * - a bias or post-ops of a deconvolution that runs as the backward pass of a convolution (no "deconv" in the name)
 * - post-ops of a convolution that runs as a matrix product ("gemm") */
static bool is_slow(const ir_fast_making *m) {
  const ir_fast_desc *desc = &m->p->desc;
  const char *name = ir_fast_implementation(m);
  if (desc->kind == IR_FAST_BACKPROP && (desc->has_bias || desc->n_post_ops > 0) && strstr(name, "deconv") == NULL)
    return true;
  if (desc->kind == IR_FAST_CONVOLUTION && desc->n_post_ops > 0 && strstr(name, "gemm") != NULL)
    return true;
  return strstr(name, "ref:any") != NULL;
}

static int make(void *user) {
  ir_fast_making *m = user;
  ir_fast_primitive *p = m->p;
  m->engine = engine;
  if (!ir_fast_is_done(m, dnnl_stream_create(&p->stream, engine, dnnl_stream_default_flags)) ||
      !(p->desc.kind == IR_FAST_MATMUL ? ir_fast_describe_matmul(m) : ir_fast_describe_convolution(m)))
    return (int)m->status;
  if (is_slow(m))
    return dnnl_unimplemented;
  return make_memories(m) && ir_fast_is_done(m, dnnl_primitive_create(&p->primitive, m->description)) ? dnnl_success
                                                                                                      : (int)m->status;
}

static bool create(const ir_fast_desc *desc, ir_fast_primitive **out) {
  *out = NULL;
  if (goes_wrong(desc))
    return true;
  ir_fast_making m = {.p = calloc(1, sizeof *m.p)};
  if (m.p == NULL)
    return false;
  m.p->desc = *desc;
  const int before = ir_fast_set_threads(desc->n_threads);
  const int status =
      has_engine() && ir_fast_has_room() ? ir_fast_guard(make, &m, dnnl_out_of_memory) : dnnl_out_of_memory;
  end_making(&m);
  ir_fast_reset_threads(before);
  if (status == dnnl_success)
    *out = m.p;
  else
    free_primitive(m.p);
  return status == dnnl_success || status == dnnl_unimplemented || status == dnnl_invalid_arguments;
}

static size_t bytes_of(const ir_fast_primitive *p) {
  return p->bytes;
}

static size_t weights_bytes_of(const ir_fast_primitive *p) {
  return p->weights_bytes;
}

static bool set(const ir_fast_primitive *p, dnnl_memory_t memory, const void *data) {
  return ir_set_data(memory, (void *)(uintptr_t)data, p->stream) == dnnl_success;
}

/* ---- weights ---- */

static void free_weights(ir_fast_weights *weights) {
  ir_free_layout(weights->layout);
  free(weights->data);
  free(weights);
}

/* Allocates memory for weights. Weights that fill huge pages get huge pages: for small pages, the page faults of the
 * first write take as long as the write itself. */
static void *take_weights(size_t bytes) {
  enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };
  const size_t alignment = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
  void *block = NULL;
  if (posix_memalign(&block, alignment, bytes) != 0)
    return NULL;
  if (bytes >= HUGE_PAGE)
    madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  return block;
}

/* Objects for one conversion of weights to a primitive's layout. lay_weights_out frees the oneDNN objects. If it
 * allocated `to` and the conversion fails, it frees `to`, too. */
typedef struct laying {
  const ir_fast_primitive *p;
  const void *from;
  ir_fast_weights *to;
  dnnl_memory_t given, made;
  dnnl_primitive_desc_t description;
  dnnl_primitive_t primitive;
} laying;

static int lay_out(void *user) {
  laying *l = user;
  const ir_fast_primitive *p = l->p;
  ir_const_layout wanted;
  if (dnnl_memory_get_memory_desc(p->weights, &wanted) != dnnl_success ||
      (l->to->layout == NULL && ir_copy_layout(&l->to->layout, wanted) != dnnl_success))
    return false;
  if (l->to->data == NULL)
    l->to->data = take_weights(p->weights_bytes);
  if (l->to->data == NULL || make_memory(&l->given, p->plain_weights) != dnnl_success ||
      make_memory(&l->made, wanted) != dnnl_success || !set(p, l->given, l->from) || !set(p, l->made, l->to->data))
    return false;
  const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, l->given}, {DNNL_ARG_TO, l->made}};
  return dnnl_reorder_primitive_desc_create(&l->description, p->plain_weights, engine, wanted, engine, NULL) ==
             dnnl_success &&
         dnnl_primitive_create(&l->primitive, l->description) == dnnl_success &&
         dnnl_primitive_execute(l->primitive, p->stream, 2, args) == dnnl_success &&
         dnnl_stream_wait(p->stream) == dnnl_success;
}

static bool lay_weights_out(const ir_fast_primitive *p, const void *from, int n_threads, ir_fast_weights **io_weights) {
  laying l = {.p = p, .from = from, .to = *io_weights != NULL ? *io_weights : calloc(1, sizeof *l.to)};
  if (l.to == NULL)
    return false;
  const int before = ir_fast_set_threads(n_threads);
  const bool done = ir_fast_has_room() && ir_fast_guard(lay_out, &l, false);
  if (l.primitive != NULL)
    dnnl_primitive_destroy(l.primitive);
  if (l.description != NULL)
    dnnl_primitive_desc_destroy(l.description);
  if (l.given != NULL)
    dnnl_memory_destroy(l.given);
  if (l.made != NULL)
    dnnl_memory_destroy(l.made);
  ir_fast_reset_threads(before);
  if (!done && *io_weights == NULL)
    free_weights(l.to);
  else
    *io_weights = l.to;
  return done;
}

static bool takes_weights(const ir_fast_primitive *p, const ir_fast_weights *weights) {
  ir_const_layout wanted;
  return dnnl_memory_get_memory_desc(p->weights, &wanted) == dnnl_success &&
         dnnl_memory_desc_equal(wanted, weights->layout) != 0;
}

/* ---- running a primitive ---- */

typedef struct running {
  ir_fast_primitive *p;
  const ir_fast_tensors *tensors;
} running;

/* Adds the tensor of post-op `at` to the arguments. */
static bool add_post_op_arg(const ir_fast_primitive *p, dnnl_exec_arg_t *args, int *io_n, int at, dnnl_memory_t memory,
                            const void *data) {
  args[(*io_n)++] = (dnnl_exec_arg_t){DNNL_ARG_ATTR_MULTIPLE_POST_OP(at) | DNNL_ARG_SRC_1, memory};
  return set(p, memory, data);
}

static int execute(void *user) {
  const running *r = user;
  const ir_fast_primitive *p = r->p;
  const ir_fast_tensors *tensors = r->tensors;
  dnnl_exec_arg_t args[MOST_ARGS] = {
      {DNNL_ARG_SRC, p->in}, {DNNL_ARG_WEIGHTS, p->weights}, {DNNL_ARG_DST, p->out}, {DNNL_ARG_SCRATCHPAD, p->scratch}};
  int n = 4;
  bool done = set(p, p->in, tensors->in) && set(p, p->out, tensors->out) &&
              set(p, p->weights, tensors->weights != NULL ? tensors->weights->data : tensors->b);
  if (p->zero_point != NULL)
    args[n++] = (dnnl_exec_arg_t){DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, p->zero_point};
  const bool scales_first = IR_SCALES_ARE_POST_OP && p->scales != NULL;
  if (scales_first)
    done = add_post_op_arg(p, args, &n, 0, p->scales, p->desc.scales) && done;
  if (p->bias != NULL) {
    args[n++] = (dnnl_exec_arg_t){DNNL_ARG_BIAS, p->bias};
    done = set(p, p->bias, tensors->bias) && done;
  }
  if (p->added != NULL)
    done = add_post_op_arg(p, args, &n, scales_first + ir_fast_find(&p->desc, IR_POST_ADD), p->added, tensors->added) &&
           done;
  return done && dnnl_primitive_execute(p->primitive, p->stream, n, args) == dnnl_success &&
         dnnl_stream_wait(p->stream) == dnnl_success;
}

static bool run(ir_fast_primitive *p, const ir_fast_tensors *tensors, int n_threads) {
  const int before = ir_fast_set_threads(n_threads);
  const bool done = ir_fast_guard(execute, &(running){p, tensors}, false);
  ir_fast_reset_threads(before);
  return done;
}

/* ---- the exported object ---- */

static char name[32];

__attribute__((constructor)) static void begin_module(void) {
  const dnnl_version_t *version = dnnl_version();
  /* OpenMP's threads end by pthread_exit, for which glibc loads libgcc_s; without memory it then ends the process.
   * backtrace() loads it now, and may fail. */
  backtrace(&(void *){NULL}, 1);
  snprintf(name, sizeof name, "oneDNN %d.%d.%d", version->major, version->minor, version->patch);
  pthread_atfork(ir_fast_end_threads, NULL, NULL);
}

__attribute__((visibility("default"))) extern const ir_fast_module irrun_fast;
const ir_fast_module irrun_fast = {.version = IR_FAST_VERSION,
                                   .name = name,
                                   .has_type = has_type,
                                   .create = create,
                                   .free = free_primitive,
                                   .bytes = bytes_of,
                                   .weights_bytes = weights_bytes_of,
                                   .lay_out = lay_weights_out,
                                   .takes = takes_weights,
                                   .free_weights = free_weights,
                                   .run = run,
                                   .omp_pool = ir_fast_team};
