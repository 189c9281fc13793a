/* Tests random plans in one block. Each step has to find the expected bytes in its inputs. The resident pages can
 * exceed the peak of live tensors by little more than a twentieth. */
#include "draw.h"
#include "exec/execute.h"
#include "exec/plan_memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_SLOTS = 64, HEADER = 64, MAPPED_FROM = 64 * 1024 };

static size_t page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/* Precedes each block. A large block is a mapping of its own, so that its resident pages can be counted. */
typedef struct block_header {
  size_t bytes; /* size of the mapping; 0: the block is from malloc */
} block_header;

static void *take(void *user, size_t bytes) {
  (void)user;
  block_header *header;
  const bool maps = bytes >= MAPPED_FROM;
  if (maps)
    header = mmap(NULL, bytes + HEADER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  else
    header = malloc(bytes + HEADER);
  assert_true(header != NULL && header != MAP_FAILED);
  header->bytes = maps ? bytes + HEADER : 0;
  return (char *)header + HEADER;
}

static void give(void *user, void *block) {
  (void)user;
  if (block == NULL)
    return;
  block_header *header = (void *)((char *)block - HEADER);
  if (header->bytes > 0)
    munmap(header, header->bytes);
  else
    free(header);
}

typedef struct fixture {
  ir_memory memory;
  ir_diags diags;
  ir_arena arena;
  ir_plan plan;
  ir_plan_memory place;
  size_t live_bytes; /* peak of the live tensors' bytes */
  bool runs_again;
} fixture;

static size_t resident_bytes(const ir_tensor *block) {
  static unsigned char pages[1 << 16];
  const size_t page = page_bytes();
  char *begin = (char *)((uintptr_t)block->base / page * page);
  const size_t bytes = (size_t)((char *)block->base + block->base_bytes - begin), n = (bytes + page - 1) / page;
  size_t resident = 0;
  assert_true(n <= sizeof pages);
  assert_int_equal(mincore(begin, bytes, pages), 0);
  for (size_t i = 0; i < n; i++)
    resident += (pages[i] & 1) * page;
  return resident;
}

static unsigned char mark_of(const ir_tensor *tensor) {
  return (unsigned char)(tensor->dims[0] % 251);
}

static bool is_marked(const ir_tensor *tensor) {
  const unsigned char *bytes = tensor->data;
  return tensor->bytes == 0 || (bytes[0] == mark_of(tensor) && memcmp(bytes, bytes + 1, tensor->bytes - 1) == 0);
}

/* Is a kernel: fills the outputs with the bytes of mark_of and checks the inputs. */
static ir_code run_kernel(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)exec;
  const fixture *f = step->state;
  for (int32_t i = 0; i < step->n_out; i++)
    memset(out[i]->data, mark_of(out[i]), out[i]->bytes);
  for (int32_t i = 0; i < step->n_in; i++)
    assert_true(is_marked(in[i]));
  const size_t twentieth = f->live_bytes / 20, more = twentieth > IR_LEAST_UNUSED ? twentieth : IR_LEAST_UNUSED;
  if (f->plan.block_bytes >= MAPPED_FROM && !f->runs_again)
    assert_in_range(resident_bytes(&f->place.block), 0, f->live_bytes + more + 2 * page_bytes() * f->plan.n_slots);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "mark", .isa = "any", .run = run_kernel};

/* Draws a plan. Each step writes one or two tensors and reads up to three earlier ones. */
static void draw_plan(fixture *f, int64_t most_bytes) {
  ir_plan *plan = &f->plan;
  while (plan->n_slots < (size_t)between(3, MOST_SLOTS - 2)) {
    int32_t in[3], out[2], n_out = one_in(4) ? 2 : 1, n_in = 0;
    const int32_t n_before = (int32_t)plan->n_slots;
    for (int32_t i = 0; i < 3 && n_before > 0; i++)
      in[n_in++] = (int32_t)between(n_before > 6 && !one_in(8) ? n_before - 6 : 0, n_before - 1);
    for (int32_t i = 0; i < n_out; i++) {
      ir_shape shape = ir_shape_of(1, (int64_t[]){between(0, most_bytes)});
      out[i] = ir_plan_temporary(plan, IR_U8, &shape);
      plan->slots[out[i]].is_kept = one_in(10);
    }
    assert_int_equal(ir_plan_append(plan, &kernel, f, 0, in, n_in, out, n_out), IR_OK);
  }
}

/* Computes the peak of live bytes from the lifetimes in the plan. */
static size_t most_live_bytes(const ir_plan *plan) {
  size_t most = 0;
  for (size_t s = 0; s < plan->n_steps; s++) {
    size_t live = 0, bytes;
    for (size_t i = 0; i < plan->n_slots; i++)
      if (plan->slots[i].first <= s && s <= plan->slots[i].last) {
        ir_tensor_bytes(plan->slots[i].type, &plan->slots[i].shape, &bytes);
        live += bytes;
      }
    most = live > most ? live : most;
  }
  return most;
}

/* Executes a random plan twice. Returns whether its block is so large that the plan releases dead tensors' pages. */
static bool try_plan(int64_t most_bytes) {
  fixture f = {.memory = {take, give, NULL}};
  ir_diags_init(&f.diags, &f.memory);
  ir_arena_init(&f.arena, &f.memory, SIZE_MAX);
  f.plan = (ir_plan){.arena = &f.arena, .memory = &f.memory, .diags = &f.diags, .place = &f.place};
  draw_plan(&f, most_bytes);
  assert_int_equal(ir_plan_lay_out(&f.plan), IR_OK);
  f.live_bytes = most_live_bytes(&f.plan);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(ir_plan_execute(&f.plan), IR_OK);
    for (size_t s = 0; s < f.plan.n_slots; s++)
      assert_true(!f.plan.slots[s].is_kept || is_marked(&f.plan.slots[s].tensor));
    f.runs_again = true;
  }
  const bool is_loose = f.plan.is_loose;
  ir_plan_reset(&f.plan);
  ir_plan_release_memory(&f.place);
  ir_arena_reset(&f.arena);
  ir_diags_reset(&f.diags);
  return is_loose;
}

static void small_tensors_stay_what_they_are(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++)
    try_plan(1000);
}

static void large_tensors_take_what_lives_at_once(void **state) {
  (void)state;
  int n_loose = 0;
  for (int i = 0; i < 40; i++)
    n_loose += try_plan(3000000);
  assert_true(n_loose > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_tensors_stay_what_they_are),
      cmocka_unit_test(large_tensors_take_what_lives_at_once),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
