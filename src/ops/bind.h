/* Raw attributes -> typed params by the op's schema. The only place that reads attribute text. */
#ifndef IR_BIND_H
#define IR_BIND_H

#include "ops/op.h"

/* Fills node->params (allocated here) and node->attrs_at_fault; reports unknown, misspelt, missing, unreadable and
 * out-of-range attributes of node->layer. Returns IR_NO_MEMORY only when memory is out. */
ir_code ir_bind_attributes(ir_node *node, ir_scope *scope);

/* Compares the lengths of the SPATIAL lists with `n_spatial`, or with each other when it is -1. False when one is at
 * fault; the params stay as they are, for other nodes may share them. */
bool ir_check_spatial_lengths(ir_node *node, int64_t n_spatial, ir_scope *scope);

/* True when attribute `name` of the schema was bound without a fault (absent ones that have a fallback too). Nothing
 * may be concluded from the field of another. */
bool ir_attr_usable(const ir_node *node, const char *name);
/* The same of the attribute that fills the field at `offset` of the params; true when none does. */
bool ir_field_usable(const ir_node *node, size_t offset);

/* Attribute `name` is not given, and its default on the page is not the one that OpenVINO takes: IR212. */
void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope);

/* The real number `value` of attribute `name` is wrong: IR207, "'scale' is 0; expected a number above 0". */
void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope);

#endif
