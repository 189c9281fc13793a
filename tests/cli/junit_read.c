/* junit_read FILE: reads a JUnit XML file as a CI system does. Prints a line for each test: its state, the type of
 * its fault, its name, and the message. Fails if the file's totals differ from its tests, or if an element is
 * unknown. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct totals {
  int tests, failures, errors;
} totals;

static const char *attribute(xmlNode *node, const char *name) {
  const xmlAttr *found = xmlHasProp(node, (const xmlChar *)name);
  if (found == NULL || found->children == NULL) {
    fprintf(stderr, "<%s> has no %s\n", (const char *)node->name, name);
    exit(1);
  }
  return (const char *)found->children->content;
}

static bool is_named(const xmlNode *node, const char *name) {
  return strcmp((const char *)node->name, name) == 0;
}

static void expect_name(const xmlNode *node, const char *name) {
  if (node != NULL && is_named(node, name))
    return;
  fprintf(stderr, "found <%s>, expected <%s>\n", node != NULL ? (const char *)node->name : "", name);
  exit(1);
}

static void read_case(xmlNode *node, totals *count) {
  xmlNode *fault = xmlFirstElementChild(node);
  expect_name(node, "testcase");
  (void)attribute(node, "classname");
  if (strtod(attribute(node, "time"), NULL) < 0)
    exit(1);
  count->tests++;
  if (fault == NULL) {
    printf("passed %s\n", attribute(node, "name"));
    return;
  }
  const bool is_failure = is_named(fault, "failure");
  if (!is_failure)
    expect_name(fault, "error");
  count->failures += is_failure;
  count->errors += !is_failure;
  printf("%s %s %s: %s\n", (const char *)fault->name, attribute(fault, "type"), attribute(node, "name"),
         attribute(fault, "message"));
}

static void check_counts(xmlNode *node, const totals *count) {
  if (atoi(attribute(node, "tests")) == count->tests && atoi(attribute(node, "failures")) == count->failures &&
      atoi(attribute(node, "errors")) == count->errors)
    return;
  fprintf(stderr, "<%s> counts otherwise\n", (const char *)node->name);
  exit(1);
}

int main(int argc, char **argv) {
  xmlDoc *document = argc == 2 ? xmlReadFile(argv[1], NULL, XML_PARSE_NONET) : NULL;
  if (document == NULL)
    return 1;
  xmlNode *suites = xmlDocGetRootElement(document), *suite = xmlFirstElementChild(suites);
  totals count = {0};
  expect_name(suites, "testsuites");
  expect_name(suite, "testsuite");
  for (xmlNode *node = xmlFirstElementChild(suite); node != NULL; node = xmlNextElementSibling(node))
    read_case(node, &count);
  check_counts(suites, &count);
  check_counts(suite, &count);
  xmlFreeDoc(document);
  return 0;
}
