/* Changes the text of an IR. Each edit of the caller becomes changes of single places (parser/ir_mend.h), and layers,
 * edges and constants that are added at the ends. */
#ifndef IR_EDITING_H
#define IR_EDITING_H

#include "base/buffer.h"
#include "base/index_map.h"
#include "diag/account.h"
#include "irrun_edit.h"
#include "parser/ir_element.h"
#include "parser/ir_mend.h"
#include "runtime/model/model.h"

/* The name of a layer of the file, or of an added one. */
typedef struct ir_edit_name {
  const char *name;
  int32_t layer;   /* the first layer of the file with this name; -1: an added layer */
  bool is_shared;  /* several layers of the file have the name */
  int64_t n_taken; /* NAME_1 to NAME_n are taken, too */
} ir_edit_name;

/* The model or one of its bodies. */
typedef struct ir_edit_scope {
  irrun_model *model;
  const char *path; /* what names of layers begin with: "" in the model, else "loop > " */
  ir_edit_name *names;
  size_t n_names, names_capacity;
  ir_index_map by_name;            /* from names to indices in `names` */
  const ir_edge **edges_by_source; /* the edges of the file, sorted; NULL: not needed yet */
  ir_graph added;                  /* layers and edges that are added */
  int64_t next_id;                 /* id of the next layer that is added */
  bool *is_dropped;                /* one for each layer: an edit removes it */
  bool *is_replaced;               /* one for each layer: its edges begin elsewhere now, or its type is another */
  bool *is_output;                 /* one for each layer: an edit makes it an output */
  uint64_t *decides;               /* one for each layer: outputs whose elements decide shapes (ir_port_bit) */
} ir_edit_scope;

typedef struct ir_editing {
  ir_edit_scope *scopes; /* the model, then its bodies */
  size_t n_scopes;
  ir_edit_scope *scope; /* the one that is edited now */
  ir_arena arena;       /* of what the edits need */
  ir_diags *diags;
  ir_buffer text;                /* the file */
  ir_edits edits;                /* changes of the file */
  ir_buffer tail;                /* constants that are added */
  int64_t tail_begin;            /* offset of `tail` in the new .bin */
  const char *edit;              /* the edit that is being done, for messages */
  struct ir_setting *settings;   /* what the words set */
  size_t n_changes;              /* changes so far; an edit that adds none finds the model as it asks for */
  struct ir_rt_value *rt_values; /* values of rt_info to set */
  ir_element rt_info;            /* the model's in `text`, if knows_rt_info; `end` is 0 if there is none */
  bool knows_rt_info;
  struct ir_new_name *new_names; /* names that edits give */
  bool compacts;                 /* the .bin is written anew, with only the constants that are in use, each once */
  const char *compact_edit;      /* the edit that asks for just this; NULL: none */
  irrun_edit_weights weights;    /* what weights=TYPE did */
  const char *shared_constant;   /* the first constant that weights=TYPE left, because several layers read it */
  int n_guesses;                 /* names that were compared with all others */
  ir_account account;            /* counts the memory of `tail` */
  void *constants;               /* irrun_edit_constant: the same for each constant */
  size_t n_constants, constants_capacity;
} ir_editing;

/* The kind of thing that an edit changes. */
typedef enum ir_subject_kind {
  IR_EDIT_INPUT = 1,
  IR_EDIT_OUTPUT = 2,
  IR_EDIT_TENSOR = 4,
  IR_EDIT_LAYER = 8,
  IR_EDIT_MODEL = 16
} ir_subject_kind;

enum { IR_MOST_CHANNELS = 4096 }; /* of mean and scale */

/* A layout such as NHWC: letters[i] is the name of axis i. */
typedef struct ir_axes {
  char letters[IR_MAX_RANK + 1]; /* upper case; "" if unknown */
} ir_axes;

/* The words of an edit that concern one input. */
typedef struct ir_input_edit {
  ir_type type;          /* IR_DYNAMIC: not given */
  ir_axes tensor, model; /* layouts of the data that the input gets, and of what the model expects */
  const char *layout;    /* the layout that is only noted down; NULL: none */
  const char *shape, *batch, *resize, *mean, *scale; /* texts; NULL: not given */
  bool reverse;
  bool is_given; /* the edit has such a word */
} ir_input_edit;

