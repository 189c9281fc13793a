#include "ops/fast/fast_guard.h"

int ir_fast_guard(int (*work)(void *user), void *user, int thrown) {
  try {
    return work(user);
  } catch (...) {
    return thrown;
  }
}
