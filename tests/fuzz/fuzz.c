#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t fuzz_draw(fuzz_rng *rng) { /* splitmix64 */
  uint64_t z = rng->state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

size_t fuzz_below(fuzz_rng *rng, size_t n) {
  return (size_t)(fuzz_draw(rng) % n);
}

bool fuzz_one_in(fuzz_rng *rng, size_t n) {
  return fuzz_below(rng, n) == 0;
}

const char *fuzz_number(fuzz_rng *rng) {
  static const char *const numbers[] = {
      "0", "1", "2", "3", "4", "5", "7", "8", "16", "17", "64", "1000", "-1", "-2", "-3", "65535", "65536",
      /* limits of 32 and 64 bits, and what overflows when it is multiplied */
      "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "3037000500", "1152921504606846976",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
      /* no integers */
      "0.5", "-0.0", "1e30", "1e-30", "nan", "inf", "-inf", "", "?", "1..8", "0x10", " 3 ", "1,2", "abc"};
  /* half of the numbers are small, so that models stay valid */
  return numbers[fuzz_below(rng, fuzz_one_in(rng, 2) ? 9 : sizeof numbers / sizeof *numbers)];
}

fuzz_rng fuzz_seed_of(const uint8_t *data, size_t size) {
  fuzz_rng rng = {size};
  for (size_t i = 0; i < size; i++)
    rng.state = (rng.state ^ data[i]) * 0x100000001b3; /* FNV-1a */
  return rng;
}

fuzz_model fuzz_split(const uint8_t *data, size_t size) {
  const uint8_t *nul = size == 0 ? NULL : memchr(data, 0, size);
  fuzz_model model = {.text = {data, size}};
  if (nul != NULL) {
    model.text.bytes = (size_t)(nul - data);
    model.weights = (irrun_buffer){nul + 1, size - model.text.bytes - 1};
  }
  return model;
}

irrun_buffer fuzz_draw_name(fuzz_rng *rng, irrun_buffer text, const char *type) {
  static const char attribute[] = " name=\"";
  irrun_buffer found = {"x", 1};
  char after[32];
  size_t n = 0;
  const char *at = text.data, *end = at + text.bytes;
  const int n_after = *type == '\0' ? 0 : snprintf(after, sizeof after, "\" type=\"%s\"", type);
  while (at < end && (at = memmem(at, (size_t)(end - at), attribute, sizeof attribute - 1)) != NULL) {
    at += sizeof attribute - 1;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    if (quote != NULL && quote - at < 100 && end - quote > n_after && memcmp(quote, after, (size_t)n_after) == 0 &&
        fuzz_below(rng, ++n) == 0)
      found = (irrun_buffer){at, (size_t)(quote - at)};
  }
  return found;
}

/* ---- files ---- */

const char fuzz_small_ir[] =
    "<net name=\"m\" version=\"11\"><layers>"
    "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"1,1,4,4\" element_type=\"f32\"/>"
    "<output><port id=\"0\" precision=\"FP32\" names=\"x,data\"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port>"
    "</output></layer>"
    "<layer id=\"1\" name=\"y\" type=\"Parameter\" version=\"opset1\"><data shape=\"?,4\" element_type=\"f32\"/>"
    "<output><port id=\"0\" precision=\"FP32\" names=\"y\"><dim>-1</dim><dim>4</dim></port></output></layer>"
    "<layer id=\"2\" name=\"sum\" type=\"Add\" version=\"opset1\"><data auto_broadcast=\"numpy\"/>"
    "<input><port id=\"0\"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port>"
    "<port id=\"1\"><dim>-1</dim><dim>4</dim></port></input>"
    "<output><port id=\"2\" precision=\"FP32\" names=\"z\"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port>"
    "</output></layer>"
    "<layer id=\"3\" name=\"out\" type=\"Result\" version=\"opset1\">"
    "<input><port id=\"0\"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></input></layer></layers><edges>"
    "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>"
    "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>"
    "<edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/></edges></net>";

static char folder[] = "/tmp/irrun_fuzz.XXXXXX";

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0)
    fprintf(stderr, "fuzz: %s stays\n", folder);
}

bool fuzz_enter_folder(void) {
  static bool is_in;
  if (is_in)
    return false;
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || freopen("/dev/null", "r", stdin) == NULL ||
      atexit(remove_folder) != 0)
    fuzz_fail("no folder to work in");
  is_in = true;
  return true;
}

void fuzz_write_file(const char *path, irrun_buffer contents) {
  FILE *file = fopen(path, "w");
  const size_t n = contents.bytes;
  if (file == NULL || (n > 0 && fwrite(contents.data, 1, n, file) != n) || fclose(file) != 0)
    fuzz_fail("cannot write a file");
}

/* ---- promises ---- */

void fuzz_fail(const char *what) {
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

void fuzz_check_reports(irrun_context *context, irrun_status status) {
  irrun_diagnostic d = {.size = sizeof d};
  char text[4096];
  for (int64_t i = 0; irrun_context_get_diagnostic(context, i, &d); i++) {
    if (irrun_diagnostic_text(&d, text, sizeof text) == NULL || d.message[0] == '\0')
      fuzz_fail("a diagnostic without words");
    if (irrun_status_name(status) == NULL || status == IRRUN_INTERNAL || strcmp(d.rule, "IR901") == 0)
      fuzz_fail(text);
  }
}

void fuzz_judge(irrun_context *context, irrun_status status) {
  const irrun_counts counts = irrun_context_count(context);
  fuzz_check_reports(context, status);
  if ((status == IRRUN_OK) != (counts.errors == 0))
    fuzz_fail(status == IRRUN_OK ? "status ok, but an error" : "a failure without an error");
  irrun_context_clear_diagnostics(context);
}

static long n_inputs, n_run;

static void print_counts(void) {
  fprintf(stderr, "fuzz: %ld inputs, %ld of them run\n", n_inputs, n_run);
}

void fuzz_count(bool was_run) {
  if (n_inputs == 0 && getenv("FUZZ_STATS") != NULL)
    atexit(print_counts);
  n_inputs++;
  n_run += was_run;
}

/* ---- inputs that ran ---- */

enum { MOST_KEPT = 1024, KEPT_BYTES = 8192 }; /* larger inputs are not kept */
static uint8_t kept[MOST_KEPT][KEPT_BYTES];
static size_t kept_sizes[MOST_KEPT];

void fuzz_keep_run(const uint8_t *data, size_t size) {
  const size_t at = fuzz_seed_of(data, size).state % MOST_KEPT;
  if (size > KEPT_BYTES)
    return;
  memcpy(kept[at], data, size);
  kept_sizes[at] = size;
}

size_t fuzz_take_run(uint8_t *data, size_t size, size_t most, fuzz_rng *rng) {
  size_t at = fuzz_below(rng, MOST_KEPT);
  for (int i = 0; i < MOST_KEPT && kept_sizes[at] == 0; i++)
    at = (at + 1) % MOST_KEPT;
  if (kept_sizes[at] == 0 || kept_sizes[at] > most || fuzz_one_in(rng, 3))
    return size;
  memcpy(data, kept[at], kept_sizes[at]);
  return kept_sizes[at];
}
