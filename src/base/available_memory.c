#include "base/available_memory.h"
#include "base/cgroup.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the number after `key` at the beginning of a line. Returns false if no line begins with `key`. */
static bool read_field(const char *text, const char *key, uint64_t *out) {
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, key, strlen(key)) == 0)
      return sscanf(line + strlen(key), "%" SCNu64, out) == 1;
  }
  return false;
}

static size_t system_memory(const char *root) {
  char text[IR_SYSTEM_TEXT];
  uint64_t kilobytes;
  if (ir_system_text(root, "/proc/meminfo", text) && read_field(text, "MemAvailable:", &kilobytes))
    return kilobytes < SIZE_MAX / 1024 ? (size_t)kilobytes * 1024 : SIZE_MAX;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
}

/* Names of files and fields. They differ between versions 1 and 2 of control groups. */
typedef struct group_files {
  const char *controller, *limit, *use, *inactive, *active;
} group_files;

/* Bytes that the group can still use. The group counts cached pages of files as used; here they count as free,
 * because the kernel reclaims them when memory is short. */
static size_t group_memory(const ir_cgroup *group, const group_files *files) {
  char text[IR_SYSTEM_TEXT];
  uint64_t limit, use = 0, inactive = 0, active = 0;
  if (!ir_cgroup_text(group, files->limit, text) || !read_field(text, "", &limit)) /* "max" means no limit */
    return SIZE_MAX;
  if (ir_cgroup_text(group, files->use, text))
    read_field(text, "", &use);
  if (ir_cgroup_text(group, "memory.stat", text)) {
    read_field(text, files->inactive, &inactive);
    read_field(text, files->active, &active);
  }
  const uint64_t of_files = inactive + active, needed = use > of_files ? use - of_files : 0;
  return limit > needed ? (size_t)(limit - needed) : 0;
}

size_t ir_available_memory(const char *root) {
  static const group_files versions[] = {
      {"", "memory.max", "memory.current", "inactive_file ", "active_file "},
      {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ", "total_active_file "}};
  size_t least = system_memory(root);
  for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
    ir_cgroup group = ir_cgroup_own(root, versions[i].controller);
    do {
      const size_t bytes = group_memory(&group, &versions[i]);
      least = bytes < least ? bytes : least;
    } while (ir_cgroup_leave(&group));
  }
  return least;
}
