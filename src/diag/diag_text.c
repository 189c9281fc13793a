/* Escapes texts for messages, and suggests names for misspelt names. */
#include "diag/diag.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t ir_utf8_length(const char *bytes) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *text = (const unsigned char *)bytes;
  if (text[0] < 0x80)
    return 1;
  size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
  if (text[0] < 0xc2 || text[0] > 0xf4)
    return 0;
  uint32_t code = text[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (text[i] & 0x3fu);
  }
  bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[length] || is_surrogate || code > 0x10ffff ? 0 : length;
}

size_t ir_control_length(const char *text) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t length = ir_utf8_length(text);
  bool found = false;
  if (length == 1)
    found = (bytes[0] < 0x20 && bytes[0] != '\0') || bytes[0] == 0x7f;
  else if (length == 2)
    found = (bytes[0] == 0xc2 && bytes[1] < 0xa0) ||
            (bytes[0] == 0xd8 && bytes[1] == 0x9c); /* U+061C, Arabic letter mark */
  else if (length == 3 && bytes[0] == 0xe2) /* zero-width characters, line separators and direction marks: U+200B,
                                               U+200E, U+200F, U+2028 to U+202E, U+2060, U+2066 to U+2069 */
    found = (bytes[1] == 0x80 &&
             (bytes[2] == 0x8b || bytes[2] == 0x8e || bytes[2] == 0x8f || (bytes[2] >= 0xa8 && bytes[2] <= 0xae))) ||
            (bytes[1] == 0x81 && (bytes[2] == 0xa0 || (bytes[2] >= 0xa6 && bytes[2] <= 0xa9)));
  else if (length == 3) /* U+FEFF, the byte order mark, and U+FFFE and U+FFFF, which XML forbids */
    found = bytes[0] == 0xef &&
            ((bytes[1] == 0xbb && bytes[2] == 0xbf) || (bytes[1] == 0xbf && (bytes[2] == 0xbe || bytes[2] == 0xbf)));
  return found ? length : 0;
}

/* Whether a command to the log of GitHub or Azure begins here. Both find one anywhere in a line. */
static bool begins_command(const char *text) {
  return strncmp(text, "##[", strlen("##[")) == 0 || strncmp(text, "##vso[", strlen("##vso[")) == 0;
}

/* Whether the character, of `length` bytes, is printed as it is. */
static bool is_plain(const char *text, size_t length) {
  return length > 0 && ir_control_length(text) == 0 && !(*text == '#' && begins_command(text));
}

typedef struct text_piece {
  char bytes[16]; /* NUL-terminated */
  size_t n_read;
} text_piece;

static text_piece escaped_piece(const unsigned char *text) {
  static const char letters[] = "\n\t\r", names[] = "ntr";
  text_piece piece = {.n_read = ir_utf8_length((const char *)text)};
  if (is_plain((const char *)text, piece.n_read)) {
    memcpy(piece.bytes, text, piece.n_read);
    return piece;
  }
  const char *letter = strchr(letters, text[0]);
  piece.n_read = piece.n_read == 0 ? 1 : piece.n_read;
  if (letter != NULL) {
    snprintf(piece.bytes, sizeof piece.bytes, "\\%c", names[letter - letters]);
    return piece;
  }
  for (size_t i = 0; i < piece.n_read; i++)
    snprintf(piece.bytes + 4 * i, sizeof piece.bytes - 4 * i, "\\x%02x", text[i]);
  return piece;
}

/* Converts a character to a piece of one column. A continuation byte (10xxxxxx) of a broken UTF-8 character becomes an
 * empty piece, because columns are counted without continuation bytes. */
static text_piece one_column_piece(const unsigned char *text) {
  text_piece piece = {.n_read = ir_utf8_length((const char *)text)};
  if (is_plain((const char *)text, piece.n_read))
    memcpy(piece.bytes, text, piece.n_read);
  else if (text[0] == '\t')
    strcpy(piece.bytes, " ");
  else if ((text[0] & 0xc0) != 0x80)
    strcpy(piece.bytes, "\xef\xbf\xbd");
  piece.n_read = piece.n_read == 0 ? 1 : piece.n_read;
  return piece;
}

