/* --fail-below and --fail-above: limits of the measures of compared tensors. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct measure {
  const char *name;
  cli_option option; /* of its limit */
} measure;

enum { COSINE, N_MEASURES = 5 };
static const measure measures[N_MEASURES] = {{"cosine", CLI_OPTION_FAIL_BELOW},
                                             {"snr", CLI_OPTION_FAIL_BELOW},
                                             {"psnr", CLI_OPTION_FAIL_BELOW},
                                             {"l2", CLI_OPTION_FAIL_ABOVE},
                                             {"rel-l2", CLI_OPTION_FAIL_ABOVE}};

typedef struct measure_limit {
  int measure; /* its row */
  double number;
} measure_limit;

/* Reads "cosine=0.999" of one of the options. Returns false if it is malformed. */
static bool read_limit(cli_given given, measure_limit *out) {
  const char *equals = strchr(given.value, '=');
  char *end = NULL;
  for (int i = 0; i < N_MEASURES && equals != NULL; i++) {
    const size_t length = strlen(measures[i].name);
    if (measures[i].option != given.option || length != (size_t)(equals - given.value) ||
        strncmp(measures[i].name, given.value, length) != 0)
      continue;
    out->measure = i;
    out->number = strspn(equals + 1, "0123456789.eE+-") == strlen(equals + 1) ? strtod(equals + 1, &end) : 0;
    return end != NULL && *end == '\0' && end > equals + 1 && isfinite(out->number) &&
           (i != COSINE || fabs(out->number) <= 1);
  }
  return false;
}

/* Gets the next limit of the command line, from `*io_at` on. */
static bool next_limit(const cli_options *options, int *io_at, cli_given *out) {
  while (*io_at < options->n_given) {
    *out = options->given[(*io_at)++];
    if (out->option == CLI_OPTION_FAIL_BELOW || out->option == CLI_OPTION_FAIL_ABOVE)
      return true;
  }
  return false;
}

void cli_check_limits(irrun_context *context, const cli_options *options) {
  cli_given given;
  measure_limit limit;
  char name[40];
  bool is_given[N_MEASURES] = {false};
  for (int at = 0; options->mode != CLI_BENCH && next_limit(options, &at, &given);) {
    cli_option_name(given.option, name, sizeof name);
    if (!read_limit(given, &limit)) {
      cli_fault(context, "IR801", NULL,
                given.option == CLI_OPTION_FAIL_BELOW ? "cosine=0.999 (from -1 to 1), snr=30 or psnr=40"
                                                      : "l2=0.1 or rel-l2=0.001; the limit of a time needs --bench",
                "'%s %s': needs a measure and a number in its range", name, given.value);
      continue;
    }
    if (is_given[limit.measure])
      cli_fault(context, "IR801", NULL, "give it once", "'%s %s': a limit of %s is given twice", name, given.value,
                measures[limit.measure].name);
    is_given[limit.measure] = true;
    if (options->mode == CLI_RUN && !cli_compares(options))
      cli_fault(context, "IR801", NULL, "give expected values with --expect, or a peer with --against",
                "'%s %s': nothing is compared", name, given.value);
  }
}

static bool has_limits(const cli *c) {
  return next_limit(&c->options, &(int){0}, &(cli_given){0});
}

void cli_widen_tolerance(const cli *c, irrun_tolerance *tolerance) {
  if (has_limits(c) && tolerance->atol < 0 && tolerance->rtol < 0 && tolerance->ulp < 0)
    tolerance->atol = INFINITY;
}

irrun_status cli_judge_similarity(cli *c, const char *rule, const char *name, const char *file,
                                  irrun_comparison *io_result) {
  const double numbers[N_MEASURES] = {io_result->cosine, io_result->snr, io_result->psnr, io_result->l2,
                                      io_result->rel_l2};
  irrun_status worst = IRRUN_OK;
  cli_given given;
  measure_limit limit;
  for (int at = 0; io_result->comparable && next_limit(&c->options, &at, &given);) {
    if (!read_limit(given, &limit))
      continue;
    const double found = numbers[limit.measure];
    const bool is_below = given.option == CLI_OPTION_FAIL_BELOW;
    if (is_below ? found >= limit.number : found <= limit.number) /* NaN fails every limit */
      continue;
    io_result->match = false;
    worst = file == NULL ? IRRUN_DIFFERS
                         : irrun_status_worse(
                               worst, cli_fault(c->context, rule, file, NULL, "'%s' has %s %.6g, %s %g of --fail-%s",
                                                name, measures[limit.measure].name, found, is_below ? "below" : "above",
                                                limit.number, is_below ? "below" : "above"));
  }
  return worst;
}

void cli_print_similarity(const cli *c, const irrun_comparison *result) {
  const bool differs = !result->match && result->not_finite == 0;
  if (!result->comparable || !(differs || c->options.verbose || has_limits(c)))
    return;
  cli_string line = {0};
  cli_add(&line, "   similar  cosine %.8g%s   snr %.4g dB   psnr %.4g dB   l2 %.4g   rel l2 %.4g   max rel ",
          result->cosine, result->count == 1 ? " (of one element: its sign)" : "", result->snr, result->psnr,
          result->l2, result->rel_l2);
  cli_add_difference(&line, result->max_rel_floored);
  cli_add(&line, " (floored)");
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}
