/* Prints the report of --expect. Prints one line for an output that matches. For an output that differs, also prints
 * the places, the differences, and tolerances that would pass. */
#include "run.h"

#include <math.h>

/* Adds a distance in ulps. INT64_MAX means this distance or a greater distance. */
static void add_ulp(cli_string *line, int64_t ulp) {
  cli_add(line, "%s%lld", ulp == INT64_MAX ? ">= " : "", (long long)ulp);
}

static void add_tolerance(cli_string *line, const irrun_comparison *result) {
  if (result->atol == 0 && result->rtol == 0 && result->ulp < 0)
    cli_add(line, "   exact");
  else
    cli_add(line, "   atol %g  rtol %g", result->atol, result->rtol);
  if (result->ulp >= 0)
    cli_add(line, "  or %lld ulp", (long long)result->ulp);
  if (!result->default_tolerance)
    cli_add(line, "  (not the defaults)");
}

/* Returns the letter of an axis in a tensor [N, C, spatial...] with 1 to 3 spatial axes. Returns NULL for any other
 * rank. */
static const char *axis_letter(int rank, int axis) {
  static const char *const letters[][5] = {{"N", "C", "W"}, {"N", "C", "H", "W"}, {"N", "C", "D", "H", "W"}};
  return rank >= 3 && rank <= 5 ? letters[rank - 3][axis] : NULL;
}

static const char *axis_noun(const char *letter) {
  switch (*letter) {
  case 'N':
    return "batch item";
  case 'C':
    return "channel";
  case 'D':
    return "slice";
  case 'H':
    return "row";
  default:
    return "column";
  }
}

/* Adds a place on an axis: "the last row (H = 15)", "channel (C = 2)", "index 3 of axis 1". */
static void add_where(cli_string *line, int rank, int axis, int64_t index, int64_t size) {
  const char *letter = axis_letter(rank, axis);
  if (letter == NULL) {
    cli_add(line, "index %lld of axis %d", (long long)index, axis);
    return;
  }
  const char *which = index == size - 1 ? "the last " : index == 0 ? "the first " : "";
  cli_add(line, "%s%s (%s = %lld)", which, axis_noun(letter), letter, (long long)index);
}

static void print_where(FILE *out, const irrun_comparison *result, const irrun_tensor_info *info) {
  cli_string line = {0};
  if (result->mismatched < 2)
    return;
  for (int axis = 0; axis < result->rank; axis++) {
    int64_t index = result->where[axis], size = info->dims[axis];
    bool border = axis >= 2 && (index == 0 || index == size - 1);
    if (index < 0 || size < 2 || (result->where_is_border && !border))
      continue;
    cli_add(&line, "%s", line.length > 0 ? ", " : "");
    add_where(&line, result->rank, axis, index, size);
  }
  if (line.length > 0)
    fprintf(out, "   where    %lld of %lld in %s%s\n", (long long)result->mismatched, (long long)result->mismatched,
            cli_text(&line), result->where_is_border ? "   <- likely a padding or ceil matter" : "");
  cli_reset(&line);
}

