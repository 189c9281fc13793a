/* Every worker has a range of a job's pieces. It does its own range first, because a later step finds those pieces in
 * its cache, and then steals from the others. The next piece of a range is stored with the number of the job, so a late
 * thread finds nothing to take, and nobody waits for a thread that holds no piece. */
#include "exec/workers.h"
#include "base/clock.h"
#include "exec/cores.h"
#include "irrun.h"
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
  CACHE_LINE = 64,
  WORKER_STACK = 256 * 1024,
  PIECES_PER_WORKER = 8,
  LEAST_PIECE = 128 * 1024, /* bytes: 6 to 12 us */
  /* Bytes, in an OpenMP pool: 2 to 3 us, as long as its threads take to begin. These threads are awake, and have parts
   * of the inputs in their caches. */
  LEAST_OMP_PIECE = 32 * 1024,
  MOST_PIECE = 1024 * 1024,
  MOST_PIECES = 1 << 24,
  ALIGNED_ITEMS = 64, /* pieces of small items begin at a cache line */
  /* Sleeping and waking takes as long as a small layer. So a thread stays awake for a while after a short job. The
   * caller stays awake while others finish their pieces. */
  WORKER_AWAKE = 50 * 1000, /* ns */
  LONG_JOB = 10 * WORKER_AWAKE,
  CALLER_AWAKE = 20 * 1000, /* as long as one or two pieces take */
  PAUSES = 16               /* between two readings of the clock */
};

typedef struct ir_job {
  uint32_t number, n_pieces;
  int64_t n, piece; /* number of items: in total, and in a piece */
  int n_workers;
  ir_work *work;
  void *user;
  fenv_t rounding; /* the caller's rounding mode, and its mode for denormals */
} ir_job;

typedef struct ir_range {
  _Atomic uint64_t next; /* job's number << 32 | piece */
  char apart[CACHE_LINE - sizeof(uint64_t)];
} ir_range;

typedef struct ir_worker_thread {
  struct ir_thread_pool *pool;
  int worker; /* from 1 on */
  int cpu;    /* the CPU of its last job; -1: none yet */
  pthread_t handle;
  pthread_cond_t begins;
} ir_worker_thread;

typedef struct ir_thread_pool {
  pid_t process;
  pthread_mutex_t mutex; /* protects job, ends and the list of threads */
  pthread_cond_t done;
  ir_job job;
  bool ends, refused;
  int n_threads;
  char apart[CACHE_LINE];
  _Atomic uint32_t n_calls; /* calls to the threads: jobs, and the end */
  _Atomic uint32_t n_done;  /* pieces done */
  char apart_too[CACHE_LINE];
  ir_range ranges[IRRUN_MAX_THREADS];
  ir_worker_thread threads[IRRUN_MAX_THREADS - 1];
} ir_thread_pool;

/* ---- pieces ---- */

static uint32_t first_piece(const ir_job *job, int range) {
  return (uint32_t)((uint64_t)job->n_pieces * (uint64_t)range / (uint64_t)job->n_workers);
}

static bool take_piece(ir_thread_pool *pool, const ir_job *job, int range, uint32_t *out_piece) {
  const uint32_t end = first_piece(job, range + 1);
  uint64_t next = atomic_load(&pool->ranges[range].next);
  do {
    if (next >> 32 != job->number || (uint32_t)next >= end)
      return false;
  } while (!atomic_compare_exchange_weak(&pool->ranges[range].next, &next, next + 1));
  *out_piece = (uint32_t)next;
  return true;
}

/* Returns true if this thread did the last piece. */
static bool do_pieces(ir_thread_pool *pool, const ir_job *job, int worker) {
  bool last = false;
  for (int i = 0; i < job->n_workers; i++)
    for (uint32_t piece; take_piece(pool, job, (worker + i) % job->n_workers, &piece);) {
      const int64_t begin = piece * job->piece, left = job->n - begin;
      job->work(job->user, begin, begin + (left < job->piece ? left : job->piece), worker);
      last = atomic_fetch_add(&pool->n_done, 1) + 1 == job->n_pieces;
    }
  return last;
}

/* ---- waiting ---- */

