#include "heatmap_legend.h"

#include <string.h>

#define COLUMNS 5 /* size of a character */
#define ROWS    7
#define SCALE   2 /* pixels of a dot of a character */
#define MARGIN  8

/* The characters of legends: for each row from the top, the bits of its dots; 16 is the leftmost dot. */
static const unsigned char font[128][ROWS] = {
    ['+'] = {0, 4, 4, 31, 4, 4, 0},       ['-'] = {0, 0, 0, 31, 0, 0, 0},       ['.'] = {0, 0, 0, 0, 0, 6, 6},
    ['0'] = {14, 17, 19, 21, 25, 17, 14}, ['1'] = {4, 12, 4, 4, 4, 4, 14},      ['2'] = {14, 17, 1, 2, 4, 8, 31},
    ['3'] = {31, 2, 4, 2, 1, 17, 14},     ['4'] = {2, 6, 10, 18, 31, 2, 2},     ['5'] = {31, 16, 30, 1, 1, 17, 14},
    ['6'] = {6, 8, 16, 30, 17, 17, 14},   ['7'] = {31, 1, 2, 4, 8, 8, 8},       ['8'] = {14, 17, 17, 14, 17, 17, 14},
    ['9'] = {14, 17, 17, 15, 1, 2, 12},   ['N'] = {17, 17, 25, 21, 19, 17, 17}, ['a'] = {0, 0, 14, 1, 15, 17, 15},
    ['c'] = {0, 0, 14, 16, 16, 17, 14},   ['e'] = {0, 0, 14, 17, 31, 16, 14},   ['f'] = {6, 9, 8, 28, 8, 8, 8},
    ['h'] = {16, 16, 22, 25, 17, 17, 17}, ['i'] = {4, 0, 12, 4, 4, 4, 14},      ['l'] = {12, 4, 4, 4, 4, 4, 14},
    ['n'] = {0, 0, 22, 25, 17, 17, 17},   ['o'] = {0, 0, 14, 17, 17, 17, 14},   ['q'] = {0, 0, 13, 19, 15, 1, 1},
    ['r'] = {0, 0, 22, 25, 16, 16, 16},   ['t'] = {8, 8, 28, 8, 8, 9, 6},       ['u'] = {0, 0, 17, 17, 17, 19, 13},
    ['w'] = {0, 0, 17, 17, 21, 21, 10},
};

static void put(unsigned char *pixels, size_t width, size_t x, size_t y, const unsigned char *color) {
  memcpy(pixels + 3 * (y * width + x), color, 3);
}

static void draw_character(unsigned char *pixels, size_t width, size_t left, size_t top, char character) {
  static const unsigned char black[3] = {0, 0, 0};
  const unsigned char *rows = font[character & 0x7f];
  for (size_t y = 0; y < ROWS * SCALE; y++)
    for (size_t x = 0; x < COLUMNS * SCALE; x++)
      if ((rows[y / SCALE] >> (COLUMNS - 1 - x / SCALE) & 1) != 0)
        put(pixels, width, left + x, top + y, black);
}

void cli_legend_draw(unsigned char *pixels, size_t width, size_t number, const unsigned char *colors,
                     const char *text) {
  static const unsigned char edge[3] = {120, 120, 120};
  const size_t top = number * CLI_LEGEND_HEIGHT + (CLI_LEGEND_HEIGHT - ROWS * SCALE) / 2;
  for (size_t y = 0; y < ROWS * SCALE; y++)
    for (size_t x = 0; x < CLI_LEGEND_SWATCH; x++) {
      const int is_edge = x == 0 || y == 0 || x == CLI_LEGEND_SWATCH - 1 || y == ROWS * SCALE - 1;
      put(pixels, width, MARGIN + x, top + y, is_edge ? edge : colors + 3 * x);
    }
  size_t left = MARGIN + CLI_LEGEND_SWATCH + MARGIN;
  for (; *text != '\0' && left + COLUMNS * SCALE <= width; text++, left += (COLUMNS + 1) * SCALE)
    draw_character(pixels, width, left, top, *text);
}
