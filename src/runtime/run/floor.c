/* Measures the floor of a run: every byte of its tensors is read once and written once, with the machine's widest
 * vectors, as fast as caches and memory allow. */
#include "base/clock.h"
#include "runtime/context.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define LINE        64                /* bytes of a cache line; sizes are rounded up to it */
#define MOST_LINES  ((size_t)1 << 22) /* 256 MiB in a block: more than caches hold, and little beside such a step */
#define MAX_THREADS 1024
#define MIN_PASSES  3
#define SPINS       1000 /* busy waits before the thread yields */

/* ---- one pass ---- */

/* Writes `n_out` lines to `y`; each is the sum of an equal share of the `n_in` lines of `x`. */
typedef void floor_pass(const void *x, size_t n_in, void *y, size_t n_out);

/* Shares differ by at most one vector, so the loop needs no division. `name` needs a vector type of `bytes` bytes. */
#define FLOOR_PASS(name, bytes, attributes)                                                                            \
  attributes static void name(const void *x, size_t n_in, void *y, size_t n_out) {                                     \
    typedef uint32_t vector __attribute__((vector_size(bytes), may_alias));                                            \
    const vector *in = x;                                                                                              \
    vector *out = y;                                                                                                   \
    n_in *= LINE / (bytes);                                                                                            \
    n_out *= LINE / (bytes);                                                                                           \
    const size_t share = n_in / n_out, left = n_in % n_out;                                                            \
    for (size_t o = 0, owed = left; o < n_out; o++, owed += left) {                                                    \
      const vector *end = in + share + (owed >= n_out);                                                                \
      if (owed >= n_out)                                                                                               \
        owed -= n_out;                                                                                                 \
      vector sum = {0};                                                                                                \
      while (in < end)                                                                                                 \
        sum += *in++;                                                                                                  \
      out[o] = sum;                                                                                                    \
    }                                                                                                                  \
  }

FLOOR_PASS(pass_16, 16, )
#ifdef __x86_64__
FLOOR_PASS(pass_32, 32, __attribute__((target("avx2"))))
FLOOR_PASS(pass_64, 64, __attribute__((target("avx512f"))))

static bool has_avx512(void) {
  return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void) {
  return __builtin_cpu_supports("avx2");
}
#endif

typedef struct floor_row {
  const char *simd;
  bool (*available)(void);
  floor_pass *pass;
} floor_row;

static const floor_row *find_row(void) {
  static const floor_row rows[] = {
#if defined(__x86_64__)
    {"avx512", has_avx512, pass_64},
    {"avx2", has_avx2, pass_32},
    {"sse2", NULL, pass_16},
#elif defined(__aarch64__)
    {"neon", NULL, pass_16},
#else
    {"none", NULL, pass_16},
#endif
  };
  const floor_row *row = rows;
  while (row->available != NULL && !row->available())
    row++;
  return row;
}

const char *irrun_simd(void) {
  return find_row()->simd;
}

/* ---- threads ---- */

typedef struct floor_pool {
  floor_pass *pass;
  const irrun_step *steps;
  size_t step_size; /* bytes per thread; the caller's thread is one of them */
  int64_t n_steps;
  int n_threads;
  const char *x;
  char *y;
  atomic_int n_started; /* number of passes started */
  atomic_int n_done;    /* other threads that have finished this pass */
  atomic_bool over;
} floor_pool;

typedef struct floor_member {
  floor_pool *pool;
  pthread_t thread;
  size_t number;
} floor_member;

static size_t lines(int64_t bytes) {
  return bytes > LINE ? ((size_t)bytes + LINE - 1) / LINE : 1;
}

static const irrun_step *step_at(const floor_pool *pool, int64_t index) {
  return (const irrun_step *)(const void *)((const char *)pool->steps + (size_t)index * pool->step_size);
}

/* The lines that a step reads and writes, in equal repeats if it has too many for one block. */
typedef struct floor_lines {
  size_t n_in, n_out, n_repeats;
} floor_lines;

static floor_lines lines_of(const irrun_step *step) {
  const size_t n_in = lines(step->read_bytes), n_out = lines(step->written_bytes);
  const size_t n = (n_in > n_out ? n_in : n_out) / MOST_LINES + 1;
  return (floor_lines){(n_in + n - 1) / n, (n_out + n - 1) / n, n};
}

static void do_share(const floor_pool *pool, size_t number) {
  const size_t n = (size_t)pool->n_threads;
  for (int64_t i = 0; i < pool->n_steps; i++) {
    const floor_lines step = lines_of(step_at(pool, i));
    const size_t in = step.n_in * number / n, out = step.n_out * number / n;
    const size_t in_end = step.n_in * (number + 1) / n, out_end = step.n_out * (number + 1) / n;
    for (size_t k = 0; k < step.n_repeats && out < out_end; k++)
      pool->pass(pool->x + in * LINE, in_end - in, pool->y + out * LINE, out_end - out);
  }
}