static inline void pause_thread(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Spins for up to `ns` while the counter is `value` or, if not `is_value`, while it differs. */
static void stay_awake(const _Atomic uint32_t *counter, uint32_t value, bool is_value, int64_t ns) {
  const int64_t end = ir_now_ns() + ns;
  do
    for (int i = 0; i < PAUSES; i++) {
      if ((atomic_load(counter) == value) != is_value)
        return;
      pause_thread();
    }
  while (ir_now_ns() < end);
}

/* ---- worker threads ---- */

static void *help(void *user) {
  ir_worker_thread *self = user;
  ir_thread_pool *pool = self->pool;
  pthread_mutex_lock(&pool->mutex);
  for (uint32_t seen = 0;;) {
    while ((pool->job.number == seen || self->worker >= pool->job.n_workers) && !pool->ends)
      pthread_cond_wait(&self->begins, &pool->mutex);
    if (pool->ends)
      break;
    const ir_job job = pool->job;
    const uint32_t n_calls = atomic_load(&pool->n_calls);
    seen = job.number;
    pthread_mutex_unlock(&pool->mutex);
    fesetenv(&job.rounding);
    const int64_t begin = ir_now_ns();
    const bool last = do_pieces(pool, &job, self->worker);
    const int cpu = sched_getcpu();
    pthread_mutex_lock(&pool->mutex);
    self->cpu = cpu;
    if (last)
      pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
    if (ir_now_ns() - begin < LONG_JOB)
      stay_awake(&pool->n_calls, n_calls, true, WORKER_AWAKE);
    pthread_mutex_lock(&pool->mutex);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

/* Starts a thread that blocks all signals except its own faults. Signals belong to the caller's threads, and the
 * process can have a handler for faults. */
static bool start_thread(ir_thread_pool *pool) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  ir_worker_thread *thread = &pool->threads[pool->n_threads];
  *thread = (ir_worker_thread){.pool = pool, .worker = pool->n_threads + 1, .cpu = -1};
  pthread_attr_t attributes;
  sigset_t blocked, before;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    sigdelset(&blocked, own[i]);
  pthread_attr_setstacksize(&attributes, WORKER_STACK);
  pthread_cond_init(&thread->begins, NULL);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const bool started = pthread_create(&thread->handle, &attributes, help, thread) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  pool->n_threads += started;
  return started;
}

/* In a virtual machine the scheduler mistakes sleeping processors for ones that the host is using, and wakes a thread
 * on the caller's processor, where it would stay. */
static void move_away(ir_worker_thread *thread, int cpu) {
  cpu_set_t cpus[IR_MOST_CPUS / CPU_SETSIZE];
  if (cpu < 0 || thread->cpu != cpu || sched_getaffinity(0, sizeof cpus, cpus) != 0)
    return;
  CPU_CLR_S((size_t)cpu, sizeof cpus, cpus);
  if (CPU_COUNT_S(sizeof cpus, cpus) > 0)
    pthread_setaffinity_np(thread->handle, sizeof cpus, cpus);
}

/* ---- pools ---- */

static ir_thread_pool *create_pool(const ir_memory *memory) {
  ir_thread_pool *pool = ir_alloc_zero(memory, 1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->done, NULL);
  pool->process = getpid();
  return pool;
}

static void end_pool(ir_thread_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->ends = true;
  atomic_fetch_add(&pool->n_calls, 1);
  for (int i = 0; i < pool->n_threads; i++)
    pthread_cond_signal(&pool->threads[i].begins);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->n_threads; i++) {
    pthread_join(pool->threads[i].handle, NULL);
    pthread_cond_destroy(&pool->threads[i].begins);
  }
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->mutex);
}

static void free_pool(const ir_memory *memory, ir_thread_pool **place) {
  ir_thread_pool *pool = *place;
  *place = NULL;
  if (pool == NULL)
    return;
  if (pool->process == getpid()) /* a forked child has no threads, and its copy of the mutex can be locked */
    end_pool(pool);
  ir_free(memory, pool);
}

/* Finds the pool, with up to `wanted` threads or as many as can be started; NULL when memory is out. */
static ir_thread_pool *find_pool(const ir_memory *memory, ir_thread_pool **place, int wanted) {
  if (*place != NULL && (*place)->process != getpid())
    free_pool(memory, place);
  if (*place == NULL)
    *place = create_pool(memory);
  ir_thread_pool *pool = *place;
  while (pool != NULL && pool->n_threads < wanted && !pool->refused)
    pool->refused = !start_thread(pool);
  return pool;
}

static void cut(ir_job *job, int64_t bytes, int64_t least_piece) {
  int64_t piece_bytes = bytes / (job->n_workers * PIECES_PER_WORKER);
  piece_bytes = piece_bytes < least_piece ? least_piece : piece_bytes > MOST_PIECE ? MOST_PIECE : piece_bytes;
  int64_t n_pieces = bytes / piece_bytes < MOST_PIECES ? bytes / piece_bytes : MOST_PIECES;
  job->piece = (job->n - 1) / n_pieces + 1;
  if (job->piece > 16 * ALIGNED_ITEMS)
    job->piece = (job->piece + ALIGNED_ITEMS - 1) / ALIGNED_ITEMS * ALIGNED_ITEMS;
  job->n_pieces = (uint32_t)((job->n - 1) / job->piece + 1);
}

