/* The two files of an IR that irrun writes. */
#ifndef IR_OUT_PAIR_H
#define IR_OUT_PAIR_H

#include "runtime/files/out_file.h"
#include "runtime/model/model.h"

typedef struct ir_out_pair {
  irrun_model *model; /* the model whose IR is written */
  const char *xml_path;
  char *bin_path;
  ir_out_file *xml, *bin; /* NULL while not open */
} ir_out_pair;

/* Sets both names from the name of the .xml. Reports IR801 if it is no .xml name, or if writing would replace a
 * different file of the model; an IR may be written over itself. */
ir_code ir_out_pair_find(ir_out_pair *pair, const char *path);
ir_code ir_out_pair_open(const ir_out_pair *pair, const char *path, ir_out_file **out_file);
/* Commits the .bin first, so that a visible .xml always has its constants. */
ir_code ir_out_pair_commit(const ir_out_pair *pair);
/* Frees the pair; uncommitted files are removed. */
void ir_out_pair_discard(ir_out_pair *pair);

ir_byte_sink ir_sink_of(ir_out_file *file);
/* Whether two paths lead to one file. */
bool ir_same_place(const char *a, const char *b);

#endif
