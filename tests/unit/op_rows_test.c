/* Tests that the rows of the op table are well-formed in points that the compiler cannot check: the ends of port
 * tables, and which member of ir_op.run is set. */
#include "ops/op.h"
#include "ops/registry.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check_ports(const ir_op *op, const ir_port_spec *ports) {
  bool was_optional = false;
  int32_t n = 0;
  for (; ports != NULL && ports[n].name[0] != '\0'; n++) {
    const ir_port_spec *port = &ports[n];
    /* C accepts a string that fills its array and leaves no room for the NUL. */
    if (memchr(port->name, '\0', sizeof port->name) == NULL ||
        memchr(port->type_var, '\0', sizeof port->type_var) == NULL)
      fail_msg("%s-%d: port %d has a text that is too long", op->type, op->version, n);
    if (port->rank_min > port->rank_max || port->types == 0)
      fail_msg("%s-%d: no tensor fits '%s'", op->type, op->version, port->name);
    if (port->variadic && ports[n + 1].name[0] != '\0')
      fail_msg("%s-%d: '%s' is any number of ports, and not the last", op->type, op->version, port->name);
    if (was_optional && !port->optional)
      fail_msg("%s-%d: '%s' is behind a port that may be left out", op->type, op->version, port->name);
    was_optional = port->optional;
  }
  if (n > IR_MAX_OP_PORTS)
    fail_msg("%s-%d: %d ports, and callers have room for %d", op->type, op->version, n, IR_MAX_OP_PORTS);
}

static void ports_end_where_their_table_does(void **state) {
  (void)state;
  const ir_op *op;
  for (size_t row = 0; (op = ir_op_at(row)) != NULL; row++) {
    check_ports(op, op->inputs);
    check_ports(op, op->outputs);
  }
}

static void a_row_has_what_a_run_of_its_kind_needs(void **state) {
  (void)state;
  const ir_op *op;
  for (size_t row = 0; (op = ir_op_at(row)) != NULL; row++) {
    const ir_op_run *run = &op->run;
    const bool needs = run->kind == IR_RUN_PREPARED || run->kind == IR_RUN_DYNAMIC || run->kind == IR_RUN_BODIES ||
                       run->kind == IR_RUN_CONSTANT;
    const bool has = run->kind == IR_RUN_DYNAMIC    ? run->compute != NULL
                     : run->kind == IR_RUN_BODIES   ? run->bodies != NULL
                     : run->kind == IR_RUN_CONSTANT ? run->contents != NULL
                                                    : run->prepare != NULL;
    if (needs != has)
      fail_msg("%s-%d: its run is of kind %d, and the member for that is %s", op->type, op->version, (int)run->kind,
               has ? "set" : "NULL");
    if (ir_op_folds(op) && ir_op_has_variable(op))
      fail_msg("%s-%d: what a variable holds is no constant", op->type, op->version);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ports_end_where_their_table_does),
                                     cmocka_unit_test(a_row_has_what_a_run_of_its_kind_needs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
