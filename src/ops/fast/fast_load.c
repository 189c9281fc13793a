#include "ops/fast/fast.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULE "irrun-onednn.so"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const ir_fast_module *module;

static void *open_in(const char *folder, size_t length) {
  char path[4096];
  const int n = snprintf(path, sizeof path, "%.*s/" MODULE, (int)length, folder);
  return n > 0 && (size_t)n < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* Beside the program or library that this is part of, as in a build folder or a wheel. */
static void *open_beside(void) {
  Dl_info self;
  const char *slash;
  if (dladdr((const void *)&once, &self) == 0 || self.dli_fname == NULL)
    return NULL;
  slash = strrchr(self.dli_fname, '/');
  return slash == NULL ? NULL : open_in(self.dli_fname, (size_t)(slash - self.dli_fname));
}

/* Threads of OpenMP that wait for work would spin, and take processors from others for many times as long as it takes
 * to wake them; unless the user says that they may. */
static void load(void) {
  setenv("OMP_WAIT_POLICY", "passive", 0);
  void *handle = open_in(IRRUN_MODULE_DIR, strlen(IRRUN_MODULE_DIR));
  if (handle == NULL)
    handle = open_beside();
  const ir_fast_module *found = handle == NULL ? NULL : dlsym(handle, "irrun_fast");
  if (found != NULL && found->version == IR_FAST_VERSION)
    module = found;
}

const ir_fast_module *ir_fast(void) {
  pthread_once(&once, load);
  return module;
}
