/* The words of edits: their table, and how an edit is taken apart. */
#include "parser/ir_write.h"
#include "runtime/edit/editing.h"
#include "runtime/model/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ENDS  (IR_EDIT_INPUT | IR_EDIT_OUTPUT)
#define NAMED (ENDS | IR_EDIT_TENSOR | IR_EDIT_LAYER)

/* The first rows have a placeholder in capitals in place of a word. */
const ir_edit_row ir_edit_rows[] = {
    {"TYPE", NULL, IR_EDIT_INPUT, ir_edit_note_type, "the input gets this element type, such as u8, and is converted"},
    {"LAYOUT", NULL, IR_EDIT_INPUT, ir_edit_note_axes,
     "the input gets this layout, such as nhwc, and is transposed to that of the model"},
    {"ATTRIBUTE", "VALUE", IR_EDIT_LAYER, ir_edit_attribute, "the layer gets another value of an attribute"},
    {"model", "LAYOUT", IR_EDIT_INPUT, ir_edit_note_axes,
     "the layout that the model expects; default: that in the file, else CHW, NCHW or NCDHW"},
    {"resize", "H,W", IR_EDIT_INPUT, ir_edit_note,
     "the data has this height and width, or ?, and is resized (linear) to what the model expects"},
    {"reverse", NULL, IR_EDIT_INPUT, ir_edit_note, "reverse the channels: RGB to BGR"},
    {"mean", "X,..", IR_EDIT_INPUT, ir_edit_note,
     "subtract a number for each channel, or one for all; after the channels are reversed"},
    {"scale", "X,..", IR_EDIT_INPUT, ir_edit_note, "divide by a number for each channel, or one for all"},
    {"shape", "DIMS", IR_EDIT_INPUT, ir_edit_note, "the input gets this shape: 1,3,?,1..640"},
    {"batch", "N", IR_EDIT_INPUT, ir_edit_note, "the batch of the input gets this size; ? opens it"},
    {"layout", "LAYOUT", ENDS, ir_edit_layout, "note down a layout, and change no element"},
    {"rename", "NAME", NAMED, ir_edit_rename, "the layer or tensor of this name gets another"},
    {"drop", NULL, IR_EDIT_OUTPUT, ir_edit_drop, "remove the output, and the layers that only it needs"},
    {"output", "NAME", IR_EDIT_INPUT | IR_EDIT_TENSOR | IR_EDIT_LAYER, ir_edit_output,
     "the tensor becomes an output; '=NAME' can be left out"},
    {"read", "FILE.npy", IR_EDIT_LAYER, ir_edit_read, "the constant gets these elements"},
    {"read", "FILE.npz", IR_EDIT_MODEL, ir_edit_read,
     "the constants of these names get these elements; --check-shapes --save-all writes such a file"},
    {"weights", "TYPE", IR_EDIT_MODEL, ir_edit_weights,
     "store weights as f16, f32, int8_sym or int8_asym (a scale for each channel, as nncf writes them)"},
    {"compact", NULL, IR_EDIT_MODEL, ir_edit_compact,
     "write only the bytes of the .bin that constants use, and equal constants once"},
    {"rt_info/PATH", "VALUE", IR_EDIT_MODEL, ir_edit_rt_info, "set rt_info, such as rt_info/model_info/labels"},
};
const size_t ir_n_edit_rows = sizeof ir_edit_rows / sizeof ir_edit_rows[0];

