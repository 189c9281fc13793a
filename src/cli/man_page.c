/* Prints the man page as roff, with the texts and the option table of --help. */
#include "generate.h"

#include <string.h>

/* Prints text for roff: escapes a '.' at the beginning of a line, backslashes, dashes and quotes. */
static void print_roff(FILE *out, const char *text) {
  bool begins = true;
  for (; *text != '\0'; begins = *text++ == '\n') {
    if (begins && *text == '.')
      fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '\'')
      fputs("\\(aq", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
  }
}

static void print_section(FILE *out, const char *heading, const char *text) {
  fprintf(out, ".SH %s\n", heading);
  print_roff(out, text);
}

/* Prints a section whose lines roff must not join. */
static void print_lines(FILE *out, const char *heading, const char *text) {
  fprintf(out, ".SH %s\n.nf\n", heading);
  print_roff(out, text);
  fputs(".fi\n", out);
}

static void print_option(FILE *out, const cli_option_row *row) {
  cli_string names = {0};
  cli_add_option_row(&names, row);
  if (row->group != NULL) {
    fputs(".SS ", out);
    print_roff(out, row->group);
    fputc('\n', out);
  }
  fputs(".TP\n.B ", out);
  print_roff(out, cli_text(&names));
  fputc('\n', out);
  print_roff(out, row->help);
  fputs(".\n", out);
  cli_reset(&names);
}

void cli_print_man_page(cli *c) {
  FILE *out = c->results;
  fprintf(out, ".TH IRRUN 1 \"\" \"irrun %s\" \"User Commands\"\n", IRRUN_VERSION);
  fputs(".SH NAME\nirrun \\- check and run OpenVINO IR models\n", out);
  print_lines(out, "SYNOPSIS", cli_help.usage);
  cli_string about = {0};
  cli_add_about(&about);
  print_section(out, "DESCRIPTION", cli_text(&about));
  cli_reset(&about);
  fputs(".SH OPTIONS\n", out);
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    print_option(out, &cli_option_rows[i]);
  print_section(out, "FILES", cli_help.files);
  print_section(out, "EXIT STATUS", cli_help.exit_statuses);
  print_lines(out, "EXAMPLES", cli_help.examples);
}
