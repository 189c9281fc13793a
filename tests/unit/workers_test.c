/* Tests shared work: every item is done exactly once, with a valid worker number, for any number of workers. */
#include "exec/workers.h"
#include "irrun.h"
#include "sanitizers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ITEMS = 20000, WORTH_ALL = 1 << 30 };

/* ---- threads that cannot be started ---- */

typedef void *thread_main(void *user);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *start, void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *start, void *user);

static _Atomic int threads_left = INT32_MAX;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *start, void *user) {
  return threads_left-- > 0 ? __real_pthread_create(thread, attributes, start, user) : EAGAIN;
}

/* ---- a job ---- */

/* Counts faults instead of asserting, because cmocka's asserts work in one thread only. */
typedef struct tally {
  int n_workers;
  int64_t slow_item; /* number of an item that takes long; -1: none */
  _Atomic int64_t faults, calls;
  _Atomic uint64_t seen; /* which workers have worked, one bit each */
  _Atomic bool busy[IRRUN_MAX_THREADS];
  _Atomic unsigned char done[MOST_ITEMS];
} tally;

static void count(void *user, int64_t begin, int64_t end, int worker) {
  tally *t = user;
  t->calls++;
  if (worker < 0 || worker >= t->n_workers || begin < 0 || begin >= end || end > MOST_ITEMS ||
      atomic_exchange(&t->busy[worker], true)) {
    t->faults++;
    return;
  }
  t->seen |= UINT64_C(1) << (worker & 63);
  for (int64_t i = begin; i < end; i++) {
    if (i == t->slow_item)
      usleep(3000);
    t->done[i]++;
  }
  atomic_store(&t->busy[worker], false);
}

static ir_workers make_workers(const ir_memory *memory, int n) {
  ir_workers workers;
  ir_workers_init(&workers, memory);
  ir_workers_set(&workers, n);
  return workers;
}

/* Shares n items. Returns false if an item was not done exactly once, or if a worker's number was wrong. */
static bool share_well(ir_workers *workers, ir_omp_pool *omp_pool, int64_t n, int64_t bytes, int64_t slow_item) {
  static _Thread_local tally t;
  t.n_workers = ir_workers_most(workers);
  t.slow_item = slow_item;
  t.faults = t.calls = 0;
  t.seen = 0;
  for (int64_t i = 0; i < MOST_ITEMS; i++)
    t.done[i] = 0;
  ir_workers_share(workers, omp_pool, t.n_workers, n, bytes, count, &t);
  for (int64_t i = 0; i < MOST_ITEMS; i++)
    t.faults += t.done[i] != (i < n);
  return t.faults == 0 && (t.calls > 0) == (n > 0);
}

/* ---- an OpenMP pool ---- */

typedef struct member {
  void (*work)(void *user, int thread);
  void *user;
  int number;
} member;

static void *work_as_member(void *user) {
  const member *m = user;
  m->work(m->user, m->number);
  return NULL;
}

/* Simulates an OpenMP pool. Each call starts new threads. */
static void work_in_threads(int n_threads, void (*work)(void *user, int thread), void *user) {
  pthread_t threads[16];
  member members[16];
  assert_in_range(n_threads, 2, 16);
  for (int i = 1; i < n_threads; i++) {
    members[i] = (member){work, user, i};
    assert_int_equal(pthread_create(&threads[i], NULL, work_as_member, &members[i]), 0);
  }
  work(user, 0);
  for (int i = 1; i < n_threads; i++)
    pthread_join(threads[i], NULL);
}

/* ---- tests ---- */

