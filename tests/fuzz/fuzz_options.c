/* Fuzz target: reads a command line, and binds its options to a model. Nothing is run or written. Input: the words of
 * the command line, one per line. */
#include "fuzz.h"

#include "unit/option_line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 24, MOST_BYTES = 4096 };

/* Splits the lines of `text` into words. Returns their number. */
static int split_words(char *text, char *words[MOST_WORDS + 2]) {
  int n = 0;
  words[n++] = (char *)"irrun";
  for (char *word; n <= MOST_WORDS && (word = strsep(&text, "\n")) != NULL;)
    words[n++] = word;
  words[n] = NULL;
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[MOST_BYTES + 1], *words[MOST_WORDS + 2];
  if (size > MOST_BYTES || memchr(data, 0, size) != NULL)
    return 0;
  if (fuzz_enter_folder())
    fuzz_write_file("m.xml", (irrun_buffer){fuzz_small_ir, strlen(fuzz_small_ir)});
  memcpy(text, data, size);
  text[size] = '\0';
  const int n = split_words(text, words);
  if (!option_line_forget())
    fuzz_fail("getopt does not end");
  cli c = {.context = irrun_context_create(NULL)};
  irrun_status status = cli_options_parse(c.context, n, words, &c.options);
  if (status == IRRUN_OK && c.options.mode == CLI_RUN)
    status = option_line_bind(&c, "m.xml");
  fuzz_judge(c.context, status);
  fuzz_count(status == IRRUN_OK);
  cli_options_reset(&c.options);
  irrun_context_free(c.context);
  return 0;
}

/* ---- the mutator: draws options from the table ---- */

static void draw_word(fuzz_rng *rng, char *out, size_t size) {
  static const char *const values[] = {"m.xml",     "x.npy",   "x=1,2",    "y=no.npy", "y=-",       "out.npy", "no/",
                                       "z=out.npz", "random",  "x=zeros",  "=ones",    "1,1,4,4",   "y=3,4",   "x=?",
                                       "1e-3",      "z=0",     "0.5s",     "IR310",    "IR102,",    "never",   "sarif",
                                       "out.xml",   "0=iota",  "f32[1,?]", "z=f32[]",  "rtol=1e-3", "max=1",   "2023.1",
                                       "openvino",  "l2=1e-3", "1GiB",     "30s"};
  const cli_option_row *row = &cli_option_rows[fuzz_below(rng, CLI_OPTION_COUNT)];
  const char *value = fuzz_one_in(rng, 4) ? fuzz_number(rng) : values[fuzz_below(rng, sizeof values / sizeof *values)];
  if (row->words != NULL && fuzz_one_in(rng, 2)) {
    const char *begin = row->words + fuzz_below(rng, strlen(row->words));
    while (begin > row->words && begin[-1] != ' ')
      begin--;
    snprintf(out, size, "--%s=%.*s\n", row->name, (int)strcspn(begin, " "), begin);
  } else if (row->name == NULL || row->argument == NULL || fuzz_one_in(rng, 6)) {
    snprintf(out, size, "--%s\n", row->name == NULL ? "h" : row->name);
  } else if (fuzz_one_in(rng, 6)) {
    snprintf(out, size, "%s\n", value);
  } else {
    snprintf(out, size, "--%s=%s\n", row->name, value);
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  char word[128];
  if (fuzz_one_in(&rng, 3))
    return LLVMFuzzerMutate(data, size, most);
  draw_word(&rng, word, sizeof word);
  const size_t n = strlen(word);
  if (size + n > most)
    return LLVMFuzzerMutate(data, size, most);
  /* puts the word in front of a line */
  size_t at = size == 0 ? 0 : fuzz_below(&rng, size);
  while (at > 0 && data[at - 1] != '\n')
    at--;
  memmove(data + at + n, data + at, size - at);
  memcpy(data + at, word, n);
  return size + n;
}
