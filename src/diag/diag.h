/* Diagnostics: the only way an error travels. Every function that can fail takes an ir_diags and returns an ir_code. */
#ifndef IR_DIAG_H
#define IR_DIAG_H

#include "base/arena.h"
#include "base/source.h"
#include "diag/rules.h"

struct ir_layer;

/* Where a fault is. Any field may be empty. */
typedef struct ir_where {
  ir_source *source;
  ir_span at;
  const struct ir_layer *layer; /* copied when reported, may die afterwards */
  const char *attribute;        /* likewise */
} ir_where;

/* A reported diagnostic owns all its text: file names, places and the source line are taken when it is reported. */
typedef struct ir_diag {
  ir_rule rule;
  ir_severity severity;
  char *message; /* control characters escaped, valid UTF-8 */
  char *file;    /* "" for the command line */
  ir_source_kind kind;
  int64_t line, column, end_column; /* 0 when there is no such place */
  int64_t offset;                   /* IR_SOURCE_BYTES: of the fault; -1 when there is none */
  char *excerpt;                    /* the source line, or NULL */
  int64_t excerpt_skipped;          /* code points of the line before the excerpt */
  bool has_layer;
  char *layer_id, *layer_name, *layer_op; /* "7" ("" when the file gives none), "pool", "AvgPool (opset1)" */
  const char **layer_inside;              /* names of the layers in whose bodies it lies, the outermost first */
  int n_inside;
  char *attribute;
  char *path;            /* of the place, where the text has paths: a JSON pointer; or NULL */
  char *hint;            /* what to do: "did you mean 'strides'?", or NULL */
  int64_t n_more;        /* that say the same of other layers and were not kept: see ir_say */
  struct ir_diag *notes; /* attached notes, in order */
  struct ir_diag *next;
  int64_t group;      /* number of the model, from 0 */
  int64_t number;     /* of all that were counted, in the order in which they were reported */
  int64_t file_order; /* for sorting: the files of a group in the order in which they were first reported */
} ir_diag;

/* One way in which a rule is broken that is said once: the same sentence about layers of one type, and one attribute.
 */
typedef struct ir_said {
  ir_severity severity;
  const char *format, *layer_type, *attribute;
  ir_diag *diag;
  struct ir_said *next;
} ir_said;

typedef enum ir_rule_policy {
  IR_POLICY_DEFAULT,
  IR_POLICY_ALLOW,
  IR_POLICY_DENY,
  IR_POLICY_NOTE /* what would be an error or a warning is a note, and the row's `allow` is done */
} ir_rule_policy;

typedef struct ir_diags {
  const ir_memory *memory;
  ir_arena arena;
  ir_diag *first, *last;
  ir_diag *open; /* the one that ir_note and ir_hint add to; NULL when it was not kept */
  int64_t group; /* number of the model at hand */
  int64_t n_kept, n_errors, n_warnings, n_notes; /* the last three count all, kept or not: see ir_diags_counted */
  int64_t n_raised; /* likewise, and those that say the same of another layer (ir_diag.n_more) */
  int64_t n_errors_in_group, n_warnings_in_group;
  ir_code status;            /* worst of all errors */
  const ir_diag *last_error; /* of all that were kept, also once others took their place; NULL: there was none */
  ir_diag memory_out;        /* IR703, which needs no memory; in the list since it was first reported */
  bool memory_is_out;
  bool is_refused; /* memory that is out was refused by an account (account.h), which was reported: IR703 is not */
  bool strict;
  int muted;       /* above 0: nothing is kept or counted; codes are as ever */
  bool each_place; /* each diagnostic of a rule that is otherwise said once, but no IR_ASIDE and no IR_DETAIL */
  bool in_detail;  /* nothing is left out: each diagnostic of a rule that is otherwise said once, and all notes */
  ir_rule_policy policy[IR_RULE_COUNT];
  ir_said *said[IR_RULE_COUNT]; /* of the model at hand */
  int n_said[IR_RULE_COUNT];
} ir_diags;

void ir_diags_init(ir_diags *diags, const ir_memory *memory);
void ir_diags_reset(ir_diags *diags);
/* What comes next belongs to another model: its diagnostics sort after those so far. */
void ir_diags_next_group(ir_diags *diags);

/* Reports a broken rule with the severity of its row, changed by the policy (--allow, --deny, --strict). One that says
 * the same of another layer than one before, of a rule whose row has it so, is only counted there (ir_diag.n_more).
 * Returns the rule's status when it ended as an error, else IR_OK: the caller goes on as the row's `allow` says. */
ir_code ir_report(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with another severity than the row's. */
ir_code ir_report_as(ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* An error whatever --allow says: for a case that the row's `allow` does not speak of. */
ir_code ir_report_firm(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the diagnostic reported last (none when that one was not shown). */
void ir_note(ir_diags *diags, ir_where where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* What the person should do. One a diagnostic; a second replaces it. */
void ir_hint(ir_diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Both, for a diagnostic about outputs that differ in these ways (of ir_explains): what was said before of the same
 * model and may be the cause, of each rule the first. Nothing when there is no such. */
void ir_note_causes(ir_diags *diags, unsigned differences);
/* A source that names `file` in messages; the caller frees it. NULL or "" stands for the command line and gives NULL.
 */
ir_code ir_name_file(ir_diags *diags, const char *file, ir_source **out_source);
/* Reports IR703 and returns IR_NO_MEMORY. Never allocates. */
ir_code ir_out_of_memory(ir_diags *diags);
/* All that were counted so far, kept or not. */
int64_t ir_diags_counted(const ir_diags *diags);
/* True when the person wants to know what a rule tells at any price: with -v, or as an error. */
static inline bool ir_is_asked_for(const ir_diags *diags, ir_rule rule) {
  return diags->in_detail || diags->policy[rule] == IR_POLICY_DENY;
}
/* Sorts by model and place; stable. */
void ir_diags_sort(ir_diags *diags);

/* The nearest of `names` to `text`, at most a third of its length and at most 3 edits away; upper and lower case count
 * least. NULL when there is none, or so many names that a guess would take long. */
const char *ir_did_you_mean(const char *text, const char *const *names, size_t n_names);
/* True when `text` is one edit, or only its case, away from `name`. */
bool ir_misspells(const char *text, const char *name);
/* Edits (insert, delete, replace, swap of neighbours) from a to b; above `limit` (0 to 8) it returns some number above.
 */
int ir_edit_distance(const char *a, const char *b, int limit);
/* Bytes of the UTF-8 character that `text` begins with; 0 when it is none (overlong, surrogate, above U+10FFFF). */
size_t ir_utf8_length(const char *text);
/* Bytes of the control character that `text` begins with, else 0: C0, DEL and C1 (U+0080 to U+009F), all of which a
 * terminal may act on, and those that turn the direction of the text behind them. */
size_t ir_control_length(const char *text);
/* Copies `text` with control characters as \n, \t, \x1b and bytes that are not UTF-8 as \xff. Writes at most `size`
 * bytes with the NUL, cutting with "..."; returns `buffer`. */
const char *ir_printable(const char *text, char *buffer, size_t size);
/* The same for a source line, where a place is a number of code points: what counts as one column stays one. A tab
 * becomes a blank, what cannot be printed U+FFFD. */
const char *ir_printable_line(const char *text, char *buffer, size_t size);

#endif
