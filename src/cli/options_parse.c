/* Parses the command line with getopt. */
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_CODE 1000 /* getopt's code for the long option of row 0; greater than every letter */

typedef struct getopt_tables {
  char letters[3 + 2 * CLI_OPTION_COUNT];
  struct option longs[CLI_OPTION_COUNT + 1];
} getopt_tables;

static void make_tables(getopt_tables *out_tables) {
  char *letter = out_tables->letters;
  struct option *option = out_tables->longs;
  *letter++ = '-'; /* makes getopt return operands in order, as code 1, even with POSIXLY_CORRECT */
  *letter++ = ':'; /* makes getopt return ':' for a missing argument, not '?' */
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const cli_option_row *row = &cli_option_rows[i];
    if (row->letter != '\0') {
      *letter++ = row->letter;
      if (row->argument != NULL)
        *letter++ = ':';
    }
    int argument = row->argument == NULL ? no_argument : row->optional ? optional_argument : required_argument;
    if (row->name != NULL)
      *option++ = (struct option){row->name, argument, NULL, LONG_CODE + i};
  }
  *letter = '\0';
  *option = (struct option){0};
}

/* Returns the row of the option with this getopt code; -1 if no option has the code. */
static int row_of(int code) {
  if (code >= LONG_CODE && code < LONG_CODE + CLI_OPTION_COUNT)
    return code - LONG_CODE;
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    if (code > 1 && cli_option_rows[i].letter == code)
      return i;
  return -1;
}

/* Adds the options whose names begin with `text`, or else the one whose name is near: "did you mean '--test'?". Adds
 * nothing if there is none. `modes`: only options that say what to do. */
static void add_guess(cli_string *hint, const char *text, bool modes) {
  const char *names[CLI_OPTION_COUNT];
  size_t n_names = 0;
  for (int i = 0; i < CLI_OPTION_COUNT; i++) {
    const char *known = cli_option_rows[i].name;
    if (known == NULL || (modes && cli_option_rows[i].mode == 0))
      continue;
    names[n_names++] = known;
    if (strncmp(known, text, strlen(text)) == 0 && *text != '\0')
      cli_add(hint, "%s'--%s'", hint->length > 0 ? " or " : "did you mean ", known);
  }
  const char *near = irrun_did_you_mean(text, names, n_names);
  if (hint->length == 0 && near != NULL)
    cli_add(hint, "did you mean '--%s'", near);
  if (hint->length > 0)
    cli_add(hint, "?");
}

/* Reports a first operand that is no file but names a thing to do, as in "irrun check MODEL". */
static void check_first_word(irrun_context *context, const cli_options *options) {
  const char *word = options->n_models > 0 ? options->models[0] : "";
  cli_string hint = {0};
  for (int i = 0; i < options->n_given; i++)
    if (cli_option_rows[options->given[i].option].mode != 0)
      return;
  if (strlen(word) < 3 || strspn(word, "abcdefghijklmnopqrstuvwxyz-") < strlen(word) || access(word, F_OK) == 0)
    return;
  if (strcmp(word, "run") == 0)
    cli_add(&hint, "leave it out: 'irrun MODEL' runs the model");
  else
    add_guess(&hint, word, true);
  if (hint.length > 0)
    cli_fault(context, "IR801", NULL, hint.text, "'%s' is no file; what to do is said by an option", word);
  cli_reset(&hint);
}

/* Reports an unknown or abbreviated option. irrun refuses abbreviations, because a new option could change their
 * meaning. */
static void unknown_option(irrun_context *context, const char *token) {
  const size_t length = strcspn(token, "=");
  char *name = cli_allocate(length + 1, 1);
  memcpy(name, token, length);
  cli_string hint = {0};
  add_guess(&hint, name + strspn(name, "-"), false);
  cli_fault(context, "IR801", NULL, hint.text, "unknown option '%s'", name);
  cli_reset(&hint);
  free(name);
}

