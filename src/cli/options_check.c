#include "options.h"
#include "text.h"

#include <string.h>

#define ON_MODELS                                                                                                      \
  (CLI_RUN | CLI_BENCH | CLI_GREEDY | CLI_CHECK | CLI_CONVERT | CLI_GRAPH | CLI_TEST | CLI_DIFF | CLI_CUT | CLI_EDIT | \
   CLI_RT_INFO | CLI_SHOW_PLAN)

static void usage(irrun_context *context, const char *message, const char *hint) {
  cli_fault(context, "IR801", NULL, hint, "%s", message);
}

/* Sets options->mode. Returns false if two options select different modes, not counting --help and --version. */
static bool find_mode(irrun_context *context, cli_options *options) {
  char first[40] = "", second[40];
  bool agree = true;
  for (int i = 0; i < options->n_given; i++) {
    cli_option option = options->given[i].option;
    cli_mode mode = cli_option_rows[option].mode;
    if (mode == 0)
      continue;
    cli_option_name(option, second, sizeof second);
    bool new_is_help = mode == CLI_HELP || mode == CLI_VERSION;
    bool old_is_help = options->mode == CLI_HELP || options->mode == CLI_VERSION;
    if (*first != '\0' && mode != options->mode && !new_is_help && !old_is_help) {
      agree = false;
      cli_fault(context, "IR801", NULL, "give one of them", "'%s' and '%s' are two different things to do", first,
                second);
    }
    if (!old_is_help) {
      options->mode = mode;
      memcpy(first, second, sizeof first);
    }
  }
  return agree;
}

static const char *mode_name(cli_mode mode) {
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    if (cli_option_rows[i].mode == mode)
      return cli_option_rows[i].name;
  return NULL;
}

/* Reports options without effect in this mode, and options given twice whose `repeat` is CLI_ONCE. */
static void check_each_option(irrun_context *context, const cli_options *options) {
  bool seen[CLI_OPTION_COUNT] = {false}, reported[CLI_OPTION_COUNT] = {false};
  for (int i = 0; i < options->n_given; i++) {
    cli_option option = options->given[i].option;
    const cli_option_row *row = &cli_option_rows[option];
    char name[40];
    cli_option_name(option, name, sizeof name);
    const bool repeated = seen[option];
    seen[option] = true;
    if (repeated && row->argument != NULL && row->repeat == CLI_ONCE)
      cli_fault(context, "IR801", NULL, "give it once", "'%s' is given twice", name);
    bool ignored_by_help = (options->mode == CLI_HELP || options->mode == CLI_VERSION) && option != CLI_OPTION_JSON &&
                           option != CLI_OPTION_FORMAT;
    if ((row->modes & options->mode) != 0 || ignored_by_help || reported[option])
      continue;
    reported[option] = true;
    const char *mode = mode_name(options->mode);
    if (mode != NULL)
      cli_fault(context, "IR801", NULL, "leave one of them out", "'%s' has no effect with '--%s'", name, mode);
    else
      cli_fault(context, "IR801", NULL, NULL, "'%s' has no effect without '--%s'", name,
                mode_name(row->modes & -row->modes));
  }
}

static void report_surplus_models(irrun_context *context, const cli_options *options) {
  static const struct {
    unsigned modes;
    const char *noun, *hint;
  } kinds[] = {
      {CLI_RUN | CLI_GREEDY, "run", "'irrun --check-shapes' takes several models; tensors are given with --input"},
      {CLI_BENCH, "measurement", "measure them one by one; a number of runs stands behind a '=': --bench=100"},
      {CLI_DIFF, "comparison", "the other model stands behind '--diff'"},
      {CLI_GRAPH, "picture", "draw them one by one"},
      {CLI_CUT, "cut", "cut them one by one"},
      {CLI_EDIT, "change", "edit them one by one; an edit is one argument: --edit 'data: u8 nhwc'"},
      {CLI_RT_INFO, "listing", "list them one by one"},
      {CLI_SHOW_PLAN, "plan", "show them one by one; what to show stands behind a '=': --show-plan=after:fuse"},
      {~0u, "conversion", "convert them one by one"}};
  size_t i = 0;
  while ((kinds[i].modes & options->mode) == 0)
    i++;
  cli_fault(context, "IR801", NULL, kinds[i].hint, "a %s takes one MODEL, and here are %d: '%s', '%s'%s", kinds[i].noun,
            options->n_models, options->models[0], options->models[1], options->n_models > 2 ? ", ..." : "");
}

