#include "runtime/files/npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GROWTH_DIGITS = 21 }; /* numpy.lib.format.GROWTH_AXIS_MAX_DIGITS */

enum { KEY_DESCR, KEY_FORTRAN_ORDER, KEY_SHAPE, N_KEYS };
static const char *const keys[N_KEYS] = {"descr", "fortran_order", "shape"};

typedef struct parser {
  const char *text;
  size_t length, at;
  char *fault;
  size_t fault_at;
} parser;

/* ---- words ---- */

static bool fail(parser *p, size_t at, const char *what) {
  snprintf(p->fault, IR_NPY_FAULT, "%s", what);
  p->fault_at = at;
  return false;
}

static int peek(const parser *p) {
  return p->at < p->length ? (unsigned char)p->text[p->at] : -1;
}

static void skip_blanks(parser *p) {
  while (p->at < p->length && strchr(" \t\r\n\f", p->text[p->at]) != NULL && p->text[p->at] != '\0')
    p->at++;
}

/* Skips blanks. If `c` comes next, skips it and returns true. */
static bool take(parser *p, int c) {
  skip_blanks(p);
  if (peek(p) != c)
    return false;
  p->at++;
  return true;
}

static bool need(parser *p, char c) {
  if (take(p, c))
    return true;
  char what[40];
  snprintf(what, sizeof what, p->at < p->length ? "expected '%c'" : "it ends where '%c' is expected", c);
  return fail(p, p->at, what);
}

/* Parses 'text' or "text", which can have a prefix u of Python 2. Refuses backslashes, because names and types contain
 * none. */
static bool read_text(parser *p, const char **out_text, size_t *out_length) {
  skip_blanks(p);
  if (peek(p) == 'u' || peek(p) == 'U')
    p->at++;
  const int quote = peek(p);
  if (quote != '\'' && quote != '"')
    return fail(p, p->at, "expected a text in quotes");
  const char *begin = p->text + p->at + 1;
  const char *end = memchr(begin, quote, p->length - p->at - 1);
  if (end == NULL)
    return fail(p, p->at, "a quote is not closed");
  *out_text = begin;
  *out_length = (size_t)(end - begin);
  if (memchr(begin, '\\', *out_length) != NULL || memchr(begin, '\n', *out_length) != NULL)
    return fail(p, p->at, "a text holds a backslash or a line break");
  p->at = (size_t)(end - p->text) + 1;
  return true;
}

static bool take_word(parser *p, const char *word) {
  skip_blanks(p);
  size_t length = strlen(word);
  if (p->length - p->at < length || memcmp(p->text + p->at, word, length) != 0)
    return false;
  p->at += length;
  return true;
}

/* ---- values ---- */

/* Skips a list, tuple or dictionary, including its closing bracket. */
static bool skip_brackets(parser *p) {
  size_t begin = p->at, depth = 0;
  do {
    int c = peek(p);
    if (c < 0)
      return fail(p, begin, "a bracket is not closed");
    depth += strchr("([{", c) != NULL && c != '\0';
    depth -= strchr(")]}", c) != NULL && c != '\0';
    const char *end = c == '\'' || c == '"' ? memchr(p->text + p->at + 1, c, p->length - p->at - 1) : NULL;
    p->at = end == NULL ? p->at + 1 : (size_t)(end - p->text) + 1;
  } while (depth > 0);
  return true;
}

static bool read_descr(parser *p, ir_npy_fields *out) {
  skip_blanks(p);
  out->descr_at = p->at;
  if (peek(p) != '[' && peek(p) != '(')
    return read_text(p, &out->descr, &out->descr_length);
  if (!skip_brackets(p))
    return false;
  out->descr = p->text + out->descr_at;
  out->descr_length = p->at - out->descr_at;
  return true;
}

static bool read_bool(parser *p, bool *out) {
  *out = take_word(p, "True");
  return *out || take_word(p, "False") || fail(p, p->at, "expected True or False");
}

