/* Converts raw attributes to typed params by the op's schema. Nothing else reads attribute text. */
#ifndef IR_BIND_H
#define IR_BIND_H

#include "ops/op.h"

/* Fills node->params (allocated here) and node->attrs_at_fault; reports unknown, misspelt, missing, unreadable and
 * out-of-range attributes of node->layer. Returns IR_NO_MEMORY only when memory is out. */
ir_code ir_bind_attributes(ir_node *node, ir_scope *scope);

/* Compares the lengths of the SPATIAL lists with `n_spatial`, or with each other if it is -1. False if one is at fault;
 * the params stay as they are, because other nodes may share them. */
bool ir_check_spatial_lengths(ir_node *node, int64_t n_spatial, ir_scope *scope);

/* Whether attribute `name` of the schema was bound without a fault, or is absent and has a fallback. Otherwise conclude
 * nothing from its field. */
bool ir_attr_usable(const ir_node *node, const char *name);
/* As ir_attr_usable, for the attribute in the field at `offset` of the params; true if no attribute has that field. */
bool ir_field_usable(const ir_node *node, size_t offset);

/* Warns (IR212) if attribute `name` is absent and the page's default differs from OpenVINO's. */
void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope);

/* Reports IR207 for the real number `value` of attribute `name`: "'scale' is 0; expected a number above 0". */
void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope);

#endif
