/* Reads the values of options. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS    1000000000 /* limit of --bench=N, because the time of each run is stored */
#define MOST_SECONDS 1000000000

bool cli_parse_count(const char *text, int64_t *out_count) {
  char *end;
  *out_count = 0;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *out_count = strtoll(text, &end, 10);
  return *end == '\0' && errno == 0;
}

const char *cli_shown_after(const char *value) {
  static const char after[] = "after:";
  return value != NULL && strncmp(value, after, sizeof after - 1) == 0 ? value + sizeof after - 1 : NULL;
}

const char *cli_written_value(const cli_given *given) {
  const bool is_pass = given->option == CLI_OPTION_SHOW_PLAN && cli_shown_after(given->value) != NULL;
  return cli_option_rows[given->option].use == CLI_WRITES && !is_pass ? given->value : NULL;
}

bool cli_parse_bench(const char *text, int64_t *out_runs, int64_t *out_ns) {
  size_t length = strlen(text);
  char number[32];
  double seconds;
  *out_runs = *out_ns = 0;
  if (length == 0 || text[length - 1] != 's')
    return cli_parse_count(text, out_runs) && *out_runs > 0 && *out_runs <= MOST_RUNS;
  if (length > sizeof number)
    return false;
  memcpy(number, text, length - 1);
  number[length - 1] = '\0';
  if (!cli_parse_tolerance(number, &seconds) || seconds > MOST_SECONDS)
    return false;
  *out_ns = (int64_t)(seconds * 1e9);
  return *out_ns > 0;
}

bool cli_parse_time(const char *text, int64_t *out_ns) {
  static const struct {
    const char *unit;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  const size_t length = strspn(text, "0123456789.");
  char number[32];
  double value;
  *out_ns = 0;
  if (length == 0 || length >= sizeof number)
    return false;
  memcpy(number, text, length);
  number[length] = '\0';
  if (!cli_parse_tolerance(number, &value))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(text + length, units[i].unit) == 0 && value * units[i].ns <= MOST_SECONDS * 1e9)
      *out_ns = (int64_t)(value * units[i].ns);
  return *out_ns > 0;
}

bool cli_parse_tolerance(const char *text, double *out_tolerance) {
  char *end;
  *out_tolerance = 0;
  if (strspn(text, "0123456789.eE+-") != strlen(text) || *text == '\0')
    return false;
  *out_tolerance = strtod(text, &end);
  return *end == '\0' && isfinite(*out_tolerance) && !signbit(*out_tolerance);
}

bool cli_parse_format(const char *text, cli_format *out_format) {
  static const char *const names[] = {
      [CLI_TEXT] = "text", [CLI_JSON] = "json", [CLI_SARIF] = "sarif", [CLI_GITHUB] = "github"};
  _Static_assert(sizeof names / sizeof names[0] == CLI_FORMAT_COUNT, "the last format has a name");
  for (int i = 0; i < CLI_FORMAT_COUNT; i++)
    if (strcmp(text, names[i]) == 0) {
      *out_format = (cli_format)i;
      return true;
    }
  return false;
}