static bool read_dim(parser *p, int64_t *out_dim) {
  skip_blanks(p);
  const size_t begin = p->at;
  *out_dim = 0;
  if (peek(p) == '-')
    return fail(p, begin, "a dim is negative");
  for (; peek(p) >= '0' && peek(p) <= '9'; p->at++)
    if (!ir_mul(*out_dim, 10, out_dim) || !ir_add(*out_dim, peek(p) - '0', out_dim))
      return fail(p, begin, "a dim does not fit 64 bits");
  if (p->at == begin)
    return fail(p, begin, peek(p) < 0 ? "it ends in the shape" : "expected a dim, a whole number");
  if (peek(p) == 'L')
    p->at++;
  return true;
}

/* Parses a tuple of dims. Refuses "(3)", which is a number in Python; a tuple is "(3,)". */
static bool read_shape(parser *p, ir_npy_fields *out) {
  skip_blanks(p);
  out->shape_at = p->at;
  if (!need(p, '('))
    return false;
  while (!take(p, ')')) {
    int64_t dim;
    if (!read_dim(p, &dim))
      return false;
    if (out->rank == IR_MAX_RANK) {
      snprintf(p->fault, IR_NPY_FAULT, "the shape has more than %d dims", IR_MAX_RANK);
      p->fault_at = out->shape_at;
      return false;
    }
    out->dims[out->rank++] = dim;
    skip_blanks(p);
    if (!(out->rank > 1 && peek(p) == ')') && !need(p, ','))
      return false;
  }
  return true;
}

/* ---- the dictionary ---- */

static bool read_key(parser *p, bool seen[N_KEYS], int *out_key) {
  const char *text;
  size_t length;
  skip_blanks(p);
  const size_t begin = p->at;
  if (!read_text(p, &text, &length))
    return false;
  for (*out_key = 0; *out_key < N_KEYS; ++*out_key)
    if (strlen(keys[*out_key]) == length && memcmp(keys[*out_key], text, length) == 0)
      break;
  if (*out_key == N_KEYS)
    return fail(p, begin, "expected the keys 'descr', 'fortran_order' and 'shape', and no other");
  if (seen[*out_key])
    return fail(p, begin, "a key stands twice");
  seen[*out_key] = true;
  return need(p, ':');
}

static bool read_dictionary(parser *p, ir_npy_fields *out) {
  bool seen[N_KEYS] = {false};
  if (!need(p, '{'))
    return false;
  while (!take(p, '}')) {
    int key;
    if (!read_key(p, seen, &key))
      return false;
    bool ok = key == KEY_DESCR           ? read_descr(p, out)
              : key == KEY_FORTRAN_ORDER ? read_bool(p, &out->column_major)
                                         : read_shape(p, out);
    if (!ok)
      return false;
    skip_blanks(p);
    if (peek(p) != '}' && !need(p, ','))
      return false;
  }
  for (int i = 0; i < N_KEYS; i++)
    if (!seen[i]) {
      snprintf(p->fault, IR_NPY_FAULT, "key '%s' is missing", keys[i]);
      p->fault_at = 0;
      return false;
    }
  skip_blanks(p);
  return p->at == p->length || fail(p, p->at, "something stands behind the closing '}'");
}

bool ir_npy_parse_header(const char *text, size_t length, ir_npy_fields *out_fields, char fault[IR_NPY_FAULT],
                         size_t *out_fault_at) {
  parser p = {.text = text, .length = length, .fault = fault};
  *out_fields = (ir_npy_fields){.rank = 0};
  fault[0] = '\0';
  bool ok = read_dictionary(&p, out_fields);
  *out_fault_at = p.fault_at;
  return ok;
}

/* ---- printing ---- */

size_t ir_npy_print_header(const char *descr, int rank, const int64_t *dims, char *buffer, size_t size) {
  char first[24] = "";
  int n = snprintf(buffer, size, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int i = 0; i < rank; i++)
    n += snprintf(buffer + n, size - (size_t)n, "%s%" PRId64, i == 0 ? "" : ", ", dims[i]);
  n += snprintf(buffer + n, size - (size_t)n, "%s), }", rank == 1 ? "," : "");
  /* like NumPy, pad the first dim to GROWTH_DIGITS characters, so that a larger dim fits later */
  if (rank > 0)
    n += snprintf(buffer + n, size - (size_t)n, "%*s",
                  GROWTH_DIGITS - snprintf(first, sizeof first, "%" PRId64, dims[0]), "");
  return (size_t)n;
}
