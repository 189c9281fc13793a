/* A diagnostic reports a fault, or a fact that the user should know. Every function that can fail takes an ir_diags and
 * returns an ir_code. */
#ifndef IR_DIAG_H
#define IR_DIAG_H

#include "base/arena.h"
#include "base/source.h"
#include "diag/rules.h"

struct ir_layer;

/* An ir_where is the place of a fault: a span of a source, a layer and an attribute. Each field can be empty. */
typedef struct ir_where {
  ir_source *source;
  ir_span at;
  const struct ir_layer *layer; /* ir_report copies the layer's texts, and keeps no pointer */
  const char *attribute;        /* ir_report copies the text, and keeps no pointer */
} ir_where;

/* An ir_diag is a reported diagnostic. It owns copies of all its texts, such as names and the source line. */
typedef struct ir_diag {
  ir_rule rule;
  ir_severity severity;
  char *message; /* control characters escaped, valid UTF-8 */
  char *file;    /* "" for the command line */
  ir_source_kind kind;
  int64_t line, column, end_column; /* from 1; 0 if the fault has no place in a text */
  int64_t offset;                   /* offset of the fault, if the source is of kind IR_SOURCE_BYTES; else -1 */
  char *excerpt;                    /* the source line, or NULL */
  int64_t excerpt_skipped;          /* number of code points of the line before the excerpt */
  char *lines_before, *lines_after; /* up to two lines each, which end in a newline; NULL: none */
  bool has_layer;
  char *layer_id, *layer_name, *layer_op; /* for example "7" ("" if the file has no id), "pool", "AvgPool (opset1)" */
  const char **layer_inside;              /* nesting path: names of layers, outermost first */
  int n_inside;
  char *attribute;
  char *path;            /* JSON pointer of the place in an nGraph model; else NULL */
  char *hint;            /* advice such as "did you mean 'strides'?", or NULL */
  int64_t n_more;        /* number of repetitions about other layers, which were only counted (ir_say) */
  struct ir_diag *notes; /* first of the attached notes, in order */
  struct ir_diag *next;
  int64_t group;      /* index of the diagnostic's model, from 0 */
  int64_t number;     /* index among all counted diagnostics, in the order of reports */
  int64_t file_order; /* sort key of the file: the least `number` of a diagnostic about this file in the same group */
} ir_diag;

/* An ir_said is a diagnostic that was reported once for the current model, with its key: severity, format, layer type
 * and attribute. A diagnostic with the same key about another layer only increments `diag->n_more`. */
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
  /* Warnings, and errors that can be allowed, become notes; the caller continues as the row's `allow` describes. */
  IR_POLICY_NOTE
} ir_rule_policy;

typedef struct ir_diags {
  const ir_memory *memory;
  ir_arena arena;
  ir_diag *first, *last;
  ir_diag *settled; /* the last diagnostic of earlier models, all of which are sorted; NULL: there is none */
  ir_diag *open;    /* the last diagnostic, which ir_note and ir_hint extend; NULL if it was not kept */
  int64_t group;    /* index of the current model */
  int64_t n_kept, n_errors, n_warnings, n_notes; /* the last three also count diagnostics that were not kept */
  int64_t n_raised; /* number of all diagnostics, with repetitions about other layers (ir_diag.n_more) */
  int64_t n_errors_in_group, n_warnings_in_group;
  ir_code status;            /* the worst status of all errors */
  const ir_diag *last_error; /* the last error that was kept, or IR703; NULL if there is none */
  /* The diagnostic of IR703 (out of memory) is a member, so that its report needs no allocation. The first report puts
   * it into the list. */
  ir_diag memory_out;
  bool memory_is_out;
  bool is_for_run; /* a model is read for a run, or a run is planned or executed */
  bool is_refused; /* an account (account.h) refused memory and reported IR004, so IR703 is not reported */
  bool strict;
  int muted; /* if above 0, no diagnostic is kept or counted; return codes do not change */
  /* If true, rules that are reported once per model are reported for each layer, and notes of IR_ASIDE and IR_DETAIL
   * are dropped. */
  bool each_place;
  bool in_detail; /* if true (-v), every diagnostic is reported, with all repetitions and notes */
  ir_rule_policy policy[IR_RULE_COUNT];
  ir_said *said[IR_RULE_COUNT]; /* diagnostics that were reported once for the current model */
  int n_said[IR_RULE_COUNT];
} ir_diags;

