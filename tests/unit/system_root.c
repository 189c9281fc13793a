#include "system_root.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <ftw.h>
#include <sys/stat.h>

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

scratch_folder system_root_make(const system_file files[MOST_SYSTEM_FILES]) {
  scratch_folder folder = scratch_folder_make();
  for (int i = 0; i < MOST_SYSTEM_FILES && files[i].path != NULL; i++) {
    char path[SCRATCH_PATH];
    snprintf(path, sizeof path, "%s%s", folder.path, files[i].path);
    for (char *slash = path + strlen(folder.path) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
      *slash = '\0';
      mkdir(path, 0700);
    }
    scratch_write(path, files[i].text, strlen(files[i].text));
  }
  return folder;
}

void system_root_remove(const scratch_folder *root) {
  assert_int_equal(nftw(root->path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}
