/* What --graph draws of a model: boxes, of a layer or a chain of layers each, and lines between them. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli.h"

typedef struct cli_drawn_layer {
  const char *name, *type, *opset;
  int version;
  int64_t owner; /* of the body it lies in, or -1 */
  int body;
  int64_t *sources; /* the layers that feed it, each once */
  int n_sources;
  int n_users;    /* drawn layers that it feeds */
  bool is_folded; /* a constant, or made of constants alone: it is named where it is used */
  bool is_missing, is_end, has_body;
  char *fault;  /* "IR304 kernel-exceeds-input", the first of its errors, or NULL */
  int64_t box;  /* the first layer of the box that it is in */
  int64_t next; /* the next layer in the box, or -1 */
} cli_drawn_layer;

/* A box has the number of its first layer; other layers have none of their own. */
typedef struct cli_box {
  int64_t last;     /* layer; -1: there is no such box */
  int64_t drawn_as; /* itself, or the like box of the first of several blocks that are repeated */
  int64_t block;    /* first box of the first block; -1: nothing is repeated here */
  int64_t repeat;   /* which of the blocks, from 0 */
} cli_box;

typedef struct cli_line {
  int64_t from, to; /* boxes */
  bool is_back;     /* from a block to the next one */
} cli_line;

typedef struct cli_picture {
  cli *c;
  irrun_model *model;
  irrun_status status; /* of the model */
  int64_t n_layers;
  cli_drawn_layer *layers;
  cli_box *boxes; /* one a layer */
  cli_line *lines;
  int64_t n_lines;
  bool is_whole; /* every layer, constants too, has a box of its own */
} cli_picture;

/* picture.c: layers, their faults, and which of them are drawn. */
void cli_picture_make(cli *c, irrun_model *model, irrun_status status, cli_picture *out);
void cli_picture_free(cli_picture *picture);
/* True when the box is drawn: it is there, and no repetition of another. */
bool cli_picture_has_box(const cli_picture *picture, int64_t box);
/* picture_boxes.c: joins chains, finds blocks that are repeated, and draws the lines. */
void cli_picture_arrange(cli_picture *picture);

/* picture_text.c */
/* Lines of a box: name, op, outputs, constants, fault; of a chain one a layer. */
void cli_add_box_text(cli_string *string, const cli_picture *picture, int64_t box);
/* "pool.xml: invalid, 3 layers; red: a fault". */
void cli_add_title(cli_string *string, const cli_picture *picture);
/* "then_body of If 'choice'" */
void cli_add_body_title(cli_string *string, const cli_picture *picture, int64_t layer);
/* "12 times, up to 'encoder.11/add'": of the block that begins with this box. */
void cli_add_block_title(cli_string *string, const cli_picture *picture, int64_t box);

/* Writes a form; calls come in this order. */
typedef struct cli_pen {
  void (*begin)(cli_string *out, const cli_picture *picture);
  void (*begin_group)(cli_string *out, const char *id, const char *title, bool is_body);
  void (*box)(cli_string *out, const cli_picture *picture, int64_t box);
  void (*end_group)(cli_string *out);
  void (*line)(cli_string *out, const cli_line *line);
  /* From an If, Loop or TensorIterator to the group with the body that begins with the box `first`. */
  void (*body_line)(cli_string *out, int64_t owner, const char *id, int64_t first);
  void (*end)(cli_string *out);
} cli_pen;
extern const cli_pen cli_dot_pen, cli_mermaid_pen;

/* picture_draw.c */
void cli_picture_draw(const cli_picture *picture, const cli_pen *pen, cli_string *out);

#endif
