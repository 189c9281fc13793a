/* oneDNN is C++ behind its C interface: where memory is out it throws, and no exception may go through C. */
#ifndef IR_FAST_GUARD_H
#define IR_FAST_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

/* What `work` returns; `thrown` where an exception left it. What it holds then is the caller's to release. */
int ir_fast_guard(int (*work)(void *user), void *user, int thrown);

#ifdef __cplusplus
}
#endif

#endif
