/* Implements the calls of irrun_edit.h. Edits change the text of a model in memory. The text is read as a model of its
 * own; its ports get the inferred types and shapes, and the text is read again and checked. So what is written is
 * exactly what was checked. */
#include "irrun_edit.h"
#include "parser/ir_layer_texts.h"
#include "runtime/convert/compaction.h"
#include "runtime/convert/out_pair.h"
#include "runtime/edit/editing.h"
#include "runtime/model/weight_parts.h"
#include "runtime/read/model_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

struct irrun_edit {
  irrun_model *from; /* the model of the caller */
  ir_editing editing;
  ir_buffer text;      /* the edited file */
  irrun_model *result; /* read from `text` */
  ir_buffer written;   /* `text` with other offsets, if the .bin is written anew; else empty */
  ir_compaction compaction;
  bool has_constants;        /* `from` has */
  int64_t n_ports, n_layers; /* ports whose declaration follows from the edits, and their layers */
};

/* ---- the table ---- */

/* Prints "input, output". */
static const char *subjects_text(unsigned subjects) {
  static const struct {
    unsigned subjects;
    const char *text;
  } texts[] = {
      {IR_EDIT_INPUT, "input"},
      {IR_EDIT_OUTPUT, "output"},
      {IR_EDIT_LAYER, "layer"},
      {IR_EDIT_MODEL, "model"},
      {IR_EDIT_INPUT | IR_EDIT_OUTPUT, "input, output"},
      {IR_EDIT_INPUT | IR_EDIT_TENSOR | IR_EDIT_LAYER, "input, tensor, layer"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (texts[i].subjects == subjects)
      return texts[i].text;
  return "input, output, tensor, layer";
}

bool irrun_edit_get_word(int64_t index, irrun_edit_word *out) {
  if (index < 0 || (size_t)index >= ir_n_edit_rows)
    return false;
  const ir_edit_row *row = &ir_edit_rows[index];
  const irrun_edit_word word = {
      .word = row->word, .argument = row->argument, .subjects = subjects_text(row->subjects), .help = row->help};
  return ir_give_struct(NULL, &word, sizeof word, out) == IR_OK;
}

/* ---- making ---- */

static bool begin_scope(ir_editing *e, ir_edit_scope *scope, irrun_model *model) {
  const ir_graph *graph = &model->graph;
  *scope = (ir_edit_scope){.model = model};
  ir_graph_init(&scope->added, &model->context->memory);
  scope->added.name = "";
  scope->added.version = graph->version;
  scope->next_id = ir_graph_next_id(graph);
  scope->is_dropped = ir_arena_array(&e->arena, graph->n_layers + 1, sizeof *scope->is_dropped);
  scope->is_replaced = ir_arena_array(&e->arena, graph->n_layers + 1, sizeof *scope->is_replaced);
  scope->is_output = ir_arena_array(&e->arena, graph->n_layers + 1, sizeof *scope->is_output);
  return scope->is_dropped != NULL && scope->is_replaced != NULL && scope->is_output != NULL &&
         ir_edit_list_names(e, scope);
}

static ir_code begin(ir_editing *e, irrun_model *model) {
  const ir_graph *graph = &model->graph;
  const ir_memory *memory = &model->context->memory;
  ir_weights *weights = graph->weights;
  const int64_t bin_bytes = weights != NULL && ir_weights_open(weights) ? weights->size : 0;
  *e = (ir_editing){.diags = &model->context->diags, .text.memory = memory, .tail.memory = &e->account.memory};
  ir_account_init(&e->account, memory, e->diags);
  e->tail_begin = (bin_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (weights != NULL && weights->tail != NULL) { /* the model is the result of other edits */
    e->tail_begin = weights->tail_begin;
    if (!ir_buffer_add(&e->tail, weights->tail, (size_t)(weights->size - weights->tail_begin)))
      return ir_out_of_memory(e->diags);
  }
  ir_arena_init(&e->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  ir_edits_init(&e->edits, graph, &e->arena, e->diags);
  e->scopes = e->scope = ir_arena_array(&e->arena, graph->n_bodies + 1, sizeof *e->scopes);
  for (size_t i = 0; i <= graph->n_bodies && e->scopes != NULL; i++) {
    e->n_scopes = i + 1;
    if (!begin_scope(e, &e->scopes[i], i == 0 ? model : model->bodies[i - 1]))
      return ir_out_of_memory(e->diags);
  }
  return e->scopes == NULL ? ir_out_of_memory(e->diags) : ir_read_text(graph->source, &e->text, e->diags);
}

static ir_code check_model(const ir_editing *e) {
  const ir_graph *graph = &e->scopes[0].model->graph;
  if (graph->dialect == IR_NGRAPH || graph->version != 11) {
    char version[32];
    snprintf(version, sizeof version, "one of version %d", graph->version);
    ir_code code = ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.source = graph->source, .at = IR_NOWHERE},
                             "only an IR of version 11 can be edited, and this is %s",
                             graph->dialect == IR_NGRAPH ? "an nGraph model" : version);
    ir_hint(e->diags, graph->version == 10
                          ? "OpenVINO reads it, and saves it as version 11 after model.set_rt_info(11, 'version')"
                          : "convert it first: --convert OUT.xml");
    return code;
  }
  return IR_OK;
}

/* Reports edits that change the same text. */
static ir_code find_conflicts(ir_editing *e) {
  ir_code code = IR_OK;
  ir_sort_edits(&e->edits);
  for (size_t i = 1; i < e->edits.n && code == IR_OK; i++) {
    const ir_edit *before = &e->edits.items[i - 1], *edit = &e->edits.items[i];
    if (edit->begin >= before->end && (edit->begin > before->begin || edit->begin == edit->end))
      continue;
    const char *first = before->asker == NULL ? edit->asker : before->asker;
    const char *second = edit->asker == NULL ? before->asker : edit->asker;
    const ir_where nowhere = {.at = IR_NOWHERE};
    if (before->asker == NULL || edit->asker == NULL)
      code = ir_report(e->diags, IR801_COMMAND_LINE, nowhere,
                       "'--edit %s' changes a part of the model that is removed with a dropped output", first);
    else if (first == second)
      code = ir_report(e->diags, IR801_COMMAND_LINE, nowhere, "'--edit %s' changes the same text of the model twice",
                       first);
    else
      code = ir_report(e->diags, IR801_COMMAND_LINE, nowhere,
                       "'--edit %s' and '--edit %s' change the same text of the model", first, second);
    ir_hint(e->diags, "give one of them, or edit the edited model again");
  }
  return code;
}

/* Reports constants that one edit makes outputs, and another stores in another type: such an output could mean both. */
static ir_code check_outputs(const ir_editing *e) {
  const ir_edit_scope *scope = &e->scopes[0];
  ir_code code = IR_OK;
  for (size_t i = 0; i < scope->model->graph.n_layers; i++) {
    if (!scope->is_output[i] || !scope->is_replaced[i] || ir_op_is(scope->model->nodes[i].op, IR_RUN_INPUT))
      continue;
    code = ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                     "'%s' becomes an output, and an edit of weights stores it in another type",
                     scope->model->graph.layers[i].name);
    ir_hint(e->diags, "do one of them, and edit the edited model again");
  }
  return code;
}

static ir_code do_edits(ir_editing *e, const char *const *edits, size_t n_edits) {
  ir_code code = check_model(e);
  for (size_t i = 0; i < n_edits && code != IR_NO_MEMORY; i++)
    code = ir_code_worse(code, ir_do_edit(e, edits[i]));
  e->edits.asker = NULL;
  if (code == IR_OK)
    code = check_outputs(e);
  for (size_t i = 0; i < e->n_scopes && code == IR_OK; i++) {
    e->scope = &e->scopes[i];
    code = ir_remove_dropped(e);
    if (code == IR_OK)
      code = ir_insert_added(e);
  }
  e->scope = e->scopes;
  return code == IR_OK ? find_conflicts(e) : code;
}

/* Reports that constants of the file cannot be written, because the model's .bin is missing: an error if the new .bin
 * has other constants, else a warning. */
static ir_code report_no_weights(const ir_editing *e) {
  ir_code code = ir_report_as(e->diags, IR401_BIN_MISSING, e->tail.n > 0 ? IR_ERROR : IR_WARNING,
                              (ir_where){.source = e->scopes[0].model->graph.source, .at = IR_NOWHERE},
                              "%s, for the model's .bin is not there",
                              e->tail.n > 0 ? "constants cannot be added" : "constants are not copied");
  ir_hint(e->diags, "name it with --weights FILE");
  return code;
}

/* Reports if constants are added, and those of the file are missing. */
static ir_code check_weights(irrun_edit *edit) {
  const ir_editing *e = &edit->editing;
  ir_weights *weights = edit->from->graph.weights;
  for (size_t s = 0; s < e->n_scopes; s++)
    for (size_t i = 0; i < e->scopes[s].model->graph.n_layers; i++)
      edit->has_constants = edit->has_constants || ir_op_is(e->scopes[s].model->nodes[i].op, IR_RUN_CONSTANT);
  return e->tail.n > 0 && edit->has_constants && (weights == NULL || !ir_weights_open(weights)) ? report_no_weights(e)
                                                                                                : IR_OK;
}

static ir_code read_text_of(irrun_edit *edit, const char *name, bool checks_ports, irrun_model **out) {
  ir_editing *e = &edit->editing;
  const ir_edited_text text = {.name = name,
                               .text = {edit->text.data, edit->text.n},
                               .weights = edit->from->graph.weights,
                               .tail = {e->tail.data, e->tail.n},
                               .tail_begin = e->tail_begin,
                               .checks_ports = checks_ports};
  return (ir_code)ir_read_edited(edit->from->context, &text, out);
}

/* Replaces edit->text by a text in which the ports declare what is inferred. Says nothing of faults, which the check
 * finds again: what can be inferred in spite of them is declared, lest they look like consequences of declarations. */
static ir_code correct_ports(irrun_edit *edit, const char *name) {
  ir_diags *diags = edit->editing.diags;
  ir_buffer text = {.memory = edit->text.memory};
  irrun_model *model;
  ir_edits edits;
  diags->muted++;
  read_text_of(edit, name, false, &model);
  diags->muted--;
  if (model == NULL || diags->memory_is_out) { /* a text that is no model is left to the check */
    irrun_model_free(model);
    return diags->memory_is_out ? IR_NO_MEMORY : IR_OK;
  }
  ir_edits_init(&edits, &model->graph, &model->arena, diags);
  ir_code code = ir_declare_changed(edit->from, model, &edits, &edit->n_ports, &edit->n_layers);
  if (code == IR_OK)
    code = ir_write_mended(&edits, ir_sink_of_buffer(&text));
  if (text.out_of_memory)
    code = ir_out_of_memory(diags);
  ir_edits_reset(&edits);
  irrun_model_free(model);
  ir_buffer *const unused = code == IR_OK ? &edit->text : &text;
  ir_buffer_reset(unused);
  if (code == IR_OK)
    edit->text = text;
  return code;
}

static ir_code refuse_foreign(const irrun_model *model, const ir_layer *layer, ir_diags *diags) {
  ir_code code = ir_report(
      diags, IR801_COMMAND_LINE, ir_layer_where(&model->graph, layer, layer->type_at),
      "the constants cannot be written anew: where a layer of an extension has its bytes in the .bin is not known");
  ir_hint(diags, "leave out the edits 'compact' and 'weights'");
  return code;
}

static ir_code list_constants(irrun_model *model, ir_compaction *out, ir_diags *diags) {
  const ir_graph *graph = &model->graph;
  const ir_layer *foreign = ir_find_foreign_bytes(model, NULL);
  if (foreign != NULL)
    return refuse_foreign(model, foreign, diags);
  ir_code code = ir_list_constants(model, NULL, out);
  if (code == IR_OK && out->n > 0 && (graph->weights == NULL || !ir_weights_open(graph->weights)))
    code = ir_report(diags, IR401_BIN_MISSING, (ir_where){.source = graph->source, .at = IR_NOWHERE},
                     "the constants cannot be written anew: the model's .bin is not there");
  return code;
}

static ir_code compact(irrun_edit *edit) {
  ir_edits edits;
  ir_edits_init(&edits, &edit->result->graph, &edit->result->arena, edit->editing.diags);
  const ir_editing *e = &edit->editing;
  const ir_weights *weights = edit->from->graph.weights;
  ir_code code = list_constants(edit->result, &edit->compaction, edit->editing.diags);
  if (code == IR_OK)
    code = ir_compact(edit->result, &edit->compaction, &edits);
  if (code == IR_OK && e->compact_edit != NULL && e->tail.n == 0 && edits.n == 0 &&
      edit->compaction.bytes == (weights == NULL ? 0 : weights->size))
    code = ir_edit_nothing(e, e->compact_edit);
  if (code == IR_OK)
    code = ir_write_mended(&edits, ir_sink_of_buffer(&edit->written));
  ir_edits_reset(&edits);
  return edit->written.out_of_memory ? ir_out_of_memory(edit->editing.diags) : code;
}

static ir_code make(irrun_edit *edit, const char *const *edits, size_t n_edits, const char *name) {
  ir_code code = begin(&edit->editing, edit->from);
  if (code == IR_OK)
    code = do_edits(&edit->editing, edits, n_edits);
  if (code == IR_OK)
    code = check_weights(edit);
  if (code == IR_OK)
    code = ir_write_mended(&edit->editing.edits, ir_sink_of_buffer(&edit->text));
  if (code == IR_OK && edit->text.out_of_memory)
    code = ir_out_of_memory(edit->editing.diags);
  if (code == IR_OK)
    code = ir_set_rt_values(&edit->editing, &edit->text);
  if (code == IR_OK)
    code = correct_ports(edit, name);
  if (code == IR_OK)
    code = read_text_of(edit, name, true, &edit->result);
  if (code == IR_OK)
    code = ir_check_new_names(&edit->editing, edit->result);
  if (code == IR_OK)
    code = ir_check_layouts(&edit->editing, edit->result, &edit->text);
  return code == IR_OK && edit->editing.compacts ? compact(edit) : code;
}

irrun_status irrun_edit_create(irrun_model *model, const char *const *edits, size_t n_edits, const char *name,
                               irrun_edit **out_edit) {
  *out_edit = NULL;
  if (model->status != IRRUN_OK && model->status != IRRUN_INVALID)
    return model->status; /* the edits can mend faults of the model; the check of the result finds those that stay */
  irrun_edit *edit = ir_alloc_zero(&model->context->memory, 1, sizeof *edit);
  if (edit == NULL)
    return ir_status(ir_out_of_memory(&model->context->diags));
  edit->from = model;
  edit->text.memory = edit->written.memory = &model->context->memory;
  ir_code code = make(edit, edits, n_edits, name);
  if (code != IR_OK)
    irrun_edit_free(edit);
  else {
    *out_edit = edit;
    if (model->status != IRRUN_OK)
      model->context->diags.status = IR_OK; /* the faults of the model are mended */
  }
  return ir_status(code);
}

void irrun_edit_free(irrun_edit *edit) {
  if (edit == NULL)
    return;
  irrun_model_free(edit->result);
  ir_buffer_reset(&edit->text);
  ir_buffer_reset(&edit->written);
  ir_edits_reset(&edit->editing.edits);
  ir_buffer_reset(&edit->editing.text);
  ir_buffer_reset(&edit->editing.tail);
  ir_free(&edit->from->context->memory, edit->editing.constants);
  for (size_t i = 0; i < edit->editing.n_scopes; i++)
    ir_edit_scope_reset(&edit->editing.scopes[i]);
  ir_arena_reset(&edit->editing.arena);
  ir_free(&edit->from->context->memory, edit);
}

bool irrun_edit_get_weights(const irrun_edit *edit, irrun_edit_weights *out) {
  const irrun_edit_weights *weights = &edit->editing.weights;
  return weights->n_constants + weights->n_kept > 0 && ir_give_struct(NULL, weights, sizeof *weights, out) == IR_OK;
}

bool irrun_edit_get_constant(const irrun_edit *edit, int64_t index, irrun_edit_constant *out) {
  const irrun_edit_constant *constants = edit->editing.constants;
  return index >= 0 && index < (int64_t)edit->editing.n_constants &&
         ir_give_struct(NULL, &constants[index], sizeof *constants, out) == IR_OK;
}

irrun_model *irrun_edit_get_model(irrun_edit *edit) {
  return edit->result;
}

/* ---- writing ---- */

static ir_code write_xml(ir_out_pair *pair, const irrun_edit *edit) {
  const ir_buffer *text = edit->editing.compacts ? &edit->written : &edit->text;
  ir_code code = ir_out_pair_open(pair, pair->xml_path, &pair->xml);
  if (code == IR_OK) /* ir_out_pair_commit reports a failed write */
    ir_out_file_write(pair->xml, text->data, text->n);
  return code;
}

/* Writes the .bin of the edited model. Writes nothing if OUT.bin is the file's own, and nothing is added. */
static ir_code write_bin(ir_out_pair *pair, irrun_edit *edit, irrun_conversion *out) {
  const ir_editing *e = &edit->editing;
  ir_weights *weights = edit->result->graph.weights;
  const bool has_bin = weights != NULL && ir_weights_open(weights);
  ir_code code = IR_OK;
  if (e->compacts) {
    out->bin_bytes = edit->compaction.bytes;
    code = ir_out_pair_open(pair, pair->bin_path, &pair->bin);
    return code == IR_OK ? ir_write_compact(&edit->compaction, weights, ir_sink_of(pair->bin), e->diags) : code;
  }
  if (!has_bin) {
    code = edit->has_constants ? report_no_weights(e) : IR_OK;
    return code == IR_OK ? ir_out_pair_without_bin(pair, edit->has_constants) : code;
  }
  out->bin_bytes = weights->size;
  if (ir_out_pair_has_copy(pair, weights))
    return IR_OK;
  code = ir_out_pair_open(pair, pair->bin_path, &pair->bin);
  return code == IR_OK ? ir_out_pair_copy(pair, weights) : code;
}

irrun_status irrun_edit_write(irrun_edit *edit, const char *path, irrun_conversion *out) {
  ir_diags *diags = edit->editing.diags;
  ir_out_pair pair = {.model = edit->from};
  irrun_conversion result = {.n_ports = edit->n_ports, .n_layers = edit->n_layers};
  ir_code code = ir_give_struct(diags, &result, sizeof result, out);
  if (code != IR_OK)
    return ir_status(code);
  code = ir_out_pair_find(&pair, path);
  if (code == IR_OK)
    code = write_xml(&pair, edit);
  if (code == IR_OK)
    code = write_bin(&pair, edit, &result);
  if (code == IR_OK && (pair.bin != NULL || result.bin_bytes > 0)) {
    result.weights = ir_arena_text(&edit->result->arena, pair.bin_path, strlen(pair.bin_path));
    code = result.weights == NULL ? ir_out_of_memory(diags) : IR_OK;
  }
  if (code == IR_OK)
    code = ir_out_pair_commit(&pair);
  if (code == IR_OK)
    ir_give_struct(diags, &result, sizeof result, out);
  ir_out_pair_discard(&pair);
  return ir_status(code);
}
