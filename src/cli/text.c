#include "text.h"

#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define NAME_BYTES 240 /* maximum bytes of a name in a report, with the NUL */
#define LINE_WIDTH 80  /* columns of wrapped text */
#define PIPE_WIDTH 120 /* columns of a table if the output is no terminal */

static void (*clean_up)(void);
static const char *stdout_words, *stderr_words = "irrun: error: out of memory [IR703 out-of-memory]\n";

void cli_set_oom_report(const char *on_stdout, const char *on_stderr) {
  stdout_words = on_stdout;
  stderr_words = on_stderr;
}

void cli_set_clean_up(void (*function)(void)) {
  clean_up = function;
}

void cli_clean_up(void) {
  if (clean_up != NULL)
    clean_up();
}

void cli_out_of_memory(void) {
  cli_clean_up();
  if (stdout_words != NULL)
    fputs(stdout_words, stdout);
  else
    fputs(stderr_words, stderr);
  fflush(NULL);
  _Exit(IRRUN_IO);
}

void *cli_allocate(size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size ? size : 1);
  if (block == NULL)
    cli_out_of_memory();
  return block;
}

void *cli_with_room(void *items, size_t n, size_t *io_capacity, size_t size) {
  enum { FIRST = 16 };
  if (n < *io_capacity)
    return items;
  *io_capacity = n == 0 ? FIRST : 2 * n;
  void *more = cli_allocate(*io_capacity, size);
  if (n > 0)
    memcpy(more, items, n * size);
  free(items);
  return more;
}

void *cli_add_to_tree(void **tree, void *key, int (*compare)(const void *, const void *)) {
  void **found = tsearch(key, tree, compare);
  if (found != NULL)
    return *found;
  cli_out_of_memory();
}

int cli_compare_texts(const void *a, const void *b) {
  return strcmp(a, b);
}

static void keep(void *key) {
  (void)key;
}

void cli_free_tree(void *tree) {
  tdestroy(tree, keep);
}

static void reserve(cli_string *string, size_t more) {
  size_t needed = string->length + more + 1;
  if (needed <= string->capacity)
    return;
  size_t capacity = needed < 64 ? 64 : needed * 2;
  char *text = cli_allocate(capacity, 1);
  if (string->text != NULL)
    memcpy(text, string->text, string->length);
  free(string->text);
  string->text = text;
  string->capacity = capacity;
}

static void add_list(cli_string *string, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length > 0) {
    reserve(string, (size_t)length);
    vsnprintf(string->text + string->length, (size_t)length + 1, format, again);
    string->length += (size_t)length;
  }
  va_end(again);
}

void cli_add(cli_string *string, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_list(string, format, arguments);
  va_end(arguments);
}

const char *cli_text(const cli_string *string) {
  return string->text != NULL ? string->text : "";
}

void cli_clear(cli_string *string) {
  string->length = 0;
  if (string->text != NULL)
    string->text[0] = '\0';
}

void cli_reset(cli_string *string) {
  free(string->text);
  *string = (cli_string){0};
}

/* Returns the bytes of the blanks with which the text begins. */
static size_t count_blanks(const char *text) {
  const char *end = text, *next = text;
  for (uint32_t c; (c = cli_next_character(&next)) == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
                   c == 0x202f || c == 0x205f || c == 0x3000;)
    end = next;
  return (size_t)(end - text);
}

/* GitHub obeys a line of a log that begins with "::", also after blanks. So a text that does so begins with "\x3a:". */
static void add_shown(cli_string *string, const char *shown) {
  const size_t blanks = count_blanks(shown);
  const bool is_command = strncmp(shown + blanks, "::", 2) == 0;
  cli_add(string, "%.*s%s%s", (int)blanks, shown, is_command ? "\\x3a" : "", shown + blanks + is_command);
}

void cli_add_name(cli_string *string, const char *name) {
  char printable[NAME_BYTES];
  add_shown(string, irrun_printable(name, printable, sizeof printable));
}

void cli_add_printable(cli_string *string, const char *text) {
  const size_t size = strlen(text) * 4 + 1;
  char *printable = cli_allocate(size, 1);
  add_shown(string, irrun_printable(text, printable, size));
  free(printable);
}

void cli_add_layer_name(cli_string *string, const char *const *inside, int n_inside, const char *between,
                        const char *name) {
  for (int i = 0; i < n_inside; i++) {
    cli_add_name(string, inside[i]);
    cli_add(string, "%s", between);
  }
  cli_add_name(string, name);
}

void cli_add_layer_path(cli_string *string, const irrun_layer *layer) {
  cli_add_layer_name(string, layer->inside, layer->n_inside, CLI_INSIDE, layer->name);
}

static void add_quoted(cli_string *string, const char *text) {
  char printable[NAME_BYTES];
  irrun_printable(text, printable, sizeof printable);
  for (const char *at = printable; *at != '\0'; at++) {
    if (*at == '\'')
      cli_add(string, "'\\''");
    else
      cli_add(string, "%c", *at);
  }
}

