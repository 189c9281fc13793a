/* Lists folders, and recognizes model files. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD_BYTES 65536 /* number of bytes to read from the beginning of a file */

char *cli_join(const char *folder, const char *file) {
  cli_string path = {0};
  const size_t length = strlen(folder);
  if (strcmp(folder, ".") != 0)
    cli_add(&path, "%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/");
  cli_add(&path, "%s", file);
  return path.text;
}

void cli_add_folder(cli_string *string, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL)
    cli_add(string, ".");
  else
    cli_add(string, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

void cli_add_named_folder(cli_string *string, const char *operand) {
  struct stat info;
  if (stat(operand, &info) == 0 && S_ISDIR(info.st_mode))
    cli_add(string, "%s", operand);
  else
    cli_add_folder(string, operand);
}

const char *cli_temporary_folder(void) {
  const char *folder = getenv("TMPDIR");
  return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

static int is_visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

/* Whether reading the file can wait for ever: a FIFO, a socket or a device. */
static bool can_wait(const char *folder, const char *name) {
  struct stat target;
  char *path = cli_join(folder, name);
  const bool is_there = stat(path, &target) == 0;
  free(path);
  return is_there && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode);
}

bool cli_list_folder(const char *folder, char ***out_names, int *out_n) {
  struct dirent **entries;
  const int n = scandir(folder, &entries, is_visible, versionsort);
  *out_names = NULL;
  *out_n = 0;
  if (n < 0)
    return false;
  *out_names = cli_allocate((size_t)n, sizeof **out_names);
  for (int i = 0; i < n; i++) {
    cli_string name = {0};
    if (!can_wait(folder, entries[i]->d_name)) {
      cli_add(&name, "%s", entries[i]->d_name);
      (*out_names)[(*out_n)++] = name.text;
    }
    free(entries[i]);
  }
  free(entries);
  return true;
}

void cli_free_names(char **names, int n) {
  for (int i = 0; i < n; i++)
    free(names[i]);
  free(names);
}

/* Returns the text from the root element on: skips a byte order mark, blanks, declarations and comments. */
static const char *find_root(const char *text) {
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  for (;;) {
    const char *end;
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "<!--", 4) == 0)
      end = strstr(text, "-->");
    else if (strncmp(text, "<?", 2) == 0 || strncmp(text, "<!", 2) == 0)
      end = strchr(text, '>');
    else
      return text;
    if (end == NULL)
      return "";
    text = end + (*end == '-' ? 3 : 1);
  }
}

static bool is_ir(const char *head) {
  const char *at = find_root(head);
  return strncmp(at, "<net", 4) == 0 && at[4] != '\0' && strchr(" \t\r\n/>", at[4]) != NULL;
}

/* Whether the text begins like nGraph's JSON: a list of functions, each with a "name" and "ops". */
static bool is_ngraph(const char *head) {
  for (const char *token = "[{\""; *token != '\0'; token++) {
    head += strspn(head, " \t\r\n");
    if (*head++ != *token)
      return false;
  }
  return strncmp(head, "name\"", 5) == 0 && strstr(head, "\"ops\"") != NULL && strstr(head, "\"op\"") != NULL;
}

bool cli_is_model_file(const char *path, int *out_error) {
  struct stat target;
  const bool is_json = cli_ends_in(path, ".json");
  *out_error = 0;
  if (!(is_json || cli_ends_in(path, ".xml")) || (stat(path, &target) == 0 && !S_ISREG(target.st_mode)))
    return false;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    *out_error = errno;
    return false;
  }
  char *head = cli_allocate(HEAD_BYTES + 1, 1);
  head[fread(head, 1, HEAD_BYTES, file)] = '\0';
  fclose(file);
  const bool is_model = is_json ? is_ngraph(head) : is_ir(head);
  free(head);
  return is_model;
}
