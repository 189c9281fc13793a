#include "ops/pool/pool_indices.h"

const char *const ir_index_type_names[] = {"i64", "i32", NULL};

ir_type ir_index_type(int position) {
  return position == 0 ? IR_I64 : IR_I32;
}

bool ir_index_modulus(const ir_shape *in, int axis, int64_t *out) {
  *out = 1;
  for (int i = 0; i < in->rank; i++)
    if (in->dims[i].hi == 0)
      return true;
  for (int i = axis; i < in->rank; i++)
    if (!ir_mul(*out, in->dims[i].lo > 0 ? in->dims[i].lo : 1, out))
      return false;
  return true;
}

/* Reports that indices exceed i32. The message has the greatest index, if that fits 64 bits. */
static void report_overflow(const ir_node *node, const ir_shape *in, int axis, ir_scope *scope) {
  int64_t modulus;
  char shape[IR_SHAPE_TEXT];
  ir_shape_text(in, shape, sizeof shape);
  ir_where where = ir_attr_where(scope, node, "index_element_type");
  if (ir_index_modulus(in, axis, &modulus))
    ir_report(scope->diags, IR314_INDEX_EXCEEDS_I32, where,
              "indices go up to %lld: they count the elements of %s from axis %d on; i32 ends at %d",
              (long long)modulus - 1, shape, axis, INT32_MAX);
  else
    ir_report(scope->diags, IR314_INDEX_EXCEEDS_I32, where,
              "indices count the elements of %s from axis %d on, which do not fit 64 bits; i32 ends at %d", shape, axis,
              INT32_MAX);
  ir_hint(scope->diags, "make index_element_type 'i64'");
}

void ir_indices_infer(const ir_node *node, const ir_value *in, int axis, ir_type type, ir_value *out, ir_scope *scope) {
  int64_t modulus;
  out[1] = (ir_value){.type = type, .shape = out[0].shape, .poisoned = out[0].poisoned};
  if (in->poisoned || in->shape.rank == IR_RANK_UNKNOWN || type != IR_I32 || (node->outputs_read & 2) == 0)
    return;
  if (ir_index_modulus(&in->shape, axis, &modulus) && ir_index_fits_i32(modulus))
    return;
  report_overflow(node, &in->shape, axis, scope);
  out[1].poisoned = true;
}
