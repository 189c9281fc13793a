#include "bench.h"

#include <string.h>

static double floor_share(const cli_bench *bench) {
  return (double)bench->floor_ns / (double)bench->times[0];
}

static double bytes_per_second(const cli_bench *bench) {
  return (double)bench->bytes * 1e9 / (double)bench->times[0];
}

/* Adds the processor's name from /proc/cpuinfo. Adds nothing if the file has no name. */
static void add_cpu(cli_string *string) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file != NULL && string->length == 0 && fgets(line, sizeof line, file) != NULL) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || colon == NULL)
      continue;
    line[strcspn(line, "\n")] = '\0';
    cli_add_name(string, colon + 1 + strspn(colon + 1, " "));
  }
  if (file != NULL)
    fclose(file);
}

/* ---- text ---- */

void cli_add_bench_machine(cli_string *line, const cli_bench *bench) {
  cli_string cpu = {0};
  add_cpu(&cpu);
  cli_add(line, "%s%s%s, ", cli_text(&cpu), cpu.length > 0 ? ", " : "", irrun_simd());
  if (bench->n_parallel > 1)
    cli_add(line, "%d runs of ", bench->n_parallel);
  cli_add_count(line, bench->n_threads, "thread");
  if (strcmp(bench->precision, "f32") != 0)
    cli_add(line, ", --precision=%s", bench->precision);
  cli_reset(&cpu);
}

static void add_speed(cli_string *line, const cli_bench *bench) {
  cli_add_bytes(line, bytes_per_second(bench));
  cli_add(line, "/s, %.*f %% of this machine's floor", floor_share(bench) < 0.1, 100 * floor_share(bench));
}

/* Adds the throughput: "365 runs/s, 4 at once". */
static void add_rate(cli_string *line, const cli_bench *bench) {
  cli_add(line, "%.*f runs/s", bench->runs_per_s < 10 ? 2 : bench->runs_per_s < 100, bench->runs_per_s);
  if (bench->n_parallel > 1)
    cli_add(line, ", %d at once", bench->n_parallel);
}

static void print_filled(const cli_run *r) {
  for (int64_t i = 0; i < r->n_inputs; i++) {
    if (r->sources[i] != r->default_fill)
      continue;
    irrun_io io = {.size = sizeof io};
    cli_string line = {0};
    irrun_model_get_io(r->model, IRRUN_INPUTS, i, &io);
    cli_add_name(&line, io.name);
    cli_add(&line, "  ");
    cli_add_value(&line, &io.value);
    fprintf(r->c->results, "   input    %s filled with %s\n", cli_text(&line), r->default_fill);
    cli_reset(&line);
  }
}

void cli_add_bench_times(cli_string *line, const cli_bench *bench) {
  const struct {
    const char *name;
    int64_t ns;
  } times[] = {{"min ", bench->times[0]},
               {"   median ", cli_bench_percentile(bench, 50)},
               {"   p90 ", cli_bench_percentile(bench, 90)},
               {"   p99 ", cli_bench_percentile(bench, 99)},
               {"   max ", cli_bench_percentile(bench, 100)}};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    cli_add(line, "%s", times[i].name);
    cli_add_time(line, (double)times[i].ns);
  }
}

void cli_add_bench_start(cli_string *line, const cli_bench *bench) {
  cli_add(line, "   load     ");
  cli_add_time(line, (double)bench->load_ns);
  cli_add(line, "   first run ");
  cli_add_time(line, (double)bench->first_ns);
  if (bench->new_shapes_ns > 0) {
    cli_add(line, "   new shapes ");
    cli_add_time(line, (double)bench->new_shapes_ns);
  }
  if (bench->peak_bytes >= 0) {
    cli_add(line, "   peak memory ");
    cli_add_bytes(line, (double)bench->peak_bytes);
  }
}