static void check_operands(irrun_context *context, const cli_options *options) {
  int n_stdin = 0;
  bool has_empty = false;
  for (int i = 0; i < options->n_models; i++) {
    n_stdin += strcmp(options->models[i], "-") == 0;
    has_empty = has_empty || options->models[i][0] == '\0';
  }
  int at = 0;
  const char *other = cli_options_next(options, CLI_OPTION_DIFF, &at);
  n_stdin += other != NULL && strcmp(other, "-") == 0;
  if (options->mode & ON_MODELS) {
    if (options->n_models == 0)
      usage(context, "no MODEL is given",
            options->mode == CLI_CONVERT ? "the file behind '--convert' is the one to write" : NULL);
    if (has_empty)
      usage(context, "MODEL is an empty text", "a variable of the shell may be unset");
    if (options->n_models > 1 && (options->mode & (CLI_CHECK | CLI_TEST)) == 0)
      report_surplus_models(context, options);
    else if (n_stdin > 1)
      usage(context, "'-' stands twice: a model can be read from stdin once", NULL);
    if (n_stdin > 0 && options->mode == CLI_TEST)
      usage(context, "data sets lie beside a file of a model, and '-' is stdin", "give '--test' the file");
    if (options->n_models > 1 && options->mode == CLI_CHECK && cli_options_have(options, CLI_OPTION_WEIGHTS))
      usage(context, "'--weights' belongs to one MODEL, and here are several", "check them one by one");
  } else if (options->n_models > 0 && (options->mode & (CLI_LIST_RULES | CLI_EXPLAIN | CLI_GENERATE))) {
    cli_fault(context, "IR801", NULL, NULL, "'--%s' takes no MODEL, and here is '%s'", mode_name(options->mode),
              options->models[0]);
  }
}

/* Reports file names that are empty. The --output of a run is checked in run_outputs.c. */
static void check_files(irrun_context *context, const cli_options *options) {
  for (int i = 0; i < options->n_given; i++) {
    const cli_option option = options->given[i].option;
    char name[40];
    const bool file = option == CLI_OPTION_WEIGHTS || option == CLI_OPTION_DIFF || option == CLI_OPTION_BASELINE ||
                      option == CLI_OPTION_WRITE_BASELINE ||
                      (option == CLI_OPTION_OUTPUT && options->mode == CLI_GRAPH);
    if (file && *options->given[i].value == '\0')
      cli_fault(context, "IR801", NULL, "a variable of the shell may be unset", "the file of '%s' is an empty text",
                cli_option_name(option, name, sizeof name));
  }
}

/* Checks --format. sarif and github are formats for findings, so they need a mode that checks models. */
static void check_format(irrun_context *context, const cli_options *options) {
  const char *mode = mode_name(options->mode), *word = options->format == CLI_SARIF ? "sarif" : "github";
  if (options->format != CLI_SARIF && options->format != CLI_GITHUB)
    return;
  if (!(options->mode & ON_MODELS))
    cli_fault(context, "IR801", NULL, "'--json' has", "'--format=%s' has no effect with '--%s'", word, mode);
  if (options->mode == CLI_TEST || (options->mode == CLI_DIFF && options->format == CLI_SARIF))
    cli_fault(context, "IR801", NULL, "'--json' has", "'--format=%s' has no place for what '--%s' finds", word, mode);
}