static const struct {
  const char *name;
  ir_subject_kind kind;
} kinds[] = {{"input", IR_EDIT_INPUT},
             {"output", IR_EDIT_OUTPUT},
             {"tensor", IR_EDIT_TENSOR},
             {"layer", IR_EDIT_LAYER},
             {"model", IR_EDIT_MODEL}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const char *kind_name(ir_subject_kind kind) {
  int i = 0;
  while (kinds[i].kind != kind)
    i++;
  return kinds[i].name;
}

/* ---- the subject ---- */

/* Finds the input or output of that name; returns -1 if there is none. An ambiguous name is reported. */
static ir_code find_end(ir_editing *e, irrun_side side, const char *name, bool must, int64_t *out) {
  irrun_model *model = e->scope->model;
  *out = -1;
  if (ir_names_make(model, side) != IR_OK)
    return IR_NO_MEMORY;
  bool has = must;
  for (size_t i = 0; i < model->n_names[side] && !has; i++)
    has = model->names[side][i].class != IR_NAME_NUMBER && strcmp(model->names[side][i].text, name) == 0;
  return has ? (ir_code)irrun_model_find_name(model, side, name, NULL, out) : IR_OK;
}

static ir_code find_tensor(ir_editing *e, const char *name, bool must, ir_subject *out) {
  ir_tensor_name found, other;
  ir_code code = ir_tensor_named(e->scope->model, name, 0, &found);
  if (code == IR_OK)
    code = ir_tensor_named(e->scope->model, name, 1, &other);
  if (code != IR_OK || (found.layer < 0 && !must))
    return code;
  if (found.layer < 0)
    return ir_edit_fault(e, "the model has no layer and no tensor '%s'", name);
  if (other.layer >= 0)
    return ir_edit_fault(e, "several layers or tensors are named '%s'", name);
  out->layer = found.layer;
  out->port = found.port;
  return IR_OK;
}

/* Resolves a name of the given kind; kind 0 is an input, else an output, else any other tensor or layer. If nothing has
 * the name and `must` is false, out->layer stays -1. */
static ir_code find_subject(ir_editing *e, int kind, const char *name, bool must, ir_subject *out) {
  int64_t end = -1;
  ir_code code = IR_OK;
  *out = (ir_subject){.name = name, .layer = -1, .kind = (ir_subject_kind)kind};
  if (kind == 0 || kind == IR_EDIT_INPUT)
    code = find_end(e, IRRUN_INPUTS, name, kind != 0, &end);
  if (end >= 0) {
    out->kind = IR_EDIT_INPUT;
    out->layer = e->scope->model->inputs[end];
    return code;
  }
  if (code == IR_OK && (kind == 0 || kind == IR_EDIT_OUTPUT))
    code = find_end(e, IRRUN_OUTPUTS, name, kind != 0, &end);
  if (end >= 0) {
    out->kind = IR_EDIT_OUTPUT;
    out->layer = e->scope->model->outputs[end];
    return code;
  }
  if (code == IR_OK && kind == IR_EDIT_LAYER)
    return ir_find_layer(e, name, out);
  if (code == IR_OK && (kind == 0 || kind == IR_EDIT_TENSOR)) {
    code = find_tensor(e, name, must, out);
    out->kind = IR_EDIT_TENSOR;
  }
  return code;
}

/* Splits "input NAME: WORDS" or "model: WORDS". Names can contain a colon and a blank too, so each ": " is tried as the
 * separator; and a name can begin with a kind: only a blank sets the kind apart, as in "input input: u8". */
static ir_code split(ir_editing *e, char *edit, ir_subject *out, char **out_words) {
  static const char model[] = "model: ";
  int kind = 0;
  char *begin = edit;
  for (int i = 0; i < N_KINDS; i++) {
    const size_t length = strlen(kinds[i].name);
    if (kinds[i].kind != IR_EDIT_MODEL && strncmp(edit, kinds[i].name, length) == 0 && edit[length] == ' ') {
      kind = (int)kinds[i].kind;
      begin += length + 1;
    }
  }
  char *first = strstr(begin, ": ");
  if (first == NULL)
    return ir_edit_fault(e, "expected NAME, a colon, a blank, and words, as 'data: u8 nhwc'");
  *out = (ir_subject){.layer = -1, .kind = IR_EDIT_MODEL, .name = ""};
  *out_words = first + 2;
  if (strncmp(edit, model, strlen(model)) == 0)
    return IR_OK;
  for (char *colon = strstr(first + 1, ": "), *at = first;; at = colon, colon = strstr(colon + 1, ": ")) {
    *at = '\0';
    ir_code code = find_subject(e, kind, begin, colon == NULL, out);
    if (code != IR_OK || out->layer >= 0) {
      *out_words = at + 2;
      return code;
    }
    *at = ':';
  }
}

/* ---- words ---- */

static bool is_row(const ir_edit_row *row, const char *word, const char *value, const ir_subject *subject) {
  ir_type type;
  ir_axes axes;
  if (((unsigned)subject->kind & row->subjects) == 0)
    return false;
  if (row->apply == ir_edit_note_type)
    return value == NULL && ir_type_from_name(word, strlen(word), &type);
  if (row->apply == ir_edit_note_axes && row->argument == NULL)
    return value == NULL && strspn(word, "ncdhwNCDHW") == strlen(word) && ir_axes_from_text(word, strlen(word), &axes);
  if (row->apply == ir_edit_rt_info)
    return strncmp(word, "rt_info/", strlen("rt_info/")) == 0;
  return strcmp(row->word, word) == 0;
}

/* The name of an attribute can be that of a word, so the words of a layer come first. */
static const ir_edit_row *find_row(const char *word, const char *value, const ir_subject *subject) {
  const ir_edit_row *attribute = NULL;
  for (size_t i = 0; i < ir_n_edit_rows; i++) {
    if (is_row(&ir_edit_rows[i], word, value, subject))
      return &ir_edit_rows[i];
    if (ir_edit_rows[i].apply == ir_edit_attribute && subject->kind == IR_EDIT_LAYER && value != NULL)
      attribute = &ir_edit_rows[i];
  }
  return attribute;
}

static ir_code report_unknown(ir_editing *e, const char *word, const ir_subject *subject) {
  char known[512];
  const char *names[32];
  size_t used = 0, n = 0;
  for (size_t i = 0; i < ir_n_edit_rows && used < sizeof known; i++) {
    const ir_edit_row *row = &ir_edit_rows[i];
    if (((unsigned)subject->kind & row->subjects) == 0)
      continue;
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s%s%s", n > 0 ? ", " : "", row->word,
                             row->argument == NULL ? "" : "=", row->argument == NULL ? "" : row->argument);
    names[n++] = row->word;
  }
  ir_code code = ir_edit_fault(e, "'%s' is no word for this %s, expected %s", word, kind_name(subject->kind), known);
  const char *near = ir_did_you_mean(word, names, n);
  if (near != NULL)
    ir_hint(e->diags, "did you mean '%s'?", near);
  return code;
}

