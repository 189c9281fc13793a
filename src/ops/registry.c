#include "ops/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IR_OP(name) extern const ir_op ir_op_##name;
#include "ops/op_list.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OP

static const ir_op *const op_rows[] = {
#define IR_OP(name) &ir_op_##name,
#include "ops/op_list.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OP
};

/* Which version of an op a type means in which opsets, in all of OpenVINO. */
typedef struct opset_row {
  const char *type;
  int first, last, version;
} opset_row;

static const opset_row opset_rows[] = {
#define IR_OPSET_OP(type, first, last, version) {type, first, last, version},
#include "ops/opset_table.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OPSET_OP
};

#define N_OP_ROWS    (sizeof op_rows / sizeof op_rows[0])
#define N_OPSET_ROWS (sizeof opset_rows / sizeof opset_rows[0])

const ir_op *ir_op_at(size_t index) {
  return index < N_OP_ROWS ? op_rows[index] : NULL;
}

int ir_opset_last(void) {
  int last = 0;
  for (size_t i = 0; i < N_OPSET_ROWS; i++)
    last = opset_rows[i].last > last ? opset_rows[i].last : last;
  return last;
}

/* "opset7" -> 7; -1 for anything else. */
static int opset_number(const char *text) {
  if (strncmp(text, "opset", 5) != 0 || text[5] < '1' || text[5] > '9' || strlen(text) > 8)
    return -1;
  char *end;
  long number = strtol(text + 5, &end, 10);
  return *end == '\0' ? (int)number : -1;
}

/* The first row of a type, by bisection; N_OPSET_ROWS when there is none. */
static size_t first_opset_row(const char *type) {
  size_t low = 0, high = N_OPSET_ROWS;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(opset_rows[middle].type, type) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < N_OPSET_ROWS && strcmp(opset_rows[low].type, type) == 0 ? low : N_OPSET_ROWS;
}

static const ir_op *find_row(const char *type, int version) {
  for (size_t i = 0; i < N_OP_ROWS; i++)
    if (op_rows[i]->dialect == IR_OPENVINO && op_rows[i]->version == version && strcmp(op_rows[i]->type, type) == 0)
      return op_rows[i];
  return NULL;
}

static const char *nearest_type(const char *type) {
  const char *names[N_OPSET_ROWS];
  for (size_t i = 0; i < N_OPSET_ROWS; i++)
    names[i] = opset_rows[i].type;
  /* The name that the C++ class has and files do not. */
  if (strcmp(type, "Constant") == 0)
    return "Const";
  for (size_t i = 0; i < N_OPSET_ROWS; i++)
    if (strcasecmp(names[i], type) == 0)
      return names[i];
  return ir_did_you_mean(type, names, N_OPSET_ROWS);
}

bool ir_opset_exists(const char *opset) {
  int number = opset_number(opset);
  return number >= 1 && number <= ir_opset_last();
}

ir_op_match ir_op_find(const char *type, const char *opset) {
  ir_op_match match = {.result = IR_OP_UNKNOWN_TYPE};
  int number = opset_number(opset);
  for (size_t i = first_opset_row(type); i < N_OPSET_ROWS && strcmp(opset_rows[i].type, type) == 0; i++) {
    const opset_row *row = &opset_rows[i];
    if (match.opset_first == 0)
      match.opset_first = row->first;
    match.opset_last = row->last;
    if (number >= row->first && number <= row->last) {
      match.version = row->version;
      match.op = find_row(type, row->version);
      match.result = match.op != NULL ? IR_OP_FOUND : IR_OP_NOT_HERE;
    } else if (match.result == IR_OP_UNKNOWN_TYPE) {
      match.result = IR_OP_NOT_IN_OPSET;
    }
  }
  if (match.result == IR_OP_UNKNOWN_TYPE)
    match.meant = nearest_type(type);
  else if (match.result == IR_OP_NOT_IN_OPSET && !ir_opset_exists(opset))
    match.result = IR_OP_UNKNOWN_OPSET;
  return match;
}

bool ir_op_opsets(const ir_op *op, int *out_first, int *out_last) {
  *out_first = *out_last = 0;
  for (size_t i = 0; op->dialect == IR_OPENVINO && i < N_OPSET_ROWS; i++)
    if (opset_rows[i].version == op->version && strcmp(opset_rows[i].type, op->type) == 0) {
      *out_first = opset_rows[i].first;
      *out_last = opset_rows[i].last;
      return true;
    }
  return false;
}
