/* Keys of an .npz and the names of its members. A member is a file where the archive is unpacked, so that ".." is
 * written with numbers: "%2E%2E/x" for "../x". "/" at the beginning stays, as numpy's users look for "/conv", and
 * programs that unpack leave it out. Scripts write "%00" for a NUL, which would end the name. */
#ifndef IR_NPZ_KEY_H
#define IR_NPZ_KEY_H

#include "base/arena.h"

/* The caller frees it; NULL when memory is out. */
char *ir_npz_member_name(const ir_memory *memory, const char *key);
/* The other way, in place. */
void ir_npz_read_name(char *name);

#endif
