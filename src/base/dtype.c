#include "base/dtype.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct type_row {
  const char *name, *precision;
  const char *more_name; /* another accepted name, or NULL */
  const char *more_precision;
  int bits;
  const char *c_name; /* the name in nGraph; NULL: nGraph lacks the type */
} type_row;

static const type_row rows[] = {
    [IR_DYNAMIC] = {"dynamic", "UNSPECIFIED", "undefined", "undefined", 0, "dynamic"},
    [IR_F32] = {"f32", "FP32", NULL, NULL, 32, "float"},
    [IR_F64] = {"f64", "FP64", NULL, NULL, 64, "double"},
    [IR_F16] = {"f16", "FP16", NULL, NULL, 16, "float16"},
    [IR_BF16] = {"bf16", "BF16", NULL, NULL, 16, "bfloat16"},
    [IR_I8] = {"i8", "I8", NULL, NULL, 8, "int8_t"},
    [IR_I16] = {"i16", "I16", NULL, NULL, 16, "int16_t"},
    [IR_I32] = {"i32", "I32", NULL, NULL, 32, "int32_t"},
    [IR_I64] = {"i64", "I64", NULL, NULL, 64, "int64_t"},
    [IR_U8] = {"u8", "U8", NULL, NULL, 8, "uint8_t"},
    [IR_U16] = {"u16", "U16", NULL, NULL, 16, "uint16_t"},
    [IR_U32] = {"u32", "U32", NULL, NULL, 32, "uint32_t"},
    [IR_U64] = {"u64", "U64", NULL, NULL, 64, "uint64_t"},
    [IR_BOOLEAN] = {"boolean", "BOOL", NULL, NULL, 8, "char"},
    [IR_I4] = {"i4", "I4", NULL, NULL, 4, NULL},
    [IR_U1] = {"u1", "BIN", NULL, "U1", 1, "uint1_t"},
    [IR_U2] = {"u2", "U2", NULL, NULL, 2, NULL},
    [IR_U3] = {"u3", "U3", NULL, NULL, 3, NULL},
    [IR_U4] = {"u4", "U4", NULL, NULL, 4, NULL},
    [IR_U6] = {"u6", "U6", NULL, NULL, 6, NULL},
    [IR_NF4] = {"nf4", "NF4", NULL, NULL, 4, NULL},
    [IR_F8E4M3] = {"f8e4m3", "F8E4M3", NULL, NULL, 8, NULL},
    [IR_F8E5M2] = {"f8e5m2", "F8E5M2", NULL, NULL, 8, NULL},
    [IR_F8E8M0] = {"f8e8m0", "F8E8M0", NULL, NULL, 8, NULL},
    [IR_F4E2M1] = {"f4e2m1", "F4E2M1", NULL, NULL, 4, NULL},
    [IR_STRING] = {"string", "STRING", NULL, NULL, 0, NULL},
};
_Static_assert(sizeof rows / sizeof rows[0] == IR_TYPE_COUNT, "the last type has a row");
_Static_assert(IR_TYPE_COUNT < 64, "a set of types has 64 bits");

const char *ir_type_name(ir_type type) {
  return rows[type].name;
}

const char *ir_type_precision(ir_type type) {
  return rows[type].precision;
}

int ir_type_bits(ir_type type) {
  return rows[type].bits;
}

size_t ir_type_size(ir_type type) {
  return rows[type].bits % 8 == 0 ? (size_t)rows[type].bits / 8 : 0;
}

size_t ir_type_alignment(ir_type type) {
  const size_t size = ir_type_size(type);
  return size > 0 ? size : 1;
}

static bool is_word(const char *word, const char *text, size_t length) {
  return word != NULL && strlen(word) == length && memcmp(word, text, length) == 0;
}

bool ir_type_from_name(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    bool is_name = strlen(rows[i].name) == length && strncasecmp(rows[i].name, text, length) == 0;
    if (is_name || is_word(rows[i].more_name, text, length)) {
      *out_type = (ir_type)i;
      return true;
    }
  }
  return false;
}

bool ir_type_from_c_name(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++)
    if (is_word(rows[i].c_name, text, length) || (rows[i].c_name != NULL && is_word(rows[i].name, text, length))) {
      *out_type = (ir_type)i;
      return true;
    }
  return false;
}

bool ir_type_from_precision(const char *text, size_t length, ir_type *out_type) {
  *out_type = IR_DYNAMIC;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    const type_row *row = &rows[i];
    if (is_word(row->name, text, length) || is_word(row->precision, text, length) ||
        is_word(row->more_precision, text, length)) {
      *out_type = (ir_type)i;
      return true;
    }
  }
  return false;
}

const char *ir_type_set_text(uint64_t set, char *buffer, size_t size) {
  if ((set & IR_SET_ANY) == IR_SET_ANY || set == 0) {
    snprintf(buffer, size, "%s", set == 0 ? "no type" : "any type");
    return buffer;
  }
  char text[256] = "";
  size_t length = 0;
  for (int i = 0; i < IR_TYPE_COUNT; i++) {
    if (!ir_type_in((ir_type)i, set))
      continue;
    bool is_last = (set & IR_SET_ANY) >> i == 1;
    int n = snprintf(text + length, sizeof text - length, "%s%s",
                     length == 0 ? ""
                     : is_last   ? " or "
                                 : ", ",
                     rows[i].name);
    length += (size_t)n;
  }
  snprintf(buffer, size, "%s", text);
  return buffer;
}
