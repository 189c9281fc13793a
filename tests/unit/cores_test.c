/* Counts cores and CPU quotas from files in a fake /proc and /sys. */
#include "exec/cores.h"
#include "system_root.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#define SIBLINGS(cpu) "/sys/devices/system/cpu/cpu" #cpu "/topology/thread_siblings_list"
#define SMT           "/sys/devices/system/cpu/smt/active"

static void threads_of_a_core_count_once(void **state) {
  (void)state;
  static const struct {
    system_file files[MOST_SYSTEM_FILES];
    unsigned allowed; /* processors that the process may use, one bit each */
    int cores;
  } cases[] = {
      {{{SIBLINGS(0), "0-1\n"}, {SIBLINGS(1), "0-1\n"}, {SIBLINGS(2), "2-3\n"}, {SIBLINGS(3), "2-3\n"}}, 15, 2},
      {{{SIBLINGS(0), "0-1\n"}, {SIBLINGS(1), "0-1\n"}, {SIBLINGS(2), "2-3\n"}, {SIBLINGS(3), "2-3\n"}}, 10, 2},
      {{{SIBLINGS(0), "0,2\n"}, {SIBLINGS(1), "1,3\n"}, {SIBLINGS(2), "0,2\n"}, {SIBLINGS(3), "1,3\n"}}, 13, 2},
      {{{SIBLINGS(0), "0,2-3\n"}, {SIBLINGS(2), "0,2-3\n"}, {SIBLINGS(3), "0,2-3\n"}}, 13, 1},
      {{{SMT, "1\n"}, {SIBLINGS(0), "0-1\n"}, {SIBLINGS(1), "0-1\n"}}, 3, 1},
      {{{SMT, "0\n"}, {SIBLINGS(0), "0-1\n"}, {SIBLINGS(1), "0-1\n"}}, 3, 2},
      {{{SIBLINGS(0), "\n"}, {SIBLINGS(1), "what?\n"}}, 7, 3}, /* unreadable lists: each processor counts as a core */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (size_t cpu = 0; cpu < 4; cpu++)
      if (cases[i].allowed >> cpu & 1)
        CPU_SET(cpu, &cpus);
    scratch_folder root = system_root_make(cases[i].files);
    assert_int_equal(ir_count_cores(root.path, &cpus, sizeof cpus), cases[i].cores);
    system_root_remove(&root);
  }
}

#define CGROUP "/proc/self/cgroup"
#define V1     "/sys/fs/cgroup/cpu/cpu.cfs_"

static void quotas_are_rounded_up(void **state) {
  (void)state;
  static const struct {
    system_file files[MOST_SYSTEM_FILES];
    int cores;
  } cases[] = {
      {{{NULL, NULL}}, INT32_MAX},
      {{{CGROUP, "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "max 100000\n"}}, INT32_MAX},
      {{{CGROUP, "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}}, 2},
      {{{CGROUP, "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "150000 100000\n"}}, 2},
      {{{CGROUP, "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "1000 100000\n"}}, 1},
      {{{CGROUP, "1:name=systemd:/x\n0::/a/b\n"},
        {"/sys/fs/cgroup/a/b/cpu.max", "500000 100000\n"},
        {"/sys/fs/cgroup/a/cpu.max", "300000 100000\n"}},
       3},
      {{{CGROUP, "10::/c\n0::/a\n"},
        {"/sys/fs/cgroup/a/cpu.max", "500000 100000\n"},
        {"/sys/fs/cgroup/c/cpu.max", "300000 100000\n"}},
       5},
      {{{CGROUP, "1:cpu:/\n"}, {V1 "quota_us", "250000\n"}, {V1 "period_us", "100000\n"}}, 3},
      {{{CGROUP, "1:cpu:/\n"}, {V1 "quota_us", "-1\n"}, {V1 "period_us", "100000\n"}}, INT32_MAX},
      {{{V1 "quota_us", "250000\n"}, {V1 "period_us", "0\n"}}, INT32_MAX},
      {{{CGROUP, "7:memory:/x\n4:cpu,cpuacct:/a/b\n"}, /* cgroup version 1: the group /a/b has a quota of 1.5 cores, the
                                                          root has none */
        {"/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "150000\n"},
        {"/sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n"},
        {V1 "quota_us", "-1\n"},
        {V1 "period_us", "100000\n"}},
       2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    scratch_folder root = system_root_make(cases[i].files);
    assert_int_equal(ir_quota_cores(root.path), cases[i].cores);
    system_root_remove(&root);
  }
}

static void this_process_has_a_core(void **state) {
  (void)state;
  assert_in_range(ir_usable_cores(), 1, sysconf(_SC_NPROCESSORS_CONF));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_of_a_core_count_once),
      cmocka_unit_test(quotas_are_rounded_up),
      cmocka_unit_test(this_process_has_a_core),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