static void check_tolerances(irrun_context *context, const cli_options *options) {
  for (int i = 0; i < options->n_given; i++) {
    cli_given given = options->given[i];
    if (given.option != CLI_OPTION_ATOL && given.option != CLI_OPTION_RTOL && given.option != CLI_OPTION_ULP)
      continue;
    const char *equals = strrchr(given.value, '='), *number = equals != NULL ? equals + 1 : given.value;
    char name[40];
    double tolerance;
    int64_t count;
    cli_option_name(given.option, name, sizeof name);
    if (given.option == CLI_OPTION_ULP ? !cli_parse_count(number, &count) : !cli_parse_tolerance(number, &tolerance))
      cli_fault(context, "IR801", NULL, NULL, "'%s %s': needs %s, found '%s'", name, given.value,
                given.option == CLI_OPTION_ULP ? "a whole number of at least 0" : "a number of at least 0", number);
    if (options->mode == CLI_RUN && !cli_compares(options))
      cli_fault(context, "IR801", NULL, "give the expected values: --expect FILE",
                "'%s' has no effect without '--expect'", name);
  }
}

const cli_found cli_founds[] = {
    [IRRUN_IN_ALL] = {~0u, NULL},
    [IRRUN_IN_RUNS] = {CLI_RUN | CLI_BENCH | CLI_GREEDY | CLI_TEST, "a run"},
    [IRRUN_IN_ONE_RUN] = {CLI_RUN | CLI_TEST, "a run that is not measured"},
    [IRRUN_IN_CONVERSION] = {CLI_CONVERT, "a conversion"},
};

/* Reports a --deny of a rule that the mode never checks, because "ok" would be misleading. */
static void check_denied_rules(irrun_context *context, const cli_options *options) {
  const char *mode = mode_name(options->mode), *rules;
  for (int at = 0; (rules = cli_options_next(options, CLI_OPTION_DENY, &at)) != NULL;) {
    cli_string list = {0};
    cli_add(&list, "%s", rules);
    char *rest = list.text, *item;
    irrun_rule rule = {.size = sizeof rule};
    while ((item = strsep(&rest, ",")) != NULL)
      if (irrun_rule_find(item, &rule) && (cli_founds[rule.found].modes & options->mode) == 0)
        cli_fault(context, "IR801", NULL, "leave it out", "'--deny=%s' has no effect %s%s%s: it is found only in %s",
                  item, mode != NULL ? "with '--" : "in a run", mode != NULL ? mode : "", mode != NULL ? "'" : "",
                  cli_founds[rule.found].name);
    cli_reset(&list);
  }
}

static void read_format(irrun_context *context, cli_options *options) {
  int at = 0;
  const bool json = cli_options_have(options, CLI_OPTION_JSON);
  const char *value = cli_options_next(options, CLI_OPTION_FORMAT, &at);
  if (json)
    options->format = CLI_JSON;
  if (value == NULL)
    return;
  if (!cli_parse_format(value, &options->format))
    cli_fault(context, "IR801", NULL, NULL, "'--format %s': needs text, json, sarif or github", value);
  else if (json && options->format != CLI_JSON)
    cli_fault(context, "IR801", NULL, "give one of them", "'--json' and '--format=%s' contradict each other", value);
  if (options->format == CLI_SARIF)
    options->max_errors = 0; /* a tool that reads SARIF would take omitted findings for fixed findings */
}

static void check_heatmaps(irrun_context *context, const cli_options *options) {
  if (options->mode == CLI_RUN && cli_options_have(options, CLI_OPTION_HEATMAP) && !cli_compares(options))
    usage(context, "'--heatmap' has no effect without '--expect'", "give the expected values: --expect FILE");
}

/* A peer gives the expected values of one run, which begins with the initial values of variables. */
static void check_against(irrun_context *context, const cli_options *options) {
  static const cli_option others[] = {CLI_OPTION_EXPECT, CLI_OPTION_STEP, CLI_OPTION_LOAD_STATE};
  char name[40];
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (cli_options_have(options, CLI_OPTION_AGAINST) && cli_options_have(options, others[i]))
      cli_fault(context, "IR801", NULL, "give one of them", "'--against' cannot be combined with '%s'",
                cli_option_name(others[i], name, sizeof name));
}

