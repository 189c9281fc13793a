/* Networks of one element type, built layer by layer, for tests of passes. All numbers are small multiples of a power
 * of two, exact in f32, f16 and bf16. */
#ifndef PASSES_NET_H
#define PASSES_NET_H

#include "failing_memory.h"
#include "irrun.h"
#include <stdio.h>

enum { NET_MOST_LAYERS = 96, NET_MOST_INPUTS = 4, NET_MOST_WEIGHTS = 1 << 19, NET_MOST_ELEMENTS = 1 << 17 };

typedef struct net_input {
  irrun_element_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK], elements;
} net_input;

/* The text of a network, or of a body. */
typedef struct net_text {
  FILE *layers, *edges;
  char *text, *edges_text;
  size_t bytes, edges_bytes;
  int n_layers, n_inputs_of[NET_MOST_LAYERS];
} net_text;

typedef struct net {
  irrun_element_type type;
  net_text own;
  char weights[NET_MOST_WEIGHTS];
  size_t n_weights; /* bytes in `weights` */
  int n_inputs;
  net_input inputs[NET_MOST_INPUTS];
} net;

/* Builds the network; free it with net_free. */
void net_build(net *n, irrun_element_type type, void (*build)(net *n));
void net_free(net *n);
/* Fills an input with numbers of magnitude at most 1, different for each seed; a boolean says whether the seed is
 * even. */
void net_fill(const net_input *input, uint32_t seed, void *to);
double net_get(irrun_element_type type, const void *data, int64_t at);

/* All of these return a link to an output: the layer's first; net_port gives the others. */
int net_parameter(net *n, const char *shape);
/* Adds weights; the magnitudes of any `terms` of them sum to at most 1. */
int net_weights(net *n, const char *shape, int64_t elements, int terms);
/* Adds such weights in f16, with a Convert. */
int net_converted(net *n, const char *shape, int64_t elements, int terms);
int net_list(net *n, int count, const int64_t *items);
/* Adds a number without axes. */
int net_axis(net *n, int64_t axis);
int net_floats(net *n, int count, float item);
/* Adds an op. `type`: "ReLU", or with its opset, "Gather-8". `attributes`: text of <data>. */
int net_add(net *n, const char *type, const char *attributes, int n_outputs, int n_inputs, const int *inputs);
/* Adds the positions where a row is not 0. */
int net_where(net *n, int from);
int net_as_integers(net *n, int from);
int net_port(int layer, int port);
void net_result(net *n, int from);
/* Adds a convolution with a kernel [out, in, size, size] and pads of half of it; the caller adds the weights. */
int net_conv(net *n, int from, int in, int out, int size, int stride);
int net_conv_of(net *n, int from, int weights, int pad, int stride);
/* Adds a bias to each channel. */
int net_bias(net *n, int from, int channels);
/* Adds an If with an input of its own as condition; these functions build its bodies, which have one parameter and one
 * result. */
int net_if(net *n, int from, void (*then_body)(net *n), void (*else_body)(net *n));

#define NET_ITEMS(type, ...)                                                                                           \
  (int)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), (const type[]) {                                                \
    __VA_ARGS__                                                                                                        \
  }
#define net_op(n, type, attributes, ...) net_add(n, type, attributes, 1, NET_ITEMS(int, __VA_ARGS__))
#define net_integers(n, ...)             net_list(n, NET_ITEMS(int64_t, __VA_ARGS__))

/* Elements of all outputs, concatenated. */
typedef struct net_outcome {
  int64_t n;
  float elements[NET_MOST_ELEMENTS];
} net_outcome;

typedef struct net_fixture {
  net net;
  failing_memory counts;
  irrun_context *context;
  irrun_model *model;
  int n_outputs;
} net_fixture;

/* Reads the network that `build` writes. net_end fails the test if memory is left. */
void net_begin(net_fixture *f, irrun_element_type type, void (*build)(net *n));
void net_end(net_fixture *f);
/* Sets the inputs with net_fill and consecutive seeds. */
void net_set_inputs(const net_fixture *f, irrun_run *run, uint32_t seed);
void net_execute(const net_fixture *f, irrun_run *run, uint32_t seed, net_outcome *out);

#endif