static const int thread_counts[] = {1, 2, 3, 7, 16};
enum { N_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static void every_item_is_done_once(void **state) {
  (void)state;
  static const int64_t sizes[] = {0, 1, 2, 3, 15, 63, 64, 65, 1000, 4097, MOST_ITEMS};
  static const int64_t bytes[] = {0, IR_LEAST_SHARED_BYTES - 1, IR_LEAST_SHARED_BYTES, 5000001, WORTH_ALL, INT64_MAX};
  ir_memory memory = ir_memory_default();
  for (int i = 0; i < N_COUNTS; i++) {
    ir_workers workers = make_workers(&memory, thread_counts[i]);
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
      for (size_t b = 0; b < sizeof bytes / sizeof bytes[0]; b++)
        if (!share_well(&workers, NULL, sizes[n], bytes[b], -1) ||
            !share_well(&workers, work_in_threads, sizes[n], bytes[b], -1))
          fail_msg("%d threads, %lld items, %lld bytes", thread_counts[i], (long long)sizes[n], (long long)bytes[b]);
    ir_workers_reset(&workers);
  }
}

static void slow_items_hold_up_nothing_else(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  for (int i = 0; i < N_COUNTS; i++) {
    ir_workers workers = make_workers(&memory, thread_counts[i]);
    for (int64_t slow = 0; slow < 100; slow += 33)
      assert_true(share_well(&workers, NULL, 100, WORTH_ALL, slow));
    ir_workers_reset(&workers);
  }
}

static void jobs_follow_each_other(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 4);
  const int before = threads_left;
  for (int i = 0; i < 300; i++) {
    ir_workers_set(&workers, 1 + i % 5);
    assert_true(share_well(&workers, NULL, 1 + i * 7 % 200, WORTH_ALL, -1));
  }
  assert_int_equal(before - threads_left, 4); /* each thread starts once */
  ir_workers_reset(&workers);
}

static void small_work_is_the_callers(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 8);
  assert_true(share_well(&workers, NULL, 100, IR_LEAST_SHARED_BYTES - 1, -1));
  assert_true(share_well(&workers, NULL, 1, WORTH_ALL, -1));
  assert_null(workers.pool);
  assert_int_equal(ir_workers_worth(8, 100, -1), 1);
  assert_int_equal(ir_workers_worth(0, 100, WORTH_ALL), 1);
  assert_int_equal(ir_workers_worth(8, 100, IR_LEAST_SHARED_BYTES), 2);
  assert_int_equal(ir_workers_worth(8, 100, IR_LEAST_SHARED_BYTES * 4), 4);
  assert_int_equal(ir_workers_worth(8, 100, WORTH_ALL), 8);
  assert_int_equal(ir_workers_worth(8, 5, INT64_MAX), 5);
  ir_workers_reset(&workers);
}

static void threads_never_wanted_are_never_there(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 0);
  assert_in_range(ir_workers_most(&workers), 1, IRRUN_MAX_THREADS);
  ir_workers_reset(&workers);
  ir_workers_reset(&workers);
}

/* ---- the state of worker threads ---- */

typedef struct meeting {
  int n_workers;
  _Atomic int arrived;
  _Atomic int masks, modes; /* how many worker threads have the right signal mask, and the right rounding mode */
} meeting;

/* Waits until every worker has begun an item. */
static void meet(void *user, int64_t begin, int64_t end, int worker) {
  (void)begin, (void)end;
  meeting *m = user;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  m->masks += worker > 0 && sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGSEGV) == 0;
  m->modes += worker > 0 && fegetround() == FE_UPWARD;
  for (m->arrived++; m->arrived < m->n_workers;)
    sched_yield();
}

static void workers_are_at_work_at_once(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  for (int i = 0; i < N_COUNTS; i++) {
    meeting m = {.n_workers = thread_counts[i]};
    ir_workers workers = make_workers(&memory, m.n_workers);
    fesetround(FE_UPWARD);
    ir_workers_share(&workers, NULL, m.n_workers, m.n_workers, WORTH_ALL, meet, &m);
    fesetround(FE_TONEAREST);
    assert_int_equal(m.masks, m.n_workers - 1);
    assert_int_equal(m.modes, m.n_workers - 1);
    ir_workers_reset(&workers);
  }
}

