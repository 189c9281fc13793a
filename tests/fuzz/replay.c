/* The main function of a target without an engine: gives the target each file named on the command line, and each file
 * in a folder named there. Reads stdin if there are no names, as AFL++ likes it. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)data;
  (void)most;
  return size;
}

static void replay(FILE *file, const char *name) {
  size_t size = 0, room = 0;
  uint8_t *data = NULL;
  if (file == NULL) {
    perror(name);
    exit(2);
  }
  do {
    room = 2 * room + 4096;
    data = realloc(data, room);
    if (data == NULL)
      exit(2);
    size += fread(data + size, 1, room - size, file);
  } while (size == room);
  fclose(file);
  /* a block of the exact size, so that a read behind the input is found */
  uint8_t *exact = malloc(size > 0 ? size : 1);
  if (exact == NULL)
    exit(2);
  memcpy(exact, data, size);
  free(data);
  (void)LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

/* Replays a file, or the files in a folder in the order of their names. */
static long replay_path(const char *path) {
  struct dirent **names;
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
    fprintf(stderr, "%s\n", path); /* if the target aborts, the last name is that of the input */
    replay(fopen(path, "rb"), path);
    return 1;
  }
  const int n = scandir(path, &names, NULL, alphasort);
  long n_files = 0;
  for (int i = 0; i < n; i++) {
    char inner[4096];
    snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
    if (names[i]->d_name[0] != '.')
      n_files += replay_path(inner);
    free(names[i]);
  }
  free(names);
  return n_files;
}

int main(int argc, char **argv) {
  long n = 0;
  for (int i = 1; i < argc; i++)
    n += replay_path(argv[i]);
  if (argc == 1) {
    replay(stdin, "stdin");
    n = 1;
  }
  printf("%ld inputs\n", n);
  return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
