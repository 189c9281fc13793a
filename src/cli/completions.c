/* Prints completions for bash, zsh and fish, which are made from the option table: names of options, their arguments,
 * rules, files. */
#include "generate.h"

#include <string.h>

#define RULES "irrun --list-rules 2>/dev/null | awk "
#define OPS                                                                                                            \
  "irrun --list-ops 2>/dev/null | awk " /* only the first row of an op has its name, at the second character */

typedef enum argument_kind { NO_ARGUMENT, WORDS, RULE, RULE_OR_OP, PATH, OTHER } argument_kind;

static argument_kind kind_of(const cli_option_row *row) {
  if (row->argument == NULL)
    return NO_ARGUMENT;
  if (row->words != NULL)
    return WORDS;
  if (strcmp(row->argument, "RULE") == 0)
    return RULE;
  if (strcmp(row->argument, "RULE|OP") == 0)
    return RULE_OR_OP;
  return strstr(row->argument, "FILE") != NULL || strstr(row->argument, ".xml") != NULL ? PATH : OTHER;
}

/* Prints text for use within single quotes. Replaces a single quote by `quote`, and puts a backslash before each
 * character in `escaped`. */
static void print_quoted(FILE *out, const char *text, const char *quote, const char *escaped) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputs(quote, out);
    else
      fprintf(out, strchr(escaped, *text) != NULL ? "\\%c" : "%c", *text);
  }
}

/* Prints a branch of `case $before` in the bash function. bash splits words at '='. Therefore $before is the option
 * before the current word, with a '=' if the user typed a '='. */
static void print_bash_case(FILE *out, const cli_option_row *row) {
  const argument_kind kind = kind_of(row);
  if (kind == NO_ARGUMENT)
    return;
  fputs("  ", out);
  if (!row->optional)
    fprintf(out, "--%s | ", row->name);
  if (row->letter != '\0')
    fprintf(out, "-%c | ", row->letter);
  fprintf(out, "--%s=)", row->name);
  if (kind == WORDS)
    fprintf(out, " COMPREPLY=($(compgen -W '%s' -- \"$word\"))", row->words);
  else if (kind == RULE)
    fputs(" COMPREPLY=($(compgen -W \"$(_irrun_rules)\" -- \"$word\"))", out);
  else if (kind == RULE_OR_OP)
    fputs(" COMPREPLY=($(compgen -W \"$(_irrun_rules; _irrun_ops)\" -- \"$word\"))", out);
  else if (kind == PATH)
    fputs(" COMPREPLY=($(compgen -f -- \"$word\"))", out);
  fputs(" ;;\n", out);
}

void cli_print_bash_completions(cli *c) {
  FILE *out = c->results;
  fputs("# bash completion of irrun, made by: irrun --generate=bash\n"
        "_irrun_rules() {\n"
        "  " RULES "'NR > 1 { print $1, $2 }'\n"
        "}\n"
        "_irrun_ops() {\n"
        "  " OPS "'/^ [A-Z]/ { print $1 }'\n"
        "}\n"
        "_irrun() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  if [[ $word == = ]]; then\n"
        "    word= before+==\n"
        "  elif [[ $before == = ]]; then\n"
        "    before=${COMP_WORDS[COMP_CWORD - 2]}=\n"
        "  fi\n"
        "  COMPREPLY=()\n"
        "  case $before in\n",
        out);
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    print_bash_case(out, &cli_option_rows[i]);
  fputs("  *)\n    if [[ $word == -* ]]; then\n      COMPREPLY=($(compgen -W '", out);
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const cli_option_row *row = &cli_option_rows[i];
    if (row->name != NULL)
      fprintf(out, "--%s ", row->name);
    if (row->letter != '\0')
      fprintf(out, "-%c ", row->letter);
  }
  fputs("' -- \"$word\"))\n"
        "    else\n"
        "      COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "    fi\n"
        "    ;;\n"
        "  esac\n"
        "}\n"
        "complete -o filenames -F _irrun irrun\n",
        out);
}

