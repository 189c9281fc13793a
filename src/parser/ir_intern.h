/* Stores equal texts, and equal lists of dims, only once: many layers have the same. The two tables are caches: a new
 * entry replaces the old entry in its slot, so a rare text can be stored twice. */
#ifndef IR_INTERN_H
#define IR_INTERN_H

#include "base/arena.h"
#include "base/shape.h"

typedef struct ir_interned {
  const void *bytes;
  size_t length;
} ir_interned;

enum { IR_INTERN_TEXTS = 1024, IR_INTERN_DIMS = 64 };

typedef struct ir_intern {
  ir_arena *arena;
  ir_interned texts[IR_INTERN_TEXTS], dims[IR_INTERN_DIMS];
} ir_intern;

/* Returns a NUL-terminated copy, owned by the arena; NULL if memory is out. Equal texts can share one copy. */
const char *ir_intern_text(ir_intern *intern, const char *text, size_t length);
const ir_dim *ir_intern_dims(ir_intern *intern, const ir_dim *dims, int n);

#endif
