/* Implements the parts of irrun.h for contexts, diagnostics, rules and ops. */
#include "base/message_text.h"
#include "irrun_program.h"
#include "ops/fast/fast.h"
#include "ops/registry.h"
#include "runtime/context.h"
#include <stdio.h>
#include <string.h>

/* Public and internal enums have the same values, so that casts convert them; limits are the same too. */
_Static_assert(IR_MAX_RANK == IRRUN_MAX_RANK, "ranks differ");
_Static_assert((int)IR_NOTE == IRRUN_NOTE && (int)IR_WARNING == IRRUN_WARNING && (int)IR_ERROR == IRRUN_ERROR,
               "severities differ");
_Static_assert((int)IR_OK == IRRUN_OK && (int)IR_DIFFERS == IRRUN_DIFFERS && (int)IR_USAGE == IRRUN_USAGE &&
                   (int)IR_INVALID == IRRUN_INVALID && (int)IR_UNSUPPORTED == IRRUN_UNSUPPORTED &&
                   (int)IR_BAD_DATA == IRRUN_BAD_DATA && (int)IR_IO == IRRUN_IO && (int)IR_INTERNAL == IRRUN_INTERNAL,
               "statuses differ");
_Static_assert((int)IR_STRING == IRRUN_STRING && (int)IR_TYPE_COUNT == IRRUN_STRING + 1, "element types differ");

irrun_status irrun_status_worse(irrun_status a, irrun_status b) {
  return (irrun_status)ir_code_worse((ir_code)a, (ir_code)b);
}

const char *irrun_libraries(void) {
  return "libxml2 " IRRUN_LIBXML2_VERSION "\nzlib " IRRUN_ZLIB_VERSION "\n";
}

const char *irrun_fast_library(void) {
  const ir_fast_module *module = ir_fast();
  return module == NULL ? NULL : module->name;
}

void irrun_fast_visit_paths(bool (*visit)(const char *path, void *user), void *user) {
  ir_fast_visit_paths(visit, user);
}

/* ---- context ---- */

irrun_context *irrun_context_create(const irrun_allocator *allocator) {
  ir_memory memory = ir_memory_default();
  irrun_allocator given;
  if (allocator != NULL) {
    if (ir_take_struct(NULL, allocator, IR_SIZE_TO(irrun_allocator, release), sizeof given, &given) != IR_OK)
      return NULL;
    memory = (ir_memory){.alloc = given.alloc, .release = given.release, .user = given.user};
  }
  irrun_context *context = ir_alloc_zero(&memory, 1, sizeof *context);
  if (context == NULL)
    return NULL;
  context->memory = memory;
  context->precision = IR_F32;
  ir_diags_init(&context->diags, &context->memory);
  ir_workers_init(&context->workers, &context->memory);
  return context;
}

void irrun_context_free(irrun_context *context) {
  if (context == NULL)
    return;
  ir_memory memory = context->memory;
  ir_workers_reset(&context->workers);
  ir_diags_reset(&context->diags);
  ir_free(&memory, context);
}

void irrun_context_set_kernels(irrun_context *context, irrun_kernels kernels) {
  context->kernels = kernels;
}

irrun_kernels irrun_context_get_kernels(const irrun_context *context) {
  return context->kernels;
}

irrun_status irrun_context_set_precision(irrun_context *context, irrun_element_type type) {
  if (type != IRRUN_F32 && type != IRRUN_BF16 && type != IRRUN_F16)
    return ir_status(ir_report_call(context, "the precision of products: expected f32, bf16 or f16"));
  context->precision = (ir_type)type;
  return IRRUN_OK;
}

irrun_element_type irrun_context_get_precision(const irrun_context *context) {
  return (irrun_element_type)context->precision;
}

void irrun_context_skip_passes(irrun_context *context, unsigned passes) {
  context->skipped_passes = passes;
}

unsigned irrun_context_get_skipped_passes(const irrun_context *context) {
  return context->skipped_passes;
}

irrun_status irrun_context_set_threads(irrun_context *context, int n) {
  if (n < 0 || n > IRRUN_MAX_THREADS)
    return (irrun_status)ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){0},
                                   "%d threads: expected 1 to %d, or 0 for as many as there are cores", n,
                                   IRRUN_MAX_THREADS);
  ir_workers_set(&context->workers, n);
  return IRRUN_OK;
}

