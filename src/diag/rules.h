/* The rule table has the id, slug, severity, exit status, text and examples of each rule. */
#ifndef IR_RULES_H
#define IR_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* An ir_code is the cause of a failure. The public calls return IR_NO_MEMORY as IRRUN_IO; all other numbers equal those
 * of irrun_status. */
typedef enum ir_code {
  IR_OK = 0,
  IR_DIFFERS = 1,     /* an output differs from its expectation */
  IR_USAGE = 2,       /* wrong command line or API call */
  IR_INVALID = 3,     /* the model breaks the spec */
  IR_UNSUPPORTED = 4, /* the model is valid, but this build cannot run it */
  IR_BAD_DATA = 5,    /* an input tensor is wrong */
  IR_IO = 6,          /* a file, the time limit or another resource failed */
  IR_NO_MEMORY = 7,   /* out of memory; ends all work on a model or run at once */
  IR_INTERNAL = 70    /* a bug of irrun */
} ir_code;

/* Returns the worse of two codes. The order from the worst is 70, 2, 7, 6, 3, 4, 5, 1, 0. */
ir_code ir_code_worse(ir_code a, ir_code b);

typedef enum ir_severity { IR_NOTE, IR_WARNING, IR_ERROR } ir_severity;

/* A set of severities is a sum of these bits. */
enum { IR_SOME_NOTES = 1 << IR_NOTE, IR_SOME_WARNINGS = 1 << IR_WARNING, IR_SOME_ERRORS = 1 << IR_ERROR };

/* If many layers of a model break a rule in the same way, ir_say is how often irrun reports that. Errors that make the
 * model invalid are always reported for each layer. */
typedef enum ir_say {
  IR_EACH,
  IR_ONCE,  /* once per model, with the place of the first layer and the number of the other layers */
  IR_ASIDE, /* once per model; if ir_diags.each_place is set, notes are dropped, because notes need no action */
  IR_DETAIL /* once per model; if details are not requested (-v), notes are dropped */
} ir_say;

/* ir_found is the kind of work in which irrun can find that a rule is broken. */
typedef enum ir_found {
  IR_IN_ALL,     /* everything that reads a model */
  IR_IN_RUNS,    /* every run, also if it is measured (--bench) */
  IR_IN_ONE_RUN, /* a run that is watched (irrun_run_watch) or whose outputs are compared; never a measured run */
  IR_IN_CONVERSION
} ir_found;

/* Each bit is a way in which the fault that a diagnostic reports can make outputs wrong. */
typedef enum ir_explains { IR_OTHER_SHAPE = 1, IR_OTHER_VALUES = 2 } ir_explains;

typedef enum ir_rule {
#define IR_RULE(number, name, slug, severity, status, say, ...) IR##number##_##name,
#include "diag/rules.inc"
#undef IR_RULE
  IR_RULE_COUNT
} ir_rule;

/* An example has two texts, a wrong and a right one. Each replaces a part of a small model, or is a shell command. */
typedef struct ir_rule_example {
  const char *part;  /* replaced part: "data", "pool", "file", ...; "command" if the texts are shell commands */
  const char *wrong; /* text that breaks the rule */
  const char *right; /* text that does not break the rule */
} ir_rule_example;

typedef struct ir_rule_row {
  const char *id, *slug;
  ir_severity severity;
  ir_code status;
  ir_say say;
  const char *allow; /* effect of --allow on the error, in words; NULL if the error cannot be allowed */
  ir_found found;
  unsigned explains; /* bits of ir_explains, or 0 */
  unsigned also;     /* bits of the other severities that special cases have (IR_SOME_ERRORS, ...) */
} ir_rule_row;

typedef struct ir_rule_text {
  const char *rule;   /* the rule in one sentence */
  const char *reason; /* the rule's reason, and how other programs handle the fault */
  const char *spec;   /* source of the rule */
  ir_rule_example example;
} ir_rule_text;

extern const ir_rule_row ir_rule_rows[IR_RULE_COUNT];
extern const ir_rule_text ir_rule_texts[IR_RULE_COUNT];

/* Returns the set of all severities that the rule can have, including its row's. */
unsigned ir_rule_severities(ir_rule rule);
/* Returns false if --allow has no effect: all cases of the rule are errors, and none can be allowed. */
bool ir_rule_can_be_allowed(ir_rule rule);
/* Finds a rule by id ("IR304", any case) or slug. Returns false if there is none. */
bool ir_rule_find(const char *text, size_t length, ir_rule *out_rule);

#endif
