/* Draws the picture of --show-plan=FILE.svg. */
#ifndef CLI_PLAN_PICTURE_H
#define CLI_PLAN_PICTURE_H

#include "run.h"

/* Writes an SVG of the plan's tensors: their steps from left to right, their bytes in the block upwards. */
irrun_status cli_write_plan_picture(cli_run *r, const char *path);

#endif
