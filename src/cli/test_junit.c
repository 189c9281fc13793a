/* Writes the results of --test as JUnit XML for CI systems: one suite, with a <testcase> for each case. */
#include "test.h"

/* Adds text as XML. Control characters become escapes such as \x1b, as in diagnostics, because XML 1.0 forbids control
 * characters. */
static void add_escaped(cli_string *xml, const char *text) {
  cli_string printable = {0};
  cli_add_printable(&printable, text);
  for (const char *at = cli_text(&printable); *at != '\0'; at++) {
    switch (*at) {
    case '&':
      cli_add(xml, "&amp;");
      break;
    case '<':
      cli_add(xml, "&lt;");
      break;
    case '>':
      cli_add(xml, "&gt;");
      break;
    case '"':
      cli_add(xml, "&quot;");
      break;
    default:
      cli_add(xml, "%c", *at);
    }
  }
  cli_reset(&printable);
}

static void add_attribute(cli_string *xml, const char *name, const char *text) {
  cli_add(xml, " %s=\"", name);
  add_escaped(xml, text);
  cli_add(xml, "\"");
}

static void add_case(cli_string *xml, const cli_case *test) {
  cli_add(xml, "    <testcase");
  add_attribute(xml, "classname", test->model);
  add_attribute(xml, "name", test->name);
  cli_add(xml, " time=\"%.6f\"", test->seconds);
  if (test->status == IRRUN_OK) {
    cli_add(xml, "/>\n");
    return;
  }
  const char *element = test->differs ? "failure" : "error";
  cli_add(xml, ">\n      <%s", element);
  add_attribute(xml, "type", test->rule);
  add_attribute(xml, "message", cli_text(&test->fault));
  cli_add(xml, "/>\n    </testcase>\n");
}

irrun_status cli_write_junit(cli *c, const cli_cases *cases, const char *path) {
  int64_t n_differ = 0, n_errors = 0;
  double seconds = 0;
  cli_string xml = {0}, counts = {0};
  for (int64_t i = 0; i < cases->n; i++) {
    const cli_case *test = &cases->items[i];
    n_differ += test->differs;
    n_errors += test->status != IRRUN_OK && !test->differs;
    seconds += test->seconds;
  }
  cli_add(&counts, "name=\"irrun\" tests=\"%lld\" failures=\"%lld\" errors=\"%lld\" time=\"%.6f\"", (long long)cases->n,
          (long long)n_differ, (long long)n_errors, seconds);
  cli_add(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite %s>\n", cli_text(&counts),
          cli_text(&counts));
  for (int64_t i = 0; i < cases->n; i++)
    add_case(&xml, &cases->items[i]);
  cli_add(&xml, "  </testsuite>\n</testsuites>\n");
  irrun_status status = irrun_text_write(c->context, cli_text(&xml), path);
  cli_reset(&xml);
  cli_reset(&counts);
  return status;
}
