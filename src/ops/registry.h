/* The op table: finds the row for the type and opset in a file. */
#ifndef IR_REGISTRY_H
#define IR_REGISTRY_H

#include "ops/op.h"

/* Row `index` of the op table, sorted by dialect, type and version. NULL if there is no such row. */
const ir_op *ir_op_at(size_t index);

typedef enum ir_lookup {
  IR_OP_FOUND,
  IR_OP_NOT_HERE,     /* the dialect has the op, but irrun lacks it */
  IR_OP_NOT_IN_OPSET, /* the type exists, but not in this opset (nGraph: version) */
  IR_OP_UNKNOWN_TYPE,
  IR_OP_UNKNOWN_OPSET, /* no opset has this name; in nGraph: op_version is no number */
  IR_OP_OF_EXTENSION   /* the opset belongs to an extension library, whose ops irrun cannot know */
} ir_lookup;

typedef struct ir_op_match {
  ir_lookup result;
  const ir_op *op;             /* for IR_OP_FOUND: the row */
  int version;                 /* for IR_OP_FOUND and IR_OP_NOT_HERE: version of the op in that opset */
  int opset_first, opset_last; /* first and last opset (nGraph: version) with the type, for IR_OP_NOT_IN_OPSET */
  const char *meant;           /* a similar type, for "did you mean"; or NULL */
  const char *type;            /* the page's spelling, if the file's differs in case and OpenVINO accepts it; or NULL */
} ir_op_match;

/* Finds an op by `type` and `version` of an IR's layer, or by `op` and op_version of an nGraph node. In an IR, the
 * case of types is ignored, as in OpenVINO; only Const must be spelled exactly. */
ir_op_match ir_op_find(ir_dialect dialect, const char *type, const char *opset);
/* The opsets in which the op's type means the op's version. False if there are none: always for nGraph's ops. */
bool ir_op_opsets(const ir_op *op, int *out_first, int *out_last);
/* Whether `opset` is "opset1" to the last that OpenVINO has. */
bool ir_opset_exists(const char *opset);
/* The number of the last opset that OpenVINO has. */
int ir_opset_last(void);

#endif
