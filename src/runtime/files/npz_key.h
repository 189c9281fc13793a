/* Keys of an .npz and the names of its members. Unpacking turns a member into a file, so ".." is escaped: key "../x"
 * has the name "%2E%2E/x". A leading "/" stays, because numpy users look for "/conv" and unpackers strip it. Writers
 * escape a NUL, which would end the name, as "%00". */
#ifndef IR_NPZ_KEY_H
#define IR_NPZ_KEY_H

#include "base/arena.h"

/* Escapes a key. The caller frees the result; NULL when memory is out. */
char *ir_npz_member_name(const ir_memory *memory, const char *key);
/* Unescapes a member's name in place. */
void ir_npz_read_name(char *name);

#endif