void cli_add_word(cli_string *string, const char *text) {
  const char *plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+:,@";
  if (*text != '\0' && text[strspn(text, plain)] == '\0') {
    cli_add_name(string, text);
    return;
  }
  cli_add(string, "'");
  add_quoted(string, text);
  cli_add(string, "'");
}

void cli_add_option(cli_string *string, const char *option, const char *name, const char *argument) {
  if (name == NULL) {
    cli_add(string, "%s ", option);
    cli_add_word(string, argument);
    return;
  }
  cli_add(string, "%s '", option);
  add_quoted(string, name);
  cli_add(string, "=");
  add_quoted(string, argument);
  cli_add(string, "'");
}

void cli_add_typed_shape(cli_string *string, irrun_element_type type, const irrun_shape *shape) {
  char text[IRRUN_SHAPE_TEXT];
  cli_add(string, "%s%s", type != IRRUN_DYNAMIC ? irrun_type_name(type) : "?",
          irrun_shape_text(shape, text, sizeof text));
}

void cli_add_plan_tensor(cli_string *string, const irrun_plan_tensor *tensor) {
  cli_add_typed_shape(string, tensor->type, &tensor->shape);
  cli_add(string, "%s%s%s", tensor->has_channels_last ? " channels last" : "", tensor->is_view ? " view" : "",
          tensor->is_constant ? " constant" : "");
}

void cli_add_value(cli_string *string, const irrun_value *value) {
  if (value->known)
    cli_add_typed_shape(string, value->type, &value->shape);
  else
    cli_add(string, "?");
}

void cli_add_index(cli_string *string, const int64_t *index, int rank) {
  cli_add(string, "[");
  for (int axis = 0; axis < rank; axis++)
    cli_add(string, "%s%lld", axis > 0 ? "," : "", (long long)index[axis]);
  cli_add(string, "]");
}

void cli_add_tensor(cli_string *string, const irrun_tensor *tensor) {
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  cli_add(string, "%s", irrun_type_name(info.type));
  cli_add_index(string, info.dims, info.rank);
}

void cli_add_number(cli_string *string, double number) {
  if (isnan(number))
    cli_add(string, "nan");
  else if (number == floor(number) && fabs(number) < 1e15)
    cli_add(string, "%.0f", number == 0 ? 0.0 : number);
  else
    cli_add(string, "%.6g", number);
}

void cli_add_statistics(cli_string *string, const irrun_tensor *tensor) {
  const irrun_statistics statistics = irrun_tensor_statistics(tensor);
  const char *const names[] = {"min", "mean", "max"};
  const double numbers[] = {statistics.min, statistics.mean, statistics.max};
  for (int i = 0; i < 3 && statistics.finite > 0; i++) {
    cli_add(string, "  %s ", names[i]);
    cli_add_number(string, numbers[i]);
  }
  if (statistics.nans > 0)
    cli_add(string, "  nan %lld", (long long)statistics.nans);
  if (statistics.infinities > statistics.negative_infinities)
    cli_add(string, "  inf %lld", (long long)(statistics.infinities - statistics.negative_infinities));
  if (statistics.negative_infinities > 0)
    cli_add(string, "  -inf %lld", (long long)statistics.negative_infinities);
}

static void add_scaled(cli_string *string, double number, const char *const *units, int n_units) {
  int at = 0;
  while (at + 1 < n_units && number >= 999.5) {
    number /= 1000;
    at++;
  }
  const int decimals = at == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  cli_add(string, "%.*f %s", decimals, number, units[at]);
}

void cli_add_time(cli_string *string, double ns) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  add_scaled(string, ns, units, 4);
}

void cli_add_bytes(cli_string *string, double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  add_scaled(string, bytes, units, 5);
}

void cli_add_difference(cli_string *string, double number) {
  bool plain = number == 0 || (number >= 1e-3 && number < 1e6);
  cli_add(string, plain || !isfinite(number) ? "%.4g" : "%.1e", number);
}

void cli_add_rounded_up(cli_string *string, double number) {
  char text[40];
  int high = 0, low = 0, exponent = 0;
  snprintf(text, sizeof text, "%.1e", number);
  if (number <= 0 || !isfinite(number) || sscanf(text, "%1d.%1de%d", &high, &low, &exponent) != 3) {
    cli_add_number(string, number);
    return;
  }
  int digits = high * 10 + low;
  if (strtod(text, NULL) < number && ++digits == 100) {
    digits = 10;
    exponent++;
  }
  int decimals = exponent < 1 ? 1 - exponent : 0;
  if (decimals > 0 && digits % 10 == 0)
    decimals--;
  if (exponent >= -3 && exponent <= 5)
    cli_add(string, "%.*f", decimals, digits * pow(10, exponent - 1));
  else
    cli_add(string, "%d.%de%+03d", digits / 10, digits % 10, exponent);
}

void cli_add_count(cli_string *string, int64_t count, const char *noun) {
  cli_add(string, "%lld %s%s", (long long)count, noun, count == 1 ? "" : "s");
}

