/* Decides which layers share a box, and which of several equal boxes is drawn (picture.h). */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_BLOCK 400 /* maximum number of boxes in a block */
#define LEAST_SAVED   2   /* repeated blocks are grouped only if the picture then has at least this many boxes less */

/* ---- chains ---- */

static bool has_own_box(const cli_drawn_layer *layer) {
  return layer->is_missing || layer->is_end || layer->has_body || layer->fault != NULL;
}

static bool is_in_one_body(const cli_drawn_layer *a, const cli_drawn_layer *b) {
  return a->owner == b->owner && a->body == b->body;
}

/* Returns the layer's next source that is not folded, from index `*at` on; -1 after the last. */
static int64_t next_source(const cli_picture *p, int64_t layer, int *at) {
  const cli_drawn_layer *of = &p->layers[layer];
  while (*at < of->n_sources && p->layers[of->sources[*at]].is_folded)
    ++*at;
  return *at < of->n_sources ? of->sources[(*at)++] : -1;
}

/* Returns the number of the layer's sources that are not folded, and writes the first two sources to `out_two`, -1 for
 * none. */
static int find_sources(const cli_picture *p, int64_t layer, int64_t *out_two) {
  int n = 0, at = 0;
  out_two[0] = out_two[1] = -1;
  for (int64_t source; (source = next_source(p, layer, &at)) >= 0; n++)
    if (n < 2)
      out_two[n] = source;
  return n;
}

/* Whether `layer` can join the box of the earlier layer `before`. */
static bool may_join(const cli_picture *p, int64_t before, int64_t layer) {
  const cli_drawn_layer *a = &p->layers[before], *b = &p->layers[layer];
  return before < layer && !has_own_box(a) && !has_own_box(b) && is_in_one_body(a, b);
}

static void join(cli_picture *p, int64_t before, int64_t layer) {
  const int64_t box = p->layers[before].box;
  p->layers[p->boxes[box].last].next = layer;
  p->layers[layer].box = box;
  p->boxes[box].last = layer;
  p->boxes[layer].last = -1;
}

/* Joins a product such as x * sigmoid(x) into one box: `layer` reads `main` and `side`, and `side` reads only `main`. A
 * sum of this form is a residual connection and is not joined. */
static bool join_diamond(cli_picture *p, int64_t main, int64_t side, int64_t layer) {
  int64_t of_side[2];
  const bool fits = strcmp(p->layers[layer].type, "Multiply") == 0 && find_sources(p, side, of_side) == 1 &&
                    of_side[0] == main && p->layers[side].n_users == 1 && p->layers[main].n_users == 2 &&
                    p->layers[side].box == side && may_join(p, main, side) && may_join(p, side, layer);
  if (!fits)
    return false;
  join(p, main, side);
  join(p, side, layer);
  return true;
}

static void join_chains(cli_picture *p) {
  for (int64_t i = 0; i < p->n_layers; i++) {
    int64_t from[2];
    if (p->layers[i].is_folded)
      continue;
    const int n = find_sources(p, i, from);
    if (n == 1 && p->layers[from[0]].n_users == 1 && may_join(p, from[0], i))
      join(p, from[0], i);
    else if (n == 2 && !join_diamond(p, from[0], from[1], i))
      join_diamond(p, from[1], from[0], i);
  }
}

/* ---- blocks ---- */

/* The boxes of the model itself or of one body, in the file's order. */
typedef struct row {
  cli_picture *p;
  int64_t *boxes, *places; /* `places`: index in `boxes` of each box */
  char **kinds;            /* a text for each box; equal boxes have equal texts */
  int64_t n;
} row;

