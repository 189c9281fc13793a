#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t cli_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* getrusage would include the process that started irrun. */
int64_t cli_peak_bytes(void) {
  long long kilobytes;
  int64_t bytes = -1;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1)
      bytes = kilobytes * 1024;
  if (file != NULL)
    fclose(file);
  return bytes;
}

static int compare_times(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void cli_bench_sort(cli_bench *bench) {
  qsort(bench->times, (size_t)bench->n_times, sizeof *bench->times, compare_times);
}

int64_t cli_bench_percentile(const cli_bench *bench, int percent) {
  return bench->times[(bench->n_times - 1) * percent / 100];
}

irrun_status cli_bench_check_limit(cli_run *r, const cli_bench *bench, const char *noun) {
  const int64_t median = cli_bench_percentile(bench, 50), limit = r->c->options.limit_ns;
  cli_string text = {0};
  if (limit == 0 || median <= limit)
    return IRRUN_OK;
  cli_add(&text, "a %s takes ", noun);
  cli_add_time(&text, (double)median);
  cli_add(&text, ", the median of %lld, expected at most ", (long long)bench->n_times);
  cli_add_time(&text, (double)limit);
  irrun_status status = cli_fault(r->c->context, "IR607", r->path, NULL, "%s", cli_text(&text));
  cli_reset(&text);
  return status;
}