static void check_written_file(irrun_context *context, const cli_options *options) {
  int at = 0;
  const char *form = cli_options_next(options, CLI_OPTION_GRAPH, &at);
  if (form != NULL && strcmp(form, "dot") != 0 && strcmp(form, "mermaid") != 0 && strcmp(form, "svg") != 0)
    cli_fault(context, "IR801", NULL, NULL, "'--graph=%s': needs dot, mermaid or svg", form);
  const char *path = cli_options_next(options, CLI_OPTION_OUTPUT, &(int){0});
  const int n_outputs = cli_options_count(options, CLI_OPTION_OUTPUT);
  if (options->mode == CLI_GRAPH && n_outputs > 1)
    usage(context, "'--output' is given twice", "a picture is one file: give it once");
  if ((options->mode & (CLI_CUT | CLI_EDIT)) == 0)
    return;
  if (n_outputs != 1 && (n_outputs > 1 || !cli_options_have(options, CLI_OPTION_DRY_RUN)))
    cli_fault(context, "IR801", NULL, "it is the model that is written", "'--%s' needs one '--output OUT.xml'",
              mode_name(options->mode));
  if (n_outputs == 1 && strcspn(path, "=") < strcspn(path, "/"))
    cli_fault(context, "IR801", NULL, "for a file of such a name, write ./NAME",
              "'--output %s': NAME=FILE writes an output of a run, and '--%s' writes a model", path,
              mode_name(options->mode));
  else if (n_outputs == 1 && !cli_ends_in(path, ".xml"))
    cli_fault(context, "IR801", NULL,
              options->mode == CLI_CUT ? "a cut is a model" : "the edited model is written there",
              "'--output %s': the name does not end in .xml", path);
}

static void check_listing(irrun_context *context, const cli_options *options) {
  if (!cli_options_have(options, CLI_OPTION_LIST_CASES))
    return;
  if (options->update)
    usage(context, "'--update' has no effect with '--list-cases'", "leave one of them out");
  if (cli_options_have(options, CLI_OPTION_JUNIT))
    usage(context, "'--junit' has no effect with '--list-cases'", "leave one of them out");
}

/* Checks the value of --show-plan, "after:PASS" or "FILE.svg". */
static void check_shown(irrun_context *context, const cli_options *options) {
  const char *value = cli_options_next(options, CLI_OPTION_SHOW_PLAN, &(int){0});
  if (value == NULL || cli_ends_in(value, ".svg"))
    return;
  const char *pass = cli_shown_after(value);
  bool is_known = pass != NULL && strcmp(pass, "lower") == 0;
  for (unsigned bit = 1; irrun_pass_name((irrun_pass)bit) != NULL; bit *= 2)
    is_known = is_known || (pass != NULL && strcmp(irrun_pass_name((irrun_pass)bit), pass) == 0);
  if (!is_known)
    cli_fault(context, "IR801", NULL, NULL, "'--show-plan=%s': needs a file .svg, or after:lower or one of after:%s",
              value, cli_option_rows[CLI_OPTION_SKIP_PASS].words);
}

/* Reads the value of --threads or --parallel. */
static void read_threads(irrun_context *context, const cli_options *options, cli_option option, int *out) {
  const char *value = cli_options_next(options, option, &(int){0});
  int64_t count = *out;
  if (value != NULL && (!cli_parse_count(value, &count) || count < 1 || count > IRRUN_MAX_THREADS))
    cli_fault(context, "IR801", NULL, NULL, "'--%s %s': needs a whole number from 1 to %d",
              cli_option_rows[option].name, value, IRRUN_MAX_THREADS);
  else
    *out = (int)count;
}

/* Returns which of its row's words the option has; 0, the default, if it is absent or has another word, which is
 * reported. */
