/* Fuzz target: runs the program, each of its modes, in this process. Input: a byte for the command, then the contents
 * of the command's file. */
#include "fuzz.h"

#define main irrun_main
#include "cli/main.c" /* NOLINT(bugprone-suspicious-include): main becomes a function of the target */
#undef main
#include "unit/option_line.h"

#include <stdio.h>

/* A command, and what its file is. */
typedef struct command {
  const char *words; /* separated by blanks; '@' stands for a name in the file */
  const char *file;  /* "m.xml": a model by fuzz_split. Another file is used with a model that has no fault */
} command;

#define RUN "--max-time=100ms --max-memory=64M --threads=1 m.xml "

/* Inputs choose a command by its index, so a new one goes to the end. */
static const command commands[] = {
    {"--check-shapes m.xml", "m.xml"},
    {"--check-shapes -v --strict m.xml", "m.xml"},
    {"--check-shapes --json m.xml", "m.xml"},
    {"--check-shapes --format=sarif --max-errors=3 m.xml", "m.xml"},
    {"--check-shapes --format=github -q m.xml", "m.xml"},
    {"--check-shapes --report=out.html m.xml", "m.xml"},
    {"--check-shapes --stats --save-all=out.npz m.xml", "m.xml"},
    {"--check-shapes --for=openvino-2022.1 --deny=IR309 m.xml", "m.xml"},
    {"--check-shapes --write-baseline=out.txt m.xml", "m.xml"},
    {"--check-shapes --embed-preprocess --shape=@=1,2,?,1..9 m.xml", "m.xml"},
    {"--check-shapes --assert-output=@=f32[1,?] --color=always m.xml", "m.xml"},
    {RUN "--fill=random:1 -v", "m.xml"},
    {RUN "--fill=random:1 --json --profile", "m.xml"},
    {RUN "--fill=iota --output=out.npz --output=@=out.raw", "m.xml"},
    {RUN "--fill=random:1 --save-all=out.npz --stats -v", "m.xml"},
    {RUN "--fill=random:1 --report=out.html", "m.xml"},
    {RUN "--fill=random:1 --profile=out.json --assert-finite", "m.xml"},
    {RUN "--fill=ones --step --fill=iota --save-state=out.npz", "m.xml"},
    {RUN "--input=@=1,2,3 --fill=random:1 --llm", "m.xml"},
    {RUN "--bench=2 --fill=random:1", "m.xml"},
    {RUN "--greedy=3 --input=input_ids=1,2", "m.xml"},
    {"--convert=out.xml m.xml", "m.xml"},
    {"--convert=out.xml --embed-preprocess --json m.xml", "m.xml"},
    {"--graph=dot m.xml", "m.xml"},
    {"--graph=mermaid --shape=@=1,2,3 m.xml", "m.xml"},
    {"--diff=other.xml m.xml", "m.xml"},
    {"--diff=m.xml --json other.xml", "m.xml"},
    {"--diff=m.xml --report=out.html -v m.xml", "m.xml"},
    {"--cut=@ --output=out.xml m.xml", "m.xml"},
    {"--cut=@..@ --output=out.xml --fill=random:1 --max-time=100ms --max-memory=64M m.xml", "m.xml"},
    {"--edit=@:_u8_nhwc_mean=127.5 --output=out.xml m.xml", "m.xml"},
    {"--edit=@:_shape=1,?,3 --edit=@:_f16 --output=out.xml m.xml", "m.xml"},
    {"--edit=@:_output --edit=@:_rename=new --dry-run --json m.xml", "m.xml"},
    {"--edit=@:_drop --edit=@:_batch=?_layout=nchw --output=out.xml m.xml", "m.xml"},
    {"--edit=model:_weights=int8_sym_compact_rt_info/a/b=c --output=out.xml m.xml", "m.xml"},
    {"--rt-info -v m.xml", "m.xml"},
    {"--rt-info --json m.xml", "m.xml"},
    {"--show-plan --max-memory=64M m.xml", "m.xml"},
    {"--show-plan=after:fuse --max-memory=64M --kernels=fast m.xml", "m.xml"},
    {"--show-plan=out.svg --max-memory=64M --json m.xml", "m.xml"},
    {"--test --max-time=100ms --max-memory=64M m.xml", "m.xml"},
    {"--test --max-time=100ms --json -v .", "irrun-test.json"},
    {"--test --list-cases .", "irrun-test.json"},
    {"--test --update --junit=out.junit.xml .", "irrun-test.json"},
    {"--check-shapes --baseline=known.txt m.xml", "known.txt"},
    {"--input=x=in.npy --fill=ones --cast --output=out.npy m.xml", "in.npy"},
    {"--fill=ones --expect=in.npz --isolate --json m.xml", "in.npz"},
    {"--fill=ones --load-state=in.npz m.xml", "in.npz"},
};

