/* The op table: finds the op for a type and an opset. */
#ifndef IR_REGISTRY_H
#define IR_REGISTRY_H

#include "ops/op.h"

/* Row `index` of irrun's ops, sorted by dialect, type and version; NULL after the last. */
const ir_op *ir_op_at(size_t index);

typedef enum ir_lookup {
  IR_OP_FOUND,
  IR_OP_NOT_HERE,     /* the dialect has it, irrun lacks it */
  IR_OP_NOT_IN_OPSET, /* the type exists, in other opsets or versions */
  IR_OP_UNKNOWN_TYPE,
  IR_OP_UNKNOWN_OPSET, /* in nGraph: op_version is not a number */
  IR_OP_OF_EXTENSION   /* an opset of an extension library: its ops are unknown */
} ir_lookup;

typedef struct ir_op_match {
  ir_lookup result;
  const ir_op *op;             /* set for IR_OP_FOUND */
  int version;                 /* version of the op in that opset: for FOUND and NOT_HERE */
  int opset_first, opset_last; /* opsets that have the type, for NOT_IN_OPSET; in nGraph, versions */
  const char *meant;           /* "did you mean", or NULL */
  const char *type; /* the page's spelling, if the file spells the type otherwise and OpenVINO accepts that; or NULL */
} ir_op_match;

/* Finds an op by an IR's `type` and `version`, or by nGraph's `op` and the number in op_version. OpenVINO ignores the
 * case of types, as in "Relu", except for Const. */
ir_op_match ir_op_find(ir_dialect dialect, const char *type, const char *opset);
/* The opsets in which the type means the op's version; false for an op of another dialect. */
bool ir_op_opsets(const ir_op *op, int *out_first, int *out_last);
/* True for "opset1" to the last. */
bool ir_opset_exists(const char *opset);
/* The highest opset that OpenVINO has. */
int ir_opset_last(void);

#endif
