/* Text utilities: growing strings, printable names, numbers, display widths, colours. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "irrun_debug.h"
#include "irrun_program.h"

#include <stdio.h>

/* Allocates zeroed memory; calls cli_out_of_memory on failure. */
void *cli_allocate(size_t count, size_t size);
/* Ends the program with status 6 and the out-of-memory report. */
_Noreturn void cli_out_of_memory(void);
/* Sets the out-of-memory report: `on_stdout`, a whole JSON document, or else one line on stderr. */
void cli_set_oom_report(const char *on_stdout, const char *on_stderr);

/* A growing string. A zeroed struct is empty; its `text` is NULL. */
typedef struct cli_string {
  char *text;
  size_t length, capacity;
} cli_string;

void cli_add(cli_string *string, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a name from a file: control characters are escaped, long names are cut. */
void cli_add_name(cli_string *string, const char *name);
/* Adds such a name uncut. */
void cli_add_printable(cli_string *string, const char *text);
/* Adds a layer's name after its nesting path: "loop > add", or with another separator. */
#define CLI_INSIDE " > "
void cli_add_layer_name(cli_string *string, const char *const *inside, int n_inside, const char *between,
                        const char *name);
/* Adds a word of a shell command, quoted if necessary. */
void cli_add_word(cli_string *string, const char *text);
/* Adds "--input 'x=FILE'", quoted for the shell. `name` may be NULL: "--input FILE". */
void cli_add_option(cli_string *string, const char *option, const char *name, const char *argument);
/* Adds "f32[1,3,32,32]", or "?" if it is unknown. */
void cli_add_value(cli_string *string, const irrun_value *value);
void cli_add_typed_shape(cli_string *string, irrun_element_type type, const irrun_shape *shape);
void cli_add_tensor(cli_string *string, const irrun_tensor *tensor);
/* Adds "f32[1,8,4,4] channels last view". */
void cli_add_plan_tensor(cli_string *string, const irrun_plan_tensor *tensor);
/* Adds the known ones of "  min 0  mean 0.5  max 1  nan 2". */
void cli_add_statistics(cli_string *string, const irrun_tensor *tensor);
/* Adds "[0,2,15,7]". */
void cli_add_index(cli_string *string, const int64_t *index, int rank);
/* Adds an integer in full, another number with 6 digits. */
void cli_add_number(cli_string *string, double number);
/* Adds "12.3 us", with three digits. */
void cli_add_time(cli_string *string, double ns);
/* Adds "12.3 MB", with three digits, in powers of 1000. */
void cli_add_bytes(cli_string *string, double bytes);
/* Adds the size of a difference: 0.25, 1.3e-07. */
void cli_add_difference(cli_string *string, double number);
/* Adds two digits, the last one rounded up, so that the printed number is at least `number`. */
void cli_add_rounded_up(cli_string *string, double number);
/* The text; "" if it is empty, never NULL. */
const char *cli_text(const cli_string *string);
void cli_clear(cli_string *string);
void cli_reset(cli_string *string);

/* Whether `path` ends in `suffix` and is longer than it. */
bool cli_ends_in(const char *path, const char *suffix);

/* Adds "1 error", "2 errors". */
void cli_add_count(cli_string *string, int64_t count, const char *noun);

/* Prints words and a newline, wrapped between column `indent` and the line's end; the first line has its indent
 * already. Line breaks in the text stay. */
void cli_print_wrapped(FILE *out, int indent, const char *text);

/* Reports a fault of the command line or of a file named there. `hint` may be NULL. */
irrun_status cli_fault(irrun_context *context, const char *rule, const char *file, const char *hint, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));

/* Decodes one code point and advances `*text`; a byte that is not UTF-8 gives its own value. 0 at the end. */
uint32_t cli_next_character(const char **text);
/* Width of the character in terminal columns: 0, 1 or 2. */
int cli_character_width(uint32_t character);
int cli_width(const char *text);
#define CLI_ANY_WIDTH 1000000000 /* columns: never cut */
/* Columns of the terminal of `out`; 120 if it is none. */
int cli_line_width(FILE *out);
/* Cuts text wider than `width` columns in the middle: "model.22.cv2...conv/Conv". */
void cli_cut_middle(cli_string *string, int width);
/* Cuts a list wider than `width`, whose items ", " separates: keeps the first item and as many whole ones as fit, and
 * appends the number of all: "f32[1,64,8,8], ... (3)". */
void cli_cut_list(cli_string *string, int width);

typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_RED, CLI_GREEN, CLI_MAGENTA, CLI_CYAN } cli_style;
/* The escape sequence of the style; "" without colour. CLI_PLAIN ends a style. */
const char *cli_paint(bool color, cli_style style);

#endif
