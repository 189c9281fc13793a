/* The sandbox: before the program reads a model, it gives up what the command does not need. So a fault in a reader
 * gives the author of a model no other files, no network and no other programs. SECURITY.md says what is left. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "test.h"

/* Enters the sandbox: the first call does, unless --no-sandbox is given. Does what the kernel can, and reports nothing.
 * The options have to name the files, not the folders, that the command reads. Call it before threads start: it is for
 * the calling thread and those that it starts. `cases` are those of --test, or NULL. */
void cli_enter_sandbox(const cli *c, const cli_cases *cases);
/* Enters a first sandbox, of --test: the folders are listed in it, and their settings read. It has no network and
 * starts no programs, writes only outputs, and reads all files. */
void cli_begin_sandbox(const cli *c);
/* Adds what sandbox this build and this kernel have: "Landlock 7, seccomp". */
void cli_add_sandbox(cli_string *text);

#endif
