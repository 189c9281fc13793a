#include "runtime/files/npz_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text) {
  static const char *const numbers[] = {"%00", "%2E", "%25"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (strncmp(text, numbers[i], 3) == 0)
      return true;
  return false;
}

/* Whether the byte separates folders; some systems use '\'. */
static bool is_slash(char byte) {
  return byte == '/' || byte == '\\';
}

/* Whether the folder name ".." begins at `at` in the key. */
static bool climbs(const char *key, const char *at) {
  return (at == key || is_slash(at[-1])) && at[0] == '.' && at[1] == '.' && (at[2] == '\0' || is_slash(at[2]));
}

char *ir_npz_member_name(const ir_memory *memory, const char *key) {
  char *name = ir_alloc(memory, 3 * strlen(key) + 1), *end = name;
  for (const char *at = key; name != NULL && *at != '\0'; at++) {
    const bool second_dot = at > key && climbs(key, at - 1);
    if (climbs(key, at) || second_dot || is_number(at))
      end += sprintf(end, "%%%02X", (unsigned char)*at);
    else
      *end++ = *at;
  }
  if (name != NULL)
    *end = '\0';
  return name;
}

void ir_npz_read_name(char *name) {
  char *end = name;
  for (const char *at = name; *at != '\0'; at++) {
    const bool number =
        is_number(at) && strncmp(at, "%00", 3) != 0; /* "%00" is kept, because C strings contain no NUL */
    const char digits[] = {at[1], number ? at[2] : '\0', '\0'};
    *end++ = number ? (char)strtol(digits, NULL, 16) : *at;
    at += number ? 2 : 0;
  }
  *end = '\0';
}
