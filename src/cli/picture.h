/* Describes the picture that --graph draws: boxes, and lines from boxes to the boxes that read them. In a large model,
 * a box can show a chain of layers, each of which only feeds the next layer. A block is a group of consecutive boxes.
 * If consecutive blocks are equal, the picture shows only the first one. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli.h"

typedef struct cli_drawn_layer {
  const char *name, *type, *opset;
  char *id; /* as diagnostics have it: "7"; "?" if the file has none */
  int version;
  int64_t owner; /* layer whose body contains this layer; -1: none */
  int body;
  int64_t *sources; /* layers that feed this layer, without duplicates */
  int n_sources;
  int n_users;    /* number of layers that read this layer and are not folded */
  bool is_folded; /* a constant, or a Convert, Reshape or similar op on constants; shown in the boxes of its users */
  bool is_missing, is_end, has_body;
  char *fault;  /* first error of the layer, "IR304 kernel-exceeds-input"; NULL: none */
  int64_t box;  /* first layer of the box that contains this layer */
  int64_t next; /* next layer in the same box; -1: this layer is the last */
} cli_drawn_layer;

/* A box; its number is the index of its first layer. The entries of other layers are no boxes. */
typedef struct cli_box {
  int64_t last;     /* last layer of the box; -1: the entry is no box */
  int64_t drawn_as; /* the box that is drawn: the equal box in the first block, or this box itself */
  int64_t block;    /* first box of the first block; -1: this box is in no repeated block */
  int64_t repeat;   /* number of the block that contains this box, from 0 */
} cli_box;

typedef struct cli_line {
  int64_t from, to; /* numbers of boxes */
  bool is_back;     /* the line leads from a block to one of its repetitions */
} cli_line;

typedef struct cli_picture {
  cli *c;
  irrun_model *model;
  irrun_status status; /* status of the model's check */
  int64_t n_layers;
  cli_drawn_layer *layers;
  cli_box *boxes; /* one entry per layer */
  cli_line *lines;
  int64_t n_lines;
  bool is_whole;     /* every layer, even a constant, has its own box */
  bool has_tooltips; /* boxes have a text that appears under the mouse */
} cli_picture;

/* picture.c: reads the layers and their faults, and chooses the layers to draw. */
void cli_picture_read(cli *c, irrun_model *model, irrun_status status, cli_picture *out);
/* Does the same, and arranges the picture. */
void cli_picture_make(cli *c, irrun_model *model, irrun_status status, cli_picture *out);
void cli_picture_free(cli_picture *picture);
/* Whether a box with this number exists and is drawn. A box is not drawn if an equal box in an earlier block is drawn
 * for it. */
bool cli_picture_has_box(const cli_picture *picture, int64_t box);
/* picture_boxes.c: joins chains of layers into boxes, finds repeated blocks, and makes the lines. */
void cli_picture_arrange(cli_picture *picture);

/* picture_text.c */
/* Adds the text of a box: name, op, outputs, constants, fault. A chain has one line per layer. */
void cli_add_box_text(cli_string *string, const cli_picture *picture, int64_t box);
/* Adds the picture's title: "pool.xml: invalid, 3 layers; red: a fault". */
void cli_add_title(cli_string *string, const cli_picture *picture);
/* Adds the title of the body that contains `layer`: "then_body of If-8 'choice'". */
void cli_add_body_title(cli_string *string, const cli_picture *picture, int64_t layer);
/* Adds the title of the block whose first box is `box`: "12 times, up to 'encoder.11/add'". */
void cli_add_block_title(cli_string *string, const cli_picture *picture, int64_t box);

/* picture_kinds.c */
/* Returns the colour for the kind of a box that is neither faulty nor missing. */
const char *cli_box_color(const cli_picture *picture, int64_t box);
/* Adds the whole names, ops, attributes and outputs of a box's layers. */
void cli_add_box_tooltip(cli_string *string, const cli_picture *picture, int64_t box);

/* Functions that write one output format. cli_picture_draw calls `begin`, then draws all boxes, some of them in groups,
 * then all lines, then calls `end`. After the group of a body, it calls `body_line`. */
typedef struct cli_pen {
  void (*begin)(cli_string *out, const cli_picture *picture);
  void (*begin_group)(cli_string *out, const char *id, const char *title, bool is_body);
  void (*box)(cli_string *out, const cli_picture *picture, int64_t box);
  void (*end_group)(cli_string *out);
  void (*line)(cli_string *out, const cli_line *line);
  /* Draws a line from an If, Loop or TensorIterator to its body, the group `id` whose first box is `first`. */
  void (*body_line)(cli_string *out, int64_t owner, const char *id, int64_t first);
  void (*end)(cli_string *out);
} cli_pen;
extern const cli_pen cli_dot_pen, cli_mermaid_pen;

/* picture_draw.c */
void cli_picture_draw(const cli_picture *picture, const cli_pen *pen, cli_string *out);

#endif
