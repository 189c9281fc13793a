/* Writes the two files of an IR: the .xml and the .bin. */
#ifndef IR_OUT_PAIR_H
#define IR_OUT_PAIR_H

#include "runtime/files/out_file.h"
#include "runtime/model/model.h"

typedef struct ir_out_pair {
  irrun_model *model; /* the model that is converted or cut */
  const char *xml_path;
  char *bin_path;
  ir_out_file *xml, *bin; /* NULL while not open */
} ir_out_pair;

/* Sets xml_path and bin_path. Reports IR801 if `path` does not end in .xml, or if a file would replace a different file
 * of the model. An IR can be written over itself. */
ir_code ir_out_pair_find(ir_out_pair *pair, const char *path);
ir_code ir_out_pair_open(const ir_out_pair *pair, const char *path, ir_out_file **out_file);
/* Copies the weights, with constants that edits added, into the new .bin. Reports if the file cannot be read; the
 * commit reports a failed write. */
ir_code ir_out_pair_copy(const ir_out_pair *pair, const ir_weights *weights);
/* Whether the new .bin would be the file of the weights itself, with the same bytes. */
bool ir_out_pair_has_copy(const ir_out_pair *pair, const ir_weights *weights);
/* For a new model without a new .bin: if there is a .bin of whatever model beside it, and the new model has no
 * constants, an empty one replaces it; else adds a note to the warning that constants are missing. */
ir_code ir_out_pair_without_bin(ir_out_pair *pair, bool has_constants);
/* Commits the .bin first, so that the constants exist when the .xml appears. */
ir_code ir_out_pair_commit(const ir_out_pair *pair);
/* Frees the pair, and removes files that were not committed. */
void ir_out_pair_discard(ir_out_pair *pair);

ir_byte_sink ir_sink_of(ir_out_file *file);
/* Whether both paths lead to the same file. */
bool ir_same_place(const char *a, const char *b);

#endif
