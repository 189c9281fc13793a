/* Text of the program: growing strings, names from files made printable, numbers, display widths, colours. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "irrun_program.h"

#include <stdio.h>

/* Zeroed memory; cli_out_of_memory when there is none. */
void *cli_allocate(size_t count, size_t size);
/* Ends the program with status 6 and that report. */
_Noreturn void cli_out_of_memory(void);
/* What is said when memory runs out: `on_stdout`, a whole JSON document, or else one line on stderr. */
void cli_set_oom_report(const char *on_stdout, const char *on_stderr);

/* Zero is the empty string; `text` is NULL then. */
typedef struct cli_string {
  char *text;
  size_t length, capacity;
} cli_string;

void cli_add(cli_string *string, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A name that comes from a file: control characters escaped, long ones cut. */
void cli_add_name(cli_string *string, const char *name);
/* The same, uncut. */
void cli_add_printable(cli_string *string, const char *text);
/* The name of a layer behind those of the layers in whose bodies it lies: "loop > add", or with other marks between. */
#define CLI_INSIDE " > "
void cli_add_layer_name(cli_string *string, const char *const *inside, int n_inside, const char *between,
                        const char *name);
/* A word of a command for the shell, in quotes where it needs them. */
void cli_add_word(cli_string *string, const char *text);
/* "--input 'x=FILE'", quoted for the shell. `name` may be NULL: "--input FILE". */
void cli_add_option(cli_string *string, const char *option, const char *name, const char *argument);
/* "f32[1,3,32,32]", or "?" when it is not known. */
void cli_add_value(cli_string *string, const irrun_value *value);
void cli_add_typed_shape(cli_string *string, irrun_element_type type, const irrun_shape *shape);
void cli_add_tensor(cli_string *string, const irrun_tensor *tensor);
/* "  min 0  mean 0.5  max 1  nan 2", of what there is. */
void cli_add_statistics(cli_string *string, const irrun_tensor *tensor);
/* "[0,2,15,7]" */
void cli_add_index(cli_string *string, const int64_t *index, int rank);
/* Integers in full, other numbers with 6 digits. */
void cli_add_number(cli_string *string, double number);
/* "12.3 us", with three digits. */
void cli_add_time(cli_string *string, double ns);
/* "12.3 MB", likewise, in powers of 1000. */
void cli_add_bytes(cli_string *string, double bytes);
/* How large a difference is: 0.25, 1.3e-07. */
void cli_add_difference(cli_string *string, double number);
/* Two digits, the last one rounded up, so that the printed number is at least `number`. */
void cli_add_rounded_up(cli_string *string, double number);
/* "", never NULL, when it is empty. */
const char *cli_text(const cli_string *string);
void cli_clear(cli_string *string);
void cli_reset(cli_string *string);

/* Whether `path` ends in `suffix` and has something before it. */
bool cli_ends_in(const char *path, const char *suffix);

/* "1 error", "2 errors" */
void cli_add_count(cli_string *string, int64_t count, const char *noun);

/* Prints words and a newline, wrapped into the columns from `indent` on; the first line is there already. A line break
 * in the text stays one. */
void cli_print_wrapped(FILE *out, int indent, const char *text);

/* Reports a fault of the command line or of a file that it names. `hint` may be NULL. */
irrun_status cli_fault(irrun_context *context, const char *rule, const char *file, const char *hint, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));

/* Decodes one code point and moves `*text` behind it; a byte that is no UTF-8 stands for itself. 0 at the end. */
uint32_t cli_next_character(const char **text);
/* Columns that a terminal gives to it: 0, 1 or 2. */
int cli_character_width(uint32_t character);
int cli_width(const char *text);
#define CLI_ANY_WIDTH 1000000000 /* columns: nothing is cut */
/* Columns of the terminal that `out` is, else 120. */
int cli_line_width(FILE *out);
/* Cuts text that is wider than `width` columns: "model.22.cv2...conv/Conv". */
void cli_cut_middle(cli_string *string, int width);
/* Cuts a list that is wider: of its items, between which stands ", ", the first stays, the others as far as they fit
 * whole, and the number of all follows: "f32[1,64,8,8], ... (3)". */
void cli_cut_list(cli_string *string, int width);

typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_RED, CLI_GREEN, CLI_MAGENTA, CLI_CYAN } cli_style;
/* What switches to the style; "" without colour. CLI_PLAIN switches back. */
const char *cli_paint(bool color, cli_style style);

#endif
