/* A folder as MODEL. */
#ifndef CLI_MODEL_FOLDER_H
#define CLI_MODEL_FOLDER_H

#include "cli.h"

/* Puts in place of each folder the .xml files in it and its subfolders whose root is <net>, sorted by path. Names that
 * begin with a dot, links to folders and other .xml files are passed over. IR801 when there is none, or when --weights
 * is given; IR701 for a folder that cannot be read. */
irrun_status cli_expand_folders(cli *c);

#endif