irrun_status cli_fault(irrun_context *context, const char *rule, const char *file, const char *hint, const char *format,
                       ...) {
  cli_string message = {0};
  va_list arguments;
  va_start(arguments, format);
  add_list(&message, format, arguments);
  va_end(arguments);
  irrun_status status = irrun_context_report(context, rule, file, cli_text(&message), hint);
  cli_reset(&message);
  return status;
}

void cli_print_wrapped(FILE *out, int indent, const char *text) {
  int column = indent;
  while (*text != '\0') {
    size_t bytes = strcspn(text, " \n"), blanks = strspn(text + bytes, " ");
    int width = (int)bytes;
    bool begins_line = column == indent;
    if (!begins_line && column + 1 + width > LINE_WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
      begins_line = true;
    }
    fprintf(out, "%s%.*s", begins_line ? "" : " ", (int)bytes, text);
    column += width + !begins_line;
    text += bytes + blanks;
    if (*text == '\n') {
      text++;
      fprintf(out, "\n%*s", *text != '\0' ? indent : 0, "");
      column = indent;
    }
  }
  fputc('\n', out);
}

uint32_t cli_next_character(const char **text) {
  const unsigned char *at = (const unsigned char *)*text;
  int more = at[0] >= 0xf8 ? 0 : at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : at[0] >= 0xc0 ? 1 : 0;
  if (at[0] == 0)
    return 0;
  uint32_t character = more == 0 ? at[0] : at[0] & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      more = 0;
      character = at[0];
      break;
    }
    character = character << 6 | (at[i] & 0x3fu);
  }
  *text += more + 1;
  return character;
}

/* Looks up the Unicode blocks whose characters have a width other than 1. libc's wcwidth would need a locale. */
int cli_character_width(uint32_t character) {
  static const struct {
    uint32_t first, last;
    int width;
  } blocks[] = {
      {0x300, 0x36f, 0},   {0x200b, 0x200f, 0}, {0x202a, 0x202e, 0},   {0x20d0, 0x20f0, 0},   {0xfe00, 0xfe0f, 0},
      {0x1100, 0x115f, 2}, {0x2e80, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},
      {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
  };
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    if (character >= blocks[i].first && character <= blocks[i].last)
      return blocks[i].width;
  return 1;
}

int cli_width(const char *text) {
  int width = 0;
  for (uint32_t character; (character = cli_next_character(&text)) != 0;)
    width += cli_character_width(character);
  return width;
}

int cli_line_width(FILE *out) {
  struct winsize size;
  return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : PIPE_WIDTH;
}

/* Returns the length in bytes of the longest prefix that is at most `width` columns wide. */
static size_t fitting_bytes(const char *text, int width) {
  const char *end = text, *next = text;
  for (uint32_t character; (character = cli_next_character(&next)) != 0; end = next) {
    width -= cli_character_width(character);
    if (width < 0)
      break;
  }
  return (size_t)(end - text);
}

void cli_cut_middle(cli_string *string, int width) {
  static const char dots[] = "...";
  const int whole = cli_width(cli_text(string)), kept = width - cli_width(dots);
  if (whole <= width || kept < 0)
    return;
  cli_string cut = {0};
  const char *text = cli_text(string), *tail = text;
  for (int left = whole; left > kept - kept / 2;)
    left -= cli_character_width(cli_next_character(&tail));
  cli_add(&cut, "%.*s%s%s", (int)fitting_bytes(text, kept / 2), text, dots, tail);
  cli_reset(string);
  *string = cut;
}

void cli_cut_list(cli_string *string, int width) {
  static const char separator[] = ", ", dots[] = "... (";
  const char *text = cli_text(string), *last = text;
  if (cli_width(text) <= width)
    return;
  int n_items = 1;
  for (const char *at; (at = strstr(last, separator)) != NULL; n_items++)
    last = at + strlen(separator);
  if (n_items == 1)
    return;
  cli_string number = {0}, cut = {0};
  if (strncmp(last, dots, strlen(dots)) == 0) /* shortened before: keep its number of items */
    cli_add(&number, "%s", last);
  else
    cli_add(&number, "%s%d)", dots, n_items);
  const size_t room = fitting_bytes(text, width - cli_width(cli_text(&number)));
  size_t kept = 0; /* bytes of the kept items, with their separators */
  for (const char *at; (at = strstr(text + kept, separator)) != NULL;) {
    size_t end = (size_t)(at - text) + strlen(separator);
    if (kept > 0 && end > room)
      break;
    kept = end;
  }
  cli_add(&cut, "%.*s%s", (int)kept, text, cli_text(&number));
  cli_reset(&number);
  cli_reset(string);
  *string = cut;
}

const char *cli_paint(bool color, cli_style style) {
  static const char *const codes[] = {
      [CLI_PLAIN] = "\033[0m",  [CLI_BOLD] = "\033[1m",       [CLI_RED] = "\033[1;31m",
      [CLI_GREEN] = "\033[32m", [CLI_MAGENTA] = "\033[1;35m", [CLI_CYAN] = "\033[1;36m",
  };
  return color ? codes[style] : "";
}

bool cli_ends_in(const char *path, const char *suffix) {
  const size_t length = strlen(path), n = strlen(suffix);
  return length > n && strcmp(path + length - n, suffix) == 0;
}
