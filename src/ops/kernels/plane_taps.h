/* Samples of the planes of a map [N, C, H, W] of f32 or f64: weighted sums of elements. A table has the elements and
 * weights of up to 64 places. It is made once and used for all channels, in loops over the places.
 *
 * A place is an output element of each channel; a tap is an element of the plane, with its weight. f32 elements are
 * multiplied and added in f32, four taps at a time; these sums are added in f64. */
#ifndef IR_PLANE_TAPS_H
#define IR_PLANE_TAPS_H

#include "ops/op.h"

enum {
  IR_PLANE_TAPS_PLACES = 64,
  IR_PLANE_TAPS_MOST = 64
}; /* most places, and most taps of a place: a multiple of 4 */

typedef struct ir_plane_taps {
  int64_t n_places;
  int n_taps;                                                 /* of each place; a multiple of 4 */
  int32_t at[IR_PLANE_TAPS_MOST][IR_PLANE_TAPS_PLACES];       /* offset of the element from the start of the plane */
  int32_t is_there[IR_PLANE_TAPS_MOST][IR_PLANE_TAPS_PLACES]; /* 0: the tap counts as 0, whatever element 0 is */
  double weights[IR_PLANE_TAPS_MOST][IR_PLANE_TAPS_PLACES];
  float weights_f32[IR_PLANE_TAPS_MOST][IR_PLANE_TAPS_PLACES];
} ir_plane_taps;

/* Sets a tap. `at` -1: the tap counts as 0. */
static inline void ir_plane_taps_set(ir_plane_taps *taps, int tap, int64_t place, int64_t at, double weight) {
  taps->at[tap][place] = at < 0 ? 0 : (int32_t)at;
  taps->is_there[tap][place] = at >= 0;
  taps->weights[tap][place] = weight;
  taps->weights_f32[tap][place] = (float)weight;
}

/* Sets taps [tap, tap + 4) to the bilinear interpolation at finite coordinates in a plane of height x width elements.
 * Coordinates outside the plane are clamped to its edge. `at` is added to all offsets. */
void ir_plane_taps_set_bilinear(ir_plane_taps *taps, int tap, int64_t place, int64_t height, int64_t width, double y,
                                double x, int64_t at);
/* Adds the sum of all taps of each place to sums[place]. `plane` is the offset of the plane's first element. */
void ir_plane_taps_add(const ir_plane_taps *taps, const ir_tensor *map, int64_t plane, double *sums);
/* Replaces sums[place] by the sum of each four taps of the place, if that is greater or NaN. */
void ir_plane_taps_greatest(const ir_plane_taps *taps, const ir_tensor *map, int64_t plane, double *sums);

/* Does the same as ir_plane_taps_add, or with `is_max` as ir_plane_taps_greatest, for one place of n channels of a map
 * [N, H, W, C] with `channels` channels. sums[0] belongs to the channel at offset `first` of the map. */
void ir_plane_taps_last(const ir_plane_taps *taps, int64_t place, const ir_tensor *map, int64_t channels, int64_t first,
                        int64_t n, bool is_max, double *sums);

/* Reports IR210 if images of the map in input `port` have more elements than offsets can tell. */
ir_code ir_plane_taps_check(const ir_node *node, int port, const ir_shape *map, ir_scope *scope);

#endif
