/* The module of ops/fast/fast.h, over oneDNN 2. */
#include "ops/fast/fast.h"
#include <dnnl.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_DIMS = IR_FAST_AXES + 3, MOST_ARGS = 6 };

struct ir_fast_product {
  ir_fast_what what;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  dnnl_memory_t in, weights, bias, added, out, scratch;
  dnnl_memory_desc_t plain_weights;
  float *laid_out; /* NULL: the weights serve as they are given */
  float *scratchpad;
  bool keeps_layout; /* the weights' own layout is the one that the library wants */
  size_t bytes;
};

/* One for all; everything else is a product's own, so that plans of several threads run at once. */
static dnnl_engine_t engine;
static pthread_once_t engine_once = PTHREAD_ONCE_INIT;

/* oneDNN keeps the code of so many products for later ones that are alike, also when the first are gone. A network has
 * fewer that differ; what is kept beyond them takes memory for nothing. */
static void make_engine(void) {
  enum { MOST_KEPT = 64 };
  dnnl_set_primitive_cache_capacity(MOST_KEPT);
  if (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success)
    engine = NULL;
}

/* ---- threads and memory ---- */

/* Of the team that the calling thread has: how many threads were asked for, and how many there may be. */
static _Thread_local int n_asked, n_found;

static void *pass_gate(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* OpenMP ends the process when it cannot start a thread. So threads are first started for nothing, all at once. */
static int count_threads(int wanted) {
  enum { MOST = 255 };
  pthread_t threads[MOST];
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  int n = 0;
  pthread_mutex_lock(&gate);
  while (n < MOST && n + 1 < wanted && pthread_create(&threads[n], NULL, pass_gate, &gate) == 0)
    n++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return n + 1;
}

static int find_threads(int wanted) {
  if (wanted > n_asked) {
    n_asked = wanted;
    n_found = count_threads(wanted);
  }
  return wanted < n_found ? wanted : n_found;
}

/* Sets how many threads OpenMP uses. Returns the number before, which is the caller's and has to be set again. */
static int set_team(int n_threads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(find_threads(n_threads));
  return before;
}

static void work_as_team(int n_threads, void (*work)(void *user, int thread), void *user) {
  n_threads = find_threads(n_threads);
#pragma omp parallel num_threads(n_threads)
  work(user, omp_get_thread_num());
}

/* A forked process would wait forever for the threads that the caller had: both processes start new ones. */
static void end_threads(void) {
  omp_pause_resource_all(omp_pause_soft);
  n_asked = 0;
}

/* oneDNN 2 writes to NULL where there is no memory for the code that it makes. */
static bool has_room(void) {
  enum { ROOM = 8 << 20 };
  void *room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room != MAP_FAILED && munmap(room, ROOM) == 0;
}

/* ---- descriptions ---- */

static bool describe(dnnl_memory_desc_t *out, int n, const dnnl_dims_t dims, const dnnl_dims_t strides) {
  return dnnl_memory_desc_init_by_strides(out, n, dims, dnnl_f32, strides) == dnnl_success;
}

/* Row-major strides of the axes in this order of memory. */
static void lay(int n, const dnnl_dims_t dims, const int *order, dnnl_dims_t strides) {
  dnnl_dim_t step = 1;
  for (int i = n - 1; i >= 0; i--) {
    strides[order[i]] = step;
    step *= dims[order[i]];
  }
}

/* [batch, channels, axes..], with channels last in memory or not. */
static bool describe_data(dnnl_memory_desc_t *out, const ir_fast_what *what, int64_t channels, const int64_t *axes,
                          bool last) {
  const int n = what->n_axes + 2;
  dnnl_dims_t dims = {what->batch, channels}, strides;
  int order[MOST_DIMS] = {0};
  for (int i = 0; i < what->n_axes; i++)
    dims[2 + i] = axes[i];
  for (int i = 1; i < n; i++)
    order[i] = !last ? i : i < n - 1 ? i + 1 : 1;
  lay(n, dims, order, strides);
  return describe(out, n, dims, strides);
}

/* The kernel as it is given, with an axis of groups where there are several; a backprop's channels are the other way
 * round. */
static bool describe_kernel(const ir_fast_what *what, dnnl_memory_desc_t *given, dnnl_memory_desc_t *wanted) {
  dnnl_dims_t dims, strides;
  int order[MOST_DIMS], n = 0;
  if (what->groups > 1)
    dims[n++] = what->groups;
  const int first = n;
  dims[n++] = what->channels_out;
  dims[n++] = what->channels_in;
  for (int i = 0; i < what->n_axes; i++)
    dims[n++] = what->kernel[i];
  for (int i = 0; i < n; i++)
    order[i] = i;
  if (what->kind == IR_FAST_BACKPROP) {
    order[first] = first + 1;
    order[first + 1] = first;
  }
  lay(n, dims, order, strides);
  return describe(given, n, dims, strides) &&
         dnnl_memory_desc_init_by_tag(wanted, n, dims, dnnl_f32, dnnl_format_tag_any) == dnnl_success;
}

static bool append_after(dnnl_post_ops_t ops, const ir_fast_after *after, const dnnl_memory_desc_t *added) {
  static const dnnl_alg_kind_t kinds[] = {
      [IR_AFTER_RELU] = dnnl_eltwise_relu,        [IR_AFTER_CLAMP] = dnnl_eltwise_clip_v2,
      [IR_AFTER_SIGMOID] = dnnl_eltwise_logistic, [IR_AFTER_TANH] = dnnl_eltwise_tanh,
      [IR_AFTER_SWISH] = dnnl_eltwise_swish,      [IR_AFTER_HSWISH] = dnnl_eltwise_hardswish,
      [IR_AFTER_ELU] = dnnl_eltwise_elu,          [IR_AFTER_GELU_ERF] = dnnl_eltwise_gelu_erf};
  if (after->kind == IR_AFTER_ADD)
    return dnnl_post_ops_append_binary(ops, dnnl_binary_add, added) == dnnl_success;
  return dnnl_post_ops_append_eltwise(ops, 1, kinds[after->kind], after->a, after->b) == dnnl_success;
}

/* Its position among what is done with the product; -1: nothing is added. */
static int find_add(const ir_fast_what *what) {
  for (int i = 0; i < what->n_after; i++)
    if (what->after[i].kind == IR_AFTER_ADD)
      return i;
  return -1;
}

/* ---- making one ---- */

typedef struct making {
  dnnl_memory_desc_t in, weights, bias, out;
  dnnl_primitive_attr_t attributes;
  dnnl_primitive_desc_t description;
} making;

static bool make_attributes(const ir_fast_what *what, making *m) {
  dnnl_post_ops_t ops = NULL;
  bool made = dnnl_primitive_attr_create(&m->attributes) == dnnl_success &&
              dnnl_primitive_attr_set_scratchpad_mode(m->attributes, dnnl_scratchpad_mode_user) == dnnl_success &&
              dnnl_post_ops_create(&ops) == dnnl_success;
  for (int i = 0; i < what->n_after && made; i++)
    made = append_after(ops, &what->after[i], &m->out);
  made = made && dnnl_primitive_attr_set_post_ops(m->attributes, ops) == dnnl_success;
  if (ops != NULL)
    dnnl_post_ops_destroy(ops);
  return made;
}

static bool describe_convolution(ir_fast_product *p, making *m) {
  const ir_fast_what *what = &p->what;
  dnnl_dims_t channels = {what->groups * what->channels_out}, strides = {0}, dilations = {0}, begin = {0}, end = {0};
  for (int i = 0; i < what->n_axes; i++) {
    strides[i] = what->strides[i];
    dilations[i] = what->dilations[i] - 1;
    begin[i] = what->pads_begin[i];
    end[i] = what->pads_end[i];
  }
  if (!describe_data(&m->in, what, what->groups * what->channels_in, what->in, what->in_channels_last) ||
      !describe_data(&m->out, what, channels[0], what->out, what->out_channels_last) ||
      !describe_kernel(what, &p->plain_weights, &m->weights) ||
      dnnl_memory_desc_init_by_tag(&m->bias, 1, channels, dnnl_f32, dnnl_a) != dnnl_success ||
      !make_attributes(what, m))
    return false;
  const dnnl_memory_desc_t *bias = what->has_bias ? &m->bias : NULL;
  if (what->kind == IR_FAST_CONVOLUTION) {
    dnnl_convolution_desc_t op;
    return dnnl_dilated_convolution_forward_desc_init(&op, dnnl_forward_inference, dnnl_convolution_direct, &m->in,
                                                      &m->weights, bias, &m->out, strides, dilations, begin,
                                                      end) == dnnl_success &&
           dnnl_primitive_desc_create(&m->description, &op, m->attributes, engine, NULL) == dnnl_success;
  }
  dnnl_deconvolution_desc_t op;
  return dnnl_dilated_deconvolution_forward_desc_init(&op, dnnl_forward_inference, dnnl_deconvolution_direct, &m->in,
                                                      &m->weights, bias, &m->out, strides, dilations, begin,
                                                      end) == dnnl_success &&
         dnnl_primitive_desc_create(&m->description, &op, m->attributes, engine, NULL) == dnnl_success;
}

/* [batch, rows, columns], of which memory may hold the columns first. */
static bool describe_matrix(dnnl_memory_desc_t *out, int64_t batch, int64_t rows, int64_t columns, bool transposed) {
  const dnnl_dims_t dims = {batch, rows, columns};
  const dnnl_dims_t strides = {rows * columns, transposed ? 1 : columns, transposed ? rows : 1};
  return describe(out, 3, dims, strides);
}

static bool describe_matmul(ir_fast_product *p, making *m) {
  const ir_fast_what *what = &p->what;
  const dnnl_dims_t bias_dims = {1, 1, what->n};
  dnnl_matmul_desc_t op;
  if (!describe_matrix(&m->in, what->batch, what->m, what->k, what->a_transposed) ||
      !describe_matrix(&m->out, what->batch, what->m, what->n, false) ||
      !describe_matrix(&p->plain_weights, what->batch, what->k, what->n, what->b_transposed) ||
      dnnl_memory_desc_init_by_tag(&m->bias, 3, bias_dims, dnnl_f32, dnnl_abc) != dnnl_success ||
      !make_attributes(what, m))
    return false;
  m->weights = p->plain_weights;
  return dnnl_matmul_desc_init(&op, &m->in, &m->weights, what->has_bias ? &m->bias : NULL, &m->out) == dnnl_success &&
         dnnl_primitive_desc_create(&m->description, &op, m->attributes, engine, NULL) == dnnl_success;
}

static bool make_memory(dnnl_memory_t *out, const dnnl_memory_desc_t *desc) {
  return dnnl_memory_create(out, desc, engine, DNNL_MEMORY_NONE) == dnnl_success;
}

static bool make_memories(ir_fast_product *p, const making *m) {
  const dnnl_memory_desc_t *weights = dnnl_primitive_desc_query_md(m->description, dnnl_query_weights_md, 0);
  const dnnl_memory_desc_t *scratch = dnnl_primitive_desc_query_md(m->description, dnnl_query_scratchpad_md, 0);
  const size_t bytes = dnnl_memory_desc_get_size(scratch);
  p->keeps_layout = dnnl_memory_desc_equal(weights, &p->plain_weights) != 0;
  p->bytes = bytes + (p->keeps_layout ? 0 : dnnl_memory_desc_get_size(weights));
  if (bytes > 0)
    p->scratchpad = aligned_alloc(64, (bytes + 63) / 64 * 64);
  return (bytes == 0 || p->scratchpad != NULL) && make_memory(&p->in, &m->in) && make_memory(&p->out, &m->out) &&
         make_memory(&p->weights, weights) && (!p->what.has_bias || make_memory(&p->bias, &m->bias)) &&
         make_memory(&p->scratch, scratch) && (find_add(&p->what) < 0 || make_memory(&p->added, &m->out)) &&
         dnnl_memory_set_data_handle_v2(p->scratch, p->scratchpad, p->stream) == dnnl_success;
}

static void free_product(ir_fast_product *p) {
  const dnnl_memory_t memories[] = {p->in, p->weights, p->bias, p->added, p->out, p->scratch};
  for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
    if (memories[i] != NULL)
      dnnl_memory_destroy(memories[i]);
  if (p->primitive != NULL)
    dnnl_primitive_destroy(p->primitive);
  if (p->stream != NULL)
    dnnl_stream_destroy(p->stream);
  free(p->laid_out);
  free(p->scratchpad);
  free(p);
}

static bool is_padding(const ir_fast_what *what, int axis, int64_t window) {
  for (int64_t i = 0; i < what->kernel[axis]; i++) {
    const int64_t at = window * what->strides[axis] - what->pads_begin[axis] + i * what->dilations[axis];
    if (at >= 0 && at < what->in[axis])
      return false;
  }
  return true;
}

/* True of an addition behind a convolution with windows that see nothing but padding: there oneDNN 2.6 adds what lies
 * elsewhere, or reads outside of memory. */
static bool goes_wrong(const ir_fast_what *what) {
  bool has_empty = false;
  if (what->kind != IR_FAST_CONVOLUTION || find_add(what) < 0)
    return false;
  for (int i = 0; i < what->n_axes; i++)
    for (int64_t o = 0; o < what->out[i] && !has_empty; o++)
      has_empty = is_padding(what, i, o);
  return has_empty;
}

static ir_fast_product *create(const ir_fast_what *what) {
  making m = {.attributes = NULL};
  ir_fast_product *p = goes_wrong(what) ? NULL : calloc(1, sizeof *p);
  if (p == NULL)
    return NULL;
  p->what = *what;
  pthread_once(&engine_once, make_engine);
  const int before = set_team(what->n_threads);
  bool made = engine != NULL && has_room() &&
              dnnl_stream_create(&p->stream, engine, dnnl_stream_default_flags) == dnnl_success &&
              (what->kind == IR_FAST_MATMUL ? describe_matmul(p, &m) : describe_convolution(p, &m));
  made = made && make_memories(p, &m) && dnnl_primitive_create(&p->primitive, m.description) == dnnl_success;
  if (m.description != NULL)
    dnnl_primitive_desc_destroy(m.description);
  if (m.attributes != NULL)
    dnnl_primitive_attr_destroy(m.attributes);
  omp_set_num_threads(before);
  if (made)
    return p;
  free_product(p);
  return NULL;
}

static size_t bytes_of(const ir_fast_product *p) {
  return p->bytes;
}

/* ---- running it ---- */

static bool set(const ir_fast_product *p, dnnl_memory_t memory, const void *data) {
  return dnnl_memory_set_data_handle_v2(memory, (void *)(uintptr_t)data, p->stream) == dnnl_success;
}

static bool reorder(const ir_fast_product *p, dnnl_memory_t from, dnnl_memory_t to, const dnnl_memory_desc_t *from_desc,
                    const dnnl_memory_desc_t *to_desc) {
  dnnl_primitive_desc_t description = NULL;
  dnnl_primitive_t primitive = NULL;
  const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  const bool done =
      has_room() &&
      dnnl_reorder_primitive_desc_create(&description, from_desc, engine, to_desc, engine, NULL) == dnnl_success &&
      dnnl_primitive_create(&primitive, description) == dnnl_success &&
      dnnl_primitive_execute(primitive, p->stream, 2, args) == dnnl_success &&
      dnnl_stream_wait(p->stream) == dnnl_success;
  if (primitive != NULL)
    dnnl_primitive_destroy(primitive);
  if (description != NULL)
    dnnl_primitive_desc_destroy(description);
  return done;
}

/* For weights, in huge pages as far as they fill them: the first touch of each page takes as long as to fill it. */
static float *take_weights(size_t bytes) {
  enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };
  const size_t alignment = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
  float *block = NULL;
  if (posix_memalign((void **)&block, alignment, bytes) != 0)
    return NULL;
  if (bytes >= HUGE_PAGE)
    madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  return block;
}