static const char *const outputs[] = {"out.html", "out.npz",       "out.raw", "out.npy", "out.txt",
                                      "out.json", "out.junit.xml", "out.xml", "out.bin", "out.svg"};

/* Writes the file of the command, and the model if that is another file. */
static void write_files(const command *c, const uint8_t *data, size_t size) {
  const irrun_buffer small = {fuzz_small_ir, strlen(fuzz_small_ir)};
  if (fuzz_enter_folder()) {
    fuzz_write_file("other.xml", small);
    if (freopen("/dev/null", "w", stdout) == NULL)
      fuzz_fail("cannot silence stdout");
  }
  fuzz_model model = {.text = small};
  if (strcmp(c->file, "m.xml") == 0)
    model = fuzz_split(data, size);
  else
    fuzz_write_file(c->file, (irrun_buffer){data, size});
  fuzz_write_file("m.xml", model.text);
  fuzz_write_file("m.bin", model.weights);
}

static void remove_files(const command *c) {
  if (strcmp(c->file, "m.xml") != 0)
    unlink(c->file);
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    unlink(outputs[i]);
}

enum { MOST_WORDS = 16, MOST_BYTES = 1024 };

/* Makes the words of a command: replaces '@' and, in --edit, '_' by a blank. Returns their number. */
static int make_words(const command *c, const uint8_t *data, size_t size, char text[MOST_BYTES],
                      char *words[MOST_WORDS]) {
  fuzz_rng rng = fuzz_seed_of(data, size);
  int n = 0;
  words[n++] = (char *)"irrun";
  words[n++] = (char *)"--no-sandbox"; /* a process cannot take back the rights that it gave up */
  words[n++] = text;
  for (const char *from = c->words; *from != '\0'; from++) {
    const bool is_edit = strncmp(words[n - 1], "--edit", 6) == 0;
    if (*from == ' ') {
      *text++ = '\0';
      words[n++] = text;
    } else if (*from == '@') {
      const irrun_buffer name = fuzz_draw_name(&rng, fuzz_split(data, size).text, "");
      memcpy(text, name.data, name.bytes);
      text += name.bytes;
    } else {
      *text++ = is_edit && *from == '_' ? ' ' : *from;
    }
  }
  *text = '\0';
  words[n] = NULL;
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[MOST_BYTES], *words[MOST_WORDS];
  cli_watch *watch = NULL;
  if (size == 0)
    return 0;
  const command *chosen = &commands[data[0] % (sizeof commands / sizeof *commands)];
  write_files(chosen, data + 1, size - 1);
  const int n = make_words(chosen, data + 1, size - 1, text, words);
  if (!option_line_forget())
    fuzz_fail("getopt does not end");
  cli c = {.context = irrun_context_create(NULL)};
  const irrun_status status = run_program(&c, n, words, &watch);
  fuzz_check_reports(c.context, status);
  fuzz_count(status == IRRUN_OK);
  if (status == IRRUN_OK && strcmp(chosen->file, "m.xml") == 0)
    fuzz_keep_run(data + 1, size - 1);
  irrun_context_free(c.context);
  remove_files(chosen);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  if (size == 0)
    return LLVMFuzzerMutate(data, size, most);
  if (fuzz_one_in(&rng, 4))
    data[0] = (uint8_t)fuzz_below(&rng, sizeof commands / sizeof *commands);
  const char *file = commands[data[0] % (sizeof commands / sizeof *commands)].file;
  if (strcmp(file, "m.xml") == 0)
    return 1 + fuzz_mutate_ir(data + 1, fuzz_take_run(data + 1, size - 1, most - 1, &rng), most - 1, seed);
  if (strcmp(file, "irrun-test.json") == 0)
    return 1 + fuzz_mutate_json(data + 1, size - 1, most - 1, seed);
  return 1 + LLVMFuzzerMutate(data + 1, size - 1, most - 1);
}
