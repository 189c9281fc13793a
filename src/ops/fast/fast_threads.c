#include "ops/fast/fast_threads.h"
#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

/* n_asked: the largest number of threads that the calling thread requested of OpenMP. n_found: how many of them can
 * start. Each calling thread has its own OpenMP pool. */
static _Thread_local int n_asked, n_found;

static void *pass_gate(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* Returns how many threads can exist at once, the caller's included, up to `wanted`: starts plain threads and counts
 * them. OpenMP itself cannot be asked, because it ends the process if it cannot start a thread. */
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

int ir_fast_set_threads(int n_threads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(find_threads(n_threads));
  return before;
}

void ir_fast_reset_threads(int before) {
  omp_set_num_threads(before);
}

void ir_fast_team(int n_threads, void (*work)(void *user, int thread), void *user) {
  n_threads = find_threads(n_threads);
#pragma omp parallel num_threads(n_threads)
  work(user, omp_get_thread_num());
}

void ir_fast_end_threads(void) {
  omp_pause_resource_all(omp_pause_soft);
  n_asked = 0;
}

bool ir_fast_has_room(void) {
  enum { ROOM = 8 << 20 };
  void *room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room != MAP_FAILED && munmap(room, ROOM) == 0;
}
