/* Expands folders that are given as MODEL. */
#ifndef CLI_MODEL_FOLDER_H
#define CLI_MODEL_FOLDER_H

#include "cli.h"

/* Replaces each folder by the models in it and its subfolders (cli_is_model_file), sorted by path. Skips hidden names,
 * links to folders, and models that an earlier MODEL named. Reports IR801 for a folder without a model, and for any
 * folder with --weights; IR701 for an unreadable folder. */
irrun_status cli_expand_folders(cli *c);

#endif