static void set_job(ir_thread_pool *pool, ir_job *job) {
  job->number = pool->job.number + 1;
  pool->job = *job;
  atomic_store(&pool->n_done, 0);
  for (int i = 0; i < job->n_workers; i++)
    atomic_store(&pool->ranges[i].next, (uint64_t)job->number << 32 | first_piece(job, i));
}

static void begin_job(ir_thread_pool *pool, ir_job *job) {
  const int cpu = sched_getcpu();
  pthread_mutex_lock(&pool->mutex);
  set_job(pool, job);
  for (int i = 0; i < job->n_workers - 1; i++)
    move_away(&pool->threads[i], cpu);
  atomic_fetch_add(&pool->n_calls, 1);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < job->n_workers - 1; i++)
    pthread_cond_signal(&pool->threads[i].begins);
}

static void wait_for_last_piece(ir_thread_pool *pool, const ir_job *job) {
  stay_awake(&pool->n_done, job->n_pieces, false, CALLER_AWAKE);
  if (atomic_load(&pool->n_done) == job->n_pieces)
    return;
  pthread_mutex_lock(&pool->mutex);
  while (atomic_load(&pool->n_done) < job->n_pieces)
    pthread_cond_wait(&pool->done, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}

/* ---- workers ---- */

void ir_workers_init(ir_workers *workers, const ir_memory *memory) {
  *workers = (ir_workers){.memory = memory};
}

void ir_workers_reset(ir_workers *workers) {
  free_pool(workers->memory, &workers->pool);
  free_pool(workers->memory, &workers->omp_pool);
}

void ir_workers_set(ir_workers *workers, int n) {
  workers->n_asked = n;
  workers->n_cores = 0;
  if (workers->pool != NULL)
    workers->pool->refused = false;
}

int ir_workers_most(ir_workers *workers) {
  if (workers->n_asked == 0 && workers->n_cores == 0)
    workers->n_cores = ir_usable_cores();
  int n = workers->n_asked > 0 ? workers->n_asked : workers->n_cores;
  return n < IRRUN_MAX_THREADS ? n : IRRUN_MAX_THREADS;
}

int ir_workers_worth(int most, int64_t n, int64_t bytes) {
  int worth = 1;
  while (worth < most && worth < n && bytes / (worth + 1) >= IR_LEAST_SHARED_BYTES / 4 * (worth + 1))
    worth++;
  return worth;
}

static void work_in_omp_pool(void *user, int thread) {
  ir_thread_pool *pool = user;
  if (thread >= pool->job.n_workers)
    return;
  fenv_t own;
  fegetenv(&own);
  fesetenv(&pool->job.rounding);
  do_pieces(pool, &pool->job, thread);
  fesetenv(&own);
}

/* The threads of an OpenMP pool are awake, so one thread more for every two pieces of work is worth it. */
static int worth_of_omp_pool(int most, int64_t n, int64_t bytes) {
  int64_t worth = bytes / (2 * LEAST_OMP_PIECE);
  worth = worth < n ? worth : n;
  return worth < 1 ? 1 : worth < most ? (int)worth : most;
}

void ir_workers_share(ir_workers *workers, ir_omp_pool *omp_pool, int most, int64_t n, int64_t bytes, ir_work *work,
                      void *user) {
  const int worth = omp_pool != NULL ? worth_of_omp_pool(most, n, bytes) : ir_workers_worth(most, n, bytes);
  ir_job job = {.n = n, .n_workers = worth, .work = work, .user = user};
  ir_thread_pool *pool = NULL;
  if (n <= 0)
    return;
  if (worth > 1)
    pool = omp_pool != NULL ? find_pool(workers->memory, &workers->omp_pool, 0)
                            : find_pool(workers->memory, &workers->pool, worth - 1);
  if (pool == NULL || (pool->n_threads == 0 && omp_pool == NULL)) {
    work(user, 0, n, 0);
    return;
  }
  fegetenv(&job.rounding);
  if (omp_pool != NULL) {
    cut(&job, bytes, LEAST_OMP_PIECE);
    set_job(pool, &job);
    omp_pool(most, work_in_omp_pool, pool); /* use all threads: OpenMP would end those that a smaller team leaves out */
    return;
  }
  if (job.n_workers > pool->n_threads + 1)
    job.n_workers = pool->n_threads + 1;
  cut(&job, bytes, LEAST_PIECE);
  begin_job(pool, &job);
  do_pieces(pool, &job, 0);
  wait_for_last_piece(pool, &job);
}
