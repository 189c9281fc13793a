/* Builds and prints text: growing strings, printable names, numbers, display widths, colours. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "irrun_debug.h"
#include "irrun_program.h"

#include <stdio.h>

/* Allocates zeroed memory; calls cli_out_of_memory on failure. */
void *cli_allocate(size_t count, size_t size);
/* Returns `items`, which has n items of `size` bytes, with room for one more. If there is none, allocates twice the
 * room and frees the old items. */
void *cli_with_room(void *items, size_t n, size_t *io_capacity, size_t size);
/* Adds the key to a tree of tsearch. Returns the key that the tree has: an equal one that was there before, or `key`.
 * Calls cli_out_of_memory on failure. */
void *cli_add_to_tree(void **tree, void *key, int (*compare)(const void *, const void *));
/* Compares keys that are texts. */
int cli_compare_texts(const void *a, const void *b);
/* Frees a tree without its keys. */
void cli_free_tree(void *tree);
/* Ends the program with status 6 and the out-of-memory report. */
_Noreturn void cli_out_of_memory(void);
/* Sets what has to be done before the program ends early, such as the removal of temporary files; NULL: nothing.
 * cli_clean_up does it, for cli_out_of_memory and handlers of signals: `function` makes only calls that POSIX allows
 * there. */
void cli_set_clean_up(void (*function)(void));
void cli_clean_up(void);
/* Sets the out-of-memory report: `on_stdout`, a whole JSON document. If `on_stdout` is NULL, the report is the line
 * `on_stderr`. Both texts have to stay valid. */
void cli_set_oom_report(const char *on_stdout, const char *on_stderr);

/* A growing string. A zeroed struct is an empty string whose `text` is NULL. */
typedef struct cli_string {
  char *text;
  size_t length, capacity;
} cli_string;

void cli_add(cli_string *string, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a name that a file contains: escapes control characters, cuts a long name, and makes no name a command to the
 * log of a workflow. */
void cli_add_name(cli_string *string, const char *name);
/* Does the same for a text, at full length. */
void cli_add_printable(cli_string *string, const char *text);
/* Adds a layer's nesting path and name, separated by `between`; with CLI_INSIDE: "loop > add". */
#define CLI_INSIDE " > "
void cli_add_layer_name(cli_string *string, const char *const *inside, int n_inside, const char *between,
                        const char *name);
/* Adds the layer's nesting path and name, "loop > add". */
void cli_add_layer_path(cli_string *string, const irrun_layer *layer);
/* Adds a word of a shell command, quoted if necessary. */
void cli_add_word(cli_string *string, const char *text);
/* Adds an option with its argument, quoted for the shell: "--input 'x=FILE'". If `name` is NULL: "--input FILE". */
void cli_add_option(cli_string *string, const char *option, const char *name, const char *argument);
/* Adds a value's type and shape, "f32[1,3,32,32]", or "?" if inference does not know them. */
void cli_add_value(cli_string *string, const irrun_value *value);
void cli_add_typed_shape(cli_string *string, irrun_element_type type, const irrun_shape *shape);
void cli_add_tensor(cli_string *string, const irrun_tensor *tensor);
/* Adds type, shape and properties of a plan's tensor: "f32[1,8,4,4] channels last view". */
void cli_add_plan_tensor(cli_string *string, const irrun_plan_tensor *tensor);
/* Adds statistics of the elements: "  min 0  mean 0.5  max 1  nan 2". Omits counts of 0, and the range if no element is
 * finite. */
void cli_add_statistics(cli_string *string, const irrun_tensor *tensor);
/* Adds an element's index: "[0,2,15,7]". */
void cli_add_index(cli_string *string, const int64_t *index, int rank);
/* Adds an integer below 1e15 with all digits, any other number with 6 significant digits. */
void cli_add_number(cli_string *string, double number);
/* Adds a time with up to three significant digits: "12.3 us". */
void cli_add_time(cli_string *string, double ns);
/* Adds a size with up to three significant digits, in powers of 1000: "12.3 MB". */
void cli_add_bytes(cli_string *string, double bytes);
/* Adds the absolute difference of two elements: "0.25", "1.3e-07". */
void cli_add_difference(cli_string *string, double number);
/* Adds `number` rounded up to two significant digits: the printed number is at least `number`. */
void cli_add_rounded_up(cli_string *string, double number);
/* Returns the text; "" for an empty string, never NULL. */
const char *cli_text(const cli_string *string);
void cli_clear(cli_string *string);
void cli_reset(cli_string *string);

/* Whether `path` ends in `suffix` and is longer than `suffix`. */
bool cli_ends_in(const char *path, const char *suffix);

/* Adds a count and its noun: "1 error", "2 errors". */
void cli_add_count(cli_string *string, int64_t count, const char *noun);

/* Prints `text` and a newline, wrapped at 80 columns. Indents each line by `indent` columns; the caller has already
 * indented the first line. Keeps the line breaks of `text`. */
void cli_print_wrapped(FILE *out, int indent, const char *text);

/* Reports a fault of the command line, or of a file that the command line names. `hint` may be NULL. */
irrun_status cli_fault(irrun_context *context, const char *rule, const char *file, const char *hint, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));

/* Decodes one UTF-8 code point and advances `*text`. Returns an invalid byte unchanged, and 0 at the end. */
uint32_t cli_next_character(const char **text);
/* Returns the character's width in terminal columns: 0, 1 or 2. */
int cli_character_width(uint32_t character);
int cli_width(const char *text);
#define CLI_ANY_WIDTH 1000000000 /* width in columns at which no text is cut */
/* Returns the number of columns of the terminal `out`, or 120 if `out` is no terminal. */
int cli_line_width(FILE *out);
/* Shortens text wider than `width` columns in its middle: "model.22.cv2...conv/Conv". */
void cli_cut_middle(cli_string *string, int width);
/* Shortens a list of items separated by ", " if the list is wider than `width` columns. Keeps the first item and as
 * many whole items as fit. Appends the number of all items: "f32[1,64,8,8], ... (3)". */
void cli_cut_list(cli_string *string, int width);

typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_RED, CLI_GREEN, CLI_MAGENTA, CLI_CYAN } cli_style;
/* Returns the terminal's escape sequence for a style, or "" if `color` is false. CLI_PLAIN ends a style. */
const char *cli_paint(bool color, cli_style style);

#endif
