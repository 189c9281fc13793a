/* Tests Transpose, Concat and the ops that keep the order of elements against naive loops, on random shapes of every
 * element size. Also tests the strided copy on random layouts. */
#include "draw.h"
#include "op_case.h"
#include "ops/kernels/sections.h"
#include "ops/kernels/strided_copy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ir_type types[] = {IR_U8, IR_BOOLEAN, IR_F16, IR_I16, IR_F32, IR_U32, IR_F64, IR_I64};

static ir_type draw_type(void) {
  return types[between(0, (int64_t)(sizeof types / sizeof types[0]) - 1)];
}

/* Draws arbitrary bytes, since the ops do not interpret them. Booleans are 0 or 1. */
static ir_tensor draw_tensor(const ir_memory *memory, ir_type type, int rank, const int64_t *dims) {
  ir_tensor tensor;
  ir_shape shape = ir_shape_of(rank, dims);
  assert_true(ir_tensor_alloc(&tensor, memory, type, &shape));
  for (size_t i = 0; i < tensor.bytes; i++)
    ((unsigned char *)tensor.data)[i] = (unsigned char)(type == IR_BOOLEAN ? draw() & 1 : draw());
  return tensor;
}

static void draw_dims(int rank, int64_t *dims) {
  for (int i = 0; i < rank; i++)
    dims[i] = one_in(20) ? 0 : one_in(12) ? between(30, 40) : between(1, 4);
}

/* Returns the address of the element at `index`. */
static const void *element_at(const ir_tensor *tensor, const int64_t *index) {
  int64_t at = 0;
  for (int i = 0; i < tensor->rank; i++)
    at = at * tensor->dims[i] + index[i];
  return (const char *)tensor->data + (size_t)at * ir_type_size(tensor->type);
}

