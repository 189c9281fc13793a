#include "runtime/model/op_sums.h"
#include "ops/registry.h"

bool ir_op_sums_init(ir_op_sums *sums, ir_arena *arena) {
  size_t most = 0;
  while (ir_op_at(most) != NULL)
    most++;
  *sums = (ir_op_sums){.items = ir_arena_array(arena, most, sizeof *sums->items),
                       .ops = ir_arena_array(arena, most, sizeof *sums->ops)};
  return sums->items != NULL && sums->ops != NULL;
}

irrun_op_sizes *ir_op_sums_of(ir_op_sums *sums, const ir_op *op) {
  size_t i = 0;
  while (i < sums->n && sums->ops[i] != op)
    i++;
  if (i == sums->n) {
    sums->ops[sums->n++] = op;
    sums->items[i] = (irrun_op_sizes){.type = op->type, .version = op->version};
  }
  return &sums->items[i];
}

static bool is_before(const irrun_op_sizes *a, const irrun_op_sizes *b) {
  if (a->macs != b->macs)
    return a->macs > b->macs;
  return a->flops != b->flops ? a->flops > b->flops : a->bytes > b->bytes;
}

void ir_op_sums_end(ir_op_sums *sums) {
  size_t n = 0;
  for (size_t i = 0; i < sums->n; i++) {
    const irrun_op_sizes item = sums->items[i];
    if (item.flops == 0 && item.bytes == 0)
      continue;
    size_t at = n++;
    for (; at > 0 && is_before(&item, &sums->items[at - 1]); at--)
      sums->items[at] = sums->items[at - 1];
    sums->items[at] = item;
  }
  sums->n = n;
}
