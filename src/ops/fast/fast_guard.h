/* oneDNN has a C interface, but is written in C++ and throws an exception if memory is out. An exception must not reach
 * C code, so ir_fast_guard catches it. */
#ifndef IR_FAST_GUARD_H
#define IR_FAST_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the result of work(user). If `work` throws an exception, returns `thrown`; the caller frees the objects that
 * `work` allocated. */
int ir_fast_guard(int (*work)(void *user), void *user, int thrown);

#ifdef __cplusplus
}
#endif

#endif
