#include "ops/kernels/order.h"
#include "ops/float_ranges.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include <string.h>

/* ---- keys ---- */

IR_LOOP void keys_of_floats_loop(const double *values, int64_t n, int64_t *keys) {
  for (int64_t i = 0; i < n; i++) {
    const int64_t key = ir_order_of(values[i]);
    keys[i] = values[i] != values[i] ? INT64_MAX : key;
  }
}
IR_EACH_ISA(keys_of_floats, (const double *values, int64_t n, int64_t *keys), (values, n, keys))

static void keys_of_piece(ir_compute_type compute, const ir_piece *piece, int64_t n, int64_t *keys) {
  if (compute == IR_COMPUTE_F64) {
    keys_of_floats(piece->f64, n, keys);
    return;
  }
  for (int64_t i = 0; i < n; i++)
    keys[i] = compute == IR_COMPUTE_U64 ? (int64_t)(piece->u64[i] ^ (UINT64_C(1) << 63)) : piece->i64[i];
}

#define PICK(name, type)                                                                                               \
  static void name(const void *elements, int64_t step, int64_t n, void *out) {                                         \
    const type *from = elements;                                                                                       \
    type *to = out;                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = from[i * step];                                                                                          \
  }
PICK(pick_1, uint8_t)
PICK(pick_2, uint16_t)
PICK(pick_4, uint32_t)
PICK(pick_8, uint64_t)

void ir_order_keys(ir_type type, const void *elements, int64_t step, int64_t n, int64_t *keys) {
  const ir_compute_type compute = ir_type_in(type, IR_SET_FLOATS) ? IR_COMPUTE_F64 : ir_compute_type_of(type);
  const size_t size = ir_type_size(type);
  ir_piece piece, line;
  for (int64_t at = 0, m; at < n; at += m) {
    const char *from = (const char *)elements + (size_t)(at * step) * size;
    m = n - at < IR_PIECE ? n - at : IR_PIECE;
    if (step != 1)
      (size == 1 ? pick_1 : size == 2 ? pick_2 : size == 4 ? pick_4 : pick_8)(from, step, m, &line);
    ir_compute_load(type, step == 1 ? (const void *)from : &line, compute, &piece, m);
    keys_of_piece(compute, &piece, m, keys + at);
  }
}

void ir_order_reverse(int64_t *keys, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    keys[i] = ~keys[i];
}

/* ---- a heap, with the greatest key on top ---- */

static bool is_behind(const int64_t *keys, int64_t a, int64_t b) {
  return keys[a] != keys[b] ? keys[a] > keys[b] : a > b;
}

