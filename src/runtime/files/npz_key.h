/* Converts between keys of an .npz and names of its members. Unpacking makes a file of a member, so ".." is escaped:
 * the key "../x" has the name "%2E%2E/x". A leading "/" is kept, because NumPy's users look for "/conv", and unpackers
 * remove it. tools/tensor_archive.py writes a NUL, which would end the name, as "%00". */
#ifndef IR_NPZ_KEY_H
#define IR_NPZ_KEY_H

#include "base/arena.h"

/* Returns the member name of a key. The caller frees it; NULL if memory is out. */
char *ir_npz_member_name(const ir_memory *memory, const char *key);
/* Replaces a member name by its key, in place. */
void ir_npz_read_name(char *name);

#endif
