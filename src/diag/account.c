#include "diag/account.h"

/* A header of HEADER bytes before each block stores the block's size. The limit does not count the first UNCOUNTED
 * bytes. */
enum { HEADER = 16, UNCOUNTED = 1 << 20 };
_Static_assert(HEADER >= sizeof(size_t) && HEADER % _Alignof(max_align_t) == 0, "blocks are aligned as malloc's");

static void *take_block(void *user, size_t bytes) {
  ir_account *account = user;
  size_t all;
  if (__builtin_add_overflow(bytes, HEADER, &all) || !ir_account_take(account, all))
    return NULL;
  unsigned char *block = account->from->alloc(account->from->user, all);
  if (block == NULL) {
    ir_account_give_back(account, all);
    return NULL;
  }
  *(size_t *)(void *)block = all;
  return block + HEADER;
}

static void release_block(void *user, void *block) {
  ir_account *account = user;
  if (block == NULL)
    return;
  unsigned char *begin = (unsigned char *)block - HEADER;
  ir_account_give_back(account, *(size_t *)(void *)begin);
  account->from->release(account->from->user, begin);
}

void ir_account_init(ir_account *account, const ir_memory *from, ir_diags *diags) {
  *account = (ir_account){.memory = {.alloc = take_block, .release = release_block, .user = account},
                          .from = from,
                          .diags = diags,
                          .limit = {.memory = from},
                          .where = {.at = IR_NOWHERE}};
}

void ir_account_begin(ir_account *account, size_t given, size_t mapped) {
  account->given = given;
  account->mapped = mapped;
  account->diags->is_refused = false;
}

static size_t taken_bytes(const ir_account *account) {
  return account->taken + (account->shared == NULL ? 0 : account->shared->taken);
}

static size_t count(const ir_account *account, size_t more) {
  size_t bytes;
  if (__builtin_add_overflow(taken_bytes(account), more, &bytes))
    return SIZE_MAX;
  bytes = bytes > UNCOUNTED ? bytes - UNCOUNTED : 0;
  return __builtin_add_overflow(bytes, account->given, &bytes) ? SIZE_MAX : bytes;
}

size_t ir_account_bytes(const ir_account *account) {
  return count(account, 0);
}

static ir_code check(ir_account *account, size_t bytes, ir_where where, const char *what) {
  account->limit.held = taken_bytes(account) + (account->given - account->mapped);
  return ir_check_memory(&account->limit, bytes, account->diags, where, what);
}

ir_code ir_account_check(ir_account *account, size_t more, ir_where where, const char *what) {
  size_t bytes;
  if (__builtin_add_overflow(ir_account_bytes(account), more, &bytes))
    bytes = SIZE_MAX;
  return check(account, bytes, where, what);
}

bool ir_account_take(ir_account *account, size_t bytes) {
  const char *what = "with what is needed here, the run takes at least";
  if (account->diags != NULL &&
      (account->diags->is_refused || check(account, count(account, bytes), account->where, what) != IR_OK)) {
    account->diags->is_refused = true;
    return false;
  }
  account->taken += bytes;
  if (account->diags != NULL)
    ir_account_note(account);
  return true;
}

void ir_account_note(ir_account *account) {
  const size_t bytes = taken_bytes(account);
  account->most = bytes > account->most ? bytes : account->most;
}

void ir_account_give_back(ir_account *account, size_t bytes) {
  account->taken -= bytes;
}
