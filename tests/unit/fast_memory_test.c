/* Tests that oneDNN's module survives a failed allocation while it creates primitives, and that primitives release
 * their memory. */
#include "irrun_program.h"
#include "passes_net.h"
#include "sanitizers.h"
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a malloc that fails on demand ---- */

#define NEVER INT64_MAX

static atomic_long n_asked;
static int64_t refused = NEVER; /* number of the allocation that fails */

/* Restarts the count of allocations, and lets allocation `block` fail. Returns the previous count. */
static int64_t refuse(int64_t block) {
  const int64_t n = atomic_exchange(&n_asked, 0);
  refused = block;
  return n;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_MEMORY__) || defined(__SANITIZE_THREAD__)
enum { IS_OWN_MALLOC = 0 }; /* the sanitizer replaces malloc itself */
#else
enum { IS_OWN_MALLOC = 1 };

/* glibc declares malloc under this name too, for programs that replace malloc. */
void *__libc_malloc(size_t bytes);

/* Replaces malloc, which C++ `new` calls. oneDNN also calls posix_memalign, and oneDNN 2 ignores its failure.
 * Therefore the module checks the available memory in advance. */

__attribute__((visibility("default"))) void *malloc(size_t bytes) {
  return atomic_fetch_add(&n_asked, 1) == refused ? NULL : __libc_malloc(bytes);
}
#endif

/* ---- the network ---- */

#define CONV(stride, pad)                                                                                              \
  "strides='" #stride "," #stride "' dilations='1,1' pads_begin='" #pad "," #pad "' pads_end='" #pad "," #pad "'"

/* Builds a network with each kind of primitive, and with post-ops. */
static void build(net *n) {
  const int x = net_parameter(n, "1,32,24,24");
  const int a = net_op(n, "ReLU", "", net_bias(n, net_conv(n, x, 32, 32, 3, 1), 32));
  const int b = net_op(n, "Add", "", a, net_conv(n, a, 32, 32, 1, 1));
  const int c = net_op(n, "GroupConvolution", CONV(1, 1), b, net_weights(n, "32,1,1,3,3", 288, 9));
  const int d = net_op(n, "ConvolutionBackpropData", CONV(2, 0), c, net_weights(n, "32,8,2,2", 1024, 32));
  const int e = net_op(n, "MatMul", "", d, net_weights(n, "48,16", 768, 48));
  net_result(n, net_op(n, "Tanh", "", e));
}

static int count_fast(const irrun_run *run) {
  irrun_step step = {.size = sizeof step};
  int n = 0;
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    n += strcmp(step.isa, "onednn") == 0;
  return n;
}

/* ---- out of memory ---- */

/* Results that a child process reports through shared memory. */
typedef struct told {
  int64_t n_asked;
  int n_fast;
  irrun_status status;
  bool is_right;
} told;

static net_fixture f;
static net_outcome expected;

static bool is_right(const irrun_run *run) {
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(run, 0));
  /* The terms of each product's sums (288, 32, 9, 32 and 48) have magnitudes whose total is at most 1. */
  const float bound = (288 + 32 + 9 + 32 + 48) * 0x1p-24F, *data = info.data;
  bool right = info.elements == expected.n;
  for (int64_t i = 0; i < expected.n && right; i++)
    right = fabsf(data[i] - expected.elements[i]) <= bound;
  return right;
}

/* Plans in a child process, where oneDNN's cache of primitives is empty. */
static void plan_without(int64_t block, told *out) {
  enum { MOST_SECONDS = 60 };
  int status;
  *out = (told){.n_fast = -1};
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    irrun_run *run;
    signal(SIGSEGV, SIG_DFL); /* replaces cmocka's handler */
    alarm(MOST_SECONDS);
    if (irrun_run_create(f.model, &run) != IRRUN_OK)
      _exit(1);
    net_set_inputs(&f, run, 0);
    irrun_run_profile(run, true);
    refuse(block);
    out->status = irrun_run_plan(run);
    out->n_asked = refuse(NEVER);
    out->is_right = out->status == IRRUN_OK && irrun_run_execute(run) == IRRUN_OK && is_right(run);
    out->n_fast = count_fast(run);
    irrun_run_free(run);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status != 0)
    fail_msg("without block %lld the process ends by %#x", (long long)block, (unsigned)status);
}

static void begin_refusing(told **out) {
  irrun_run *run;
  *out = mmap(NULL, sizeof **out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(*out != MAP_FAILED);
  net_begin(&f, IRRUN_F32, build);
  assert_int_equal(irrun_context_set_threads(f.context, 2), IRRUN_OK);
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_PLAIN);
  assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
  net_execute(&f, run, 0, &expected);
  irrun_run_free(run);
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_FAST);
}

/* If an allocation fails, planning ends with IRRUN_IO or succeeds. A plan that succeeds must not use plain kernels
 * instead of primitives. */
static void a_refused_block_is_told(void **state) {
  (void)state;
  enum { PLACES = 240 };
  told *got;
  int64_t n_told = 0;
  if (!IS_OWN_MALLOC || irrun_fast_library() == NULL)
    skip();
  begin_refusing(&got);
  plan_without(NEVER, got);
  const told all = *got;
  assert_true(all.is_right && all.n_fast == 5 && all.n_asked > PLACES);
  for (int64_t i = 0; i < PLACES; i++) {
    const int64_t block = all.n_asked * i / PLACES;
    plan_without(block, got);
    n_told += got->status == IRRUN_IO;
    if (got->status != IRRUN_IO && !(got->is_right && got->n_fast == all.n_fast))
      fail_msg("without block %lld of %lld: status %d, right %d, %d fast steps", (long long)block,
               (long long)all.n_asked, (int)got->status, got->is_right, got->n_fast);
  }
  assert_true(n_told > PLACES / 2);
  net_end(&f);
  munmap(got, sizeof *got);
}

/* ---- released memory ---- */

/* Each round creates new primitives. The first rounds fill the library's caches and are not counted. A leaked memory
 * description would cost about 500 bytes a round, fragmentation a tenth of that. */
static void products_give_back_what_they_take(void **state) {
  (void)state;
  enum { FIRST = 8, ROUNDS = 136, MOST_LOST = 250 };
  size_t before = 0, behind = 0;
  irrun_run *run;
  if (!IS_OWN_MALLOC || irrun_fast_library() == NULL)
    skip();
  for (int i = 0; i < ROUNDS; i++) {
    net_begin(&f, IRRUN_F32, build);
    assert_int_equal(irrun_run_create(f.model, &run), IRRUN_OK);
    net_set_inputs(&f, run, 0);
    assert_int_equal(irrun_run_execute(run), IRRUN_OK);
    irrun_run_free(run);
    net_end(&f);
    behind = mallinfo2().uordblks;
    if (i + 1 == FIRST)
      before = behind;
  }
  assert_in_range(behind, 0, before + (size_t)(ROUNDS - FIRST) * MOST_LOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_block_is_told),
      cmocka_unit_test(products_give_back_what_they_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
