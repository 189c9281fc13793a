/* Declares the legend below a heat map. */
#ifndef CLI_HEATMAP_LEGEND_H
#define CLI_HEATMAP_LEGEND_H

#include <stddef.h>

#define CLI_LEGEND_WIDTH  256 /* pixels that every row of a legend fits into */
#define CLI_LEGEND_HEIGHT 20  /* pixels of a row */
#define CLI_LEGEND_SWATCH 24  /* pixels of a row's colours */

/* Draws row `number` of a legend: colours, and a text of the characters in heatmap_legend.c. `colors` has
 * CLI_LEGEND_SWATCH colours of 3 bytes, from left to right. `pixels` is the picture from the legend on, `width` pixels
 * wide. */
void cli_legend_draw(unsigned char *pixels, size_t width, size_t number, const unsigned char *colors, const char *text);

#endif
