/* A growing list of elements of one type, for tests. */
#ifndef ELEMENT_LIST_H
#define ELEMENT_LIST_H

#include "base/dtype.h"

enum { ELEMENT_LIST_MAX = 1024 };

typedef struct element_list {
  ir_type type;
  int64_t n;
  unsigned char data[ELEMENT_LIST_MAX * 8];
} element_list;

/* Adds x, rounded to a float type or truncated to an integer type. If x is out of the type's range, adds nothing. */
void element_list_add(element_list *list, long double x);

#endif
