/* Networks of one element type for tests of passes, built layer by layer. All numbers are small multiples of a power
 * of two, which f32, f16 and bf16 represent exactly. */
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

/* The text of a network or of a body, while it is written. */
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
  size_t n_weights; /* used bytes of `weights` */
  int n_inputs;
  net_input inputs[NET_MOST_INPUTS];
} net;

/* Builds the network that `build` writes. The caller frees it with net_free. */
void net_build(net *n, irrun_element_type type, void (*build)(net *n));
void net_free(net *n);
/* Fills an input with numbers from -1 to 1 that depend on the seed. A boolean is true if the seed is even. */
void net_fill(const net_input *input, uint32_t seed, void *to);
double net_get(irrun_element_type type, const void *data, int64_t at);

/* The functions below add a layer and return a link to its first output. net_port turns the link into one to another
 * output. */
int net_parameter(net *n, const char *shape);
/* Adds weights so small that the magnitudes of any `terms` weights sum to at most 1. */
int net_weights(net *n, const char *shape, int64_t elements, int terms);
/* Adds weights as net_weights does, but stored in f16 and followed by a Convert. */
int net_converted(net *n, const char *shape, int64_t elements, int terms);
int net_list(net *n, int count, const int64_t *items);
/* Adds a constant i64 scalar. */
int net_axis(net *n, int64_t axis);
int net_floats(net *n, int count, float item);
/* Adds an op. `type` is the op's name, as in "ReLU", or the name and the opset, as in "Gather-8". `attributes` is the
 * text of <data>. */
int net_add(net *n, const char *type, const char *attributes, int n_outputs, int n_inputs, const int *inputs);
/* Adds a NonZero and flattens its positions. */
int net_where(net *n, int from);
int net_as_integers(net *n, int from);
int net_port(int layer, int port);
void net_result(net *n, int from);
/* Adds a convolution with weights of [out, in, size, size] and pads of size / 2. */
int net_conv(net *n, int from, int in, int out, int size, int stride);
int net_conv_of(net *n, int from, int weights, int pad, int stride);
/* Adds a bias for each channel. */
int net_bias(net *n, int from, int channels);
/* Adds an If whose condition is a new input of the network. The two functions write its bodies, which have one
 * Parameter and one Result. */
int net_if(net *n, int from, void (*then_body)(net *n), void (*else_body)(net *n));

#define NET_ITEMS(type, ...)                                                                                           \
  (int)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), (const type[]) {                                                \
    __VA_ARGS__                                                                                                        \
  }
#define net_op(n, type, attributes, ...) net_add(n, type, attributes, 1, NET_ITEMS(int, __VA_ARGS__))
#define net_integers(n, ...)             net_list(n, NET_ITEMS(int64_t, __VA_ARGS__))

/* The elements of all outputs, one output after the other. */
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

/* Reads the network that `build` writes. net_end fails the test if memory leaks. */
void net_begin(net_fixture *f, irrun_element_type type, void (*build)(net *n));
void net_end(net_fixture *f);
/* Sets input i by net_fill with seed + i. */
void net_set_inputs(const net_fixture *f, irrun_run *run, uint32_t seed);
void net_execute(const net_fixture *f, irrun_run *run, uint32_t seed, net_outcome *out);

#endif
