/* Elements of one type, collected one by one. */
#ifndef ELEMENT_LIST_H
#define ELEMENT_LIST_H

#include "base/dtype.h"

enum { ELEMENT_LIST_MAX = 1024 };

typedef struct element_list {
  ir_type type;
  int64_t n;
  unsigned char data[ELEMENT_LIST_MAX * 8];
} element_list;

/* Adds the number that the type has for x: rounded for a float, cut for an integer; none when it is out of range. */
void element_list_add(element_list *list, long double x);

#endif
