#include "diag/memory_limit.h"
#include "base/available_memory.h"
#include "base/clock.h"

ir_code ir_check_memory(ir_memory_limit *limit, size_t bytes, ir_diags *diags, ir_where where, const char *what) {
  enum { ALWAYS_THERE = 1 << 20, STAYS_NS = 1000 * 1000 * 1000 };
  const bool given = limit->memory->most_bytes > 0;
  if (given)
    limit->bytes = limit->memory->most_bytes;
  else if (bytes > ALWAYS_THERE && (limit->bytes == 0 || ir_now_ns() - limit->read_ns > STAYS_NS)) {
    limit->bytes = ir_available_memory("") / 2 + limit->held / 2;
    limit->read_ns = ir_now_ns();
  }
  if (bytes <= limit->bytes || (!given && bytes <= ALWAYS_THERE))
    return IR_OK;
  const ir_code code =
      ir_report(diags, IR004_LIMIT_EXCEEDED, where, "%s %zu bytes; a run may take %zu bytes of memory, %s", what, bytes,
                limit->bytes, given ? "as --max-memory says" : "half of what is available");
  ir_hint(diags, "if that is meant: --max-memory %zuM", ((bytes - 1) >> 20) + 1);
  return code;
}
