/* What is said when memory runs out, when nothing can be made any more. */
#ifndef CLI_LAST_WORDS_H
#define CLI_LAST_WORDS_H

#include "cli.h"

/* Sets it from now on; `written`: the output files are in place. */
void cli_choose_last_words(const cli *c, bool written);

#endif