static void sink(const int64_t *keys, int64_t *heap, int64_t n) {
  const int64_t thing = heap[0];
  int64_t at = 0;
  for (int64_t child = 1; child < n; child = 2 * at + 1) {
    child += child + 1 < n && is_behind(keys, heap[child + 1], heap[child]);
    if (!is_behind(keys, heap[child], thing))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = thing;
}

static void rise(const int64_t *keys, int64_t *heap, int64_t at) {
  const int64_t thing = heap[at];
  for (; at > 0 && is_behind(keys, thing, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = thing;
}

/* Lets things [begin, end) rise in the heap of the things before them. */
static void rise_all(const int64_t *keys, int64_t *heap, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++)
    rise(keys, heap, i);
}

/* Moves the greatest things of a heap of n behind it, until it has `left` things. */
static void sink_all(const int64_t *keys, int64_t *things, int64_t n, int64_t left) {
  for (int64_t i = n - 1; i >= left; i--) {
    const int64_t last = things[0];
    things[0] = things[i];
    things[i] = last;
    sink(keys, things, i);
  }
}

/* Replaces the greatest of k things by each of [begin, end) that is less. */
static void take_less(const int64_t *keys, int64_t *heap, int64_t k, int64_t begin, int64_t end) {
  int64_t greatest = keys[heap[0]];
  for (int64_t i = begin; i < end; i++)
    if (keys[i] < greatest) {
      heap[0] = i;
      sink(keys, heap, k);
      greatest = keys[heap[0]];
    }
}

enum { TURNS = 1 << 14 }; /* things between two looks whether to stop */

void ir_order_sort(const int64_t *keys, int64_t *things, int64_t n, ir_stop *stop, int worker) {
  for (int64_t i = 0; i < n && (i == 0 || !ir_stop_asked_of(stop, worker)); i += TURNS)
    rise_all(keys, things, i, least(n, i + TURNS));
  for (int64_t i = n; i > 0 && (i == n || !ir_stop_asked_of(stop, worker)); i -= TURNS)
    sink_all(keys, things, i, most(0, i - TURNS));
}

void ir_order_first(const int64_t *keys, int64_t n, int64_t k, int64_t *first, ir_stop *stop, int worker) {
  for (int64_t i = 0; i < k; i++)
    first[i] = i;
  for (int64_t i = 0; i < k && (i == 0 || !ir_stop_asked_of(stop, worker)); i += TURNS)
    rise_all(keys, first, i, least(k, i + TURNS));
  for (int64_t i = k; k > 0 && i < n && (i == k || !ir_stop_asked_of(stop, worker)); i += TURNS)
    take_less(keys, first, k, i, least(n, i + TURNS));
  ir_order_sort(keys, first, k, stop, worker);
}

/* ---- lines side by side ---- */

/* Keys of floats in 32 bits. NaN is below INT32_MAX, which fills the list before there are k elements. */
IR_LOOP void lane_keys(const float *values, int n_lanes, int32_t flip, int32_t *keys) {
  float row[IR_ORDER_LANES] = {0};
  int32_t bits[IR_ORDER_LANES];
  memcpy(row, values, (size_t)n_lanes * sizeof *row);
  memcpy(bits, row, sizeof bits);
  for (int j = 0; j < IR_ORDER_LANES; j++) {
    const int32_t key = bits[j] < 0 ? INT32_MIN - bits[j] : bits[j];
    keys[j] = (row[j] != row[j] ? INT32_MAX - 1 : key) ^ flip;
  }
}

/* Inserts each element into the sorted list of its lane: greater keys move by one place. */
IR_LOOP void first_of_lanes_loop(const float *values, int64_t step, int n_lanes, int32_t n, int k, int32_t flip,
                                 int32_t *first) {
  enum { L = IR_ORDER_LANES };
  int32_t keys[IR_ORDER_MOST * L], own[L];
  for (int i = 0; i < k * L; i++) {
    keys[i] = INT32_MAX;
    first[i] = 0;
  }
  for (int32_t i = 0; i < n; i++) {
    lane_keys(values + i * step, n_lanes, flip, own);
    for (int s = k - 1; s > 0; s--) {
      int32_t *to = &keys[s * L], *to_first = &first[s * L];
      const int32_t *before = to - L, *before_first = to_first - L;
      for (int j = 0; j < L; j++) {
        const bool moves = own[j] < before[j], enters = own[j] < to[j];
        to_first[j] = moves ? before_first[j] : enters ? i : to_first[j];
        to[j] = moves ? before[j] : enters ? own[j] : to[j];
      }
    }
    for (int j = 0; j < L; j++) {
      const bool enters = own[j] < keys[j];
      first[j] = enters ? i : first[j];
      keys[j] = enters ? own[j] : keys[j];
    }
  }
}
IR_EACH_ISA(first_of_lanes,
            (const float *values, int64_t step, int n_lanes, int32_t n, int k, int32_t flip, int32_t *first),
            (values, step, n_lanes, n, k, flip, first))

void ir_order_first_of_lanes(const float *values, int64_t step, int n_lanes, int32_t n, int k, bool of_greatest,
                             int32_t *first) {
  first_of_lanes(values, step, n_lanes, n, k, of_greatest ? -1 : 0, first);
}