static int read_word(irrun_context *context, const cli_options *options, cli_option option) {
  const cli_option_row *row = &cli_option_rows[option];
  const char *value = cli_options_next(options, option, &(int){0}), *word = row->words;
  for (int i = 0; value != NULL && *word != '\0'; i++) {
    const size_t length = strcspn(word, " ");
    if (strlen(value) == length && strncmp(word, value, length) == 0)
      return i;
    word += length + strspn(word + length, " ");
  }
  if (value != NULL)
    cli_fault(context, "IR801", NULL, NULL, "'--%s %s': needs one of %s", row->name, value, row->words);
  return 0;
}

static void read_precision(irrun_context *context, const cli_options *options) {
  const irrun_element_type types[] = {IRRUN_F32, IRRUN_BF16, IRRUN_F16};
  const irrun_status status =
      irrun_context_set_precision(context, types[read_word(context, options, CLI_OPTION_PRECISION)]);
  (void)status; /* the call takes each of the types */
}

static void check_finite(irrun_context *context, const cli_options *options) {
  const char *value = cli_options_next(options, CLI_OPTION_ASSERT_FINITE, &(int){0});
  if (value != NULL && strcmp(value, "nan") != 0)
    cli_fault(context, "IR801", NULL, NULL, "'--assert-finite=%s': needs nan, or nothing", value);
}

static void read_passes(irrun_context *context, const cli_options *options) {
  unsigned passes = 0;
  int at = 0;
  for (const char *value; (value = cli_options_next(options, CLI_OPTION_SKIP_PASS, &at)) != NULL;) {
    unsigned pass = 1;
    while (irrun_pass_name((irrun_pass)pass) != NULL && strcmp(irrun_pass_name((irrun_pass)pass), value) != 0)
      pass *= 2;
    if (irrun_pass_name((irrun_pass)pass) != NULL)
      passes |= pass;
    else
      cli_fault(context, "IR801", NULL, NULL, "'--skip-pass %s': needs one of %s", value,
                cli_option_rows[CLI_OPTION_SKIP_PASS].words);
  }
  irrun_context_skip_passes(context, passes);
}

/* Parses a size of at least 1 byte: "8G", "512M", "100K" or a number of bytes. */
static bool parse_size(const char *text, size_t *out_bytes) {
  static const char units[] = "KMG";
  size_t length = strspn(text, "0123456789"), factor = 1;
  char number[24];
  int64_t count;
  if (length == 0 || length >= sizeof number)
    return false;
  memcpy(number, text, length);
  number[length] = '\0';
  if (text[length] != '\0') {
    const char *unit = strchr(units, text[length]);
    if (unit == NULL || text[length + 1] != '\0')
      return false;
    factor = (size_t)1 << 10 * (unit - units + 1);
  }
  return cli_parse_count(number, &count) && count > 0 && !__builtin_mul_overflow((size_t)count, factor, out_bytes);
}

static void read_max_memory(irrun_context *context, cli_options *options) {
  int at = 0;
  const char *value = cli_options_next(options, CLI_OPTION_MAX_MEMORY, &at);
  if (value != NULL && !parse_size(value, &options->max_memory))
    cli_fault(context, "IR801", NULL, NULL,
              "'--max-memory %s': needs a size of at least 1 byte, as 8G, 512M, 100K or 1000", value);
}

static void read_max_time(irrun_context *context, cli_options *options) {
  int at = 0;
  const char *value = cli_options_next(options, CLI_OPTION_MAX_TIME, &at);
  cli_string text = {0};
  if (value == NULL)
    return;
  cli_add(&text, strspn(value, "0123456789.") == strlen(value) ? "%ss" : "%s", value);
  if (!cli_parse_time(cli_text(&text), &options->max_ns))
    cli_fault(context, "IR801", NULL, NULL, "'--max-time %s': needs seconds above 0, as 60 or 0.5, or a time, as 300ms",
              value);
  cli_reset(&text);
}

