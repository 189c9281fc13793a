/* The op table: which op a type and opset mean. */
#ifndef IR_REGISTRY_H
#define IR_REGISTRY_H

#include "ops/op.h"

/* Row `index` of irrun's ops, sorted by dialect, type, version; NULL behind the last. */
const ir_op *ir_op_at(size_t index);

typedef enum ir_lookup {
  IR_OP_FOUND,
  IR_OP_NOT_HERE,     /* the dialect has it, irrun has not */
  IR_OP_NOT_IN_OPSET, /* the type exists, in other opsets or versions */
  IR_OP_UNKNOWN_TYPE,
  IR_OP_UNKNOWN_OPSET, /* for nGraph: an op_version that is no number */
  IR_OP_OF_EXTENSION   /* the opset is that of a library of other ops: what the type means there is not known */
} ir_lookup;

typedef struct ir_op_match {
  ir_lookup result;
  const ir_op *op;             /* IR_OP_FOUND */
  int version;                 /* of the op in that opset: FOUND, NOT_HERE */
  int opset_first, opset_last; /* that have the type, for NOT_IN_OPSET; of nGraph versions */
  const char *meant;           /* "did you mean", or NULL */
  const char *type;            /* as the spec spells it, when the file spells it as OpenVINO reads it too; or NULL */
} ir_op_match;

/* By an IR's `type` and `version`, or nGraph's `op` and the number that op_version is. OpenVINO reads types in any
 * case, as "Relu", but for Const. */
ir_op_match ir_op_find(ir_dialect dialect, const char *type, const char *opset);
/* The opsets in which the op's type means its version; false for an op of another dialect. */
bool ir_op_opsets(const ir_op *op, int *out_first, int *out_last);
/* True for "opset1" to the last. */
bool ir_opset_exists(const char *opset);
/* The highest opset that OpenVINO has. */
int ir_opset_last(void);

#endif
