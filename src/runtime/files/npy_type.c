#include "runtime/files/npy_type.h"
#include "runtime/tensor/element_order.h"

#include <string.h>

typedef struct type_row {
  ir_type type;
  const char *descr; /* NumPy's spelling */
  const char *name;
  const char *letters;
} type_row;

/* The letters 'l' and 'p' are left out, because their size depends on the system. */
static const type_row rows[] = {
    {IR_F32, "<f4", "float32", "f"}, {IR_F64, "<f8", "float64", "d"}, {IR_F16, "<f2", "float16", "e"},
    {IR_I8, "|i1", "int8", "b"},     {IR_I16, "<i2", "int16", "h"},   {IR_I32, "<i4", "int32", "i"},
    {IR_I64, "<i8", "int64", "q"},   {IR_U8, "|u1", "uint8", "B"},    {IR_U16, "<u2", "uint16", "H"},
    {IR_U32, "<u4", "uint32", "I"},  {IR_U64, "<u8", "uint64", "Q"},  {IR_BOOLEAN, "|b1", "bool", "?"},
    {IR_BF16, "<V2", "V2", "V2"},    {IR_F8E4M3, "<V1", "V1", "V1"},  {IR_F8E5M2, "<V1", "V1", "V1"},
    {IR_F8E8M0, "<V1", "V1", "V1"},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

static bool is_text(const char *text, const char *descr, size_t length) {
  return strlen(text) == length && memcmp(text, descr, length) == 0;
}

/* Length of the byte order mark at the start of the descr: 1, or 0 if it has none. */
static size_t order_length(const char *descr, size_t length) {
  return length > 0 && strchr("<>=|", descr[0]) != NULL ? 1 : 0;
}

/* Whether the order differs from this machine's: '>' on a little-endian machine, or the reverse. */
static bool is_other_order(const char *descr, size_t order) {
  return order > 0 && descr[0] == (IR_HOST_IS_BIG_ENDIAN ? '<' : '>');
}

bool ir_npy_type_from_descr(const char *descr, size_t length, ir_type wanted, ir_type *out_type, bool *out_swapped) {
  *out_type = IR_DYNAMIC;
  *out_swapped = false;
  const size_t order = order_length(descr, length);
  const char *word = descr + order;
  for (size_t i = 0; i < N_ROWS && *out_type == IR_DYNAMIC; i++) {
    const type_row *row = &rows[i];
    bool is_named = order == 0 && is_text(row->name, descr, length);
    bool is_row =
        is_named || is_text(row->descr + 1, word, length - order) || is_text(row->letters, word, length - order);
    const bool is_bare = row->descr[1] == 'V';
    if (is_row && (!is_bare || (wanted == row->type && (row->type != IR_BF16 || !is_other_order(descr, order)))))
      *out_type = row->type;
  }
  *out_swapped = is_other_order(descr, order) && ir_type_size(*out_type) > 1;
  return *out_type != IR_DYNAMIC;
}

bool ir_npy_descr_is_bf16(const char *descr, size_t length, bool *out_swapped) {
  size_t order = order_length(descr, length);
  *out_swapped = is_other_order(descr, order);
  return is_text("V2", descr + order, length - order);
}

const char *ir_npy_descr_meaning(const char *descr, size_t length) {
  size_t order = order_length(descr, length);
  const char *word = descr + order;
  char letter = length > order ? word[0] : '\0';
  switch (letter) {
  case '[':
  case '(':
  case '{':
    return "records";
  case 'c':
    return "complex numbers";
  case 'U':
  case 'S':
  case 'a':
    return "texts";
  case 'O':
    return "Python objects";
  case 'M':
    return "dates";
  case 'm':
    return "time spans";
  case 'V':
    return "bytes without a type";
  default:
    break;
  }
  if (is_text("f16", word, length - order) || is_text("f12", word, length - order) ||
      is_text("g", word, length - order))
    return "extended precision floats";
  return "of a type that irrun does not know";
}

const char *ir_npy_descr(ir_type type) {
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].type == type)
      return rows[i].descr;
  return NULL;
}