/* Prints an option as zsh's _arguments reads it: "-i+[help]:FILE:_files". */
static void print_zsh_spec(FILE *out, const cli_option_row *row, const char *name) {
  const argument_kind kind = kind_of(row);
  fprintf(out, "    '%s%s", row->repeat == CLI_REPEATS ? "*" : "", name);
  if (kind != NO_ARGUMENT)
    fputs(row->optional ? "=-" : name[1] == '-' ? "=" : "+", out);
  fputc('[', out);
  print_quoted(out, row->help, "'\\''", "[]:\\");
  fputc(']', out);
  if (kind != NO_ARGUMENT) {
    fputs(row->optional ? "::" : ":", out);
    print_quoted(out, row->argument, "'\\''", "[]:\\");
    fputc(':', out);
  }
  if (kind == WORDS)
    fprintf(out, "(%s)", row->words);
  else if (kind == RULE)
    fputs("_irrun_rules", out);
  else if (kind == RULE_OR_OP)
    fputs("_irrun_rules_and_ops", out);
  else if (kind == PATH)
    fputs("_files", out);
  fputs("' \\\n", out);
}

void cli_print_zsh_completions(cli *c) {
  FILE *out = c->results;
  fputs("#compdef irrun\n"
        "# zsh completion of irrun, made by: irrun --generate=zsh\n"
        "_irrun_rules() {\n"
        "  compadd -- $(" RULES "'NR > 1 { print $1, $2 }')\n"
        "}\n"
        "_irrun_rules_and_ops() {\n"
        "  compadd -- $(" RULES "'NR > 1 { print $1, $2 }') $(" OPS "'/^ [A-Z]/ { print $1 }')\n"
        "}\n"
        "_irrun() {\n"
        "  _arguments -s -S \\\n",
        out);
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const cli_option_row *row = &cli_option_rows[i];
    cli_string name = {0};
    if (row->letter != '\0') {
      cli_add(&name, "-%c", row->letter);
      print_zsh_spec(out, row, cli_text(&name));
      cli_clear(&name);
    }
    if (row->name != NULL) {
      cli_add(&name, "--%s", row->name);
      print_zsh_spec(out, row, cli_text(&name));
    }
    cli_reset(&name);
  }
  fputs("    '*:MODEL:_files'\n"
        "}\n"
        "if [[ $funcstack[1] == _irrun ]]; then\n"
        "  _irrun \"$@\"\n"
        "else\n"
        "  compdef _irrun irrun\n"
        "fi\n",
        out);
}

void cli_print_fish_completions(cli *c) {
  FILE *out = c->results;
  fputs("# fish completion of irrun, made by: irrun --generate=fish\n", out);
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const cli_option_row *row = &cli_option_rows[i];
    const argument_kind kind = kind_of(row);
    fputs("complete -c irrun", out);
    if (row->name != NULL)
      fprintf(out, " -l %s", row->name);
    if (row->letter != '\0')
      fprintf(out, " -s %c", row->letter);
    if (kind == WORDS)
      fprintf(out, " -x -a '%s'", row->words);
    else if (kind == RULE || kind == RULE_OR_OP)
      fputs(" -x -a '(" RULES "\"NR > 1 { print \\$1 \\\"\\\\t\\\" \\$2 }\")'", out);
    else if (kind == PATH)
      fputs(row->optional ? " -F" : " -r -F", out);
    else if (kind == OTHER && !row->optional)
      fputs(" -x", out);
    fputs(" -d '", out);
    print_quoted(out, row->help, "\\'", "\\");
    fputs("'\n", out);
    if (kind == RULE_OR_OP)
      fprintf(out, "complete -c irrun -l %s -x -a '(" OPS "\"/^ [A-Z]/ { print \\$1 }\")'\n", row->name);
  }
}