/* Joins the pieces of `text`. If they do not fit, writes the first whole pieces and "...". */
static const char *join_pieces(const char *text, text_piece (*piece_of)(const unsigned char *), char *buffer,
                               size_t size) {
  const unsigned char *from = (const unsigned char *)text;
  size_t length = 0, cut = 0;
  while (*from != '\0') {
    /* fast path: a printable ASCII character stays as it is */
    if (*from >= ' ' && *from <= '~' && *from != '#' && length + 1 < size) {
      buffer[length++] = (char)*from++;
      cut = length + 3 < size ? length : cut;
      continue;
    }
    text_piece piece = piece_of(from);
    size_t n = strlen(piece.bytes);
    if (length + n >= size) {
      if (size > 3)
        strcpy(buffer + cut, "...");
      else if (size > 0)
        buffer[cut] = '\0';
      return buffer;
    }
    memcpy(buffer + length, piece.bytes, n);
    length += n;
    cut = length + 3 < size ? length : cut;
    from += piece.n_read;
  }
  if (size > 0)
    buffer[length] = '\0';
  return buffer;
}

const char *ir_printable(const char *text, char *buffer, size_t size) {
  return join_pieces(text, escaped_piece, buffer, size);
}

const char *ir_printable_line(const char *text, char *buffer, size_t size) {
  return join_pieces(text, one_column_piece, buffer, size);
}

/* Comparing 10000 names takes some milliseconds, and each fault of a file can need a guess. */
enum { MAX_CANDIDATES = 10000 };
enum { MAX_EDITS = 8, BAND = 2 * MAX_EDITS + 1 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Computes the optimal string alignment distance on the diagonals -limit to limit only. Cell row[d] is row i, column i
 * + d - 1 - limit; `far` means more than `limit` edits. */
int ir_edit_distance(const char *a, const char *b, int limit) {
  const int far = limit + 1;
  int64_t n_a = (int64_t)strlen(a), n_b = (int64_t)strlen(b);
  if (n_a - n_b > limit || n_b - n_a > limit)
    return far;
  int rows[3][BAND + 2]; /* with a border cell of `far` on each side */
  for (int row = 0; row < 3; row++)
    for (int d = 0; d < BAND + 2; d++)
      rows[row][d] = far;
  for (int64_t i = 0; i <= n_a; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    int best = far;
    for (int d = 1; d <= 2 * limit + 1; d++) {
      int64_t j = i + d - 1 - limit;
      int edits = far;
      if (j == 0) {
        edits = (int)i;
      } else if (i == 0 && j > 0 && j <= n_b) {
        edits = (int)j;
      } else if (j > 0 && j <= n_b) {
        edits = above[d] + (a[i - 1] != b[j - 1]);
        edits = least(edits, least(above[d + 1], row[d - 1]) + 1);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          edits = least(edits, above2[d] + 1);
      }
      row[d] = least(edits, far);
      best = least(best, row[d]);
    }
    if (best == far && i > 0)
      return far;
  }
  return rows[n_a % 3][n_b - n_a + limit + 1];
}

bool ir_misspells(const char *text, const char *name) {
  return strcasecmp(text, name) == 0 || ir_edit_distance(text, name, 1) <= 1;
}

/* Returns the distance of the two names in lower case. If a name is too long for the buffer, upper and lower case
 * differ. */
static int folded_distance(const char *a, const char *b, int limit) {
  char folded[2][128];
  const char *const texts[] = {a, b};
  for (int t = 0; t < 2; t++) {
    size_t length = strlen(texts[t]);
    if (length >= sizeof folded[t])
      return ir_edit_distance(a, b, limit);
    for (size_t i = 0; i <= length; i++)
      folded[t][i] = texts[t][i] >= 'A' && texts[t][i] <= 'Z' ? (char)(texts[t][i] - 'A' + 'a') : texts[t][i];
  }
  return ir_edit_distance(folded[0], folded[1], limit);
}

const char *ir_did_you_mean(const char *text, const char *const *names, size_t n_names) {
  if (n_names > MAX_CANDIDATES)
    return NULL;
  size_t third = strlen(text) / 3;
  int limit = third > 3 ? 3 : (int)third, nearest = 0;
  const char *found = NULL;
  for (size_t i = 0; i < n_names; i++) {
    /* counts half edits: names that differ only in case are half an edit apart */
    int edits = 2 * folded_distance(text, names[i], limit) + (ir_edit_distance(text, names[i], limit) > 0);
    if (edits > 2 * limit + 1 || (found != NULL && edits >= nearest))
      continue;
    nearest = edits;
    found = names[i];
  }
  return found;
}
