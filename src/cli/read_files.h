/* Lists the files that a command reads. */
#ifndef CLI_READ_FILES_H
#define CLI_READ_FILES_H

#include "cli.h"

typedef struct cli_read_file {
  const char *path;
  const cli_given *given; /* the option that names the file; NULL: a model or its weights */
  int step;               /* number of the step of `given` */
} cli_read_file;

/* Receives a file. Returns true to end the list. */
typedef bool cli_read_visit(const cli_read_file *file, void *user);
/* Calls `visit` with each file that the command line can mean: NAME=FILE is also a file of the name "NAME=FILE".
 * Returns true if a call returned true. */
bool cli_visit_read_files(const cli *c, cli_read_visit *visit, void *user);
/* Returns the next text that can be the file in an argument [NAME=]FILE, because NAME can contain '='. The first is the
 * whole argument. Returns NULL after the last. */
const char *cli_next_file(const char *text);

#endif
