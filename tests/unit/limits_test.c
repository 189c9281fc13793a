/* Tests each limit of base/limits.h just below and just above. Limits that are too large for that are small here, in
 * small_limits.h. */
#include "limits_test.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LIMIT(name, test)                                                                                              \
  { #name, test, NULL, NULL, NULL }

static const struct CMUnitTest limits[] = {
    LIMIT(IR_MAX_RANK, limit_rank),
    LIMIT(IR_MAX_AXES, limit_axes),
    LIMIT(IR_MAX_DEPTH, limit_depth),
    LIMIT(IR_MAX_LAYERS, limit_layers),
    LIMIT(IR_MAX_PORTS, limit_ports),
    LIMIT(IR_MAX_EDGES, limit_edges),
    LIMIT(IR_MAX_BODIES, limit_bodies),
    LIMIT(IR_MAX_BODY_DEPTH, limit_body_depth),
    LIMIT(IR_MAX_AGAIN, limit_again),
    LIMIT(IR_MAX_LAYER_NAME, limit_layer_name),
    LIMIT(IR_MAX_IO_NAMES, limit_io_names),
    LIMIT(IR_MAX_RT_PATHS, limit_rt_paths),
    LIMIT(IR_MAX_ATTRIBUTES, limit_attributes),
    LIMIT(IR_MAX_ITEMS, limit_items),
    LIMIT(IR_MAX_MODEL_BYTES, limit_model_bytes),
    LIMIT(IR_MAX_STREAM_TEXT, limit_stream_text),
    LIMIT(IR_MAX_JSON_VALUES, limit_json_values),
    LIMIT(IR_MAX_JSON_NUMBER, limit_json_number),
    LIMIT(IR_MAX_ARENA_BYTES, limit_arena_bytes),
    LIMIT(IR_MAX_DIAGNOSTICS, limit_diagnostics),
    LIMIT(IR_MAX_MESSAGE, limit_message),
    LIMIT(IR_MAX_XML_NAME, limit_xml_name),
    LIMIT(IR_MAX_NPY_HEADER, limit_npy_header),
    LIMIT(IR_MAX_NPZ_MEMBERS, limit_npz_members),
    LIMIT(IR_MAX_ROUNDS, limit_rounds),
    LIMIT(IR_MAX_SAMPLES, limit_samples),
    LIMIT(IR_MAX_KNOWN_BYTES, limit_known_bytes),
    LIMIT(IR_MAX_KNOWN_WORK, limit_known_work),
};

/* Each row of base/limits.h has a case above, in the same order. */
static void every_row_has_a_case(void **state) {
  (void)state;
  FILE *file = fopen(IRRUN_SOURCE_DIR "/src/base/limits.h", "r");
  char line[256], name[64];
  size_t n = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "#define %63[A-Z_] ", name) != 1 || strncmp(name, "IR_MAX_", 7) != 0)
      continue;
    if (n == sizeof limits / sizeof limits[0] || strcmp(limits[n].name, name) != 0)
      fail_msg("%s: no case tests this limit, or in another place", name);
    n++;
  }
  assert_int_equal(fclose(file), 0);
  assert_int_equal(n, sizeof limits / sizeof limits[0]);
}

int main(void) {
  const struct CMUnitTest rows[] = {cmocka_unit_test(every_row_has_a_case)};
  const int failed = cmocka_run_group_tests(rows, NULL, NULL);
  return failed + cmocka_run_group_tests(limits, NULL, NULL);
}