void irrun_context_set_max_memory(irrun_context *context, size_t bytes) {
  context->memory.most_bytes = bytes;
}

int irrun_context_get_threads(const irrun_context *context) {
  ir_workers workers = context->workers;
  return ir_workers_most(&workers);
}

/* Sets the policy of every rule in a comma-separated list. */
static irrun_status set_policy(irrun_context *context, const char *rules, ir_rule_policy policy) {
  for (;;) {
    size_t length = strcspn(rules, ",");
    ir_rule rule;
    if (!ir_rule_find(rules, length, &rule)) {
      ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){0}, "there is no rule '%s'",
                ir_shown(rules, length).text);
      ir_hint(&context->diags, "rules have ids such as IR304 and slugs such as kernel-exceeds-input");
      return IRRUN_USAGE;
    }
    if (policy == IR_POLICY_ALLOW && !ir_rule_can_be_allowed(rule)) {
      ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){0},
                "%s (%s) cannot be allowed: irrun would not know how to go on", ir_rule_rows[rule].id,
                ir_rule_rows[rule].slug);
      return IRRUN_USAGE;
    }
    if (context->diags.policy[rule] != IR_POLICY_DEFAULT && context->diags.policy[rule] != policy) {
      ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){0}, "%s (%s) is both allowed and denied",
                ir_rule_rows[rule].id, ir_rule_rows[rule].slug);
      return IRRUN_USAGE;
    }
    context->diags.policy[rule] = policy;
    if (rules[length] == '\0')
      return IRRUN_OK;
    rules += length + 1;
  }
}

irrun_status irrun_context_allow(irrun_context *context, const char *rules) {
  return set_policy(context, rules, IR_POLICY_ALLOW);
}

irrun_status irrun_context_deny(irrun_context *context, const char *rules) {
  return set_policy(context, rules, IR_POLICY_DENY);
}

void irrun_context_set_strict(irrun_context *context, bool strict) {
  context->diags.strict = strict;
}

void irrun_context_set_detail(irrun_context *context, bool in_detail) {
  context->diags.in_detail = in_detail;
}

void irrun_context_set_embed_preprocess(irrun_context *context, bool embed) {
  context->embeds_preprocess = embed;
}

void irrun_context_set_each_place(irrun_context *context, bool each_place) {
  context->diags.each_place = each_place;
}

/* ---- diagnostics ---- */

static bool give_diagnostic(irrun_context *context, const ir_diag *diag, bool attached, irrun_diagnostic *result) {
  irrun_diagnostic out = {.rule = attached ? NULL : ir_rule_rows[diag->rule].id,
                          .slug = attached ? NULL : ir_rule_rows[diag->rule].slug,
                          .severity = (irrun_severity)diag->severity,
                          .message = diag->message,
                          .file = diag->file,
                          .line = diag->line,
                          .column = diag->column,
                          .end_column = diag->end_column,
                          .offset = diag->offset,
                          .excerpt = diag->excerpt,
                          .excerpt_skipped = diag->excerpt_skipped,
                          .lines_before = diag->lines_before,
                          .lines_after = diag->lines_after,
                          .attribute = diag->attribute,
                          .pointer = diag->path,
                          .hint = diag->hint,
                          .n_more = diag->n_more,
                          .number = diag->number,
                          .model = diag->group};
  if (diag->has_layer) {
    out.layer_id = diag->layer_id;
    out.layer_name = diag->layer_name;
    out.layer_inside = diag->layer_inside;
    out.n_inside = diag->n_inside;
    out.layer_op = diag->layer_op;
  }
  for (const ir_diag *note = diag->notes; note != NULL; note = note->next)
    out.n_notes++;
  return ir_give_struct(&context->diags, &out, sizeof out, result) == IR_OK;
}

const char *irrun_context_last_error(irrun_context *context) {
  irrun_diagnostic error = {.size = sizeof error};
  if (context->diags.last_error == NULL || !give_diagnostic(context, context->diags.last_error, false, &error))
    return "";
  return irrun_diagnostic_text(&error, context->text, sizeof context->text);
}