/* Reads the least --fail-above of a measurement. In other modes it is the limit of a measure. */
static void read_limits(irrun_context *context, cli_options *options) {
  int64_t ns;
  const char *value;
  for (int at = 0; (value = cli_options_next(options, CLI_OPTION_FAIL_ABOVE, &at)) != NULL;) {
    if (!cli_parse_time(value, &ns))
      cli_fault(context, "IR801", NULL, NULL, "'--fail-above %s': needs a time above 0, as 5ms, 300us or 0.3s", value);
    else if (options->limit_ns == 0 || ns < options->limit_ns)
      options->limit_ns = ns;
  }
}

static void read_values(irrun_context *context, cli_options *options) {
  int at = 0;
  const char *value = cli_options_next(options, CLI_OPTION_MAX_ERRORS, &at);
  if (value != NULL && !cli_parse_count(value, &options->max_errors))
    cli_fault(context, "IR801", NULL, NULL, "'--max-errors %s': needs a whole number of at least 0", value);
  at = 0;
  value = cli_options_next(options, CLI_OPTION_BENCH, &at);
  options->bench_ns = 1000000000;
  if (value != NULL && !cli_parse_bench(value, &options->bench_runs, &options->bench_ns))
    cli_fault(context, "IR801", NULL, NULL,
              "'--bench=%s': needs a number of runs of at least 1, or of seconds above 0, as 100 or 0.3s", value);
  at = 0;
  value = cli_options_next(options, CLI_OPTION_PROFILE, &at);
  if (value != NULL && !cli_ends_in(value, ".json"))
    cli_fault(context, "IR801", NULL, "a trace is JSON; without a file the times are shown alone",
              "'--profile=%s': the name does not end in .json", value);
  at = 0;
  value = cli_options_next(options, CLI_OPTION_JUNIT, &at);
  if (value != NULL && !cli_ends_in(value, ".xml"))
    cli_fault(context, "IR801", NULL, NULL, "'--junit %s': the name does not end in .xml", value);
  options->color = (cli_color)read_word(context, options, CLI_OPTION_COLOR);
}

void cli_options_check(irrun_context *context, cli_options *options) {
  options->quiet = cli_options_have(options, CLI_OPTION_QUIET);
  options->silent = cli_options_count(options, CLI_OPTION_QUIET) > 1;
  options->verbose = cli_options_have(options, CLI_OPTION_VERBOSE);
  options->cast = cli_options_have(options, CLI_OPTION_CAST);
  options->strict = cli_options_have(options, CLI_OPTION_STRICT);
  options->update = cli_options_have(options, CLI_OPTION_UPDATE);
  bool syntax_is_good = irrun_context_worst(context) == IRRUN_OK;
  read_format(context, options);
  read_values(context, options);
  options->parallel = 1;
  read_threads(context, options, CLI_OPTION_THREADS, &options->threads);
  read_threads(context, options, CLI_OPTION_PARALLEL, &options->parallel);
  irrun_context_set_kernels(context, (irrun_kernels)read_word(context, options, CLI_OPTION_KERNELS));
  irrun_context_set_embed_preprocess(context, cli_options_have(options, CLI_OPTION_EMBED_PREPROCESS));
  options->form = (irrun_form)read_word(context, options, CLI_OPTION_READ_AS);
  read_precision(context, options);
  read_passes(context, options);
  check_finite(context, options);
  read_max_memory(context, options);
  read_max_time(context, options);
  /* if an option is unknown or two modes are given, combinations cannot be checked */
  if (!find_mode(context, options) || !syntax_is_good)
    return;
  check_each_option(context, options);
  check_operands(context, options);
  check_files(context, options);
  check_format(context, options);
  check_tolerances(context, options);
  cli_check_limits(context, options);
  check_against(context, options);
  check_heatmaps(context, options);
  check_written_file(context, options);
  check_listing(context, options);
  check_shown(context, options);
  if (options->mode == CLI_BENCH)
    read_limits(context, options);
  if (options->mode & ON_MODELS)
    check_denied_rules(context, options);
  if (options->quiet && options->verbose)
    usage(context, "'-q' and '-v' contradict each other", "give one of them");
}
