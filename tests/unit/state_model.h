/* Builds the text of a model with states, and compares two runs of it. */
#ifndef STATE_MODEL_H
#define STATE_MODEL_H

#include "irrun_debug.h"
#include "irrun_state.h"

typedef struct model_words {
  char chars[32768];
  size_t n;
} model_words;

void words_add(model_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a layer of opset 13 with input ports 0, 1, .., and if `out` is not NULL, an output port 9 of that type. `data`:
 * the elements before the ports. */
void words_layer(model_words *words, int id, const char *type, const char *data, int n_inputs, const char *out);
/* Adds an edge from port 9. */
void words_edge(model_words *words, int from, int to, int port);

/* An allocator that refuses request number `fail_at`, counted from 1. Runs of several threads can use it. */
typedef struct failing {
  _Atomic int64_t n_calls, n_live;
  int64_t fail_at;
} failing;

/* A run of a model with one thread. */
typedef struct session {
  failing memory;
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} session;

/* Reads the model, whose constants are in `weights`, and makes a run without the passes. */
void session_begin(session *s, const model_words *words, irrun_buffer weights, unsigned skipped);
/* Frees all and checks that no memory is lost. */
void session_end(session *s);
/* Sets an input of f32 or i32 elements. */
irrun_status session_set(session *s, int input, irrun_element_type type, int rank, const int64_t *dims,
                         const void *data);
void session_execute(session *s);
/* Counts the steps of the last execution that are attention on states. */
int session_count_kept(const session *s);
/* Compares type and dims, and elements: f32 nearly, others exactly. */
void session_compare(const irrun_tensor *a, const irrun_tensor *b);

#endif
