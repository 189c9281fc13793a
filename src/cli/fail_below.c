/* --fail-below: limits of the similarity of compared tensors. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"cosine", "snr", "psnr"};
enum { COSINE, N_MEASURES = sizeof names / sizeof names[0] };

/* Reads "cosine=0.999". Returns false if it is malformed. */
static bool read_limit(const char *text, int *out_measure, double *out_limit) {
  const char *equals = strchr(text, '=');
  char *end = NULL;
  for (int i = 0; i < N_MEASURES && equals != NULL; i++) {
    if (strlen(names[i]) != (size_t)(equals - text) || strncmp(text, names[i], strlen(names[i])) != 0)
      continue;
    *out_measure = i;
    *out_limit = strspn(equals + 1, "0123456789.eE+-") == strlen(equals + 1) ? strtod(equals + 1, &end) : 0;
    return end != NULL && *end == '\0' && end > equals + 1 && isfinite(*out_limit) &&
           (i != COSINE || fabs(*out_limit) <= 1);
  }
  return false;
}

void cli_check_limits(irrun_context *context, const cli_options *options) {
  const char *text;
  int measure;
  double limit;
  bool is_given[N_MEASURES] = {false};
  for (int at = 0; (text = cli_options_next(options, CLI_OPTION_FAIL_BELOW, &at)) != NULL;) {
    if (!read_limit(text, &measure, &limit)) {
      cli_fault(context, "IR801", NULL, "cosine=0.999 (from -1 to 1), snr=30 or psnr=40",
                "'--fail-below %s': needs a measure and a number in its range", text);
      continue;
    }
    if (is_given[measure])
      cli_fault(context, "IR801", NULL, "give it once", "'--fail-below %s': a limit of %s is given twice", text,
                names[measure]);
    is_given[measure] = true;
    if (options->mode == CLI_RUN && !cli_compares(options))
      cli_fault(context, "IR801", NULL, "give expected values with --expect, or a peer with --against",
                "'--fail-below %s': nothing is compared", text);
  }
}

void cli_widen_tolerance(const cli *c, irrun_tolerance *tolerance) {
  if (cli_options_have(&c->options, CLI_OPTION_FAIL_BELOW) && tolerance->atol < 0 && tolerance->rtol < 0 &&
      tolerance->ulp < 0)
    tolerance->atol = INFINITY;
}

irrun_status cli_judge_similarity(cli *c, const char *rule, const char *name, const char *file,
                                  irrun_comparison *io_result) {
  const double found[N_MEASURES] = {io_result->cosine, io_result->snr, io_result->psnr};
  irrun_status worst = IRRUN_OK;
  const char *text;
  int measure;
  double limit;
  for (int at = 0; (text = cli_options_next(&c->options, CLI_OPTION_FAIL_BELOW, &at)) != NULL;) {
    if (!io_result->comparable || !read_limit(text, &measure, &limit) || found[measure] >= limit)
      continue;
    io_result->match = false;
    worst = file == NULL ? IRRUN_DIFFERS
                         : irrun_status_worse(worst, cli_fault(c->context, rule, file, NULL,
                                                               "'%s' has %s %.6g, below %g of --fail-below", name,
                                                               names[measure], found[measure], limit));
  }
  return worst;
}

void cli_print_similarity(const cli *c, const irrun_comparison *result) {
  if (!result->comparable || !(c->options.verbose || cli_options_have(&c->options, CLI_OPTION_FAIL_BELOW)))
    return;
  cli_string line = {0};
  cli_add(&line, "   similar  cosine %.8g%s   snr %.4g dB   psnr %.4g dB   max rel ", result->cosine,
          result->count == 1 ? " (of one element: its sign)" : "", result->snr, result->psnr);
  cli_add_difference(&line, result->max_rel_floored);
  cli_add(&line, " (of at least a thousandth of the largest)");
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}
