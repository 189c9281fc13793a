#include "ir_hidden.h"
#include "base/number_text.h"
#include <stdio.h>
#include <string.h>

/* STAND_IN replaces a hidden control character. It is valid in no name and no tag, so faulty markup stays faulty. */
#define STAND_IN '*'

enum { BLOCK = 64 };

/* Returns whether BLOCK bytes contain nothing to hide. Most blocks do not. */
static bool is_plain(const char *bytes) {
  unsigned char found = 0;
  for (int i = 0; i < BLOCK; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    found |= (unsigned char)((c < '\t') | ((c > '\n') & (c < ' ') & (c != '\r')) | (c == '&') | (c == 0xef));
  }
  return found == 0;
}

static void add(ir_hidden *hidden, uint32_t letter, int64_t at, size_t length) {
  if (hidden->n++ > 0)
    return;
  hidden->at = (ir_span){at, at + (int64_t)length};
  hidden->letter = letter;
}

/* Replaces a raw U+FFFE or U+FFFF (ef bf be, ef bf bf) by U+FFFD (ef bf bd). Returns the number of bytes done; 0 if
 * more input is needed. */
static size_t hide_raw(ir_hidden *hidden, char *bytes, size_t n, int64_t at, bool last) {
  if (n < 3)
    return last || (n == 2 && bytes[1] != '\xbf') ? 1 : 0;
  if (bytes[1] != '\xbf' || (bytes[2] != '\xbe' && bytes[2] != '\xbf'))
    return 1;
  add(hidden, bytes[2] == '\xbe' ? 0xfffe : 0xffff, at, 3);
  bytes[2] = '\xbd';
  return 3;
}

/* Parses digits. Returns 0 if another character occurs, or if the number is too large to be hidden. */
static uint32_t read_digits(const char *digits, size_t n, int base) {
  uint32_t number = 0;
  for (size_t i = 0; i < n; i++) {
    const int digit = ir_hex_digit(digits[i]);
    if (digit < 0 || digit >= base || number > 0xffff)
      return 0;
    number = number * (uint32_t)base + (uint32_t)digit;
  }
  return number;
}

/* Replaces a reference to a hidden character by a reference to a tab: "&#27;" becomes "&#09;". Returns the number of
 * bytes done; 0 if more input is needed. */
static size_t hide_reference(ir_hidden *hidden, char *bytes, size_t n, int64_t at, bool last) {
  if (n >= 2 && bytes[1] != '#')
    return 1;
  const size_t looked_at = n < IR_HIDDEN_MAX ? n : IR_HIDDEN_MAX;
  const char *semicolon = memchr(bytes, ';', looked_at);
  if (semicolon == NULL)
    return n < IR_HIDDEN_MAX && !last ? 0 : 1;
  const int base = bytes[2] == 'x' ? 16 : 10;
  char *digits = bytes + (base == 16 ? 3 : 2);
  const size_t length = (size_t)(semicolon - bytes) + 1,
               n_digits = semicolon > digits ? (size_t)(semicolon - digits) : 0;
  const uint32_t letter = read_digits(digits, n_digits, base);
  if (letter != 0xfffe && letter != 0xffff && (letter >= ' ' || !ir_is_hidden((unsigned char)letter)))
    return 1;
  memset(digits, '0', n_digits);
  digits[n_digits - 1] = '9';
  add(hidden, letter, at, length);
  return length;
}

/* If a hidden character or reference begins at `bytes`, replaces it. Returns the number of bytes done; 0 if more input
 * is needed. */
static size_t hide_one(ir_hidden *hidden, char *bytes, size_t n, int64_t at, bool last) {
  if (ir_is_hidden((unsigned char)*bytes)) {
    add(hidden, (unsigned char)*bytes, at, 1);
    *bytes = STAND_IN;
  }
  if (*bytes == '&')
    return hide_reference(hidden, bytes, n, at, last);
  return *bytes == '\xef' ? hide_raw(hidden, bytes, n, at, last) : 1;
}

/* Replaces all hidden characters in `n` bytes. Returns the number of bytes done: fewer than `n` if the last character
 * or reference is incomplete. */
static size_t hide(ir_hidden *hidden, char *bytes, size_t n, int64_t at, bool last) {
  for (size_t i = 0; i < n;) {
    if (n - i >= BLOCK && is_plain(bytes + i)) {
      i += BLOCK;
      continue;
    }
    const size_t end = n - i < BLOCK ? n : i + BLOCK;
    while (i < end) {
      const size_t done = hide_one(hidden, bytes + i, n - i, at + (int64_t)i, last);
      if (done == 0)
        return i;
      i += done;
    }
  }
  return n;
}

static size_t give_held(ir_hidden *hidden, char *buffer, size_t n) {
  const size_t given = n < hidden->n_held ? n : hidden->n_held;
  memcpy(buffer, hidden->held, given);
  hidden->n_held -= given;
  memmove(hidden->held, hidden->held + given, hidden->n_held);
  return given;
}

size_t ir_hidden_feed(ir_hidden *hidden, ir_window *window, char *buffer, size_t n) {
  if (n <= IR_HIDDEN_MAX && hidden->n_held > 0)
    return give_held(hidden, buffer, n);
  size_t got = give_held(hidden, buffer, n);
  got += ir_window_feed(window, buffer + got, n - got);
  size_t ready = hide(hidden, buffer, got, window->fed - (int64_t)got, got < n);
  if (ready == 0)
    ready = got;
  hidden->n_held = got - ready;
  memcpy(hidden->held, buffer + ready, hidden->n_held);
  return ready;
}

void ir_hidden_warn(const ir_hidden *hidden, ir_source *source, ir_diags *diags) {
  char others[64] = "";
  if (hidden->n == 0)
    return;
  if (hidden->n > 1)
    snprintf(others, sizeof others, "; it is the first of %lld", (long long)hidden->n);
  ir_report_as(diags, IR001_XML_NOT_WELL_FORMED, IR_WARNING, (ir_where){.source = source, .at = hidden->at},
               "U+%04X is a character that OpenVINO reads and XML does not allow%s", (unsigned)hidden->letter, others);
}
