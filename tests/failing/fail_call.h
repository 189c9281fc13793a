/* Declares the requests that failing_test sends to the library of fail_call.c, and the answers of the library. */
#ifndef FAIL_CALL_H
#define FAIL_CALL_H

typedef enum call_kind {
  CALL_ALLOC,
  CALL_MAP,
  CALL_READ,
  CALL_WRITE,
  CALL_OPEN,
  CALL_STAT,
  CALL_CLOSE,
  CALL_FOLDER,
  CALL_RENAME,
  CALL_THREAD,
  CALL_SPAWN,
  CALL_DLOPEN,
  CALL_RANDOM,
  N_CALL_KINDS
} call_kind;

/* The calls number `first` to `last` of a kind fail, counted from 1. A request with last = 0 lets no call fail. */
typedef struct fail_request {
  call_kind kind;
  int error; /* errno of the failing calls */
  long first, last;
} fail_request;

typedef struct fail_answer {
  int status; /* as waitpid() tells it */
  long n_calls[N_CALL_KINDS];
  int in_onednn; /* whether a call failed inside oneDNN */
} fail_answer;

/* Pipes that the library finds open: it reads requests and writes answers. */
enum { FAIL_REQUESTS = 200, FAIL_ANSWERS = 201 };

#endif
