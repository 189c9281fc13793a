/* The picture of --show-plan, and the words for a tensor that it shares with the table. */
#ifndef CLI_PLAN_PICTURE_H
#define CLI_PLAN_PICTURE_H

#include "run.h"

/* "f32[1,8,4,4] channels last view". */
void cli_add_plan_tensor(cli_string *string, const irrun_plan_tensor *tensor);
/* plan_picture.c: the block over the steps, as SVG. */
irrun_status cli_write_plan_picture(cli_run *r, const char *path);

#endif