static void print_details(const cli_run *r, const cli_bench *bench) {
  cli_string line = {0};
  print_filled(r);
  cli_add_bench_start(&line, bench);
  cli_add(&line, "\n   run      ");
  cli_add_bench_times(&line, bench);
  cli_add(&line, "\n   rate     ");
  add_rate(&line, bench);
  cli_add(&line, "   (");
  cli_add_count(&line, bench->n_times, "run");
  cli_add(&line, " in ");
  cli_add_time(&line, (double)bench->sum_ns);
  cli_add(&line, ")");
  if (bench->bytes > 0) {
    cli_add(&line, "\n   speed    ");
    add_speed(&line, bench);
    cli_add(&line, "\n   floor    ");
    cli_add_time(&line, (double)bench->floor_ns);
    cli_add(&line, ", to read and write the ");
    cli_add_bytes(&line, (double)bench->bytes);
    cli_add(&line, " of ");
    cli_add_count(&line, bench->n_steps, "step");
    cli_add(&line, " and compute nothing");
  }
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* If --shape is given, adds "  x=f32[1,3,224,224]" for each input. */
static void add_shapes(cli_string *line, const cli_run *r) {
  irrun_io io = {.size = sizeof io};
  if (!cli_options_have(&r->c->options, CLI_OPTION_SHAPE))
    return;
  for (int64_t i = 0; irrun_model_get_io(r->model, IRRUN_INPUTS, i, &io); i++) {
    cli_add(line, "  ");
    cli_add_name(line, io.name);
    cli_add(line, "=");
    cli_add_value(line, &io.value);
  }
}

void cli_print_bench(cli_run *r, const cli_bench *bench) {
  cli_string line = {0};
  cli_add_name(&line, r->path);
  add_shapes(&line, r);
  cli_add(&line, "  ");
  if (r->c->options.quiet) {
    cli_add(&line, "median ");
    cli_add_time(&line, (double)cli_bench_percentile(bench, 50));
    cli_add(&line, "  min ");
    cli_add_time(&line, (double)bench->times[0]);
    cli_add(&line, ", ");
    add_rate(&line, bench);
    if (bench->bytes > 0) {
      cli_add(&line, ", ");
      add_speed(&line, bench);
    }
  } else {
    cli_add_bench_machine(&line, bench);
  }
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
  if (!r->c->options.quiet)
    print_details(r, bench);
  if (bench->profile.steps != NULL)
    cli_print_profile(r, &bench->profile);
}

/* ---- JSON ---- */

void cli_json_bench_machine(cli_node *node, const cli_bench *bench) {
  cli_string cpu = {0};
  add_cpu(&cpu);
  cli_node *machine = cli_node_object(node, "machine");
  cli_node_text(machine, "cpu", cpu.length > 0 ? cli_text(&cpu) : NULL);
  cli_node_text(machine, "simd", irrun_simd());
  cli_node_integer(machine, "threads", bench->n_threads);
  cli_reset(&cpu);
}

void cli_json_bench_times(cli_node *node, const cli_bench *bench) {
  cli_node_integer(node, "runs", bench->n_times);
  cli_node_integer(node, "min_ns", bench->times[0]);
  cli_node_integer(node, "median_ns", cli_bench_percentile(bench, 50));
  cli_node_integer(node, "p90_ns", cli_bench_percentile(bench, 90));
  cli_node_integer(node, "p99_ns", cli_bench_percentile(bench, 99));
  cli_node_integer(node, "max_ns", cli_bench_percentile(bench, 100));
}

void cli_json_bench(cli_run *r, cli_node *model, const cli_bench *bench) {
  cli_node *node = cli_node_object(model, "bench");
  cli_node *filled = cli_node_array(node, "filled");
  irrun_io io = {.size = sizeof io};
  for (int64_t i = 0; irrun_model_get_io(r->model, IRRUN_INPUTS, i, &io); i++)
    if (r->sources[i] == r->default_fill)
      cli_node_text(filled, NULL, io.name);
  cli_node_integer(node, "load_ns", bench->load_ns);
  cli_node_integer(node, "first_ns", bench->first_ns);
  cli_node_integer(node, "new_shapes_ns", bench->new_shapes_ns);
  cli_json_bench_times(node, bench);
  cli_node_integer(node, "parallel", bench->n_parallel);
  cli_node_number(node, "runs_per_s", bench->runs_per_s);
  cli_node_integer(node, "bytes", bench->bytes);
  cli_node_number(node, "bytes_per_s", bytes_per_second(bench));
  cli_node_count(node, "floor_ns", bench->bytes > 0 ? bench->floor_ns : -1);
  if (bench->bytes > 0)
    cli_node_number(node, "floor_share", floor_share(bench));
  else
    cli_node_null(node, "floor_share");
  cli_node_count(node, "peak_bytes", bench->peak_bytes);
  cli_node_text(node, "precision", bench->precision);
  cli_json_bench_machine(node, bench);
  if (bench->profile.steps != NULL)
    cli_json_profile(r, model, &bench->profile);
}