/* After a job, worker threads spin before they sleep. A job that begins at the transition must still wake them. */
static void helpers_come_awake_or_asleep(void **state) {
  (void)state;
  static const useconds_t pauses[] = {0, 40, 50, 60, 300};
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 3);
  for (size_t p = 0; p < sizeof pauses / sizeof pauses[0]; p++)
    for (int i = 0; i < 100; i++) {
      meeting m = {.n_workers = 3};
      ir_workers_share(&workers, NULL, 3, 3, WORTH_ALL, meet, &m);
      assert_int_equal(m.arrived, 3);
      usleep(pauses[p]);
    }
  ir_workers_reset(&workers);
}

typedef struct nest {
  ir_workers inner[3];
  _Atomic int good;
} nest;

static void share_within(void *user, int64_t begin, int64_t end, int worker) {
  nest *outer = user;
  for (int64_t i = begin; i < end; i++)
    outer->good += share_well(&outer->inner[worker], NULL, 100 + i, WORTH_ALL, -1);
}

static void one_contexts_work_may_run_another(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 3);
  nest outer = {.good = 0};
  for (int i = 0; i < 3; i++)
    outer.inner[i] = make_workers(&memory, 2);
  ir_workers_share(&workers, NULL, 3, 20, WORTH_ALL, share_within, &outer);
  assert_int_equal(outer.good, 20);
  for (int i = 0; i < 3; i++)
    ir_workers_reset(&outer.inner[i]);
  ir_workers_reset(&workers);
}

/* ---- failures to start threads ---- */

static void refused_threads_are_done_without(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  for (int left = 0; left < 4; left++) {
    ir_workers workers = make_workers(&memory, 6);
    threads_left = left;
    for (int i = 0; i < 3; i++)
      assert_true(share_well(&workers, NULL, 1000, WORTH_ALL, -1));
    threads_left = INT32_MAX;
    ir_workers_set(&workers, 6); /* tries again to start threads */
    meeting m = {.n_workers = 6};
    ir_workers_share(&workers, NULL, 6, 6, WORTH_ALL, meet, &m);
    ir_workers_reset(&workers);
  }
}

static void *no_memory(void *user, size_t bytes) {
  (void)user, (void)bytes;
  return NULL;
}

static void without_memory_the_caller_does_all(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  memory.alloc = no_memory;
  ir_workers workers = make_workers(&memory, 6);
  assert_true(share_well(&workers, NULL, 1000, WORTH_ALL, -1));
  ir_workers_reset(&workers);
}

static void both_sides_of_a_fork_go_on(void **state) {
  (void)state;
#ifdef __SANITIZE_THREAD__ /* the sanitizer does not support threads after a fork */
  skip();
#endif
  ir_memory memory = ir_memory_default();
  ir_workers workers = make_workers(&memory, 4);
  assert_true(share_well(&workers, NULL, 1000, WORTH_ALL, -1));
  pid_t child = fork();
  if (child == 0) {
    /* NOLINTNEXTLINE(misc-redundant-expression): two runs, one after the other */
    bool good = share_well(&workers, NULL, 1000, WORTH_ALL, -1) && share_well(&workers, NULL, 1000, WORTH_ALL, -1);
    ir_workers_reset(&workers);
    _exit(good ? 0 : 1);
  }
  assert_true(child > 0);
  assert_true(share_well(&workers, NULL, 1000, WORTH_ALL, -1));
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  ir_workers_reset(&workers);
}

int main(void) {
  alarm(120); /* ends the test if a job never ends */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_is_done_once),
      cmocka_unit_test(slow_items_hold_up_nothing_else),
      cmocka_unit_test(jobs_follow_each_other),
      cmocka_unit_test(small_work_is_the_callers),
      cmocka_unit_test(threads_never_wanted_are_never_there),
      cmocka_unit_test(workers_are_at_work_at_once),
      cmocka_unit_test(helpers_come_awake_or_asleep),
      cmocka_unit_test(one_contexts_work_may_run_another),
      cmocka_unit_test(refused_threads_are_done_without),
      cmocka_unit_test(without_memory_the_caller_does_all),
      cmocka_unit_test(both_sides_of_a_fork_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
