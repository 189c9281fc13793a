#include "run.h"
#include "sandbox.h"

#include <string.h>

#define HELP_COLUMN 28
#define LICENCE     "Apache-2.0"

const cli_help_texts cli_help = {
    .usage = "irrun [OPTION]... MODEL [--input [NAME=]FILE]...   run the model\n"
             "irrun --check-shapes [OPTION]... MODEL...          check it, infer shapes\n"
             "irrun --test [OPTION]... DIR|MODEL...              run and compare many\n"
             "irrun --bench [OPTION]... MODEL                    measure its time\n"
             "irrun --greedy=N [OPTION]... MODEL -i input_ids=1,2 continue ids by N\n"
             "irrun --convert OUT.xml [OPTION]... MODEL          write it as IR\n"
             "irrun --graph=FORM [OPTION]... MODEL               draw it\n"
             "irrun --diff=OTHER.xml [OPTION]... MODEL           compare two models\n"
             "irrun --cut=LAYER -o OUT.xml [OPTION]... MODEL     write a part of it\n"
             "irrun --list-ops[=PATTERN] | --list-rules | --explain=RULE|OP | --version\n",
    .about = "Reads, checks and runs models of OpenVINO IR and nGraph. MODEL is an .xml file\n"
             "with its .bin beside it, or a .json; '-' is stdin. A check accepts folders, and\n"
             "checks the models in them at any depth.\n",
    .examples = "irrun pool.xml --input x.npy                      run, print the results\n"
                "irrun pool.xml -i a=a.npy -i b=b.npy -o out.npz   name inputs, write outputs\n"
                "irrun pool.xml --fill random:7 -e golden.npz      compare with expected values\n"
                "irrun --check-shapes *.xml                        check many models, run none\n"
                "irrun --explain=IR304                             what a message means\n",
    .files = "irrun knows .npy and .npz by their first bytes; any other input is raw:\n"
             "little-endian, row-major, exactly the bytes of the input's type and shape. The\n"
             "suffix of an output chooses its form: .npy, .npz, .raw, .bin; DIR/ is a folder.\n"
             "'-' is stdin, or stdout as .npy; then reports go to stderr. irrun never writes\n"
             "an output over a file of --expect.\n"
             "NAME is a tensor's name, a layer's name or a number; it may have ':', '/', '='.\n"
             "Variables (ReadValue, Assign) start with their initial values in each process\n"
             "and in each run of --bench; --step and the library keep them from run to run.\n",
    .exit_statuses = "0 all good, 1 outputs differ from the expected ones, 2 wrong\n"
                     "command line, 3 the model breaks the spec, 4 irrun cannot run this model, 5 an\n"
                     "input tensor is wrong, in itself or for a layer, 6 a file or resource is\n"
                     "missing, 70 irrun has a bug.\n",
};

/* Prints the first line of `text` after `first`, and each further line after `indent`. */
static void print_lines(FILE *out, const char *first, const char *indent, const char *text) {
  for (const char *begin = first; *text != '\0'; begin = indent) {
    const size_t length = strcspn(text, "\n") + 1;
    fprintf(out, "%s%.*s", begin, (int)length, text);
    text += length;
  }
}

void cli_add_option_row(cli_string *string, const cli_option_row *row) {
  if (row->letter != '\0')
    cli_add(string, "-%c%s", row->letter, row->name != NULL ? ", " : "");
  if (row->name != NULL)
    cli_add(string, "--%s", row->name);
  if (row->optional)
    cli_add(string, "[=%s]", row->argument);
  else if (row->argument != NULL)
    cli_add(string, "%s%s", row->argument[0] == '[' ? " " : "=", row->argument);
}

/* Finds the newest opset in the op table. */
void cli_add_about(cli_string *string) {
  int last = 0;
  irrun_op op = {.size = sizeof op};
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    last = op.opset_last > last ? op.opset_last : last;
  cli_add(string,
          "%sIt checks the ops of opsets 1 to %d, and runs nearly all of them;\n"
          "--list-ops shows which ops are checked, and which are run.\n",
          cli_help.about, last);
}

void cli_print_help(FILE *out) {
  cli_string about = {0};
  cli_add_about(&about);
  print_lines(out, "Usage: ", "       ", cli_help.usage);
  fprintf(out, "%s\nExamples:\n", cli_text(&about));
  cli_reset(&about);
  print_lines(out, "  ", "  ", cli_help.examples);
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const cli_option_row *row = &cli_option_rows[i];
    cli_string names = {0};
    if (row->group != NULL)
      fprintf(out, "\n%s:\n", row->group);
    cli_add(&names, row->letter != '\0' ? "  " : "      ");
    cli_add_option_row(&names, row);
    if (names.length + 2 > HELP_COLUMN)
      fprintf(out, "%s\n%*s", cli_text(&names), HELP_COLUMN, "");
    else
      fprintf(out, "%-*s", HELP_COLUMN, cli_text(&names));
    cli_print_wrapped(out, HELP_COLUMN, row->help);
    cli_reset(&names);
  }
  fprintf(out, "\nFiles: %s\nExit status: %s", cli_help.files, cli_help.exit_statuses);
}

/* Copies the next line, "name version", and advances `*at`. Returns false at the end. */
static bool next_line(const char **at, cli_string *out_line) {
  size_t length = strcspn(*at, "\n");
  cli_clear(out_line);
  cli_add(out_line, "%.*s", (int)length, *at);
  *at += length + ((*at)[length] == '\n');
  return length > 0;
}

void cli_version_mode(cli *c) {
  cli_string libraries = {0}, line = {0}, sandbox = {0};
  cli_add(&libraries, "%scJSON %s", irrun_libraries(), cli_json_library_version());
  if (cli_heatmap_library_version() != NULL)
    cli_add(&libraries, "\nlibpng %s", cli_heatmap_library_version());
  if (irrun_fast_library() != NULL)
    cli_add(&libraries, "\n%s", irrun_fast_library());
  cli_add_sandbox(&sandbox);
  const char *at = cli_text(&libraries);
  if (c->json == NULL) {
    fprintf(c->results, "irrun %s\n", IRRUN_VERSION);
    while (next_line(&at, &line))
      fprintf(c->results, "  %s\n", cli_text(&line));
    if (irrun_fast_library() == NULL)
      fputs("  no module of oneDNN: convolutions and matrix products by irrun's own kernels\n", c->results);
    fprintf(c->results, "Sandbox: %s\n", cli_text(&sandbox));
    fputs("Licence " LICENCE "\n", c->results);
  } else {
    cli_node *list = cli_node_array(cli_json_root(c->json), "libraries");
    while (next_line(&at, &line))
      cli_node_text(list, NULL, cli_text(&line));
    cli_node_text(cli_json_root(c->json), "sandbox", cli_text(&sandbox));
    cli_node_text(cli_json_root(c->json), "licence", LICENCE);
  }
  cli_reset(&libraries);
  cli_reset(&line);
  cli_reset(&sandbox);
}