static char *make_kind(const cli_picture *p, int64_t box) {
  cli_string text = {0};
  const char *name, *attribute;
  irrun_value value = {.size = sizeof value};
  for (int64_t i = box; i >= 0; i = p->layers[i].next) {
    if (has_own_box(&p->layers[i]) && !p->layers[i].is_missing)
      cli_add(&text, "%lld ", (long long)i); /* the index makes the text unique, so this box equals no other */
    cli_add(&text, "%s-%d(", p->layers[i].type, p->layers[i].version);
    for (int k = 0; irrun_model_get_layer_attribute(p->model, i, k, &name, &attribute); k++)
      cli_add(&text, "%s=%s ", name, attribute != NULL ? attribute : "");
    for (int k = 0; irrun_model_get_layer_input(p->model, i, k, &value); k++)
      cli_add_value(&text, &value);
    cli_add(&text, ")");
    for (int k = 0; irrun_model_get_layer_output(p->model, i, k, &value); k++)
      cli_add_value(&text, &value);
  }
  return text.text;
}

/* Whether box `a` of a block and the corresponding box `b` of the next block have corresponding sources: the same
 * source, or sources at the same distance. If the source of `a` is before `start`, where the first block begins, the
 * source of `b` can also be in a block before that of `b`. */
static bool reads_alike(const row *r, int64_t start, int64_t a, int64_t b) {
  const cli_picture *p = r->p;
  for (int64_t i = r->boxes[a], k = r->boxes[b]; i >= 0; i = p->layers[i].next, k = p->layers[k].next) {
    int64_t of_a, of_b;
    for (int at_a = 0, at_b = 0; of_a = next_source(p, i, &at_a), of_b = next_source(p, k, &at_b), of_a >= 0;) {
      if (of_b < 0)
        return false;
      const int64_t from_a = r->places[p->layers[of_a].box], from_b = r->places[p->layers[of_b].box];
      const bool enters = from_a < start && from_b >= start && from_b < b - (a - start);
      if (from_a != from_b && from_b - from_a != b - a && !enters)
        return false;
    }
    if (of_b >= 0)
      return false;
  }
  return true;
}

/* Counts the equal consecutive blocks of `length` boxes from index `start` on; at least 1. */
static int64_t count_blocks(const row *r, int64_t start, int64_t length) {
  int64_t n_alike = 0;
  for (int64_t a = start; a + length < r->n; a++, n_alike++)
    if (strcmp(r->kinds[a], r->kinds[a + length]) != 0 || !reads_alike(r, start, a, a + length))
      break;
  return 1 + n_alike / length;
}

/* Counts the boxes of the block at `start` that the next block reads. */
static int count_ends(const row *r, int64_t start, int64_t length) {
  const cli_picture *p = r->p;
  int n_ends = 0;
  for (int64_t end = start; end < start + length; end++) {
    bool is_read = false;
    for (int64_t b = start + length; b < start + 2 * length && !is_read; b++)
      for (int64_t i = r->boxes[b], source; i >= 0; i = p->layers[i].next)
        for (int at = 0; (source = next_source(p, i, &at)) >= 0;)
          is_read = is_read || p->layers[source].box == r->boxes[end];
    n_ends += is_read;
  }
  return n_ends;
}

/* Returns the best start of `n_blocks` repeated blocks. Each box of the first block can be the start; at the best
 * start, the fewest boxes of a block are read by the next block. */
static int64_t choose_start(const row *r, int64_t start, int64_t length, int64_t n_blocks) {
  int64_t best = start;
  int least = count_ends(r, start, length);
  for (int64_t at = start + 1; at < start + length; at++) {
    if (count_blocks(r, at, length) < n_blocks)
      continue;
    const int n_ends = count_ends(r, at, length);
    if (n_ends < least) {
      best = at;
      least = n_ends;
    }
  }
  return best;
}

static void mark_blocks(const row *r, int64_t start, int64_t length, int64_t n_blocks) {
  for (int64_t i = 0; i < length * n_blocks; i++) {
    cli_box *box = &r->p->boxes[r->boxes[start + i]];
    box->drawn_as = r->boxes[start + i % length];
    box->block = r->boxes[start];
    box->repeat = i / length;
  }
}

