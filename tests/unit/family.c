#include "family.h"
#include <stdio.h>
#include <string.h>

const char *const families[FAMILIES] = {"attention",    "condition",      "convolution", "detection", "generation",
                                        "image",        "infrastructure", "math",        "matrix",    "movement",
                                        "quantization", "normalization",  "sequence",    "shape",     "signal",
                                        "sort",         "sparse",         "type"};

const char *family_model(const char *family, char buffer[FAMILY_PATH]) {
  snprintf(buffer, FAMILY_PATH, "%s/tests/golden/families/%s.xml", IRRUN_SOURCE_DIR, family);
  return buffer;
}

static void halve(irrun_tensor *tensor) {
  const irrun_tensor_info info = irrun_tensor_get_info(tensor);
  for (int64_t i = 0; i < info.elements; i++)
    if (info.type == IRRUN_F32)
      ((float *)(uintptr_t)info.data)[i] *= 0.5F;
    else if (info.type == IRRUN_F64)
      ((double *)(uintptr_t)info.data)[i] *= 0.5;
}

bool family_set_inputs(irrun_context *context, irrun_model *model, irrun_run *run, const char *family,
                       bool are_halved) {
  char npz[FAMILY_PATH];
  irrun_tensor_file *file;
  irrun_io io = {.size = sizeof io};
  snprintf(npz, sizeof npz, "%s/tests/golden/families/%s/io.npz", IRRUN_SOURCE_DIR, family);
  bool done = irrun_tensor_file_open(context, npz, &file) == IRRUN_OK;
  for (int64_t i = 0; done && irrun_model_get_io(model, IRRUN_INPUTS, i, &io); i++)
    for (int64_t k = 0; done && k < irrun_tensor_file_count(file); k++) {
      irrun_tensor *tensor;
      const char *key = irrun_tensor_file_key(file, k);
      if (strncmp(key, "in/", 3) != 0 || strcmp(key + 3, io.name) != 0)
        continue;
      done = irrun_tensor_file_read(file, k, io.value.type, &io.value.shape, &tensor) == IRRUN_OK;
      if (done && are_halved)
        halve(tensor);
      done = done && irrun_run_set_input(run, i, tensor, false, NULL) == IRRUN_OK;
    }
  irrun_tensor_file_free(file);
  return done;
}
