#include "runtime/cores.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4500, TEXT_ROOM = 4096 };

/* The beginning of a small file, as a text; false when there is none. */
static bool read_text(const char *path, char text[TEXT_ROOM]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, text, TEXT_ROOM - 1);
  close(fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* ---- cores ---- */

/* `list` is "0,64" or "0-3,8": the hardware threads of one core. */
static bool is_first_allowed(const char *list, int cpu, const cpu_set_t *cpus, size_t cpus_bytes) {
  for (const char *at = list; *at >= '0' && *at <= '9';) {
    char *end;
    long first = strtol(at, &end, 10), last = first;
    if (*end == '-')
      last = strtol(end + 1, &end, 10);
    for (long i = first; i <= last && i < cpu; i++)
      if (CPU_ISSET_S((size_t)i, cpus_bytes, cpus))
        return false;
    at = *end == ',' ? end + 1 : end;
  }
  return true;
}

int ir_count_cores(const char *root, const cpu_set_t *cpus, size_t cpus_bytes) {
  char path[PATH_ROOM], text[TEXT_ROOM];
  int n = 0, n_cpus = CPU_COUNT_S(cpus_bytes, cpus);
  snprintf(path, sizeof path, "%s/sys/devices/system/cpu/smt/active", root);
  if (read_text(path, text) && text[0] == '0')
    return n_cpus;
  for (int cpu = 0, seen = 0; seen < n_cpus; cpu++) {
    if (!CPU_ISSET_S((size_t)cpu, cpus_bytes, cpus))
      continue;
    seen++;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", root, cpu);
    n += !read_text(path, text) || is_first_allowed(text, cpu, cpus, cpus_bytes);
  }
  return n;
}

/* ---- quotas ---- */

static int quota_cores(long long quota, long long period) {
  long long cores = quota > 0 && period > 0 ? quota / period + (quota % period != 0) : INT32_MAX;
  return cores < INT32_MAX ? (int)cores : INT32_MAX;
}

/* Version 1: of the group that is mounted here, as a container sees its own. */
static int read_v1_quota(const char *root) {
  char path[PATH_ROOM], quota[TEXT_ROOM], period[TEXT_ROOM];
  snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpu/cpu.cfs_quota_us", root);
  if (!read_text(path, quota))
    return INT32_MAX;
  snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpu/cpu.cfs_period_us", root);
  return read_text(path, period) ? quota_cores(atoll(quota), atoll(period)) : INT32_MAX;
}

/* Version 2: the least of the group and those around it. `group` is "/a/b"; it is cut. */
static int read_v2_quota(const char *root, char *group) {
  char path[PATH_ROOM + TEXT_ROOM], text[TEXT_ROOM];
  int least = INT32_MAX;
  for (;;) {
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/cpu.max", root, group);
    long long quota, period;
    if (read_text(path, text) && sscanf(text, "%lld %lld", &quota, &period) == 2) { /* else "max 100000" */
      int cores = quota_cores(quota, period);
      least = cores < least ? cores : least;
    }
    char *slash = strrchr(group, '/');
    if (slash == NULL)
      return least;
    *slash = '\0';
  }
}

int ir_quota_cores(const char *root) {
  char path[PATH_ROOM], text[TEXT_ROOM], none[] = "";
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  char *own = read_text(path, text) ? strstr(text, "0::/") : NULL;
  while (own != NULL && own != text && own[-1] != '\n')
    own = strstr(own + 1, "0::/");
  char *group = own != NULL ? own + strlen("0::") : none;
  group[strcspn(group, "\n")] = '\0';
  int v1 = read_v1_quota(root), v2 = read_v2_quota(root, group);
  return v1 < v2 ? v1 : v2;
}

int ir_usable_cores(void) {
  cpu_set_t cpus[IR_MOST_CPUS / CPU_SETSIZE];
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  int cores = online > 0 && online < INT32_MAX ? (int)online : 1;
  if (sched_getaffinity(0, sizeof cpus, cpus) == 0)
    cores = ir_count_cores("", cpus, sizeof cpus);
  int quota = ir_quota_cores("");
  return quota < cores ? quota : cores;
}
