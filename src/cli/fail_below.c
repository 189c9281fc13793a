/* --fail-below: limits of the similarity of compared tensors. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"cosine", "snr", "psnr"};
enum { N_MEASURES = sizeof names / sizeof names[0] };

/* Reads "cosine=0.999". Returns false if it is malformed. */
static bool read_limit(const char *text, int *out_measure, double *out_limit) {
  const char *equals = strchr(text, '=');
  char *end = NULL;
  for (int i = 0; i < N_MEASURES && equals != NULL; i++) {
    if (strlen(names[i]) != (size_t)(equals - text) || strncmp(text, names[i], strlen(names[i])) != 0)
      continue;
    *out_measure = i;
    *out_limit = strspn(equals + 1, "0123456789.eE+-") == strlen(equals + 1) ? strtod(equals + 1, &end) : 0;
    return end != NULL && *end == '\0' && end > equals + 1 && isfinite(*out_limit);
  }
  return false;
}

irrun_status cli_check_limits(cli_run *r) {
  cli *c = r->c;
  const char *text;
  int measure;
  double limit;
  for (int at = 0; (text = cli_options_next(&c->options, CLI_OPTION_FAIL_BELOW, &at)) != NULL;) {
    if (!read_limit(text, &measure, &limit))
      return cli_fault(c->context, "IR801", NULL, "cosine=0.999, snr=30 or psnr=40",
                       "'--fail-below %s': needs a measure and a number", text);
    if (r->n_steps == 0 && !cli_compares(&c->options)) /* another step may compare */
      return cli_fault(c->context, "IR801", NULL, "give expected values with --expect, or a peer with --against",
                       "'--fail-below %s': nothing is compared", text);
  }
  return IRRUN_OK;
}

void cli_widen_tolerance(const cli *c, irrun_tolerance *tolerance) {
  if (cli_options_have(&c->options, CLI_OPTION_FAIL_BELOW) && tolerance->atol < 0 && tolerance->rtol < 0 &&
      tolerance->ulp < 0)
    tolerance->atol = INFINITY;
}

irrun_status cli_judge_similarity(cli *c, const char *name, const char *file, irrun_comparison *io_result) {
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
                         : irrun_status_worse(worst, cli_fault(c->context, "IR601", file, NULL,
                                                               "'%s' has %s %.6g, below %g of --fail-below", name,
                                                               names[measure], found[measure], limit));
  }
  return worst;
}

void cli_print_similarity(const cli *c, const irrun_comparison *result) {
  if (!result->comparable || !(c->options.verbose || cli_options_have(&c->options, CLI_OPTION_FAIL_BELOW)))
    return;
  cli_string line = {0};
  cli_add(&line, "   similar  cosine %.8g   snr %.4g dB   psnr %.4g dB   max rel ", result->cosine, result->snr,
          result->psnr);
  cli_add_difference(&line, result->max_rel_floored);
  cli_add(&line, " (of at least a thousandth of the largest)");
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}
