#include "ops/attr_write.h"
#include "ops/attr_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES (IR_SHAPE_TEXT + IR_MAX_RANK * 24) /* enough for a shape, or for IR_MAX_RANK numbers of 64 bits */

static void write_ints(ir_ints list, int n_spatial, char *buffer) {
  const int64_t n = list.n == IR_REPEATED ? n_spatial : list.n;
  size_t used = 0;
  buffer[0] = '\0';
  for (int64_t i = 0; i < n && i < IR_MAX_RANK; i++)
    used +=
        (size_t)snprintf(buffer + used, TEXT_BYTES - used, "%s%" PRId64, i > 0 ? "," : "", ir_spatial_item(list, i, 0));
}

/* Writes a number with a point, also in a process whose locale has decimal commas. */
static const char *write_float(double number, char *buffer, size_t size) {
  return ir_number_text(IR_F64, (ir_number){.kind = IR_NUMBER_FLOAT, .f = number}, buffer, size);
}

static void write_floats(ir_floats list, char *buffer) {
  char number[IR_NUMBER_TEXT];
  size_t used = 0;
  buffer[0] = '\0';
  for (int64_t i = 0; i < list.n && i < IR_MAX_RANK; i++)
    used += (size_t)snprintf(buffer + used, TEXT_BYTES - used, "%s%s", i > 0 ? "," : "",
                             write_float(list.items[i], number, sizeof number));
}

/* Writes a shape without its brackets. The text of a scalar is empty. */
static void write_shape(const ir_shape *shape, char *buffer) {
  char text[IR_SHAPE_TEXT];
  ir_shape_text(shape, text, sizeof text);
  snprintf(buffer, TEXT_BYTES, "%.*s", (int)strlen(text) - 2, text + 1);
}

const char *ir_attr_write(const ir_attr_spec *spec, const void *params, int n_spatial, ir_arena *arena) {
  const void *field = (const char *)params + spec->offset;
  char text[TEXT_BYTES] = "";
  switch (spec->kind) {
  case IR_ATTR_INT:
    if (spec->count != IR_COUNT_ONE)
      write_ints(*(const ir_ints *)field, n_spatial, text);
    else
      snprintf(text, sizeof text, "%" PRId64, *(const int64_t *)field);
    break;
  case IR_ATTR_FLOAT:
    if (spec->count != IR_COUNT_ONE)
      write_floats(*(const ir_floats *)field, text);
    else
      write_float(*(const double *)field, text, sizeof text);
    break;
  case IR_ATTR_BOOL:
    snprintf(text, sizeof text, "%s", *(const bool *)field != spec->inverted ? "true" : "false");
    break;
  case IR_ATTR_ENUM:
    snprintf(text, sizeof text, "%s", spec->names[*(const int *)field]);
    break;
  case IR_ATTR_TYPE:
    snprintf(text, sizeof text, "%s", ir_type_name(*(const ir_type *)field));
    break;
  case IR_ATTR_SHAPE:
  case IR_ATTR_DIMS:
    write_shape(field, text);
    break;
  case IR_ATTR_TEXT:
    break;
  }
  return ir_arena_text(arena, text, strlen(text));
}