typedef struct ir_subject {
  ir_subject_kind kind;
  const char *name;    /* as the edit spells it */
  int32_t layer, port; /* the Parameter; the Result; the layer of a tensor; for a layer `port` is IR_ALL_PORTS */
  ir_input_edit input;
} ir_subject;

/* A row of the table of words. `apply` does what the word asks for, or notes it in subject->input, for which
 * ir_edit_input then does all at once. Every function reports its faults. */
typedef struct ir_edit_row {
  const char *word;
  const char *argument; /* as it is shown in the list of words; NULL: the word has none */
  unsigned subjects;    /* sum of ir_subject_kind */
  ir_code (*apply)(ir_editing *e, ir_subject *subject, const char *word, const char *value);
  const char *help;
} ir_edit_row;
extern const ir_edit_row ir_edit_rows[];
extern const size_t ir_n_edit_rows;

/* edit_words.c: does one edit. */
ir_code ir_do_edit(ir_editing *e, const char *edit);

/* edit_parts.c: reports and layouts. */
/* Reports IR801 for the edit. */
ir_code ir_edit_fault(const ir_editing *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Warns that an edit changes nothing, for the model is already as it asks for. */
ir_code ir_edit_nothing(const ir_editing *e, const char *edit);
/* Parses a layout, "NHWC" or "[N,H,W,C]", into axes; false if it is none. */
bool ir_axes_from_text(const char *text, size_t length, ir_axes *out);

/* edit_find.c: finds layers and edges. */
/* Fills the path and the names of a scope, whose outer scopes are filled already. Returns false if memory is out. */
bool ir_edit_list_names(ir_editing *e, ir_edit_scope *scope);
/* Finds a layer by its name, in a body "LOOP > NAME". Sets e->scope, and `layer`, `port` and `name` of `out`. */
ir_code ir_find_layer(ir_editing *e, const char *name, ir_subject *out);
/* Makes a name for an added layer, which no layer of e->scope has: "BASE/SUFFIX" or "BASE/SUFFIX_1". Returns NULL if
 * memory is out. */
const char *ir_new_layer_name(ir_editing *e, const char *base, const char *suffix);
/* Returns the edges of e->scope that begin at a port, `*out_n` of them; NULL if memory is out. */
const ir_edge *const *ir_edges_from(ir_editing *e, int64_t layer, int64_t port, size_t *out_n);
void ir_edit_scope_reset(ir_edit_scope *scope);

/* edit_deciding.c: makes ir_edit_scope.decides. Returns false if memory is out. */
bool ir_find_deciding(ir_editing *e);
/* edit_deciding.c: the layer for which save_model stores no constant of the model as f16: a FakeQuantize or
 * FakeConvert, or the scale of weights of few bits. NULL: none. */
const ir_node *ir_find_quantized(const irrun_model *model);

/* edit_layers.c: adds layers. */
/* An output of a layer of the file, or of an added one, by its ids. */
typedef struct ir_edit_value {
  int64_t layer, port;
  ir_type type;
  ir_shape shape;
} ir_edit_value;
/* Adds an op that reads `inputs`. `out` has the type and shape of its only output, and gets its ids; NULL: the op has
 * no output. The layer's name is `base` and `suffix`, and a number if there is such a layer. Returns false if memory is
 * out. `attrs` must live as long as the editing. */
bool ir_add_op(ir_editing *e, const char *type, const char *opset, const char *base, const char *suffix,
               ir_raw_attr *attrs, int32_t n_attrs, const ir_edit_value *inputs, int32_t n_inputs, ir_edit_value *out);
/* Adds a constant; a type of whole bytes. */
bool ir_add_constant(ir_editing *e, const char *base, const char *suffix, ir_type type, const ir_shape *shape,
                     const void *elements, size_t bytes, ir_edit_value *out);
/* Adds bytes of constants; returns their offset in the new .bin, or -1 if memory is out. */
int64_t ir_add_bytes(ir_editing *e, const void *bytes, size_t n);
ir_edit_value ir_edit_value_of(const ir_editing *e, int32_t layer, int32_t port);
/* Makes all edges that begin at output `port` of `layer` begin at `to`. */
ir_code ir_redirect_edges(ir_editing *e, int32_t layer, int32_t port, const ir_edit_value *to);
/* Prints the dims without brackets: "1,3,?"; NULL if memory is out. */
const char *ir_dims_attribute(ir_arena *arena, const ir_shape *shape);

/* edit_text.c: changes the file. */
/* Replaces the raw text of an attribute by `value`, which is escaped. */
ir_code ir_set_value(ir_editing *e, ir_at at, const char *value);
ir_code ir_replace(ir_editing *e, int64_t begin, int64_t end, const char *text);
/* Adds text to `buffer`, escaped for an attribute. */
bool ir_add_escaped(ir_buffer *buffer, const char *text, size_t length);
/* Removes an element, with the blanks before it. */
ir_code ir_remove_element(ir_editing *e, ir_at at);
/* Sets an attribute of a layer's <data>. */
ir_code ir_set_attribute(ir_editing *e, const ir_layer *layer, const char *name, const char *value);
/* Returns the place in a start tag behind its last attribute. */
int64_t ir_attributes_end(const char *text, const ir_element *element);
/* Makes the text `out` that takes the place of [place[0], place[1]) so that the element ends with `content`. An element
 * in one tag, <a/>, gets an end tag. Returns false if memory is out. */
bool ir_put_inside(const char *text, const ir_element *element, const char *content, ir_buffer *out, int64_t place[2]);
/* Gives a port without tensor names such names. */
ir_code ir_set_port_names(ir_editing *e, const ir_port *port, const char *names);
/* Sets the layout in the <rt_info> of a port, to text such as "[N,H,W,C]". */
ir_code ir_set_layout(ir_editing *e, const ir_port *port, const char *layout);
/* Finds the text of the layout of a port that begins at `port`. */
bool ir_layout_at(const ir_buffer *text, ir_at port, int64_t place[2]);
/* Reads the layout of a port into axes; "" if it has none. Returns false if it is no list of single letters. */
bool ir_port_layout(const ir_editing *e, const ir_port *port, ir_axes *out);
/* Inserts the text of the layers and edges that edits added, into the model or the body of e->scope. */
ir_code ir_insert_added(ir_editing *e);

/* edit_remove.c: removes dropped layers, and the layers that only they need. */
ir_code ir_remove_dropped(ir_editing *e);

/* edit_ports.c: adds edits after which the ports of `new`, the edited model, declare the types and shapes that
 * differ from those of `old`. Counts these ports and their layers. */
ir_code ir_declare_changed(const irrun_model *old, irrun_model *new, ir_edits *edits, int64_t *out_ports,
                           int64_t *out_layers);

/* edit_names.c: functions of rows. */
/* The output that a subject means; a Result means what feeds it. Returns false if it means several, or none. */
bool ir_subject_tensor(const ir_editing *e, const ir_subject *subject, ir_link *out);
ir_code ir_edit_note_type(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_note_axes(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_note(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_layout(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_rename(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_drop(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_output(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_attribute(ir_editing *e, ir_subject *subject, const char *word, const char *value);
/* Reports new names that something else in the edited model has too. */
ir_code ir_check_new_names(ir_editing *e, irrun_model *edited);

/* edit_layouts.c: reports layouts of inputs and outputs that do not fit their shapes, unless they are as before. `text`
 * is that of the edited model. */
ir_code ir_check_layouts(const ir_editing *e, irrun_model *edited, const ir_buffer *text);

/* edit_rt_info.c: notes a value of rt_info down; sets all values in the edited text. */
ir_code ir_edit_rt_info(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_set_rt_values(ir_editing *e, ir_buffer *text);

/* edit_contents.c, edit_weights.c: functions of rows that change constants. */
ir_code ir_edit_read(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_compact(ir_editing *e, ir_subject *subject, const char *word, const char *value);
ir_code ir_edit_weights(ir_editing *e, ir_subject *subject, const char *word, const char *value);
/* Gives a Const layer other elements, which become part of the tail. */
ir_code ir_set_constant(ir_editing *e, const ir_node *node, ir_type type, const ir_shape *shape, const void *elements,
                        size_t bytes);

/* edit_input.c: does what subject->input asks for. */
ir_code ir_edit_input(ir_editing *e, const ir_subject *subject);

#endif