/* Takes the next word off `*words`, and its value behind '='. Quotes keep blanks in a value. At the end, `*out_word` is
 * NULL. Returns false if a quote is not closed. */
static bool next_word(char **words, char **out_word, char **out_value) {
  char *at = *words + strspn(*words, " \t"), *const word = at, *to = at;
  bool quoted = false;
  *out_value = NULL;
  for (; *at != '\0' && (quoted || (*at != ' ' && *at != '\t')); at++) {
    if (*at == '"')
      quoted = !quoted;
    else if (*at == '=' && *out_value == NULL)
      *out_value = to + 1, *to++ = '\0';
    else
      *to++ = *at;
  }
  *words = at + (*at != '\0');
  *to = '\0';
  *out_word = to == word ? NULL : word;
  return !quoted;
}

/* ---- settings ---- */

/* A word sets `name` of a tensor, a layer or the model. */
struct ir_setting {
  const ir_edit_scope *scope;
  ir_link target;      /* a tensor; a layer, with IR_ALL_PORTS; the model, with layer -1 */
  const char *name;    /* of an attribute or a path of rt_info, else the word of the row */
  const char *old;     /* the name that is changed; of other settings "" */
  int32_t dropped;     /* the Result that is dropped; -1: none */
  const char *spelled; /* "kernel=3,3" */
  const char *edit;
  struct ir_setting *next;
};

static const char *spell(ir_editing *e, const char *word, const char *value) {
  const size_t size = strlen(word) + (value == NULL ? 0 : strlen(value)) + 2;
  char *text = ir_arena_alloc(&e->arena, size);
  if (text != NULL)
    snprintf(text, size, "%s%s%s", word, value == NULL ? "" : "=", value == NULL ? "" : value);
  return text;
}

static bool set_the_same(const struct ir_setting *a, const struct ir_setting *b) {
  const bool drop_different = a->dropped >= 0 && b->dropped >= 0 && a->dropped != b->dropped; /* of one tensor */
  return !drop_different && a->scope == b->scope && a->target.layer == b->target.layer &&
         a->target.port == b->target.port && strcmp(a->name, b->name) == 0 && strcmp(a->old, b->old) == 0;
}

/* Sets the name of what a word sets, and the tensor, if it sets something of a tensor. */
static void name_setting(const ir_editing *e, const ir_subject *subject, const ir_edit_row *row, const char *word,
                         struct ir_setting *out) {
  out->name = row->word;
  if (row->apply == ir_edit_attribute || row->apply == ir_edit_rt_info)
    out->name = word;
  else if (row->apply == ir_edit_note_axes && row->argument == NULL)
    out->name = "layout"; /* is noted down, too */
  else if (row->apply == ir_edit_drop)
    out->name = "output";
  if (strcmp(out->name, "layout") == 0 || strcmp(out->name, "output") == 0)
    ir_subject_tensor(e, subject, &out->target);
}