irrun_counts irrun_context_count(const irrun_context *context) {
  const ir_diags *diags = &context->diags;
  return (irrun_counts){
      .errors = diags->n_errors, .warnings = diags->n_warnings, .notes = diags->n_notes, .kept = diags->n_kept};
}

/* Returns diagnostic `index`, or NULL. Starts at the last result if possible, because callers usually ask in order. */
static const ir_diag *diag_at(irrun_context *context, int64_t index) {
  bool is_sorted = context->last_diag_counted == ir_diags_counted(&context->diags);
  if (!is_sorted)
    ir_diags_sort(&context->diags);
  const ir_diag *diag = context->diags.first;
  int64_t at = 0;
  if (is_sorted && context->last_diag != NULL && context->last_diag_index <= index) {
    diag = context->last_diag;
    at = context->last_diag_index;
  }
  for (; diag != NULL && at < index; at++)
    diag = diag->next;
  context->last_diag = diag;
  context->last_diag_index = index;
  context->last_diag_counted = ir_diags_counted(&context->diags);
  return diag;
}

bool irrun_context_get_diagnostic(irrun_context *context, int64_t index, irrun_diagnostic *out) {
  const ir_diag *diag = index < 0 ? NULL : diag_at(context, index);
  return diag != NULL && give_diagnostic(context, diag, false, out);
}

bool irrun_context_get_note(irrun_context *context, int64_t index, int64_t note, irrun_diagnostic *out) {
  const ir_diag *diag = index < 0 ? NULL : diag_at(context, index);
  const ir_diag *at = diag == NULL ? NULL : diag->notes;
  for (int64_t i = 0; at != NULL && i < note; i++)
    at = at->next;
  return at != NULL && give_diagnostic(context, at, true, out);
}

void irrun_context_clear_diagnostics(irrun_context *context) {
  ir_diags *diags = &context->diags;
  const ir_diags before = *diags;
  ir_diags_reset(diags);
  diags->group = before.group;
  diags->status = before.status;
  diags->strict = before.strict;
  diags->in_detail = before.in_detail;
  diags->each_place = before.each_place;
  memcpy(diags->policy, before.policy, sizeof diags->policy);
  context->last_diag = NULL;
  context->last_diag_counted = 0;
}

irrun_status irrun_context_worst(const irrun_context *context) {
  return ir_status(context->diags.status);
}

irrun_status irrun_context_report(irrun_context *context, const char *rule, const char *file, const char *message,
                                  const char *hint) {
  ir_rule number;
  if (!ir_rule_find(rule, strlen(rule), &number))
    number = IR901_INTERNAL_ERROR;
  ir_source *source;
  ir_code code = ir_name_file(&context->diags, file, &source);
  if (code != IR_OK)
    return ir_status(code);
  code = ir_report(&context->diags, number, (ir_where){.source = source}, "%s", message);
  if (hint != NULL)
    ir_hint(&context->diags, "%s", hint);
  ir_source_free(source);
  return ir_status(code);
}

/* ---- rules ---- */

bool irrun_rule_get(int64_t index, irrun_rule *out) {
  if (index < 0 || index >= IR_RULE_COUNT)
    return false;
  const ir_rule_row *row = &ir_rule_rows[index];
  const ir_rule_text *text = &ir_rule_texts[index];
  irrun_rule rule = {.id = row->id,
                     .slug = row->slug,
                     .severity = (irrun_severity)row->severity,
                     .severities = ir_rule_severities((ir_rule)index),
                     .status = ir_status(row->status),
                     .allow = row->allow,
                     .found = (irrun_found)row->found,
                     .text = text->rule,
                     .reason = text->reason,
                     .spec = text->spec,
                     .part = text->example.part,
                     .wrong = text->example.wrong,
                     .right = text->example.right};
  return ir_give_struct(NULL, &rule, sizeof rule, out) == IR_OK;
}

bool irrun_rule_find(const char *text, irrun_rule *out) {
  ir_rule rule;
  return ir_rule_find(text, strlen(text), &rule) && irrun_rule_get(rule, out);
}

/* ---- ops ---- */

