#include "exec/memory_layout.h"
#include <stdlib.h>
#include <string.h>

#define NONE        SIZE_MAX
#define MOST_VISITS (INT64_C(1) << 24) /* comparisons of buffers; beyond it the rest are stacked, to bound the time */
#define MOST_RANKED 2048               /* most buffers for which orders other than the chronological one are tried */

/* ---- peak memory ---- */

typedef struct ending {
  size_t last, bytes;
} ending;

static int by_last(const void *a, const void *b) {
  const ending *x = a, *y = b;
  return (x->last > y->last) - (x->last < y->last);
}

static bool find_live_bytes(const ir_buffer *buffers, size_t n, const ir_memory *memory, size_t *out_bytes) {
  size_t live = 0, total = 0, ended = 0;
  ending *endings = ir_alloc_zero(memory, n + 1, sizeof *endings);
  if (endings == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    endings[i] = (ending){buffers[i].last, buffers[i].bytes};
  qsort(endings, n, sizeof *endings, by_last);
  bool fits = true;
  for (size_t i = 0; i < n && fits; i++) {
    for (; ended < n && endings[ended].last < buffers[i].first; ended++)
      live -= endings[ended].bytes;
    live += buffers[i].bytes;
    *out_bytes = live > *out_bytes ? live : *out_bytes;
    fits = !__builtin_add_overflow(
        total, buffers[i].bytes, &total); /* the sum of all buffers is a valid size too, because they can be stacked */
  }
  ir_free(memory, endings);
  return fits;
}

/* ---- placing ---- */

/* The placed buffers, as a list sorted by offset. */
typedef struct placing {
  ir_buffer *buffers;
  size_t *next, head;
  size_t block_bytes;
  int64_t visits_left;
  bool in_order; /* buffers come chronologically: ended ones are dropped from the list */
} placing;

static bool overlap_in_time(const ir_buffer *a, const ir_buffer *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* Puts the buffer into the first gap between the buffers that live at the same time. Returns the link
 * from which the sorted list is searched for the buffer's place. */
static size_t *find_offset(placing *p, ir_buffer *buffer) {
  size_t *below = &p->head;
  buffer->offset = 0;
  for (size_t *link = &p->head; *link != NONE; p->visits_left--) {
    const ir_buffer *other = &p->buffers[*link];
    if (p->in_order && other->last < buffer->first) {
      *link = p->next[*link];
      continue;
    }
    const bool overlaps = overlap_in_time(buffer, other);
    if (overlaps && other->offset >= buffer->offset + buffer->bytes)
      break;
    link = &p->next[*link];
    if (overlaps && other->offset + other->bytes > buffer->offset) {
      buffer->offset = other->offset + other->bytes;
      below = link;
    }
  }
  return below;
}

static void place(placing *p, size_t number) {
  ir_buffer *buffer = &p->buffers[number];
  if (p->visits_left > 0) {
    size_t *link = find_offset(p, buffer);
    for (; *link != NONE && p->buffers[*link].offset < buffer->offset; p->visits_left--)
      link = &p->next[*link];
    p->next[number] = *link;
    *link = number;
  } else {
    buffer->offset = p->block_bytes;
  }
  if (buffer->offset + buffer->bytes > p->block_bytes)
    p->block_bytes = buffer->offset + buffer->bytes;
}

static size_t place_by_time(ir_buffer *buffers, size_t n, size_t *next) {
  placing p = {.buffers = buffers, .next = next, .head = NONE, .visits_left = MOST_VISITS, .in_order = true};
  for (size_t i = 0; i < n; i++)
    place(&p, i);
  return p.block_bytes;
}

/* ---- orders ---- */

typedef struct ranked {
  double rank;
  size_t number;
} ranked;

/* Orders by descending rank; equal ranks chronologically. */
static int by_rank(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

static double size_of(const ir_buffer *buffer) {
  return (double)buffer->bytes;
}

static double steps_of(const ir_buffer *buffer) {
  return (double)(buffer->last - buffer->first) + 1;
}

static double area_of(const ir_buffer *buffer) {
  return size_of(buffer) * steps_of(buffer);
}

static double (*const ranks[])(const ir_buffer *) = {size_of, area_of, steps_of};

static size_t place_by_rank(ir_buffer *buffers, size_t n, double (*rank)(const ir_buffer *), size_t *next,
                            ranked *order) {
  placing p = {.buffers = buffers, .next = next, .head = NONE, .visits_left = INT64_MAX};
  for (size_t i = 0; i < n; i++)
    order[i] = (ranked){rank(&buffers[i]), i};
  qsort(order, n, sizeof *order, by_rank);
  for (size_t i = 0; i < n; i++)
    place(&p, order[i].number);
  return p.block_bytes;
}

typedef struct search {
  size_t *next, *offsets; /* one per buffer; `offsets` are the best so far */
  ranked *order;
} search;

/* Whether the block has so few unused bytes that other orders are not tried: 1/64 of it, or less than 64 KiB. */
static bool is_tight(const ir_block_layout *layout) {
  enum { LEAST = 64 << 10 };
  const size_t unused = layout->block_bytes - layout->live_bytes;
  return unused <= layout->live_bytes / 64 || unused < LEAST;
}

static void find_best(ir_buffer *buffers, size_t n, search *s, ir_block_layout *layout) {
  layout->block_bytes = place_by_time(buffers, n, s->next);
  for (size_t i = 0; i < n; i++)
    s->offsets[i] = buffers[i].offset;
  for (size_t r = 0; n <= MOST_RANKED && r < sizeof ranks / sizeof ranks[0] && !is_tight(layout); r++) {
    size_t block_bytes = place_by_rank(buffers, n, ranks[r], s->next, s->order);
    if (block_bytes >= layout->block_bytes)
      continue;
    layout->block_bytes = block_bytes;
    for (size_t i = 0; i < n; i++)
      s->offsets[i] = buffers[i].offset;
  }
  for (size_t i = 0; i < n; i++)
    buffers[i].offset = s->offsets[i];
}

static bool find_offsets(ir_buffer *buffers, size_t n, const ir_memory *memory, ir_block_layout *layout) {
  search s = {.next = ir_alloc_zero(memory, n + 1, sizeof *s.next),
              .offsets = ir_alloc_zero(memory, n + 1, sizeof *s.offsets),
              .order = ir_alloc_zero(memory, n + 1, sizeof *s.order)};
  const bool has_memory = s.next != NULL && s.offsets != NULL && s.order != NULL;
  if (has_memory)
    find_best(buffers, n, &s, layout);
  ir_free(memory, s.next);
  ir_free(memory, s.offsets);
  ir_free(memory, s.order);
  return has_memory;
}

bool ir_layout_find(ir_buffer *buffers, size_t n, const ir_memory *memory, ir_block_layout *out_layout) {
  *out_layout = (ir_block_layout){.block_bytes = 0};
  for (size_t i = 0; i < n; i++) {
    size_t padded;
    if (__builtin_add_overflow(buffers[i].bytes, IR_LAYOUT_ALIGNMENT - 1, &padded))
      return false;
    buffers[i].bytes = padded & ~(size_t)(IR_LAYOUT_ALIGNMENT - 1);
  }
  return find_live_bytes(buffers, n, memory, &out_layout->live_bytes) && find_offsets(buffers, n, memory, out_layout);
}
