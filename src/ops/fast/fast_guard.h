/* oneDNN is C++ behind its C interface and throws if memory is out, but no exception may pass through C. */
#ifndef IR_FAST_GUARD_H
#define IR_FAST_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the result of `work`, or `thrown` after an exception. The caller then releases what `work` allocated. */
int ir_fast_guard(int (*work)(void *user), void *user, int thrown);

#ifdef __cplusplus
}
#endif

#endif
