/* The two files of an IR that is written. */
#ifndef IR_OUT_PAIR_H
#define IR_OUT_PAIR_H

#include "runtime/files/out_file.h"
#include "runtime/model/model.h"

typedef struct ir_out_pair {
  irrun_model *model; /* that it is made of */
  const char *xml_path;
  char *bin_path;
  ir_out_file *xml, *bin; /* NULL while they are not open */
} ir_out_pair;

/* Names both files by that of the .xml. IR801 when it is none, or a file of the model would become another one; an IR
 * may be written over itself. */
ir_code ir_out_pair_find(ir_out_pair *pair, const char *path);
ir_code ir_out_pair_open(const ir_out_pair *pair, const char *path, ir_out_file **out_file);
/* The .bin first: an .xml that can be seen has its constants. */
ir_code ir_out_pair_commit(const ir_out_pair *pair);
/* Frees it; what is not committed leaves no file behind. */
void ir_out_pair_discard(ir_out_pair *pair);

ir_byte_sink ir_sink_of(ir_out_file *file);
/* Whether two paths lead to one file. */
bool ir_same_place(const char *a, const char *b);

#endif
