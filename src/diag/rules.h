/* The rule table: ids, slugs, severities, exit statuses, texts and examples of every diagnostic. */
#ifndef IR_RULES_H
#define IR_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* The cause of a failure. The numbers are those of irrun_status, but for IR_NO_MEMORY, which a caller sees as IR_IO. */
typedef enum ir_code {
  IR_OK = 0,
  IR_DIFFERS = 1,     /* an output is not what was expected */
  IR_USAGE = 2,       /* wrong command line or call */
  IR_INVALID = 3,     /* the model breaks the spec */
  IR_UNSUPPORTED = 4, /* the model is valid, this build cannot run it */
  IR_BAD_DATA = 5,    /* an input tensor is wrong */
  IR_IO = 6,          /* a file, time or another resource */
  IR_NO_MEMORY = 7,   /* memory is out: unlike other faults it ends all work on a model or run at once */
  IR_INTERNAL = 70    /* a bug of irrun */
} ir_code;

/* The worse of two by the order 70, 2, 7, 6, 3, 4, 5, 1, 0. */
ir_code ir_code_worse(ir_code a, ir_code b);

typedef enum ir_severity { IR_NOTE, IR_WARNING, IR_ERROR } ir_severity;

/* Severities as a set. */
enum { IR_SOME_NOTES = 1 << IR_NOTE, IR_SOME_WARNINGS = 1 << IR_WARNING, IR_SOME_ERRORS = 1 << IR_ERROR };

/* How often a rule is said that many layers of a model break in the same way. An error that makes the model invalid is
 * always said each time. */
typedef enum ir_say {
  IR_EACH,
  IR_ONCE,  /* once a model, with the first place and the number of the others */
  IR_ASIDE, /* the same, and as a note not in lists that are kept and compared: what is taken all the same asks for
             * nothing
             */
  IR_DETAIL /* the same, and as a note only where every detail is asked for */
} ir_say;

/* Where a rule can be found broken. */
typedef enum ir_found {
  IR_IN_ALL,     /* wherever a model is read */
  IR_IN_RUNS,    /* runs, measured or not */
  IR_IN_ONE_RUN, /* a run that is watched or compared, which no measured one is */
  IR_IN_CONVERSION
} ir_found;

/* What a diagnostic may explain, of outputs that are not as expected. */
typedef enum ir_explains { IR_OTHER_SHAPE = 1, IR_OTHER_VALUES = 2 } ir_explains;

typedef enum ir_rule {
#define IR_RULE(number, name, slug, severity, status, say, ...) IR##number##_##name,
#include "diag/rules.inc"
#undef IR_RULE
  IR_RULE_COUNT
} ir_rule;

/* How an example is tried: a part of a small model is replaced by the text, or the text is a command. */
typedef struct ir_rule_example {
  const char
      *part; /* what of the example model stands here: "data", "pool", "file", ...; "command" for a command line */
  const char *wrong; /* raises the rule */
  const char *right; /* does not */
} ir_rule_example;

typedef struct ir_rule_row {
  const char *id, *slug;
  ir_severity severity;
  ir_code status;
  ir_say say;
  const char *allow; /* what --allow does with this error; NULL: an error that cannot be allowed */
  ir_found found;
  unsigned explains; /* of ir_explains, or 0 */
  unsigned also;     /* the severities of cases that weigh more, or less, than the row's own */
} ir_rule_row;

typedef struct ir_rule_text {
  const char *rule;   /* the rule in one sentence */
  const char *reason; /* why it exists, what others do on the same fault */
  const char *spec;   /* where the rule comes from */
  ir_rule_example example;
} ir_rule_text;

extern const ir_rule_row ir_rule_rows[IR_RULE_COUNT];
extern const ir_rule_text ir_rule_texts[IR_RULE_COUNT];

/* The severities that a case of the rule can have, the row's own with them. */
unsigned ir_rule_severities(ir_rule rule);
/* False when --allow can do nothing: all cases are errors that cannot be allowed. */
bool ir_rule_can_be_allowed(ir_rule rule);
/* By id ("IR304", any case) or slug. False when there is none. */
bool ir_rule_find(const char *text, size_t length, ir_rule *out_rule);

#endif
