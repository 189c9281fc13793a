/* The picture that --graph draws of a model: boxes of one layer or a chain of layers, and lines between them. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli.h"

typedef struct cli_drawn_layer {
  const char *name, *type, *opset;
  int version;
  int64_t owner; /* the layer with the body that contains it, or -1 */
  int body;
  int64_t *sources; /* layers that feed it, without duplicates */
  int n_sources;
  int n_users;    /* number of drawn layers that it feeds */
  bool is_folded; /* a constant, or computed from constants only: shown in the boxes that use it */
  bool is_missing, is_end, has_body;
  char *fault;  /* its first error, "IR304 kernel-exceeds-input", or NULL */
  int64_t box;  /* the first layer of its box */
  int64_t next; /* the next layer in the box, or -1 */
} cli_drawn_layer;

/* A box is identified by its first layer; the entries of other layers are unused. */
typedef struct cli_box {
  int64_t last;     /* its last layer; -1: this is no box */
  int64_t drawn_as; /* the box itself, or the equal box in the first of several repeated blocks */
  int64_t block;    /* first box of the first block; -1: not repeated */
  int64_t repeat;   /* number of its block, from 0 */
} cli_box;

typedef struct cli_line {
  int64_t from, to; /* boxes */
  bool is_back;     /* from a block to its repetition */
} cli_line;

typedef struct cli_picture {
  cli *c;
  irrun_model *model;
  irrun_status status; /* of the model */
  int64_t n_layers;
  cli_drawn_layer *layers;
  cli_box *boxes; /* one per layer */
  cli_line *lines;
  int64_t n_lines;
  bool is_whole; /* every layer, even a constant, has its own box */
} cli_picture;

/* picture.c: finds the layers, their faults, and those to draw. */
void cli_picture_make(cli *c, irrun_model *model, irrun_status status, cli_picture *out);
void cli_picture_free(cli_picture *picture);
/* Whether the box is drawn: it exists and repeats no other box. */
bool cli_picture_has_box(const cli_picture *picture, int64_t box);
/* picture_boxes.c: joins chains, finds repeated blocks, and draws the lines. */
void cli_picture_arrange(cli_picture *picture);

/* picture_text.c */
/* Adds the lines of a box: name, op, outputs, constants, fault; for a chain one line per layer. */
void cli_add_box_text(cli_string *string, const cli_picture *picture, int64_t box);
/* Adds "pool.xml: invalid, 3 layers; red: a fault". */
void cli_add_title(cli_string *string, const cli_picture *picture);
/* Adds "then_body of If 'choice'". */
void cli_add_body_title(cli_string *string, const cli_picture *picture, int64_t layer);
/* Adds "12 times, up to 'encoder.11/add'" for the block that begins with this box. */
void cli_add_block_title(cli_string *string, const cli_picture *picture, int64_t box);

/* Writes one output format; the functions are called in this order. */
typedef struct cli_pen {
  void (*begin)(cli_string *out, const cli_picture *picture);
  void (*begin_group)(cli_string *out, const char *id, const char *title, bool is_body);
  void (*box)(cli_string *out, const cli_picture *picture, int64_t box);
  void (*end_group)(cli_string *out);
  void (*line)(cli_string *out, const cli_line *line);
  /* Draws a line from an If, Loop or TensorIterator to the body whose first box is `first`. */
  void (*body_line)(cli_string *out, int64_t owner, const char *id, int64_t first);
  void (*end)(cli_string *out);
} cli_pen;
extern const cli_pen cli_dot_pen, cli_mermaid_pen;

/* picture_draw.c */
void cli_picture_draw(const cli_picture *picture, const cli_pen *pen, cli_string *out);

#endif
