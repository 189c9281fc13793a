/* Networks of one element type, written layer by layer, for the tests of passes. All numbers are small integers over a
 * power of two, which f32, f16 and bf16 hold. */
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

/* What is written of a network, or of a body. */
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
  size_t n_weights; /* bytes of them */
  int n_inputs;
  net_input inputs[NET_MOST_INPUTS];
} net;

/* Writes the network; net_free ends it. */
void net_build(net *n, irrun_element_type type, void (*build)(net *n));
void net_free(net *n);
/* Elements of an input, numbers of at most 1, others for each seed; a boolean is whether the seed is even. */
void net_fill(const net_input *input, uint32_t seed, void *to);
double net_get(irrun_element_type type, const void *data, int64_t at);

/* All give the output that others read: the first of the layer, further ones by net_port. */
int net_parameter(net *n, const char *shape);
/* So many elements of a weight, so that the magnitudes of `terms` of them add up to at most 1. */
int net_weights(net *n, const char *shape, int64_t elements, int terms);
/* The same of f16, converted. */
int net_converted(net *n, const char *shape, int64_t elements, int terms);
int net_list(net *n, int count, const int64_t *items);
/* A number without axes. */
int net_axis(net *n, int64_t axis);
int net_floats(net *n, int count, float item);
/* `type`: "ReLU", or with the opset behind it, "Gather-8". `attributes` as they stand in <data>. */
int net_add(net *n, const char *type, const char *attributes, int n_outputs, int n_inputs, const int *inputs);
/* The places of a row where it is not 0. */
int net_where(net *n, int from);
int net_as_integers(net *n, int from);
int net_port(int layer, int port);
void net_result(net *n, int from);
/* A kernel [out, in, size, size], padded by half of it; weights of the caller's. */
int net_conv(net *n, int from, int in, int out, int size, int stride);
int net_conv_of(net *n, int from, int weights, int pad, int stride);
/* Adds a number to each channel. */
int net_bias(net *n, int from, int channels);
/* An If by an input of its own, whose bodies are built by these, of one parameter and one result. */
int net_if(net *n, int from, void (*then_body)(net *n), void (*else_body)(net *n));

#define NET_ITEMS(type, ...)                                                                                           \
  (int)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), (const type[]) {                                                \
    __VA_ARGS__                                                                                                        \
  }
#define net_op(n, type, attributes, ...) net_add(n, type, attributes, 1, NET_ITEMS(int, __VA_ARGS__))
#define net_integers(n, ...)             net_list(n, NET_ITEMS(int64_t, __VA_ARGS__))

/* Elements of all outputs, one behind the other. */
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

/* Reads the network that `build` writes. Nothing is left of it behind net_end, or the test fails. */
void net_begin(net_fixture *f, irrun_element_type type, void (*build)(net *n));
void net_end(net_fixture *f);
/* By net_fill, with seeds from this one on. */
void net_set_inputs(const net_fixture *f, irrun_run *run, uint32_t seed);
void net_execute(const net_fixture *f, irrun_run *run, uint32_t seed, net_outcome *out);

#endif
