/* --generate: prints the man page, completions for shells, and pages of ops and rules. */
#include "generate.h"

#include <string.h>

typedef struct generator {
  const char *kind;
  void (*print)(cli *c);
} generator;

static const generator generators[] = {
    {"man", cli_print_man_page},          {"bash", cli_print_bash_completions}, {"zsh", cli_print_zsh_completions},
    {"fish", cli_print_fish_completions}, {"ops", cli_print_op_pages},          {"rules", cli_print_rule_pages},
    {"edits", cli_print_edit_words},
};

irrun_status cli_generate_mode(cli *c) {
  int at = 0;
  const char *kind = cli_options_next(&c->options, CLI_OPTION_GENERATE, &at);
  for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
    if (strcmp(kind, generators[i].kind) == 0) {
      generators[i].print(c);
      return IRRUN_OK;
    }
  return cli_fault(c->context, "IR801", NULL, NULL, "'--generate=%s': needs one of %s", kind,
                   cli_option_rows[CLI_OPTION_GENERATE].words);
}
