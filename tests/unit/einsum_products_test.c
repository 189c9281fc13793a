/* Einsums that are matrix products: oneDNN computes the same numbers as the plain kernels. */
#include "draw.h"
#include "op_model.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct einsum_case {
  const char *equation;
  bool is_fast; /* oneDNN computes it */
  int a_rank, b_rank;
  int64_t a[5], b[5];
} einsum_case;

/* More than 4 million multiplications each, so that the module is worth loading. */
static const einsum_case cases[] = {
    {"bhqd,bhkd->bhqk", true, 4, 4, {2, 3, 100, 64}, {2, 3, 120, 64}},
    {"bghij,bghjd->bghid", true, 5, 5, {2, 5, 3, 49, 90}, {2, 5, 3, 90, 40}},
    {"bqhd,bkhd->bhqk", true, 4, 4, {2, 100, 3, 64}, {2, 120, 3, 64}},
    {"bhdq,bkhd->bhqk", true, 4, 4, {2, 3, 64, 100}, {2, 120, 3, 64}},
    {"dhbq,bhkd->bhqk", false, 4, 4, {64, 3, 2, 100}, {2, 3, 120, 64}},
    {"abc,cde->abde", true, 3, 3, {2, 100, 128}, {128, 3, 64}},
    {"abcd,ecd->abe", true, 4, 3, {2, 100, 8, 32}, {100, 8, 32}},
    {"abdc,ecd->abe", false, 4, 3, {2, 100, 32, 8}, {100, 8, 32}},
    {"...ij,...jk->...ik", true, 3, 3, {4, 100, 128}, {4, 128, 100}},
    {"ij,jk->ik", true, 2, 2, {200, 150}, {150, 150}},
    {"ij,jk->ki", false, 2, 2, {200, 150}, {150, 150}},
    {"ij,jk", true, 2, 2, {200, 150}, {150, 150}},
    {"bij,jk->ik", false, 3, 2, {3, 100, 150}, {150, 120}},
    {"bij,bjk->bik", false, 3, 3, {3, 100, 150}, {1, 150, 120}},
    {"iij,ijk->ik", false, 3, 3, {20, 20, 150}, {20, 150, 90}},
    {"i,j->ij", true, 1, 1, {3000}, {1500}},
};

enum { MOST = 300000 }; /* elements of the largest input, or more */
static float a[MOST], b[MOST];

static bool has_fast_step(const irrun_run *run) {
  irrun_step step = {.size = sizeof step};
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    if (strcmp(step.isa, "onednn") == 0)
      return true;
  return false;
}

static model_run run_case(const einsum_case *c, ir_type type, bool is_constant, bool plain) {
  char data[64];
  snprintf(data, sizeof data, "equation='%s'", c->equation);
  op_model model = {.type = "Einsum", .opset = 7, .data = data, .n_inputs = 2, .plain = plain};
  model.inputs[0] = (op_input){.type = type, .rank = c->a_rank, .data = a};
  model.inputs[1] = (op_input){.type = type, .rank = c->b_rank, .data = b, .constant = is_constant};
  memcpy(model.inputs[0].dims, c->a, sizeof c->a);
  memcpy(model.inputs[1].dims, c->b, sizeof c->b);
  model_run run = op_model_run(&model);
  assert_int_equal(run.status, IRRUN_OK);
  return run;
}

static void compare(const einsum_case *c, bool is_constant) {
  model_run fast = run_case(c, IR_F32, is_constant, false), plain = run_case(c, IR_F32, is_constant, true);
  const irrun_tensor_info got = irrun_tensor_get_info(fast.values), expected = irrun_tensor_get_info(plain.values);
  if (has_fast_step(fast.run) != (c->is_fast && irrun_fast_library() != NULL))
    fail_msg("%s: oneDNN computes %s", c->equation, c->is_fast ? "nothing" : "it");
  assert_int_equal(got.bytes, expected.bytes);
  if (memcmp(got.data, expected.data, got.bytes) != 0)
    fail_msg("%s: other numbers than by the plain kernel", c->equation);
  model_run_end(&fast);
  model_run_end(&plain);
}

/* The numbers are small integers, so that all sums are exact in any order. */
static void products_have_the_same_numbers(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) {
    a[i] = (float)between(-4, 4);
    b[i] = (float)between(-4, 4);
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    compare(&cases[i], false);
    compare(&cases[i], true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_have_the_same_numbers)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