static void wait_a_little(int *spins) {
  if (++*spins % SPINS == 0)
    sched_yield();
}

static void *work(void *user) {
  const floor_member *member = user;
  floor_pool *pool = member->pool;
  for (int passes = 0;; passes++) {
    for (int spins = 0; atomic_load(&pool->n_started) == passes && !atomic_load(&pool->over);)
      wait_a_little(&spins);
    if (atomic_load(&pool->over))
      return NULL;
    do_share(pool, member->number);
    atomic_fetch_add(&pool->n_done, 1);
  }
}

static int64_t time_pass(floor_pool *pool) {
  const int64_t start = ir_now_ns();
  atomic_store(&pool->n_done, 0);
  atomic_fetch_add(&pool->n_started, 1);
  do_share(pool, 0);
  for (int spins = 0; atomic_load(&pool->n_done) < pool->n_threads - 1;)
    wait_a_little(&spins);
  return ir_now_ns() - start;
}

static int64_t best_pass(floor_pool *pool, int64_t budget_ns) {
  const int64_t end = ir_now_ns() + budget_ns;
  int64_t best = INT64_MAX;
  time_pass(pool);
  for (int n = 0; n < MIN_PASSES || (n < INT32_MAX - 2 && ir_now_ns() < end); n++) {
    const int64_t taken = time_pass(pool);
    best = taken < best ? taken : best;
  }
  return best;
}

/* Lowers *out_ns to the best time; measures nothing if fewer threads than requested could start. */
static bool measure(floor_pool *pool, floor_member *others, int64_t budget_ns, int64_t *out_ns) {
  int n_others = 0;
  for (; n_others < pool->n_threads - 1; n_others++) {
    others[n_others] = (floor_member){.pool = pool, .number = (size_t)n_others + 1};
    if (pthread_create(&others[n_others].thread, NULL, work, &others[n_others]) != 0)
      break;
  }
  const bool complete = n_others == pool->n_threads - 1;
  if (complete) {
    const int64_t best = best_pass(pool, budget_ns);
    *out_ns = best < *out_ns ? best : *out_ns;
  }
  atomic_store(&pool->over, true);
  for (int i = 0; i < n_others; i++)
    pthread_join(others[i].thread, NULL);
  return complete;
}

/* ---- the public call ---- */

static bool take_lines(const irrun_context *context, size_t n, ir_tensor *out) {
  const ir_shape shape = ir_shape_of(1, &(int64_t){(int64_t)(n * LINE)});
  if (!ir_tensor_alloc(out, &context->memory, IR_U8, &shape))
    return false;
  memset(out->data, 1, out->bytes);
  return true;
}

irrun_status irrun_floor_measure(irrun_context *context, const irrun_step *steps, int64_t n_steps, int n_threads,
                                 int64_t budget_ns, int64_t *out_ns) {
  *out_ns = 0;
  if (n_threads < 1 || n_threads > MAX_THREADS)
    return (irrun_status)ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                                   "a floor is measured with 1 to %d threads, not %d", MAX_THREADS, n_threads);
  floor_pool pool = {.pass = find_row()->pass, .steps = steps, .n_steps = n_steps, .n_threads = n_threads};
  if (n_steps > 0) {
    const ir_code code =
        ir_check_size(&context->diags, steps, IR_SIZE_TO(irrun_step, written_bytes), sizeof(irrun_step));
    if (code != IR_OK)
      return ir_status(code);
    pool.step_size = steps->size;
  }
  size_t most_in = 1, most_out = 1;
  for (int64_t i = 0; i < n_steps; i++) {
    const floor_lines step = lines_of(step_at(&pool, i));
    most_in = step.n_in > most_in ? step.n_in : most_in;
    most_out = step.n_out > most_out ? step.n_out : most_out;
  }
  ir_tensor x = {.data = NULL}, y = {.data = NULL};
  floor_member *others = ir_alloc_zero(&context->memory, (size_t)n_threads, sizeof *others);
  bool done = others != NULL && take_lines(context, most_in, &x) && take_lines(context, most_out, &y);
  if (done) {
    pool.x = x.data;
    pool.y = y.data;
    /* a small run stays on one thread because others would slow it down; so does its floor */
    floor_pool alone = pool;
    alone.n_threads = 1;
    const int64_t budget_each_ns = n_threads > 1 ? budget_ns / 2 : budget_ns;
    *out_ns = INT64_MAX;
    done = measure(&alone, NULL, budget_each_ns, out_ns);
    done = done && (n_threads == 1 || measure(&pool, others, budget_each_ns, out_ns));
  }
  ir_tensor_release(&x);
  ir_tensor_release(&y);
  ir_free(&context->memory, others);
  *out_ns = done ? *out_ns : 0;
  return done ? IRRUN_OK : ir_status(ir_out_of_memory(&context->diags));
}
