/* Diagnostics: the only way to report errors. Every function that can fail takes an ir_diags and returns an ir_code. */
#ifndef IR_DIAG_H
#define IR_DIAG_H

#include "base/arena.h"
#include "base/source.h"
#include "diag/rules.h"

struct ir_layer;

/* The place of a fault. Any field may be empty. */
typedef struct ir_where {
  ir_source *source;
  ir_span at;
  const struct ir_layer *layer; /* copied when reported; need not outlive the call */
  const char *attribute;        /* copied when reported; need not outlive the call */
} ir_where;

/* A reported diagnostic. It owns all its text: file names, places and the source line are copied when it is
 * reported. */
typedef struct ir_diag {
  ir_rule rule;
  ir_severity severity;
  char *message; /* control characters escaped, valid UTF-8 */
  char *file;    /* "" for the command line */
  ir_source_kind kind;
  int64_t line, column, end_column; /* 0 if there is no such place */
  int64_t offset;                   /* for IR_SOURCE_BYTES: offset of the fault; -1 if there is none */
  char *excerpt;                    /* the source line, or NULL */
  int64_t excerpt_skipped;          /* code points of the line before the excerpt */
  bool has_layer;
  char *layer_id, *layer_name, *layer_op; /* "7" ("" when the file gives none), "pool", "AvgPool (opset1)" */
  const char **layer_inside;              /* nesting path: names of layers, outermost first */
  int n_inside;
  char *attribute;
  char *path;            /* JSON pointer of the place, if the text has paths; or NULL */
  char *hint;            /* advice: "did you mean 'strides'?", or NULL */
  int64_t n_more;        /* number of the same diagnostics about other layers, which were not kept: see ir_say */
  struct ir_diag *notes; /* attached notes, in order */
  struct ir_diag *next;
  int64_t group;      /* number of its model, from 0 */
  int64_t number;     /* number among all counted diagnostics, in the order of reports */
  int64_t file_order; /* sort key: files of a group in the order of their first report */
} ir_diag;

/* One way to break a rule that is reported once: the same sentence about one layer type and one attribute. */
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
  IR_POLICY_NOTE /* errors and warnings become notes, and processing continues as the row's `allow` says */
} ir_rule_policy;

typedef struct ir_diags {
  const ir_memory *memory;
  ir_arena arena;
  ir_diag *first, *last;
  ir_diag *open; /* the target of ir_note and ir_hint; NULL if the diagnostic was not kept */
  int64_t group; /* number of the current model */
  int64_t n_kept, n_errors, n_warnings, n_notes; /* the last three also count those not kept: see ir_diags_counted */
  int64_t n_raised; /* all diagnostics, with repetitions about other layers (ir_diag.n_more) */
  int64_t n_errors_in_group, n_warnings_in_group;
  ir_code status;            /* the worst status of all errors */
  const ir_diag *last_error; /* the last error that was kept, even if it was replaced later; NULL: none */
  ir_diag memory_out;        /* IR703, preallocated; in the list once it was reported */
  bool memory_is_out;
  bool is_refused; /* an account (account.h) refused the memory and reported it, so IR703 is not reported */
  bool strict;
  int muted;       /* above 0: nothing is kept or counted; return codes do not change */
  bool each_place; /* report each place of a rule that is else reported once, except notes of IR_ASIDE and IR_DETAIL */
  bool in_detail;  /* report everything: each place of a rule that is else reported once, and all notes */
  ir_rule_policy policy[IR_RULE_COUNT];
  ir_said *said[IR_RULE_COUNT]; /* ways reported for the current model */
  int n_said[IR_RULE_COUNT];
} ir_diags;

void ir_diags_init(ir_diags *diags, const ir_memory *memory);
void ir_diags_reset(ir_diags *diags);
/* Begins another model: its diagnostics sort after all earlier ones. */
void ir_diags_next_group(ir_diags *diags);

/* Reports a broken rule with the severity of its row, as changed by the policy (--allow, --deny, --strict). If the row
 * says that the rule is reported once, a repetition about another layer is only counted (ir_diag.n_more). Returns the
 * rule's status if it was an error, else IR_OK: then the caller continues as the row's `allow` says. */
ir_code ir_report(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports a rule with another severity than the row's. */
ir_code ir_report_as(ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Reports an error that --allow does not change: the row's `allow` does not describe this case. */
ir_code ir_report_firm(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the last reported diagnostic (not if that was dropped). */
void ir_note(ir_diags *diags, ir_where where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sets the advice of the last reported diagnostic; a second call replaces it. */
void ir_hint(ir_diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a note and a hint to a diagnostic about wrong outputs: lists earlier diagnostics of the same model that may
 * explain these differences (ir_explains), the first of each rule. Does nothing if there are none. */
void ir_note_causes(ir_diags *diags, unsigned differences);
/* Makes a source that names `file` in messages; the caller frees it. NULL or "" means the command line and gives
 * NULL. */
ir_code ir_name_file(ir_diags *diags, const char *file, ir_source **out_source);
/* Reports IR703 and returns IR_NO_MEMORY. Never allocates. */
ir_code ir_out_of_memory(ir_diags *diags);
/* Number of diagnostics so far, kept or not. */
int64_t ir_diags_counted(const ir_diags *diags);
/* Whether the rule's details were requested: by -v, or because it is an error. */
static inline bool ir_is_asked_for(const ir_diags *diags, ir_rule rule) {
  return diags->in_detail || diags->policy[rule] == IR_POLICY_DENY;
}
/* Sorts by model and place; stable. */
void ir_diags_sort(ir_diags *diags);

/* The nearest of `names` to `text`, at most a third of its length and at most 3 edits away; a difference of case counts
 * least. NULL if there is none, or if there are too many names to guess quickly. */
const char *ir_did_you_mean(const char *text, const char *const *names, size_t n_names);
/* Whether `text` is one edit away from `name`, or differs only in case. */
bool ir_misspells(const char *text, const char *name);
/* Number of edits (insert, delete, replace, swap neighbours) from a to b; if it exceeds `limit` (0 to 8), any larger
 * number. */
int ir_edit_distance(const char *a, const char *b, int limit);
/* Length of the UTF-8 character at the start of `text`; 0 if it is invalid (overlong, surrogate, above U+10FFFF). */
size_t ir_utf8_length(const char *text);
/* Length of the control character at the start of `text`, else 0: C0, DEL and C1 (U+0080 to U+009F), on which a
 * terminal may act, and characters that change the direction of the following text. */
size_t ir_control_length(const char *text);
/* Copies `text`, with control characters as \n, \t, \x1b and bytes that are not UTF-8 as \xff. Writes at most `size`
 * bytes with the NUL; a longer text ends with "...". Returns `buffer`. */
const char *ir_printable(const char *text, char *buffer, size_t size);
/* Copies a source line so that every column stays one column: a tab becomes a blank, an unprintable character
 * U+FFFD. */
const char *ir_printable_line(const char *text, char *buffer, size_t size);

#endif
