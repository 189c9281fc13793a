/* Random AvgPool and AdaptiveAvgPool models, written as IR files, checked and run by the library, against the naive
 * reference. */
#include "irrun.h"
#include "naive_pool.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CASES        400
#define MAX_ELEMENTS 4096

static uint64_t seed_state;

static uint64_t draw(void) {
  seed_state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = seed_state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static int64_t between(int64_t low, int64_t high) {
  return low + (int64_t)(draw() % (uint64_t)(high - low + 1));
}

static naive_pool draw_pool(void) {
  naive_pool p = {.adaptive = between(0, 3) == 0, .rank = (int)between(3, 5), .auto_pad = (int)between(0, 3)};
  p.ceil = between(0, 1) == 1;
  p.exclude_pad = between(0, 1) == 1;
  p.in[0] = between(1, 2);
  p.in[1] = between(1, 3);
  for (int a = 0; a < p.rank - 2; a++) {
    p.in[a + 2] = between(1, p.rank == 5 ? 6 : 12);
    p.kernel[a] = between(1, 5);
    p.strides[a] = between(1, 4);
    p.pads_begin[a] = between(0, 3);
    p.pads_end[a] = between(0, 3);
    p.out[a + 2] = between(1, 8);
  }
  return p;
}

static const char *list(const int64_t *items, int n, char *buffer) {
  int used = 0;
  for (int i = 0; i < n; i++)
    used += sprintf(buffer + used, "%s%lld", i > 0 ? "," : "", (long long)items[i]);
  return buffer;
}

static void write_layer(FILE *f, const naive_pool *p) {
  static const char *const auto_pads[] = {"explicit", "same_upper", "same_lower", "valid"};
  char k[64], s[64], b[64], e[64];
  int n = p->rank - 2;
  if (p->adaptive) {
    fprintf(f,
            "<layer id=\"5\" name=\"size\" type=\"Const\" version=\"opset1\"><data element_type=\"i64\" shape=\"%d\" "
            "offset=\"0\" "
            "size=\"%d\"/><output><port id=\"0\" precision=\"I64\"/></output></layer>",
            n, n * 8);
    fprintf(f, "<layer id=\"1\" name=\"pool\" type=\"AdaptiveAvgPool\" version=\"opset8\"><input><port id=\"0\"/><port "
               "id=\"1\"/></input>");
  } else {
    fprintf(f,
            "<layer id=\"1\" name=\"pool\" type=\"AvgPool\" version=\"opset1\"><data kernel=\"%s\" strides=\"%s\" "
            "pads_begin=\"%s\" "
            "pads_end=\"%s\" exclude-pad=\"%s\" rounding_type=\"%s\" auto_pad=\"%s\"/><input><port id=\"0\"/></input>",
            list(p->kernel, n, k), list(p->strides, n, s), list(p->pads_begin, n, b), list(p->pads_end, n, e),
            p->exclude_pad ? "true" : "false", p->ceil ? "ceil" : "floor", auto_pads[p->auto_pad]);
  }
  fprintf(f, "<output><port id=\"2\" precision=\"FP32\"/></output></layer>");
}

static void write_model(const char *folder, const naive_pool *p) {
  char path[128], shape[64];
  snprintf(path, sizeof path, "%s/m.xml", folder);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f,
          "<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" "
          "version=\"opset1\"><data shape=\"%s\" "
          "element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"/></output></layer>",
          list(p->in, p->rank, shape));
  write_layer(f, p);
  fprintf(f,
          "<layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port "
          "id=\"0\"/></input></layer></layers><edges>"
          "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>%s"
          "<edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/></edges></net>",
          p->adaptive ? "<edge from-layer=\"5\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/>" : "");
  assert_int_equal(fclose(f), 0);
  snprintf(path, sizeof path, "%s/m.bin", folder);
  f = fopen(path, "wb");
  assert_non_null(f);
  fwrite(p->out + 2, sizeof(int64_t), (size_t)p->rank - 2, f);
  assert_int_equal(fclose(f), 0);
}

static void compare(const naive_pool *p, const irrun_tensor *got, const double *expected, const char *what) {
  irrun_tensor_info info = irrun_get_tensor(got);
  if (info.rank != p->rank || memcmp(info.dims, p->out, (size_t)p->rank * sizeof(int64_t)) != 0)
    fail_msg("%s: the shape differs", what);
  for (int64_t i = 0; i < info.elements; i++) {
    double g = (double)((const float *)info.data)[i];
    if (!(fabs(g - expected[i]) <= 1e-6 + 1e-6 * fabs(expected[i])))
      fail_msg("%s: output %lld is %.9g, the reference has %.9g", what, (long long)i, g, expected[i]);
  }
}

/* Returns whether the layer is valid. The file keeps the pads as drawn; the reference resolves them. */
static bool run_case(const char *folder, naive_pool p, const char *what) {
  static float x[MAX_ELEMENTS];
  static double wide[MAX_ELEMENTS], expected[65536];
  char path[128];
  write_model(folder, &p);
  bool valid = naive_shape(&p);
  snprintf(path, sizeof path, "%s/m.xml", folder);
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model = NULL;
  irrun_status status = irrun_model_read(context, path, NULL, IRRUN_TO_RUN, &model);
  if (valid != (status == IRRUN_OK))
    fail_msg("%s: irrun says %d, the reference %s", what, (int)status, valid ? "accepts it" : "refuses it");
  if (valid) {
    int64_t n = naive_count(p.in, p.rank);
    for (int64_t i = 0; i < n; i++)
      wide[i] = (double)(x[i] = (float)between(-4000, 4000) / 64);
    naive_average(&p, wide, expected);
    irrun_tensor *input;
    irrun_run *run;
    assert_int_equal(irrun_tensor_create(context, "f32", p.rank, p.in, x, (size_t)n * sizeof *x, &input), IRRUN_OK);
    assert_int_equal(irrun_run_create(model, &run), IRRUN_OK);
    assert_int_equal(irrun_run_set_input(run, 0, input, false, NULL), IRRUN_OK);
    assert_int_equal(irrun_run_execute(run), IRRUN_OK);
    compare(&p, irrun_run_output(run, 0), expected, what);
    irrun_run_free(run);
  }
  irrun_model_free(model);
  irrun_context_free(context);
  return valid;
}

static void random_pools_equal_the_reference(void **state) {
  (void)state;
  const char *text = getenv("IRRUN_SEED");
  seed_state = text != NULL ? strtoull(text, NULL, 10) : 20240917;
  print_message("seed %llu (IRRUN_SEED)\n", (unsigned long long)seed_state);
  char folder[] = "/tmp/irrun_naive_XXXXXX", path[128], what[512], b[5][64];
  assert_non_null(mkdtemp(folder));
  int n_valid = 0;
  for (int i = 0; i < CASES; i++) {
    naive_pool p = draw_pool();
    int n = p.rank - 2;
    snprintf(what, sizeof what, "case %d: %s in [%s] kernel %s strides %s pads %s / %s auto_pad %d ceil %d exclude %d",
             i, p.adaptive ? "adaptive" : "avg", list(p.in, p.rank, b[0]), list(p.kernel, n, b[1]),
             list(p.strides, n, b[2]), list(p.pads_begin, n, b[3]), list(p.pads_end, n, b[4]), p.auto_pad, p.ceil,
             p.exclude_pad);
    n_valid += run_case(folder, p, what);
  }
  /* A generator that only drew refused layers would prove nothing. */
  assert_true(n_valid > CASES / 3);
  snprintf(path, sizeof path, "%s/m.xml", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/m.bin", folder);
  unlink(path);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_pools_equal_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
