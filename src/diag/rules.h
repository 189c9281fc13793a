/* The rule table: ids, slugs, severities, exit statuses, texts and examples of every diagnostic. */
#ifndef IR_RULES_H
#define IR_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* The cause of a failure. The numbers equal irrun_status, except IR_NO_MEMORY, which a caller sees as IR_IO. */
typedef enum ir_code {
  IR_OK = 0,
  IR_DIFFERS = 1,     /* an output differs from its expectation */
  IR_USAGE = 2,       /* wrong command line or API call */
  IR_INVALID = 3,     /* the model breaks the spec */
  IR_UNSUPPORTED = 4, /* the model is valid, but this build cannot run it */
  IR_BAD_DATA = 5,    /* an input tensor is wrong */
  IR_IO = 6,          /* a file, time or another resource */
  IR_NO_MEMORY = 7,   /* out of memory: unlike other faults it ends all work on a model or run at once */
  IR_INTERNAL = 70    /* a bug of irrun */
} ir_code;

/* The worse of two codes, in the order 70, 2, 7, 6, 3, 4, 5, 1, 0. */
ir_code ir_code_worse(ir_code a, ir_code b);

typedef enum ir_severity { IR_NOTE, IR_WARNING, IR_ERROR } ir_severity;

/* Sets of severities. */
enum { IR_SOME_NOTES = 1 << IR_NOTE, IR_SOME_WARNINGS = 1 << IR_WARNING, IR_SOME_ERRORS = 1 << IR_ERROR };

/* How often a rule is reported that many layers of a model break in the same way. Errors that make the model invalid
 * are reported each time. */
typedef enum ir_say {
  IR_EACH,
  IR_ONCE,  /* once per model: the first place, and the number of the others */
  IR_ASIDE, /* once per model; as a note not in lists that are kept and compared, because it needs no action */
  IR_DETAIL /* once per model; as a note only if every detail is requested */
} ir_say;

/* The kinds of work that can find a rule broken. */
typedef enum ir_found {
  IR_IN_ALL,     /* wherever a model is read */
  IR_IN_RUNS,    /* runs, measured or not */
  IR_IN_ONE_RUN, /* watched or compared runs, which are never measured */
  IR_IN_CONVERSION
} ir_found;

/* How a diagnostic may explain wrong outputs. */
typedef enum ir_explains { IR_OTHER_SHAPE = 1, IR_OTHER_VALUES = 2 } ir_explains;

typedef enum ir_rule {
#define IR_RULE(number, name, slug, severity, status, say, ...) IR##number##_##name,
#include "diag/rules.inc"
#undef IR_RULE
  IR_RULE_COUNT
} ir_rule;

/* An example of a rule, and how to try it: the text replaces a part of a small model, or is a command. */
typedef struct ir_rule_example {
  const char *part;  /* replaced part of the example: "data", "pool", "file", ...; "command" for a command line */
  const char *wrong; /* text that raises the rule */
  const char *right; /* text that does not */
} ir_rule_example;

typedef struct ir_rule_row {
  const char *id, *slug;
  ir_severity severity;
  ir_code status;
  ir_say say;
  const char *allow; /* effect of --allow on this error; NULL: it cannot be allowed */
  ir_found found;
  unsigned explains; /* bits of ir_explains, or 0 */
  unsigned also;     /* other severities of special cases */
} ir_rule_row;

typedef struct ir_rule_text {
  const char *rule;   /* the rule in one sentence */
  const char *reason; /* its reason, and how other programs handle the fault */
  const char *spec;   /* source of the rule */
  ir_rule_example example;
} ir_rule_text;

extern const ir_rule_row ir_rule_rows[IR_RULE_COUNT];
extern const ir_rule_text ir_rule_texts[IR_RULE_COUNT];

/* All severities that cases of the rule can have, including the row's own. */
unsigned ir_rule_severities(ir_rule rule);
/* False if --allow has no effect: all cases are errors that cannot be allowed. */
bool ir_rule_can_be_allowed(ir_rule rule);
/* Finds a rule by id ("IR304", any case) or slug. False if there is none. */
bool ir_rule_find(const char *text, size_t length, ir_rule *out_rule);

#endif
