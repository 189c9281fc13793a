/* JSON, read once for its form: what is wrong with it, and where the i-th value in the order of the text stands. */
#ifndef NG_SCAN_H
#define NG_SCAN_H

#include "ng_token.h"

/* Of every value: an array's and object's from bracket to bracket, a string's with its quotes. */
typedef struct ng_places {
  ir_at *at;
  size_t n, capacity;
  size_t n_strings; /* field names too */
} ng_places;

/* One value and nothing behind it. IR_OK, or the first fault, reported: IR004, IR006, IR010. `out_places` is the
 * caller's to free with `memory`, whatever is returned. */
ir_code ng_scan(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_places *out_places);

#endif