static void refused_by_getopt(irrun_context *context, int code, char *const *argv) {
  int row = row_of(optopt);
  char name[40];
  if (code == ':' && row >= 0) {
    cli_option_name((cli_option)row, name, sizeof name);
    cli_fault(context, "IR801", NULL, row == CLI_OPTION_EXPLAIN ? "--list-rules lists all rules" : NULL,
              "option '%s' needs an argument: %s", name, cli_option_rows[row].argument);
  } else if (row >= 0) {
    cli_option_name((cli_option)row, name, sizeof name);
    cli_fault(context, "IR801", NULL, NULL, "option '%s' takes no argument", name);
  } else if (optopt != 0) {
    cli_fault(context, "IR801", NULL, NULL, "unknown option '-%c'", optopt);
  } else {
    unknown_option(context, argv[optind - 1]);
  }
}

/* Whether the token is a long name with one dash, "-input", which getopt would read as "-i nput". */
static bool is_long_name_with_one_dash(const char *token) {
  if (token == NULL || token[0] != '-' || token[1] == '-')
    return false;
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    if (cli_option_rows[i].name != NULL && strcmp(token + 1, cli_option_rows[i].name) == 0)
      return true;
  return false;
}

static bool is_abbreviated(int code, char *const *argv, const char **out_token) {
  *out_token = optarg != NULL && optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1];
  return code >= LONG_CODE && strcspn(*out_token, "=") != 2 + strlen(cli_option_rows[code - LONG_CODE].name);
}

/* Reports a token with a letter that is not ASCII, as one unknown option. getopt reports each byte of the letter: if
 * the token equals `last`, the token reported last, reports nothing. Returns the token. */
static const char *refused_whole(irrun_context *context, const char *token, const char *last) {
  if (token != last)
    unknown_option(context, token);
  return token;
}

static void read_arguments(irrun_context *context, int argc, char **argv, cli_options *options) {
  getopt_tables tables;
  make_tables(&tables);
  const char *split = NULL;
  opterr = 0;
  optind = 1;
  for (;;) {
    if (optind < argc && is_long_name_with_one_dash(argv[optind])) {
      unknown_option(context, argv[optind++]);
      continue;
    }
    optarg = NULL;
    const char *at = argv[optind];
    int code = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
    const char *token;
    if (code == -1)
      break;
    if (code == 1)
      options->models[options->n_models++] = optarg;
    else if (code == '?' && row_of(optopt) < 0 && (unsigned char)optopt >= 0x80)
      split = refused_whole(context, at, split);
    else if (code == '?' || code == ':')
      refused_by_getopt(context, code, argv);
    else if (is_abbreviated(code, argv, &token))
      unknown_option(context, token);
    else
      options->given[options->n_given++] = (cli_given){(cli_option)row_of(code), optarg};
  }
  while (optind < argc)
    options->models[options->n_models++] = argv[optind++];
}

/* Reads --json and --format again from a faulty command line. getopt can have taken --json for another option's
 * argument, but the user's program still expects JSON. */
static void find_lost_format(int argc, char *const *argv, cli_options *options) {
  static const char format[] = "--format=";
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      options->format = CLI_JSON;
    else if (strncmp(argv[i], format, sizeof format - 1) == 0)
      cli_parse_format(argv[i] + sizeof format - 1, &options->format);
}

irrun_status cli_options_parse(irrun_context *context, int argc, char **argv, cli_options *out_options) {
  *out_options = (cli_options){.max_errors = 50};
  /* a token of letters, such as "-qv", has an option for each letter */
  size_t most_given = 0;
  for (int i = 1; i < argc; i++)
    most_given += strlen(argv[i]);
  out_options->given = cli_allocate(most_given, sizeof *out_options->given);
  out_options->models = cli_allocate((size_t)argc, sizeof *out_options->models);
  read_arguments(context, argc, argv, out_options);
  check_first_word(context, out_options);
  if (irrun_context_worst(context) != IRRUN_OK)
    find_lost_format(argc, argv, out_options);
  out_options->mode = cli_options_usual_mode(out_options);
  cli_options_check(context, out_options);
  return irrun_context_worst(context);
}
