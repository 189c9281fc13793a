#include "exec/cores.h"
#include "base/cgroup.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- cores ---- */

/* Whether `cpu` is the first allowed thread of its core; `list` ("0,64" or "0-3,8") has the core's hardware threads. */
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
  char path[100], text[IR_SYSTEM_TEXT];
  int n = 0, n_cpus = CPU_COUNT_S(cpus_bytes, cpus);
  if (ir_system_text(root, "/sys/devices/system/cpu/smt/active", text) && text[0] == '0')
    return n_cpus;
  for (int cpu = 0, seen = 0; seen < n_cpus; cpu++) {
    if (!CPU_ISSET_S((size_t)cpu, cpus_bytes, cpus))
      continue;
    seen++;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    n += !ir_system_text(root, path, text) || is_first_allowed(text, cpu, cpus, cpus_bytes);
  }
  return n;
}

/* ---- quotas ---- */

static int quota_cores(long long quota, long long period) {
  long long cores = quota > 0 && period > 0 ? quota / period + (quota % period != 0) : INT32_MAX;
  return cores < INT32_MAX ? (int)cores : INT32_MAX;
}

static int v1_quota(const ir_cgroup *group) {
  char quota[IR_SYSTEM_TEXT], period[IR_SYSTEM_TEXT];
  return ir_cgroup_text(group, "cpu.cfs_quota_us", quota) && ir_cgroup_text(group, "cpu.cfs_period_us", period)
             ? quota_cores(atoll(quota), atoll(period))
             : INT32_MAX;
}

static int v2_quota(const ir_cgroup *group) {
  char text[IR_SYSTEM_TEXT];
  long long quota, period;
  return ir_cgroup_text(group, "cpu.max", text) && sscanf(text, "%lld %lld", &quota, &period) == 2
             ? quota_cores(quota, period)
             : INT32_MAX; /* "max 100000" means no quota */
}

/* The least quota of the group and its parents. */
static int least_quota(ir_cgroup group, int (*quota_of)(const ir_cgroup *group)) {
  int least = INT32_MAX;
  do {
    const int cores = quota_of(&group);
    least = cores < least ? cores : least;
  } while (ir_cgroup_leave(&group));
  return least;
}

int ir_quota_cores(const char *root) {
  const int v1 = least_quota(ir_cgroup_own(root, "cpu"), v1_quota), v2 = least_quota(ir_cgroup_own(root, ""), v2_quota);
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