/* Notes down what a word sets, and reports if another word has set it. */
static ir_code note_setting(ir_editing *e, const ir_subject *subject, const ir_edit_row *row, const char *word,
                            const char *value) {
  struct ir_setting *item = ir_arena_alloc(&e->arena, sizeof *item);
  const char *spelled = spell(e, word, value);
  if (item == NULL || spelled == NULL)
    return ir_out_of_memory(e->diags);
  *item = (struct ir_setting){.scope = e->scope,
                              .target = {subject->layer, IR_ALL_PORTS},
                              .old = row->apply == ir_edit_rename ? subject->name : "",
                              .dropped = row->apply == ir_edit_drop ? subject->layer : -1,
                              .spelled = spelled,
                              .edit = e->edit,
                              .next = e->settings};
  name_setting(e, subject, row, word, item);
  if (row->apply == ir_edit_read && subject->kind == IR_EDIT_MODEL)
    return IR_OK; /* files can have different constants; find_conflicts finds equal ones */
  e->settings = item;
  for (const struct ir_setting *other = item->next; other != NULL; other = other->next)
    if (set_the_same(item, other)) {
      ir_code code = other->edit == item->edit ? ir_edit_fault(e, "'%s' and '%s' set the same", other->spelled, spelled)
                                               : ir_edit_fault(e, "'%s' sets the same as '%s' of '--edit %s'", spelled,
                                                               other->spelled, other->edit);
      ir_hint(e->diags, "give one of them");
      return code;
    }
  return IR_OK;
}

static ir_code do_word(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  const ir_edit_row *row = find_row(word, value, subject);
  if (row == NULL)
    return report_unknown(e, word, subject);
  if (row->argument == NULL && value != NULL)
    return ir_edit_fault(e, "'%s' takes no value", word);
  if (row->argument != NULL && (value == NULL || *value == '\0') && row->apply != ir_edit_output)
    return ir_edit_fault(e, "'%s' needs a value: %s=%s", word, row->word, row->argument);
  ir_code code = note_setting(e, subject, row, word, value);
  if (code != IR_OK)
    return code;
  if (row->apply != ir_edit_rename && row->apply != ir_edit_output)
    subject->input.is_given = true;
  return row->apply(e, subject, word, value);
}

/* Edits read the output ports in the file, and a faulty layer can have fewer than its op. */
static ir_code check_ports(const ir_editing *e, const ir_subject *subject) {
  const ir_node *node = &e->scope->model->nodes[subject->layer];
  if (!ir_node_lacks_ports(node))
    return IR_OK;
  return ir_edit_fault(e, "layer '%s' has %d of its op's %d output ports; 'irrun --check-shapes' shows the fault",
                       node->layer->name, node->layer->n_outputs, node->n_outputs);
}

ir_code ir_do_edit(ir_editing *e, const char *edit) {
  ir_subject subject;
  const size_t n_changes = e->n_changes;
  const uint32_t character = ir_xml_forbids(edit);
  char *words = NULL, *word, *value, *copy = ir_arena_text(&e->arena, edit, strlen(edit));
  if (copy == NULL)
    return ir_out_of_memory(e->diags);
  e->edit = e->edits.asker = edit;
  e->scope = e->scopes;
  if (character != 0)
    return character >= 0x80 && character <= 0xFF
               ? ir_edit_fault(e, "it holds the byte 0x%" PRIX32 ", which is no UTF-8", character)
               : ir_edit_fault(e, "it holds the character U+%04" PRIX32 ", which XML does not allow", character);
  ir_code code = split(e, copy, &subject, &words);
  if (code == IR_OK && subject.kind != IR_EDIT_MODEL)
    code = check_ports(e, &subject);
  if (code != IR_OK)
    return code;
  bool closed = next_word(&words, &word, &value);
  if (word == NULL)
    return ir_edit_fault(e, "expected words behind the colon");
  for (; word != NULL && closed; closed = next_word(&words, &word, &value))
    code = ir_code_worse(code, do_word(e, &subject, word, value));
  if (!closed)
    code = ir_edit_fault(e, "a quote is not closed");
  const bool edits_input = subject.kind == IR_EDIT_INPUT && subject.input.is_given;
  if (code == IR_OK && edits_input)
    code = ir_edit_input(e, &subject);
  return code == IR_OK && e->n_changes == n_changes ? ir_edit_nothing(e, edit) : code;
}
