/* Tests the conversion of column-major elements to row-major, whole and in slabs. A slab is a range along the last
 * axis. */
#include "io_fixture.h"
#include "runtime/tensor/element_order.h"

/* Expects that each element holds its number in column-major order. */
static void expect_counted(const ir_tensor *tensor) {
  for (int64_t i = 0; i < ir_tensor_elements(tensor); i++) {
    int64_t rest = i, index[IR_MAX_RANK], number = 0;
    for (int axis = tensor->rank - 1; axis >= 0; axis--) {
      index[axis] = rest % tensor->dims[axis];
      rest /= tensor->dims[axis];
    }
    for (int axis = tensor->rank - 1; axis >= 0; axis--)
      number = number * tensor->dims[axis] + index[axis];
    assert_int_equal(((const int16_t *)tensor->data)[i], number);
  }
}

/* Converting slab after slab has to give the same elements as one conversion. */
static void test_slabs(void **state) {
  static const int64_t shapes[][6] = {{0},          {1, 7},          {2, 1, 5},          {2, 5, 1}, {2, 40, 70},
                                      {3, 2, 3, 4}, {4, 3, 2, 5, 1}, {5, 2, 3, 1, 4, 3}, {2, 0, 4}};
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int64_t at_once = 1; at_once < 4; at_once++) {
      ir_shape shape = ir_shape_of((int)shapes[s][0], shapes[s] + 1);
      ir_tensor from, whole, pieces;
      assert_true(ir_tensor_alloc(&from, &f.memory, IR_I16, &shape));
      assert_true(ir_tensor_alloc(&whole, &f.memory, IR_I16, &shape));
      assert_true(ir_tensor_alloc(&pieces, &f.memory, IR_I16, &shape));
      for (int64_t i = 0; i < ir_tensor_elements(&from); i++)
        ((int16_t *)from.data)[i] = (int16_t)i;
      const ir_slabs slabs = ir_slabs_of(&whole);
      assert_int_equal((size_t)slabs.n * slabs.slab_bytes, whole.bytes);
      ir_copy_column_major(from.data, 0, slabs.n, &whole);
      expect_counted(&whole);
      for (int64_t first = 0; first < slabs.n; first += at_once)
        ir_copy_column_major((unsigned char *)from.data + (size_t)first * slabs.slab_bytes, first,
                             slabs.n - first < at_once ? slabs.n - first : at_once, &pieces);
      assert_memory_equal(pieces.data, whole.data, whole.bytes);
      ir_tensor_release(&from);
      ir_tensor_release(&whole);
      ir_tensor_release(&pieces);
    }
  io_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slabs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
