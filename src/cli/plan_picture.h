/* The picture of --show-plan. */
#ifndef CLI_PLAN_PICTURE_H
#define CLI_PLAN_PICTURE_H

#include "run.h"

/* Writes the block over the steps, as SVG. */
irrun_status cli_write_plan_picture(cli_run *r, const char *path);

#endif