void ir_diags_init(ir_diags *diags, const ir_memory *memory);
void ir_diags_reset(ir_diags *diags);
/* Begins another model, whose diagnostics sort after all earlier ones. */
void ir_diags_next_group(ir_diags *diags);

/* Reports a broken rule with its row's severity, which the policy (--allow, --deny, --strict) can change. If the row's
 * `say` is not IR_EACH, a repetition about another layer is only counted. Returns the rule's status for an error, else
 * IR_OK: the caller then continues as the row's `allow` describes. */
ir_code ir_report(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports a broken rule with `severity` instead of its row's severity. */
ir_code ir_report_as(ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Reports an error that --allow does not change, because the row's `allow` does not describe this case. */
ir_code ir_report_firm(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the last reported diagnostic. If that diagnostic was not kept, does nothing. */
void ir_note(ir_diags *diags, ir_where where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sets the advice of the last reported diagnostic; a second call replaces it. */
void ir_hint(ir_diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds notes to the last diagnostic, which is about wrong outputs: for each rule that can explain `differences` (bits
 * of ir_explains), the first diagnostic of the same model. Also sets a hint. Does nothing if no diagnostic explains the
 * differences. */
void ir_note_causes(ir_diags *diags, unsigned differences);
/* Makes a source that names `file` in messages; the caller frees it. If `file` is NULL or "" (the command line), sets
 * `*out_source` to NULL. */
ir_code ir_name_file(ir_diags *diags, const char *file, ir_source **out_source);
/* Reports IR703 and returns IR_NO_MEMORY. Never allocates. */
ir_code ir_out_of_memory(ir_diags *diags);
/* Returns the number of counted diagnostics, kept or not. */
int64_t ir_diags_counted(const ir_diags *diags);
/* Returns whether --deny makes the rule an error. */
static inline bool ir_is_denied(const ir_diags *diags, ir_rule rule) {
  return diags->policy[rule] == IR_POLICY_DENY;
}
/* Returns whether details about the rule are requested: by -v, or by --deny. */
static inline bool ir_is_asked_for(const ir_diags *diags, ir_rule rule) {
  return diags->in_detail || ir_is_denied(diags, rule);
}
/* Sorts the diagnostics by model, file and place. The sort is stable. */
void ir_diags_sort(ir_diags *diags);

/* Returns the name that is nearest to `text`: at most 3 edits away, and at most a third of its length. A difference
 * only in case counts half an edit. Returns NULL if no name is near, or if `names` are too many to compare quickly. */
const char *ir_did_you_mean(const char *text, const char *const *names, size_t n_names);
/* A caller that meets unknown names without limit looks only for so many of them, because each search compares all
 * names of the model. */
enum { IR_MAX_GUESSES = 16 };
/* Returns whether `text` is at most one edit away from `name`, or differs only in case. */
bool ir_misspells(const char *text, const char *name);
/* Returns the number of edits from a to b: insert, delete or replace a byte, or swap two neighbours. If the number
 * exceeds `limit` (0 to 8), returns `limit` + 1. */
int ir_edit_distance(const char *a, const char *b, int limit);
/* Returns the length in bytes of the UTF-8 character at the start of `text`; 0 if it is invalid (overlong, surrogate,
 * above U+10FFFF). */
size_t ir_utf8_length(const char *text);
/* Returns the length of the character at the start of `text` if it should not be printed, else 0. Such characters are
 * the control characters C0, DEL and C1, which terminals obey, Unicode's line separators, invisible characters and
 * marks of text direction, and U+FFFE and U+FFFF, which XML forbids. */
size_t ir_control_length(const char *text);
/* Copies `text` and escapes control characters as \n, \t, \x1b, bytes that are not UTF-8 as \xff, and the first "#" of
 * "##[" and "##vso[". Writes at most `size` bytes with the NUL; a longer text ends with "...". Returns `buffer`. */
const char *ir_printable(const char *text, char *buffer, size_t size);
/* Copies a source line; each character takes one column: a tab becomes a blank, an unprintable character U+FFFD. */
const char *ir_printable_line(const char *text, char *buffer, size_t size);

#endif
