#include "element_list.h"
#include "naive_number.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

void element_list_add(element_list *list, long double x) {
  long double value = naive_is_float(list->type) ? naive_round(list->type, x) : truncl(x);
  bool holds = naive_is_float(list->type) || (value >= naive_lowest(list->type) && value <= naive_greatest(list->type));
  if (!holds)
    return;
  assert_true(list->n < ELEMENT_LIST_MAX);
  naive_store(list->type, list->data, list->n++, value);
}