static void print_places(FILE *out, const irrun_comparison *result) {
  cli_string line = {0};
  cli_add(&line, "   worst    at ");
  cli_add_index(&line, result->worst_index, result->rank);
  cli_add(&line, "   got %s   expected %s   abs ", result->worst_got, result->worst_expected);
  cli_add_difference(&line, result->worst_abs);
  cli_add(&line, "   rel ");
  cli_add_difference(&line, result->worst_rel);
  if (result->worst_ulp >= 0) {
    cli_add(&line, "   ");
    add_ulp(&line, result->worst_ulp);
    cli_add(&line, " ulp");
  }
  cli_add(&line, "\n   first    at ");
  cli_add_index(&line, result->first_index, result->rank);
  fprintf(out, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void print_spread(FILE *out, const irrun_comparison *result) {
  cli_string line = {0};
  const struct {
    const char *name;
    double number;
  } gaps[] = {{"mean", result->abs_mean},
              {"p50", result->abs_p50},
              {"p90", result->abs_p90},
              {"p99", result->abs_p99},
              {"max", result->abs_max}};
  const struct {
    const char *name;
    int64_t number;
  } ulps[] = {{"p50", result->ulp_p50}, {"p99", result->ulp_p99}, {"max", result->ulp_max}};
  if (result->not_finite > 0)
    fprintf(out, "   finite   in %lld place%s only one side is, or infinities and NaN stand differently\n",
            (long long)result->not_finite, result->not_finite == 1 ? "" : "s");
  if (result->not_finite == result->count)
    return;
  cli_add(&line, "   abs    ");
  for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
    cli_add(&line, "  %s ", gaps[i].name);
    cli_add_difference(&line, gaps[i].number);
  }
  cli_add(&line, "\n   ulp    ");
  for (size_t i = 0; i < sizeof ulps / sizeof ulps[0]; i++) {
    cli_add(&line, "  %s ", ulps[i].name);
    add_ulp(&line, ulps[i].number);
  }
  fprintf(out, "%s\n", cli_text(&line));
  cli_reset(&line);
}

/* Prints which tolerances would pass. If `alone`, only this output is compared, so the options need no name. */
static void print_needed(const cli_run *r, int64_t output, bool alone) {
  const irrun_comparison *result = &r->expected[output].comparison;
  const char *const options[] = {"--atol", "--rtol", "--ulp"};
  cli_string line = {0};
  for (int i = 0; i < 3; i++) {
    double needed = i == 0 ? result->needed_atol : i == 1 ? result->needed_rtol : (double)result->needed_ulp;
    cli_string number = {0};
    if (needed < 0)
      continue;
    if (i == 2)
      cli_add(&number, "%lld", (long long)result->needed_ulp);
    else
      cli_add_rounded_up(&number, needed);
    cli_add(&line, "%s", line.length > 0 ? ", or " : "with ");
    if (alone)
      cli_add_option(&line, options[i], NULL, cli_text(&number));
    else
      cli_add_named_option(&line, r, options[i], IRRUN_OUTPUTS, output, cli_text(&number));
    cli_reset(&number);
  }
  cli_add(&line, line.length > 0 ? " (the other tolerances unchanged)" : "with no tolerance");
  fprintf(r->c->results, "   passes   %s\n", cli_text(&line));
  cli_reset(&line);
}

static void print_comparison(cli_run *r, int64_t output, bool alone) {
  const cli_expected *expected = &r->expected[output];
  const irrun_comparison *result = &expected->comparison;
  const irrun_tensor *tensor = irrun_run_output(r->run, output);
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  FILE *out = r->c->results;
  irrun_io io = {.size = sizeof io};
  cli_string line = {0};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  cli_add_name(&line, io.name);
  cli_add(&line, "  ");
  cli_add_tensor(&line, tensor);
  cli_add(&line, "  %s%s%s", cli_paint(r->c->color_results, result->match ? CLI_GREEN : CLI_RED),
          result->match          ? "ok"
          : expected->unreadable ? "not compared"
                                 : "DIFFERS",
          cli_paint(r->c->color_results, CLI_PLAIN));
  if (result->match) {
    cli_add(&line, "  max abs ");
    cli_add_difference(&line, result->abs_max);
    cli_add(&line, "  max ulp ");
    add_ulp(&line, result->ulp_max);
  } else if (result->comparable && result->mismatched == 0) {
    cli_add(&line, "  beyond a limit of similarity");
  } else if (result->comparable) {
    double percent = 100.0 * (double)result->mismatched / (double)result->count;
    cli_add(&line, "  %lld of %lld (%.*f %%)", (long long)result->mismatched, (long long)result->count,
            percent < 10 ? 1 : 0, percent);
  } else if (!expected->unreadable) {
    cli_add(&line,
            expected->key < 0 ? "  there is no expected value" : "  in shape or type, so no element is compared");
  }
  if (result->comparable && (!result->match || !result->default_tolerance))
    add_tolerance(&line, result);
  fprintf(out, "%s\n", cli_text(&line));
  cli_reset(&line);
  cli_print_similarity(r->c, result);
  if (result->match || !result->comparable || result->mismatched == 0)
    return;
  print_places(out, result);
  print_where(out, result, &info);
  print_spread(out, result);
  print_needed(r, output, alone);
}

static void print_heatmap(cli *c, const cli_wanted_heatmap *wanted) {
  cli_string line = {0};
  if (!wanted->is_written)
    return;
  cli_add_name(&line, wanted->path);
  fprintf(c->results, "%s: written\n", cli_text(&line));
  cli_reset(&line);
}

void cli_print_comparisons(cli_run *r) {
  int64_t n_compared = 0, n_differ = 0, n_unreadable = 0;
  for (int64_t i = 0; i < r->n_outputs; i++) {
    n_compared += r->expected[i].path != NULL;
    n_unreadable += r->expected[i].unreadable;
    n_differ += r->expected[i].path != NULL && !r->expected[i].unreadable && !r->expected[i].comparison.match;
  }
  for (int64_t i = 0; i < r->n_outputs && !r->c->options.quiet; i++)
    if (r->expected[i].path != NULL)
      print_comparison(r, i, n_compared == 1);
  cli_string line = {0};
  for (int64_t i = 0; i < r->n_outputs && !r->c->options.quiet; i++)
    print_heatmap(r->c, &r->expected[i].heatmap);
  for (int64_t i = 0; i < r->n_inner && !r->c->options.quiet; i++)
    print_heatmap(r->c, &r->inner[i].heatmap);
  if (n_compared == 0 && r->n_inner > 0) /* cli_print_inner prints the last line instead */
    return;
  cli_add_name(&line, r->path);
  cli_add(&line, ": %lld of ", (long long)(n_differ > 0 ? n_differ : n_compared - n_unreadable));
  cli_add_count(&line, n_compared, "output");
  cli_add(&line, n_differ > 0 ? " differ" : " match");
  if (n_compared == 1)
    cli_add(&line, n_differ > 0 ? "s" : "es");
  if (n_unreadable > 0)
    cli_add(&line, ", %lld not compared", (long long)n_unreadable);
  fprintf(r->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void add_needed(cli_node *node, const char *key, double needed) {
  if (needed >= 0)
    cli_node_number(node, key, needed);
  else
    cli_node_null(node, key);
}

/* Adds the JSON members of an output that differs. */
static void add_differences(cli_node *node, const irrun_comparison *result) {
  cli_json_dims(node, "worst_index", result->worst_index, result->rank);
  cli_json_dims(node, "first_index", result->first_index, result->rank);
  cli_node_scalar(node, "got", result->worst_got);
  cli_node_scalar(node, "expected", result->worst_expected);
  cli_node *where = cli_node_array(node, "where");
  for (int axis = 0; axis < result->rank; axis++)
    cli_node_count(where, NULL, result->where[axis]);
  cli_node *needed = cli_node_object(node, "needed");
  add_needed(needed, "atol", result->needed_atol);
  add_needed(needed, "rtol", result->needed_rtol);
  cli_node_count(needed, "ulp", result->needed_ulp);
}

void cli_json_comparison(cli_node *node, const char *path, const irrun_comparison *result) {
  cli_node_text(node, "expected_file", path);
  cli_node_flag(node, "match", result->match);
  cli_node_flag(node, "comparable", result->comparable);
  if (!result->comparable)
    return;
  cli_node_integer(node, "count", result->count);
  cli_node_integer(node, "mismatched", result->mismatched);
  cli_node_number(node, "atol", result->atol);
  cli_node_number(node, "rtol", result->rtol);
  cli_node_count(node, "ulp", result->ulp);
  cli_node_integer(node, "not_finite", result->not_finite);
  cli_node_number(node, "max_abs", result->not_finite > 0 ? INFINITY : result->abs_max);
  cli_node_number(node, "mean_abs", result->abs_mean);
  cli_node_number(node, "median_abs", result->abs_p50);
  cli_node_number(node, "p90_abs", result->abs_p90);
  cli_node_number(node, "p99_abs", result->abs_p99);
  cli_node_number(node, "max_rel", result->not_finite > 0 ? INFINITY : result->max_rel);
  cli_node_integer(node, "max_ulp", result->ulp_max);
  cli_node_number(node, "cosine", result->cosine);
  cli_node_number(node, "snr", result->snr);
  cli_node_number(node, "psnr", result->psnr);
  cli_node_number(node, "l2", result->l2);
  cli_node_number(node, "rel_l2", result->rel_l2);
  cli_node_number(node, "max_rel_floored", result->max_rel_floored);
  if (!result->match)
    add_differences(node, result);
}

void cli_json_comparisons(cli_run *r, cli_node *model) {
  cli_node *list = cli_node_array(model, "compare");
  for (int64_t i = 0; i < r->n_outputs; i++) {
    irrun_io io = {.size = sizeof io};
    irrun_model_get_io(r->model, IRRUN_OUTPUTS, i, &io);
    if (r->expected[i].path == NULL)
      continue;
    cli_node *node = cli_node_object(list, NULL);
    cli_node_text(node, "name", io.name);
    cli_json_comparison(node, r->expected[i].path, &r->expected[i].comparison);
    if (r->expected[i].heatmap.is_written)
      cli_node_printable(node, "heatmap", r->expected[i].heatmap.path);
  }
}