static bool lay_out(ir_fast_product *p, const float *weights) {
  const dnnl_memory_desc_t *wanted;
  dnnl_memory_t given = NULL;
  if (dnnl_memory_get_memory_desc(p->weights, &wanted) != dnnl_success)
    return false;
  const size_t bytes = dnnl_memory_desc_get_size(wanted);
  if (p->laid_out == NULL)
    p->laid_out = take_weights(bytes);
  const bool done = p->laid_out != NULL && make_memory(&given, &p->plain_weights) && set(p, given, weights) &&
                    set(p, p->weights, p->laid_out) && reorder(p, given, p->weights, &p->plain_weights, wanted);
  if (given != NULL)
    dnnl_memory_destroy(given);
  return done;
}

static bool set_weights(ir_fast_product *p, const float *weights, int n_threads) {
  const int before = set_team(n_threads);
  const bool done = p->keeps_layout ? set(p, p->weights, weights) : lay_out(p, weights);
  omp_set_num_threads(before);
  return done;
}

static bool run(ir_fast_product *p, const ir_fast_tensors *tensors, int n_threads) {
  dnnl_exec_arg_t args[MOST_ARGS] = {
      {DNNL_ARG_SRC, p->in}, {DNNL_ARG_WEIGHTS, p->weights}, {DNNL_ARG_DST, p->out}, {DNNL_ARG_SCRATCHPAD, p->scratch}};
  int n = 4;
  const int before = set_team(n_threads);
  bool done = set(p, p->in, tensors->in) && set(p, p->out, tensors->out) &&
              (tensors->b == NULL || set(p, p->weights, tensors->b));
  if (p->bias != NULL) {
    args[n++] = (dnnl_exec_arg_t){DNNL_ARG_BIAS, p->bias};
    done = done && set(p, p->bias, tensors->bias);
  }
  if (p->added != NULL) {
    args[n++] = (dnnl_exec_arg_t){DNNL_ARG_ATTR_MULTIPLE_POST_OP(find_add(&p->what)) | DNNL_ARG_SRC_1, p->added};
    done = done && set(p, p->added, tensors->added);
  }
  done = done && dnnl_primitive_execute(p->primitive, p->stream, n, args) == dnnl_success &&
         dnnl_stream_wait(p->stream) == dnnl_success;
  omp_set_num_threads(before);
  return done;
}

/* ---- what is exported ---- */

static char name[32];

__attribute__((constructor)) static void begin_module(void) {
  const dnnl_version_t *version = dnnl_version();
  snprintf(name, sizeof name, "oneDNN %d.%d.%d", version->major, version->minor, version->patch);
  pthread_atfork(end_threads, NULL, NULL);
}

__attribute__((visibility("default"))) extern const ir_fast_module irrun_fast;
const ir_fast_module irrun_fast = {.version = IR_FAST_VERSION,
                                   .name = name,
                                   .create = create,
                                   .free = free_product,
                                   .bytes = bytes_of,
                                   .set_weights = set_weights,
                                   .run = run,
                                   .team = work_as_team};
