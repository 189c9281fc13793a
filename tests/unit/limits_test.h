/* The cases of limits_test, one for each row of base/limits.h: a model just below the limit and one just above it. */
#ifndef LIMITS_TEST_H
#define LIMITS_TEST_H

/* limits_read.c: limits of a model's text */
void limit_rank(void **state);
void limit_depth(void **state);
void limit_layers(void **state);
void limit_ports(void **state);
void limit_edges(void **state);
void limit_bodies(void **state);
void limit_body_depth(void **state);
void limit_layer_name(void **state);
void limit_attributes(void **state);
void limit_model_bytes(void **state);
void limit_stream_text(void **state);
void limit_json_values(void **state);
void limit_json_number(void **state);
void limit_arena_bytes(void **state);

/* limits_use.c: limits of attributes, inference, runs and tensor files */
void limit_axes(void **state);
void limit_again(void **state);
void limit_io_names(void **state);
void limit_rt_paths(void **state);
void limit_items(void **state);
void limit_diagnostics(void **state);
void limit_message(void **state);
void limit_xml_name(void **state);
void limit_npy_header(void **state);
void limit_npz_members(void **state);
void limit_rounds(void **state);
void limit_samples(void **state);
void limit_known_bytes(void **state);
void limit_known_work(void **state);

#endif
