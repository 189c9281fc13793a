/* Scans JSON once for syntax: reports the first fault, and records the place of each value in the order of the text. */
#ifndef NG_SCAN_H
#define NG_SCAN_H

#include "ng_token.h"

/* Places of all values: arrays and objects include their brackets, strings their quotes. */
typedef struct ng_places {
  ir_at *at;
  size_t n, capacity;
  size_t n_strings; /* including field names */
} ng_places;

/* Scans one value, which must fill the text. Reports the first fault (IR004, IR006, IR010) and returns its code. The
 * caller frees `out_places` with `memory` whatever the result. */
ir_code ng_scan(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_places *out_places);

#endif
