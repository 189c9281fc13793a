#include "runtime/tensor/element_order.h"

#include <string.h>

enum { TILE = 32, PIECE = 16 * 1024 };

#define SWAP_ALL(item_type, swap)                                                                                      \
  for (int64_t i = 0; i < n; i++) {                                                                                    \
    item_type item;                                                                                                    \
    memcpy(&item, bytes + (size_t)i * sizeof item, sizeof item);                                                       \
    item = swap(item);                                                                                                 \
    memcpy(bytes + (size_t)i * sizeof item, &item, sizeof item);                                                       \
  }

void ir_swap_elements(void *data, size_t size, int64_t n) {
  unsigned char *bytes = data;
  if (size == 2)
    SWAP_ALL(uint16_t, __builtin_bswap16)
  else if (size == 4)
    SWAP_ALL(uint32_t, __builtin_bswap32)
  else if (size == 8)
    SWAP_ALL(uint64_t, __builtin_bswap64)
}

/* ---- column-major ---- */

/* Two axes, a and b, of a copy: n_a by n_b elements. from_step_a, to_step_a and so on are the strides of the axes, in
 * elements. */
typedef struct plane {
  const unsigned char *from;
  unsigned char *to;
  int64_t n_a, n_b;
  int64_t from_step_a, from_step_b, to_step_a, to_step_b;
} plane;

#define COPY_TILE(item_type)                                                                                           \
  for (int64_t a = a_begin; a < a_end; a++)                                                                            \
    for (int64_t b = b_begin; b < b_end; b++)                                                                          \
      memcpy(p->to + (size_t)(a * p->to_step_a + b * p->to_step_b) * sizeof(item_type),                                \
             p->from + (size_t)(a * p->from_step_a + b * p->from_step_b) * sizeof(item_type), sizeof(item_type));

/* Copies in tiles, because only one side of the copy is contiguous. On the other side, tiles reuse cache lines. */
static void copy_plane(const plane *p, size_t size) {
  for (int64_t a_begin = 0; a_begin < p->n_a; a_begin += TILE)
    for (int64_t b_begin = 0; b_begin < p->n_b; b_begin += TILE) {
      int64_t a_end = p->n_a - a_begin < TILE ? p->n_a : a_begin + TILE;
      int64_t b_end = p->n_b - b_begin < TILE ? p->n_b : b_begin + TILE;
      if (size == 1)
        COPY_TILE(uint8_t)
      else if (size == 2)
        COPY_TILE(uint16_t)
      else if (size == 4)
        COPY_TILE(uint32_t)
      else
        COPY_TILE(uint64_t)
    }
}

/* The rank without trailing axes of length 1, which do not affect the order. */
static int rank_in_order(const ir_tensor *tensor) {
  int rank = tensor->rank;
  while (rank > 0 && tensor->dims[rank - 1] == 1)
    rank--;
  return rank;
}

ir_slabs ir_slabs_of(const ir_tensor *tensor) {
  const int rank = rank_in_order(tensor);
  const int64_t n = rank == 0 ? 1 : tensor->dims[rank - 1];
  return (ir_slabs){.n = n, .slab_bytes = n == 0 ? 0 : tensor->bytes / (size_t)n};
}

/* For every index of the axes between them, copies the first and the last axis as a plane. */
void ir_copy_column_major(const void *from, int64_t first, int64_t n, ir_tensor *to) {
  const int rank = rank_in_order(to);
  const size_t size = ir_type_size(to->type);
  if (rank < 2 || to->bytes == 0) {
    const size_t slab_bytes = ir_slabs_of(to).slab_bytes;
    memcpy((unsigned char *)to->data + (size_t)first * slab_bytes, from, (size_t)n * slab_bytes);
    return;
  }
  int64_t from_steps[IR_MAX_RANK], to_steps[IR_MAX_RANK], index[IR_MAX_RANK] = {0};
  from_steps[0] = to_steps[rank - 1] = 1;
  for (int axis = 1; axis < rank; axis++) {
    from_steps[axis] = from_steps[axis - 1] * to->dims[axis - 1];
    to_steps[rank - 1 - axis] = to_steps[rank - axis] * to->dims[rank - axis];
  }
  int axis;
  do {
    int64_t from_at = 0, to_at = first;
    for (int i = 1; i < rank - 1; i++) {
      from_at += index[i] * from_steps[i];
      to_at += index[i] * to_steps[i];
    }
    plane p = {.from = (const unsigned char *)from + (size_t)from_at * size,
               .to = (unsigned char *)to->data + (size_t)to_at * size,
               .n_a = to->dims[0],
               .n_b = n,
               .from_step_a = from_steps[0],
               .from_step_b = from_steps[rank - 1],
               .to_step_a = to_steps[0],
               .to_step_b = to_steps[rank - 1]};
    copy_plane(&p, size);
    for (axis = 1; axis < rank - 1 && ++index[axis] == to->dims[axis]; axis++)
      index[axis] = 0;
  } while (axis < rank - 1);
}

/* ---- writing ---- */

bool ir_write_elements(const ir_tensor *tensor, ir_byte_sink sink) {
  const size_t size = ir_type_size(tensor->type);
  if (!IR_HOST_IS_BIG_ENDIAN || size <= 1)
    return sink.write(sink.user, tensor->data, tensor->bytes);
  unsigned char piece[PIECE];
  for (size_t done = 0, n; done < tensor->bytes; done += n) {
    n = tensor->bytes - done < PIECE ? tensor->bytes - done : PIECE;
    memcpy(piece, (const unsigned char *)tensor->data + done, n);
    ir_swap_elements(piece, size, (int64_t)(n / size));
    if (!sink.write(sink.user, piece, n))
      return false;
  }
  return true;
}
