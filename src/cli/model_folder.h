/* Expands folders that are given as MODEL. */
#ifndef CLI_MODEL_FOLDER_H
#define CLI_MODEL_FOLDER_H

#include "cli.h"

/* Replaces each folder by the models in it and its subfolders (cli_is_model_file), sorted by path. Skips names that
 * begin with a dot, links to folders, and other files; a model that is named twice stays once. Reports IR801 if there
 * is no model or --weights is given; IR701 for a folder that cannot be read. */
irrun_status cli_expand_folders(cli *c);

#endif
