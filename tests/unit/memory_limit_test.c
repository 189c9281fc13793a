/* Tests the available memory, from files in a fake /proc and /sys, and a run's memory limit. */
#include "base/available_memory.h"
#include "base/clock.h"
#include "diag/memory_limit.h"
#include "system_root.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEMINFO                                                                                                        \
  { "/proc/meminfo", "MemTotal:  900 kB\nMemFree:  10 kB\nMemAvailable:     800 kB\nBuffers: 1 kB\n" }
#define CGROUP "/proc/self/cgroup"
#define V1     "/sys/fs/cgroup/memory"
#define V2     "/sys/fs/cgroup"
#define ALL    (800 * 1024)

static void what_is_available(void **state) {
  (void)state;
  static const struct {
    system_file files[MOST_SYSTEM_FILES];
    size_t bytes;
  } cases[] = {
      {{MEMINFO}, ALL},
      /* cgroup version 2: the process's own group, and the groups above */
      {{MEMINFO, {CGROUP, "0::/\n"}, {V2 "/memory.max", "max\n"}, {V2 "/memory.current", "5000\n"}}, ALL},
      {{MEMINFO, {CGROUP, "0::/\n"}, {V2 "/memory.max", "9000\n"}, {V2 "/memory.current", "5000\n"}}, 4000},
      {{MEMINFO, {CGROUP, "0::/\n"}, {V2 "/memory.max", "9000\n"}}, 9000},
      {{MEMINFO, {CGROUP, "0::/\n"}, {V2 "/memory.max", "9000\n"}, {V2 "/memory.current", "9001\n"}}, 0},
      {{MEMINFO,
        {CGROUP, "1:name=systemd:/x\n0::/a/b\n"},
        {V2 "/a/b/memory.max", "9000\n"},
        {V2 "/a/b/memory.current", "1000\n"},
        {V2 "/a/memory.max", "9500\n"},
        {V2 "/a/memory.current", "2000\n"}},
       7500},
      {{MEMINFO, {CGROUP, "0::/a/b\n"}, {V2 "/a/b/memory.max", "9000\n"}, {V2 "/a/memory.max", "max\n"}}, 9000},
      {{MEMINFO, {CGROUP, "0::/a\n"}, {V2 "/memory.max", "6000\n"}, {V2 "/c/memory.max", "1\n"}}, 6000},
      /* cached file pages count as available, since the kernel can reclaim them */
      {{MEMINFO,
        {CGROUP, "0::/\n"},
        {V2 "/memory.max", "9000\n"},
        {V2 "/memory.current", "8000\n"},
        {V2 "/memory.stat", "anon 500\nfile 7400\ninactive_anon 1\nactive_anon 2\ninactive_file 3000\nactive_file "
                            "4000\n"}},
       8000},
      /* cgroup version 1 */
      {{MEMINFO,
        {CGROUP, "4:memory:/a/b\n3:cpu,cpuacct:/\n"},
        {V1 "/a/b/memory.limit_in_bytes", "9223372036854771712\n"},
        {V1 "/a/b/memory.usage_in_bytes", "100\n"},
        {V1 "/a/memory.limit_in_bytes", "7000\n"},
        {V1 "/a/memory.usage_in_bytes", "3000\n"},
        {V1 "/a/memory.stat", "inactive_file 1\nactive_file 1\ntotal_inactive_file 500\ntotal_active_file 500\n"},
        {V1 "/memory.limit_in_bytes", "9223372036854771712\n"}},
       5000},
      /* a container in which the process's own group is mounted as the root group */
      {{MEMINFO,
        {CGROUP, "4:memory:/docker/0123\n0::/docker/0123\n"},
        {V1 "/memory.limit_in_bytes", "6000\n"},
        {V1 "/memory.usage_in_bytes", "1000\n"}},
       5000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    scratch_folder root = system_root_make(cases[i].files);
    assert_int_equal(ir_available_memory(root.path), cases[i].bytes);
    system_root_remove(&root);
  }
}

static void without_meminfo_it_is_the_machines(void **state) {
  (void)state;
  static const system_file none[MOST_SYSTEM_FILES] = {{NULL, NULL}};
  scratch_folder root = system_root_make(none);
  assert_in_range(ir_available_memory(root.path), 1 << 20, SIZE_MAX - 1);
  system_root_remove(&root);
  assert_in_range(ir_available_memory(""), 1 << 20, SIZE_MAX - 1);
}

static void expect(ir_memory_limit limit, size_t bytes, const char *message, const char *hint) {
  ir_memory memory = ir_memory_default();
  ir_diags diags;
  ir_diags_init(&diags, &memory);
  limit.read_ns = ir_now_ns();
  const ir_code code = ir_check_memory(&limit, bytes, &diags, (ir_where){.at = IR_NOWHERE}, "it takes");
  assert_int_equal(code, message == NULL ? IR_OK : IR_IO);
  assert_true((diags.first == NULL) == (message == NULL));
  if (message != NULL) {
    assert_int_equal(diags.first->rule, IR004_LIMIT_EXCEEDED);
    assert_string_equal(diags.first->message, message);
    assert_string_equal(diags.first->hint, hint);
  }
  ir_diags_reset(&diags);
}

static void a_limit_that_is_given_is_exact(void **state) {
  (void)state;
  const ir_memory given = {.most_bytes = 1000};
  expect((ir_memory_limit){.memory = &given, .held = 5000}, 1000, NULL, NULL);
  expect((ir_memory_limit){.memory = &given}, 1001,
         "it takes 1001 bytes; a run may take 1000 bytes of memory, as --max-memory says",
         "if that is meant: --max-memory 1M");
}

static void else_it_is_half_of_what_is_available(void **state) {
  (void)state;
  const ir_memory open = {.most_bytes = 0};
  expect((ir_memory_limit){.memory = &open, .bytes = 3 << 20}, 3 << 20, NULL, NULL);
  expect((ir_memory_limit){.memory = &open, .bytes = 3 << 20}, 4 << 20,
         "it takes 4194304 bytes; a run may take 3145728 bytes of memory, half of what is available",
         "if that is meant: --max-memory 4M");
  /* 1 MiB is always allowed, without reading /proc and /sys. */
  ir_memory_limit limit = {.memory = &open};
  assert_int_equal(ir_check_memory(&limit, 1 << 20, NULL, (ir_where){.at = IR_NOWHERE}, ""), IR_OK);
  assert_int_equal(limit.bytes, 0);
  /* The limit is half of the sum of available memory and memory that the run already holds. */
  ir_memory_limit with_held = {.memory = &open, .held = (size_t)1 << 50};
  assert_int_equal(ir_check_memory(&with_held, (size_t)1 << 49, NULL, (ir_where){.at = IR_NOWHERE}, ""), IR_OK);
  assert_true(with_held.bytes > (size_t)1 << 49);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_available),
      cmocka_unit_test(without_meminfo_it_is_the_machines),
      cmocka_unit_test(a_limit_that_is_given_is_exact),
      cmocka_unit_test(else_it_is_half_of_what_is_available),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
