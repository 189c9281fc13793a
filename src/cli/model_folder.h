/* A folder as MODEL. */
#ifndef CLI_MODEL_FOLDER_H
#define CLI_MODEL_FOLDER_H

#include "cli.h"

/* Puts in place of each folder the models in it and its subfolders (cli_is_model_file), sorted by path. Names that
 * begin with a dot, links to folders and other files are passed over; a model that is named twice stays once. IR801
 * when there is none, or when --weights is given; IR701 for a folder that cannot be read. */
irrun_status cli_expand_folders(cli *c);

#endif
