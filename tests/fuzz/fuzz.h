/* Declares what the fuzz targets share. A target is a program with LLVMFuzzerTestOneInput, the interface of libFuzzer,
 * AFL++ and OSS-Fuzz; without such an engine, replay.c calls it on files. A target aborts if irrun breaks a promise. */
#ifndef FUZZ_H
#define FUZZ_H

#include "irrun_program.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* These functions exist only in targets with a mutator of their own. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
/* libFuzzer's own mutations of bytes; replay.c has none of its own, since it does not mutate. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* ---- drawing ---- */

/* The same seed draws the same numbers on every machine. */
typedef struct fuzz_rng {
  uint64_t state;
} fuzz_rng;
uint64_t fuzz_draw(fuzz_rng *rng);
/* A number from 0 to n - 1; n is at least 1. */
size_t fuzz_below(fuzz_rng *rng, size_t n);
/* True once in n draws. */
bool fuzz_one_in(fuzz_rng *rng, size_t n);
/* An integer as text: a small number, a power of two, a limit of a type, or no integer at all. */
const char *fuzz_number(fuzz_rng *rng);
/* A seed that depends on the input alone. */
fuzz_rng fuzz_seed_of(const uint8_t *data, size_t size);

/* ---- inputs ---- */

/* A model's file contents: the text, a NUL, and the bytes of the .bin. Without a NUL there is no .bin. */
typedef struct fuzz_model {
  irrun_buffer text, weights;
} fuzz_model;
fuzz_model fuzz_split(const uint8_t *data, size_t size);

/* The name of a drawn layer of a type in the text of an IR; for the type "", any value of an attribute `name`. "x": the
 * text has none of fewer than 100 bytes. */
irrun_buffer fuzz_draw_name(fuzz_rng *rng, irrun_buffer text, const char *type);

/* The text of a valid model with two inputs: x of f32[1,1,4,4], and y of f32[?,4]. */
extern const char fuzz_small_ir[];
/* The first call makes an empty folder, goes there, and returns true. Paths in inputs then find no other files, unless
 * they are absolute. stdin becomes empty. The folder is removed when the process ends. */
bool fuzz_enter_folder(void);
void fuzz_write_file(const char *path, irrun_buffer contents);

/* ---- promises ---- */

/* Aborts and prints `what`. */
_Noreturn void fuzz_fail(const char *what);
/* Aborts if the status or a diagnostic tells of a bug of irrun, or a diagnostic cannot be printed. */
void fuzz_check_reports(irrun_context *context, irrun_status status);
/* Also aborts unless a failure has an error, and a success none. Then clears the diagnostics. */
void fuzz_judge(irrun_context *context, irrun_status status);
/* Counts an input, and whether its model was run. With FUZZ_STATS in the environment, the target prints the counts at
 * its end. */
void fuzz_count(bool was_run);

/* ---- running a model (run_model.c) ---- */

/* Makes the tensor of an input, of dims that the model allows; irrun casts its elements to the input's type. `turn`
 * counts the executions. */
typedef irrun_status fuzz_fill(void *user, irrun_context *context, int turn, const irrun_io *input, int rank,
                               const int64_t *dims, irrun_tensor **out_tensor);
/* Reads and checks a model, and runs it with plain kernels in one thread, then twice with fast kernels in two threads.
 * With `lenient`, allows all rules that can be allowed, so that more models are run. Returns whether the first run
 * computed the outputs. */
bool fuzz_run_model(const char *name, fuzz_model model, bool lenient, fuzz_fill *fill, void *user);

/* ---- mutators ---- */

/* The corpus fills up with faulty models, and their mutants are faulty, too. Inputs whose models ran are therefore
 * kept, and fuzz_take_run puts one of them in the place of an input, twice in three calls. Returns the new size. */
void fuzz_keep_run(const uint8_t *data, size_t size);
size_t fuzz_take_run(uint8_t *data, size_t size, size_t most, fuzz_rng *rng);
/* Changes one to three parts of an IR: attributes, dims, types, ports, edges, versions, port maps, whole layers, or the
 * elements of the .bin. Returns the new size, at most `most`. */
size_t fuzz_mutate_ir(uint8_t *data, size_t size, size_t most, unsigned seed);
/* Changes one to four values of a JSON text. */
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
