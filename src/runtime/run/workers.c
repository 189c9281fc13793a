/* Every worker has a range of a job's pieces: it does its own, for a later step finds those in its cache, and then
 * takes what others have left. A place in a range stands beside the number of the job, so that a helper that comes late
 * finds nothing to take, and nobody waits for one that holds no piece. */
#include "runtime/run/workers.h"
#include "base/clock.h"
#include "irrun.h"
#include "runtime/run/cores.h"
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
  CACHE_LINE = 64,
  HELPER_STACK = 256 * 1024,
  PIECES_PER_WORKER = 8,
  LEAST_PIECE = 128 * 1024, /* bytes: 6 to 12 us */
  /* Of a team, whose threads are awake, and hold parts of what is read in their caches: 2 to 3 us, as long as it takes
   * them to begin. */
  LEAST_TEAM_PIECE = 32 * 1024,
  MOST_PIECE = 1024 * 1024,
  MOST_PIECES = 1 << 24,
  ALIGNED_ITEMS = 64, /* so that pieces of small items begin at a cache line */
  /* To sleep and be woken takes as long as a small layer. So a helper stays awake for a little while behind a job, but
   * for one that was so long that being woken for the next does not matter; and the caller does while others finish
   * their pieces. */
  HELPER_AWAKE = 50 * 1000, /* ns */
  LONG_JOB = 10 * HELPER_AWAKE,
  CALLER_AWAKE = 20 * 1000, /* as long as a piece or two take */
  PAUSES = 16               /* between looks at the clock */
};

typedef struct ir_job {
  uint32_t number, n_pieces;
  int64_t n, piece; /* items in all, and of a piece */
  int n_workers;
  ir_work *work;
  void *user;
  fenv_t rounding; /* of the caller */
} ir_job;

typedef struct ir_piece_range {
  _Atomic uint64_t next; /* job's number << 32 | piece */
  char apart[CACHE_LINE - sizeof(uint64_t)];
} ir_piece_range;

typedef struct ir_helper {
  struct ir_crew *crew;
  int worker; /* from 1 on */
  int cpu;    /* where it was last; -1: nowhere yet */
  pthread_t thread;
  pthread_cond_t begins;
} ir_helper;

typedef struct ir_crew {
  pid_t process;
  pthread_mutex_t mutex; /* of job, ends and the helpers */
  pthread_cond_t done;
  ir_job job;
  bool ends, refused;
  int n_helpers;
  char apart[CACHE_LINE];
  _Atomic uint32_t n_calls; /* of helpers: jobs, and the end */
  _Atomic uint32_t n_done;  /* pieces */
  char apart_too[CACHE_LINE];
  ir_piece_range ranges[IRRUN_MAX_THREADS];
  ir_helper helpers[IRRUN_MAX_THREADS - 1];
} ir_crew;

/* ---- pieces ---- */

static uint32_t first_piece(const ir_job *job, int range) {
  return (uint32_t)((uint64_t)job->n_pieces * (uint64_t)range / (uint64_t)job->n_workers);
}

static bool take_piece(ir_crew *crew, const ir_job *job, int range, uint32_t *out_piece) {
  const uint32_t end = first_piece(job, range + 1);
  uint64_t next = atomic_load(&crew->ranges[range].next);
  do {
    if (next >> 32 != job->number || (uint32_t)next >= end)
      return false;
  } while (!atomic_compare_exchange_weak(&crew->ranges[range].next, &next, next + 1));
  *out_piece = (uint32_t)next;
  return true;
}

