/* Checks the syntax of a JSON text in one pass. Reports the first fault, and records the place of each value in the
 * order of the text. */
#ifndef NG_SCAN_H
#define NG_SCAN_H

#include "ng_token.h"

/* ng_places has the places of all values. The place of an array or object includes its brackets, that of a string its
 * quotes. */
typedef struct ng_places {
  ir_at *at;
  size_t n, capacity;
  size_t n_strings; /* number of strings, including field names */
} ng_places;

/* Scans the text, which must be exactly one JSON value. Reports the first fault (IR004, IR006, IR010) and returns its
 * code. The caller frees `out_places->at` with `memory`, also after a fault. */
ir_code ng_scan(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_places *out_places);

#endif
