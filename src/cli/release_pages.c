/* Releases memory pages of libraries. In a small run, most memory consists of pages that were needed once: by the
 * dynamic loader, or to start and end XML parsing. The kernel reads a released page again from its file if the program
 * accesses the page. */
#include "cli.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST = 128 * 1024 }; /* bytes; a smaller segment is not worth a call */

/* Whether to keep the object's pages. The pages of the program can contain a debugger's breakpoints, and those of the C
 * library and the loader are always in use. */
static bool is_in_use(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
  return name[0] == '\0' || strncmp(name, "libc.", 5) == 0 || strncmp(name, "ld-", 3) == 0;
}

/* Whether the loader changed a read-only segment (text relocations). Its pages have to stay, because the file does not
 * contain the changes. */
static bool has_text_relocations(const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
        return true;
  }
  return false;
}

/* Releases all whole pages of a loaded object's read-only segments. A callback of dl_iterate_phdr. */
static int release_object(struct dl_phdr_info *object, size_t size, void *user) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  (void)size, (void)user;
  if (is_in_use(object->dlpi_name) || has_text_relocations(object))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    const uintptr_t from = object->dlpi_addr + segment->p_vaddr;
    const uintptr_t begin = (from + page - 1) / page * page, end = (from + segment->p_memsz) / page * page;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) == 0 && begin + LEAST <= end)
      madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void cli_release_library_pages(void) {
  dl_iterate_phdr(release_object, NULL);
}