/* True when the last piece was done here. */
static bool do_pieces(ir_crew *crew, const ir_job *job, int worker) {
  bool last = false;
  for (int i = 0; i < job->n_workers; i++)
    for (uint32_t piece; take_piece(crew, job, (worker + i) % job->n_workers, &piece);) {
      const int64_t begin = piece * job->piece, left = job->n - begin;
      job->work(job->user, begin, begin + (left < job->piece ? left : job->piece), worker);
      last = atomic_fetch_add(&crew->n_done, 1) + 1 == job->n_pieces;
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

/* For up to so many ns, while the counter is `value` or, unless `is_value`, while it is not. */
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

/* ---- helpers ---- */

static void *help(void *user) {
  ir_helper *self = user;
  ir_crew *crew = self->crew;
  pthread_mutex_lock(&crew->mutex);
  for (uint32_t seen = 0;;) {
    while ((crew->job.number == seen || self->worker >= crew->job.n_workers) && !crew->ends)
      pthread_cond_wait(&self->begins, &crew->mutex);
    if (crew->ends)
      break;
    const ir_job job = crew->job;
    const uint32_t n_calls = atomic_load(&crew->n_calls);
    seen = job.number;
    pthread_mutex_unlock(&crew->mutex);
    fesetenv(&job.rounding);
    const int64_t begin = ir_now_ns();
    const bool last = do_pieces(crew, &job, self->worker);
    const int cpu = sched_getcpu();
    pthread_mutex_lock(&crew->mutex);
    self->cpu = cpu;
    if (last)
      pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->mutex);
    if (ir_now_ns() - begin < LONG_JOB)
      stay_awake(&crew->n_calls, n_calls, true, HELPER_AWAKE);
    pthread_mutex_lock(&crew->mutex);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

/* Signals are the caller's; faults of the thread's own stay deliverable, for the process may have a handler. */
static bool start_helper(ir_crew *crew) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  ir_helper *helper = &crew->helpers[crew->n_helpers];
  *helper = (ir_helper){.crew = crew, .worker = crew->n_helpers + 1, .cpu = -1};
  pthread_attr_t attributes;
  sigset_t blocked, before;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    sigdelset(&blocked, own[i]);
  pthread_attr_setstacksize(&attributes, HELPER_STACK);
  pthread_cond_init(&helper->begins, NULL);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const bool started = pthread_create(&helper->thread, &attributes, help, helper) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  crew->n_helpers += started;
  return started;
}

/* In a virtual machine the scheduler takes processors that sleep for ones that the host is busy with, and wakes a
 * helper on the caller's, where it stays. */
static void move_away(ir_helper *helper, int cpu) {
  cpu_set_t cpus[IR_MOST_CPUS / CPU_SETSIZE];
  if (cpu < 0 || helper->cpu != cpu || sched_getaffinity(0, sizeof cpus, cpus) != 0)
    return;
  CPU_CLR_S((size_t)cpu, sizeof cpus, cpus);
  if (CPU_COUNT_S(sizeof cpus, cpus) > 0)
    pthread_setaffinity_np(helper->thread, sizeof cpus, cpus);
}

/* ---- crews ---- */

static ir_crew *create_crew(const ir_memory *memory) {
  ir_crew *crew = ir_alloc_zero(memory, 1, sizeof *crew);
  if (crew == NULL)
    return NULL;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->done, NULL);
  crew->process = getpid();
  return crew;
}

static void end_crew(ir_crew *crew) {
  pthread_mutex_lock(&crew->mutex);
  crew->ends = true;
  atomic_fetch_add(&crew->n_calls, 1);
  for (int i = 0; i < crew->n_helpers; i++)
    pthread_cond_signal(&crew->helpers[i].begins);
  pthread_mutex_unlock(&crew->mutex);
  for (int i = 0; i < crew->n_helpers; i++) {
    pthread_join(crew->helpers[i].thread, NULL);
    pthread_cond_destroy(&crew->helpers[i].begins);
  }
  pthread_cond_destroy(&crew->done);
  pthread_mutex_destroy(&crew->mutex);
}

static void free_crew(const ir_memory *memory, ir_crew **place) {
  ir_crew *crew = *place;
  *place = NULL;
  if (crew == NULL)
    return;
  if (crew->process == getpid()) /* else the threads are the parent's, and who holds the mutex is not known */
    end_crew(crew);
  ir_free(memory, crew);
}

/* The crew with up to `wanted` helpers, or as many as can be had; NULL when memory is out. */
static ir_crew *find_crew(const ir_memory *memory, ir_crew **place, int wanted) {
  if (*place != NULL && (*place)->process != getpid())
    free_crew(memory, place);
  if (*place == NULL)
    *place = create_crew(memory);
  ir_crew *crew = *place;
  while (crew != NULL && crew->n_helpers < wanted && !crew->refused)
    crew->refused = !start_helper(crew);
  return crew;
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

static void set_job(ir_crew *crew, ir_job *job) {
  job->number = crew->job.number + 1;
  crew->job = *job;
  atomic_store(&crew->n_done, 0);
  for (int i = 0; i < job->n_workers; i++)
    atomic_store(&crew->ranges[i].next, (uint64_t)job->number << 32 | first_piece(job, i));
}

static void begin_job(ir_crew *crew, ir_job *job) {
  const int cpu = sched_getcpu();
  pthread_mutex_lock(&crew->mutex);
  set_job(crew, job);
  for (int i = 0; i < job->n_workers - 1; i++)
    move_away(&crew->helpers[i], cpu);
  atomic_fetch_add(&crew->n_calls, 1);
  pthread_mutex_unlock(&crew->mutex);
  for (int i = 0; i < job->n_workers - 1; i++)
    pthread_cond_signal(&crew->helpers[i].begins);
}

static void wait_for_last_piece(ir_crew *crew, const ir_job *job) {
  stay_awake(&crew->n_done, job->n_pieces, false, CALLER_AWAKE);
  if (atomic_load(&crew->n_done) == job->n_pieces)
    return;
  pthread_mutex_lock(&crew->mutex);
  while (atomic_load(&crew->n_done) < job->n_pieces)
    pthread_cond_wait(&crew->done, &crew->mutex);
  pthread_mutex_unlock(&crew->mutex);
}

/* ---- workers ---- */

void ir_workers_init(ir_workers *workers, const ir_memory *memory) {
  *workers = (ir_workers){.memory = memory};
}

void ir_workers_reset(ir_workers *workers) {
  free_crew(workers->memory, &workers->crew);
  free_crew(workers->memory, &workers->team);
}

void ir_workers_set(ir_workers *workers, int n) {
  workers->n_asked = n;
  workers->n_cores = 0;
  if (workers->crew != NULL)
    workers->crew->refused = false;
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

static void work_in_team(void *user, int thread) {
  ir_crew *crew = user;
  if (thread >= crew->job.n_workers)
    return;
  fesetenv(&crew->job.rounding);
  do_pieces(crew, &crew->job, thread);
}

/* The threads of a team are awake: two pieces of work are worth another thread. */
static int worth_of_team(int most, int64_t n, int64_t bytes) {
  int64_t worth = bytes / (2 * LEAST_TEAM_PIECE);
  worth = worth < n ? worth : n;
  return worth < 1 ? 1 : worth < most ? (int)worth : most;
}

void ir_workers_share(ir_workers *workers, ir_team *team, int most, int64_t n, int64_t bytes, ir_work *work,
                      void *user) {
  const int worth = team != NULL ? worth_of_team(most, n, bytes) : ir_workers_worth(most, n, bytes);
  ir_job job = {.n = n, .n_workers = worth, .work = work, .user = user};
  ir_crew *crew = NULL;
  if (n <= 0)
    return;
  if (worth > 1)
    crew = team != NULL ? find_crew(workers->memory, &workers->team, 0)
                        : find_crew(workers->memory, &workers->crew, worth - 1);
  if (crew == NULL || (crew->n_helpers == 0 && team == NULL)) {
    work(user, 0, n, 0);
    return;
  }
  fegetenv(&job.rounding);
  if (team != NULL) {
    cut(&job, bytes, LEAST_TEAM_PIECE);
    set_job(crew, &job);
    team(most, work_in_team, crew); /* all: OpenMP would end those that a smaller team leaves out */
    return;
  }
  if (job.n_workers > crew->n_helpers + 1)
    job.n_workers = crew->n_helpers + 1;
  cut(&job, bytes, LEAST_PIECE);
  begin_job(crew, &job);
  do_pieces(crew, &job, 0);
  wait_for_last_piece(crew, &job);
}
