/* Sorts diagnostics by model, file and place. */
#include "diag/diag.h"

static int compare_numbers(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

static int compare_diags(const ir_diag *a, const ir_diag *b) {
  const bool a_placed = a->line > 0 || a->offset >= 0, b_placed = b->line > 0 || b->offset >= 0;
  const int64_t keys[][2] = {
      {a->group, b->group}, {a->file_order, b->file_order}, {!a_placed, !b_placed},
      {a->line, b->line},   {a->column, b->column},         {a->offset, b->offset},
  };
  int order = 0;
  for (size_t i = 0; order == 0 && i < sizeof keys / sizeof keys[0]; i++)
    order = compare_numbers(keys[i][0], keys[i][1]);
  return order;
}

static ir_diag *merge(ir_diag *a, ir_diag *b) {
  ir_diag *first = NULL, **end = &first;
  while (a != NULL && b != NULL) {
    ir_diag **smaller = compare_diags(a, b) <= 0 ? &a : &b;
    *end = *smaller;
    end = &(*end)->next;
    *smaller = *end;
  }
  *end = a != NULL ? a : b;
  return first;
}

/* Sorts the diagnostics behind `settled` by merging. piles[i] is empty or a sorted run of 2^i diagnostics, which were
 * reported before those in the lower piles. */
void ir_diags_sort(ir_diags *diags) {
  ir_diag **first = diags->settled == NULL ? &diags->first : &diags->settled->next;
  ir_diag *piles[64] = {NULL}, *diag = *first;
  while (diag != NULL) {
    ir_diag *run = diag, **pile = piles;
    diag = diag->next;
    run->next = NULL;
    for (; *pile != NULL; pile++) {
      run = merge(*pile, run);
      *pile = NULL;
    }
    *pile = run;
  }
  ir_diag *sorted = NULL;
  for (size_t i = 0; i < sizeof piles / sizeof piles[0]; i++)
    sorted = merge(piles[i], sorted);
  *first = sorted;
  diags->last = diags->settled;
  for (; sorted != NULL; sorted = sorted->next)
    diags->last = sorted;
}