static void find_blocks(const row *r) {
  for (int64_t start = 0; start < r->n;) {
    int64_t best_length = 0, best_count = 0, best_saved = LEAST_SAVED - 1;
    for (int64_t length = 1; length <= LONGEST_BLOCK && start + 2 * length <= r->n; length++) {
      const int64_t count = count_blocks(r, start, length), saved = (count - 1) * length;
      if (saved <= best_saved)
        continue;
      best_saved = saved;
      best_length = length;
      best_count = count;
    }
    if (best_length > 0) {
      start = choose_start(r, start, best_length, best_count);
      mark_blocks(r, start, best_length, best_count);
    }
    start += best_length > 0 ? best_length * best_count : 1;
  }
}

static void group_blocks(cli_picture *p) {
  row r = {.p = p};
  r.boxes = cli_allocate((size_t)p->n_layers, sizeof *r.boxes);
  r.places = cli_allocate((size_t)p->n_layers, sizeof *r.places);
  r.kinds = cli_allocate((size_t)p->n_layers, sizeof *r.kinds);
  for (int64_t i = 0; i < p->n_layers;) {
    const cli_drawn_layer *first = &p->layers[i];
    r.n = 0;
    for (; i < p->n_layers && is_in_one_body(first, &p->layers[i]); i++) {
      if (!cli_picture_has_box(p, i))
        continue;
      r.places[i] = r.n;
      r.kinds[r.n] = make_kind(p, i);
      r.boxes[r.n++] = i;
    }
    find_blocks(&r);
    for (int64_t k = 0; k < r.n; k++)
      free(r.kinds[k]);
  }
  free(r.boxes);
  free(r.places);
  free(r.kinds);
}

/* ---- lines ---- */

static int compare_lines(const void *a, const void *b) {
  const cli_line *one = a, *other = b;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  if (one->to != other->to)
    return one->to < other->to ? -1 : 1;
  return one->is_back - other->is_back;
}

static void draw_lines(cli_picture *p) {
  size_t most = 0;
  int64_t n = 0;
  for (int64_t i = 0; i < p->n_layers; i++)
    most += (size_t)p->layers[i].n_sources;
  p->lines = cli_allocate(most, sizeof *p->lines);
  for (int64_t i = 0; i < p->n_layers; i++) {
    const cli_box *to = &p->boxes[p->layers[i].box];
    for (int k = 0; k < p->layers[i].n_sources && !p->layers[i].is_folded; k++) {
      const cli_drawn_layer *source = &p->layers[p->layers[i].sources[k]];
      const cli_box *from = &p->boxes[source->box];
      if (!source->is_folded && from != to)
        p->lines[n++] = (cli_line){from->drawn_as, to->drawn_as,
                                   from->block >= 0 && from->block == to->block && from->repeat != to->repeat};
    }
  }
  qsort(p->lines, (size_t)n, sizeof *p->lines, compare_lines);
  for (int64_t i = 0; i < n; i++)
    if (i == 0 || compare_lines(&p->lines[i - 1], &p->lines[i]) != 0)
      p->lines[p->n_lines++] = p->lines[i];
}

bool cli_picture_has_box(const cli_picture *picture, int64_t box) {
  return !picture->layers[box].is_folded && picture->boxes[box].last >= 0 && picture->boxes[box].drawn_as == box;
}

void cli_picture_arrange(cli_picture *picture) {
  int64_t n_drawn = 0;
  for (int64_t i = 0; i < picture->n_layers; i++) {
    picture->boxes[i] = (cli_box){.last = i, .drawn_as = i, .block = -1};
    n_drawn += !picture->layers[i].is_folded;
  }
  if (!picture->is_whole && n_drawn > CLI_MOST_LAYERS) {
    join_chains(picture);
    group_blocks(picture);
  }
  draw_lines(picture);
}
