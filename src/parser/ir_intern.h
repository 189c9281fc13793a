/* Shares texts and dims that a model repeats in every layer. It is a cache: rare ones may be stored twice. */
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

/* Returns a NUL-terminated text, owned by the arena. NULL when memory is out. */
const char *ir_intern_text(ir_intern *intern, const char *text, size_t length);
const ir_dim *ir_intern_dims(ir_intern *intern, const ir_dim *dims, int n);

#endif