/* Advances to the next index in row-major order. Returns false after the last index. */
static bool next_index(const ir_tensor *tensor, int64_t *index) {
  for (int i = tensor->rank - 1; i >= 0; i--) {
    if (++index[i] < tensor->dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

static void expect_dims(const ir_tensor *tensor, ir_type type, int rank, const int64_t *dims) {
  assert_int_equal(tensor->type, type);
  assert_int_equal(tensor->rank, rank);
  for (int i = 0; i < rank; i++)
    assert_int_equal(tensor->dims[i], dims[i]);
}

/* ---- Transpose ---- */

static void check_transpose(const ir_tensor *in, const ir_tensor *out, const int64_t *order) {
  int64_t dims[IR_MAX_RANK], to[IR_MAX_RANK] = {0}, from[IR_MAX_RANK];
  for (int i = 0; i < in->rank; i++)
    dims[i] = in->dims[order[i]];
  expect_dims(out, in->type, in->rank, dims);
  if (ir_tensor_elements(out) == 0)
    return;
  do {
    for (int i = 0; i < in->rank; i++)
      from[order[i]] = to[i];
    assert_memory_equal(element_at(out, to), element_at(in, from), ir_type_size(in->type));
  } while (next_index(out, to));
}

static void transposes(void **state) {
  (void)state;
  for (int i = 0; i < 700; i++) {
    int rank = (int)between(0, 6);
    int64_t dims[6], order[6];
    bool reverse = one_in(4);
    draw_dims(rank, dims);
    for (int a = 0; a < rank; a++) {
      int64_t other = reverse ? 0 : between(0, a);
      order[a] = order[reverse ? a : other];
      order[other] = a;
    }
    for (int a = 0; a < rank && reverse; a++)
      order[a] = rank - 1 - a;
    op_case c;
    op_case_begin(&c, "Transpose", "opset1", (const char *const[]){NULL});
    ir_tensor in[2] = {draw_tensor(&c.memory, draw_type(), rank, dims)};
    ir_value list = op_case_list(&c, IR_I32, 1, order, reverse ? 0 : rank);
    in[1] = *list.contents;
    check_transpose(&in[0], op_case_run(&c, in, 2), order);
    ir_tensor_release(&in[0]);
    op_case_end(&c);
  }
}

/* ---- Concat ---- */

static void check_concat(const ir_tensor *in, int n, int axis, const ir_tensor *out) {
  int64_t dims[IR_MAX_RANK], at[IR_MAX_RANK] = {0}, from[IR_MAX_RANK];
  memcpy(dims, in[0].dims, sizeof dims);
  for (int i = 1; i < n; i++)
    dims[axis] += in[i].dims[axis];
  expect_dims(out, in[0].type, in[0].rank, dims);
  if (ir_tensor_elements(out) == 0)
    return;
  do {
    int i = 0;
    memcpy(from, at, sizeof from);
    while (from[axis] >= in[i].dims[axis])
      from[axis] -= in[i++].dims[axis];
    assert_memory_equal(element_at(out, at), element_at(&in[i], from), ir_type_size(out->type));
  } while (next_index(out, at));
}

static void concats(void **state) {
  (void)state;
  for (int i = 0; i < 700; i++) {
    int rank = (int)between(1, 6), n = one_in(20) ? 60 : (int)between(1, 4), axis = (int)between(0, rank - 1);
    int64_t dims[6];
    char text[12];
    ir_tensor in[OP_CASE_INPUTS];
    ir_type type = draw_type();
    draw_dims(rank, dims);
    snprintf(text, sizeof text, "%d", one_in(2) ? axis : axis - rank);
    op_case c;
    op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", text, NULL});
    for (int j = 0; j < n; j++) {
      dims[axis] = between(0, 3);
      in[j] = draw_tensor(&c.memory, type, rank, dims);
    }
    check_concat(in, n, axis, op_case_run(&c, in, n));
    for (int j = 0; j < n; j++)
      ir_tensor_release(&in[j]);
    op_case_end(&c);
  }
}

/* ---- no elements ---- */

/* The product of the other dims exceeds 64 bits, but the tensor has no elements. */
static void large_dims_beside_a_zero(void **state) {
  (void)state;
  const int64_t large = INT64_C(1) << 40;
  for (int zero = 0; zero < 3; zero++) {
    int64_t dims[3] = {large, large, large}, order[3] = {2, 0, 1};
    dims[zero] = 0;
    op_case c;
    op_case_begin(&c, "Transpose", "opset1", (const char *const[]){NULL});
    ir_tensor in[2] = {draw_tensor(&c.memory, IR_F32, 3, dims)};
    ir_value list = op_case_list(&c, IR_I32, 1, order, 3);
    in[1] = *list.contents;
    check_transpose(&in[0], op_case_run(&c, in, 2), order);
    op_case_end(&c);
    for (int axis = 0; axis < 3; axis++) {
      char text[12];
      snprintf(text, sizeof text, "%d", axis);
      op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", text, NULL});
      in[1] = in[0];
      check_concat(in, 2, axis, op_case_run(&c, in, 2));
      op_case_end(&c);
    }
    ir_tensor_release(&in[0]);
  }
}

/* ---- ops that keep the order ---- */

static void elements_keep_their_order(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int rank;
    int64_t dims[4], list[4];
    int n_list, n_inputs, out_rank;
    int64_t out_dims[4];
  } cases[] = {
      {"Reshape", 2, {6, 4}, {3, -1}, 2, 2, 2, {3, 8}},
      {"Reshape", 0, {0}, {1, 1}, 2, 2, 2, {1, 1}},
      {"Reshape", 2, {0, 4}, {4, -1}, 2, 2, 2, {4, 0}},
      {"Squeeze", 3, {1, 5, 1}, {0}, 1, 2, 2, {5, 1}},
      {"Squeeze", 3, {1, 5, 1}, {0}, 1, 1, 1, {5}},
      {"Squeeze", 1, {1}, {0}, 1, 2, 0, {0}},
      {"Unsqueeze", 2, {2, 3}, {0, -1}, 2, 2, 4, {1, 2, 3, 1}},
      {"Unsqueeze", 0, {0}, {0}, 1, 2, 1, {1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
      bool reshape = strcmp(cases[i].type, "Reshape") == 0;
      op_case c;
      op_case_begin(&c, cases[i].type, "opset1", (const char *const[]){reshape ? "special_zero" : NULL, "false", NULL});
      ir_tensor in[2] = {draw_tensor(&c.memory, types[t], cases[i].rank, cases[i].dims)};
      ir_value list = op_case_list(&c, IR_I64, 1, cases[i].list, cases[i].n_list);
      in[1] = *list.contents;
      const ir_tensor *out = op_case_run(&c, in, cases[i].n_inputs);
      expect_dims(out, types[t], cases[i].out_rank, cases[i].out_dims);
      assert_int_equal(out->bytes, in[0].bytes);
      if (out->bytes > 0)
        assert_memory_equal(out->data, in[0].data, out->bytes);
      ir_tensor_release(&in[0]);
      op_case_end(&c);
    }
}

/* ---- the strided copy ---- */

/* Draws strides for a tensor of `dims`, with axes in random order if `shuffled`, and with gaps. Returns how many
 * elements the layout spans. */
static int64_t draw_layout(int rank, const int64_t *dims, bool shuffled, int64_t *strides) {
  int order[5] = {0, 1, 2, 3, 4};
  for (int i = rank - 1; i > 0 && shuffled; i--) {
    int j = (int)between(0, i), axis = order[i];
    order[i] = order[j];
    order[j] = axis;
  }
  int64_t length = one_in(3) ? 2 : 1;
  for (int i = rank - 1; i >= 0; i--) {
    strides[order[i]] = length;
    length = length * (dims[order[i]] > 0 ? dims[order[i]] : 1) + (one_in(4) ? between(1, 3) : 0);
  }
  return length;
}

/* Draws dims. Sometimes a dim is so long that a copy is split into pieces. */
static int draw_sizes(int64_t *dims) {
  const bool is_long = one_in(30);
  const int rank = is_long ? (int)between(1, 3) : (int)between(0, 5);
  for (int a = 0; a < rank; a++)
    dims[a] = is_long || one_in(2) ? between(1, 4) : one_in(25) ? 0 : one_in(6) ? between(31, 66) : between(1, 4);
  if (is_long)
    dims[between(0, rank - 1)] = between(4000, 9000);
  return rank;
}

/* Changes some strides to 0 and negates some. Returns the offset of the first element. */
static int64_t draw_ways(int rank, const int64_t *dims, int64_t *strides) {
  int64_t first = 0;
  for (int a = 0; a < rank; a++)
    if (one_in(5))
      strides[a] = 0;
    else if (one_in(4) && dims[a] > 0) {
      first += (dims[a] - 1) * strides[a];
      strides[a] = -strides[a];
    }
  return first;
}

static unsigned char *random_bytes(int64_t n, size_t element) {
  unsigned char *bytes = calloc((size_t)n, element);
  assert_non_null(bytes);
  for (size_t b = 0; b < (size_t)n * element; b++)
    bytes[b] = (unsigned char)(draw() | 1);
  return bytes;
}

static void copies_of_random_layouts(void **state) {
  (void)state;
  static const size_t elements[] = {1, 2, 4, 8};
  for (int i = 0; i < 700; i++) {
    int64_t dims[5], from_strides[5], to_strides[5], index[5] = {0};
    int rank = draw_sizes(dims);
    size_t element = elements[between(0, 3)];
    int64_t n_from = draw_layout(rank, dims, true, from_strides);
    int64_t n_to = draw_layout(rank, dims, one_in(2), to_strides);
    int64_t first = draw_ways(rank, dims, from_strides);
    unsigned char *from = random_bytes(n_from, element), *to = calloc((size_t)n_to, element);
    unsigned char *expected = calloc((size_t)n_to, element);
    assert_true(to != NULL && expected != NULL);
    ir_shape shape = ir_shape_of(rank, dims);
    ir_tensor walked = ir_tensor_borrow(IR_U8, &shape, NULL, 0);
    bool more = ir_tensor_elements(&walked) > 0;
    for (; more; more = next_index(&walked, index)) {
      int64_t from_at = first, to_at = 0;
      for (int a = 0; a < rank; a++) {
        from_at += index[a] * from_strides[a];
        to_at += index[a] * to_strides[a];
      }
      memcpy(expected + (size_t)to_at * element, from + (size_t)from_at * element, element);
    }
    ir_strided_copy copy = ir_strided_copy_of(rank, dims, from_strides, to_strides);
    copy.from_first = first;
    ir_strided_copy_run(&copy, element, from, to, NULL);
    assert_memory_equal(to, expected, (size_t)n_to * element);
    free(from);
    free(to);
    free(expected);
  }
}

/* Draws an output axis of IR_MOST_SECTIONS sections. A section is a range of the input axis, forward, backward or
 * one repeated element. `places` gets the input position of each output element. Returns their number. */
static int64_t draw_sections(int64_t size, int64_t from_step, int64_t to_step, ir_axis_sections *out, int64_t *places) {
  int64_t n = 0;
  for (int i = 0; i < IR_MOST_SECTIONS; i++) {
    const int64_t length = between(0, size), step = length < 2 ? 1 : between(-1, 1);
    const int64_t first = step < 0 ? length - 1 : between(0, size - (length > 0 ? length : 1));
    ir_sections_add_line(out, length, first * from_step, step * from_step, n * to_step, to_step);
    for (int64_t k = 0; k < length; k++)
      places[n + k] = first + k * step;
    n += length;
  }
  return n;
}

static void sections_of_a_plane(void **state) {
  (void)state;
  enum { MOST = 12, MOST_OUT = IR_MOST_SECTIONS * MOST };
  for (int i = 0; i < 300; i++) {
    const int64_t rows = between(1, MOST), columns = between(1, MOST);
    int64_t row_places[MOST_OUT], column_places[MOST_OUT];
    uint16_t from[MOST * MOST], to[MOST_OUT * MOST_OUT] = {0};
    ir_sections sections = {.n_axes = 2};
    for (int k = 0; k < MOST * MOST; k++)
      from[k] = (uint16_t)(k + 1);
    const int64_t n_rows = draw_sections(rows, columns, MOST_OUT, &sections.axes[0], row_places);
    const int64_t n_columns = draw_sections(columns, 1, 1, &sections.axes[1], column_places);
    ir_sections_copy(&sections, sizeof *from, from, to, NULL);
    for (int64_t y = 0; y < MOST_OUT; y++)
      for (int64_t x = 0; x < MOST_OUT; x++)
        assert_int_equal(to[y * MOST_OUT + x],
                         y < n_rows && x < n_columns ? from[row_places[y] * columns + column_places[x]] : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transposes),
      cmocka_unit_test(concats),
      cmocka_unit_test(large_dims_beside_a_zero),
      cmocka_unit_test(elements_keep_their_order),
      cmocka_unit_test(copies_of_random_layouts),
      cmocka_unit_test(sections_of_a_plane),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