bool irrun_op_get(int64_t index, irrun_op *out) {
  const ir_op *op = index < 0 ? NULL : ir_op_at((size_t)index);
  if (op == NULL)
    return false;
  irrun_op row = {.dialect = op->dialect == IR_OPENVINO ? "openvino"
                             : op->dialect == IR_NGRAPH ? "ngraph"
                                                        : "legacy",
                  .type = op->type,
                  .version = op->version,
                  .spec = op->spec,
                  .n_inputs = ir_op_n_inputs(op),
                  .n_outputs = ir_op_n_outputs(op),
                  .n_attributes = ir_op_n_attrs(op)};
  row.inputs_variadic = ir_op_any_inputs(op);
  row.outputs_variadic = ir_op_any_outputs(op);
  row.is_run = !ir_op_is(op, IR_RUN_NONE) || op->expand != NULL; /* an old layer runs as the ops that replace it */
  ir_op_opsets(op, &row.opset_first, &row.opset_last);
  return ir_give_struct(NULL, &row, sizeof row, out) == IR_OK;
}

bool irrun_op_get_port(irrun_context *context, int64_t index, bool output, int port, irrun_op_port *out) {
  const ir_op *op = index < 0 ? NULL : ir_op_at((size_t)index);
  const ir_port_spec *ports = op == NULL ? NULL : output ? op->outputs : op->inputs;
  if (ports == NULL || port < 0 || port >= (output ? ir_op_n_outputs(op) : ir_op_n_inputs(op)))
    return false;
  irrun_op_port row = {.name = ports[port].name,
                       .type_var = ports[port].type_var[0] != '\0' ? ports[port].type_var : NULL,
                       .types = "any",
                       .rank_min = ports[port].rank_min,
                       .rank_max = ports[port].rank_max,
                       .optional = ports[port].optional};
  if (ports[port].types != IR_SET_ANY)
    row.types = ir_type_set_text(ports[port].types, context->text, sizeof context->text);
  return ir_give_struct(&context->diags, &row, sizeof row, out) == IR_OK;
}

static const char *kind_name(const ir_attr_spec *spec) {
  switch (spec->kind) {
  case IR_ATTR_INT:
    return spec->count != IR_COUNT_ONE ? "int list" : "int";
  case IR_ATTR_FLOAT:
    return spec->count != IR_COUNT_ONE ? "float list" : "float";
  case IR_ATTR_BOOL:
    return "bool";
  case IR_ATTR_ENUM:
    return "enum";
  case IR_ATTR_TYPE:
    return "type";
  case IR_ATTR_SHAPE:
  case IR_ATTR_DIMS:
    return "shape";
  case IR_ATTR_TEXT:
    return "text";
  }
  return "";
}

static const char *values_text(const ir_attr_spec *spec, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  if (spec->kind == IR_ATTR_BOOL)
    snprintf(buffer, size, "true, false");
  const bool is_bounded = spec->kind == IR_ATTR_INT && (spec->min != INT64_MIN || spec->max != INT64_MAX);
  if (is_bounded && spec->max == INT64_MAX)
    snprintf(buffer, size, ">= %lld", (long long)spec->min);
  else if (is_bounded)
    snprintf(buffer, size, "%lld..%lld", (long long)spec->min, (long long)spec->max);
  for (int i = 0; spec->kind == IR_ATTR_ENUM && spec->names[i] != NULL && used < size; i++) {
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? ", " : "", spec->names[i]);
    if (spec->other_names != NULL && strcmp(spec->other_names[i], spec->names[i]) != 0 && used < size)
      used += (size_t)snprintf(buffer + used, size - used, " (%s)", spec->other_names[i]);
  }
  return buffer;
}

bool irrun_op_get_attribute(irrun_context *context, int64_t index, int attribute, irrun_op_attribute *out) {
  const ir_op *op = index < 0 ? NULL : ir_op_at((size_t)index);
  if (op == NULL || attribute < 0 || attribute >= ir_op_n_attrs(op))
    return false;
  const ir_attr_spec *spec = &op->attrs[attribute];
  irrun_op_attribute row = {.name = spec->name,
                            .kind = kind_name(spec),
                            .values = values_text(spec, context->text, sizeof context->text),
                            .fallback = spec->required ? NULL : spec->fallback,
                            .required = spec->required};
  return ir_give_struct(&context->diags, &row, sizeof row, out) == IR_OK;
}
