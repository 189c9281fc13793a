/* --heatmap: draws a PNG with a cell for each element. In a large tensor several elements share a cell, which shows the
 * worst element. The last two axes are rows and columns of a panel; each index of the other axes has a panel. A legend
 * below says what the colours of this picture mean. */
#include "heatmap_legend.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef IRRUN_HAVE_PNG
#include <png.h>
#endif

#define USUAL 256 /* a smaller picture is enlarged to about this many pixels in a row or column */
#define LINE  2   /* height of the line above the legend in pixels */
#define RGB   3

/* State of a cell, which decides its colour; a later state is worse. */
typedef enum kind { EQUAL, FRAME, AGREES, DIFFERS, NOT_FINITE, N_KINDS } kind;

typedef struct cell {
  double gap;
  kind is;
} cell;

struct cli_heatmap {
  int64_t rows, columns;    /* size of a panel in elements */
  int64_t panels, in_a_row; /* number of panels, and of panels in a row of the picture */
  int64_t width, height;    /* size of the picture in elements, with a frame of 1 between panels */
  int64_t shared, enlarged; /* side of a cell in elements, and in pixels */
  int64_t n_across, n_down; /* number of cells in a row and in a column */
  double smallest, largest; /* smallest and largest gap of the elements that differ */
  cell *cells;
};

/* Returns the size of an axis; 1 if the axis is missing or its size is 0. */
static int64_t size_of(const irrun_tensor_info *info, int axis) {
  return axis >= 0 && info->dims[axis] > 0 ? info->dims[axis] : 1;
}

static void lay_out(cli_heatmap *map, const irrun_tensor_info *info, int64_t most) {
  map->columns = size_of(info, info->rank - 1);
  map->rows = size_of(info, info->rank - 2);
  map->panels = 1;
  for (int axis = 0; axis < info->rank - 2; axis++)
    map->panels *= size_of(info, axis);
  /* make the picture about square */
  map->in_a_row = (int64_t)ceil(sqrt((double)map->panels * (double)(map->rows + 1) / (double)(map->columns + 1)));
  map->in_a_row = map->in_a_row > map->panels ? map->panels : map->in_a_row;
  map->width = map->in_a_row * (map->columns + 1) - 1;
  map->height = (map->panels + map->in_a_row - 1) / map->in_a_row * (map->rows + 1) - 1;
  const int64_t longer = map->width > map->height ? map->width : map->height;
  map->shared = (longer + most - 1) / most;
  map->enlarged = longer < USUAL ? USUAL / longer : 1;
  map->n_across = (map->width + map->shared - 1) / map->shared;
  map->n_down = (map->height + map->shared - 1) / map->shared;
}

static cell *cell_at(const cli_heatmap *map, int64_t row, int64_t column) {
  return &map->cells[row / map->shared * map->n_across + column / map->shared];
}

/* Draws frames between panels, and in place of missing panels at the end. If elements share cells, draws no frames. */
static void draw_frames(cli_heatmap *map) {
  for (int64_t row = 0; row < map->height && map->shared == 1; row++)
    for (int64_t column = 0; column < map->width; column++) {
      const int64_t panel = row / (map->rows + 1) * map->in_a_row + column / (map->columns + 1);
      if (row % (map->rows + 1) == map->rows || column % (map->columns + 1) == map->columns || panel >= map->panels)
        cell_at(map, row, column)->is = FRAME;
    }
}

cli_heatmap *cli_heatmap_create(const irrun_tensor *got, int64_t most) {
  const irrun_tensor_info info = irrun_tensor_get_info(got);
  cli_heatmap *map = cli_allocate(1, sizeof *map);
  lay_out(map, &info, most);
  map->cells = cli_allocate((size_t)(map->n_across * map->n_down), sizeof *map->cells);
  draw_frames(map);
  return map;
}

void cli_heatmap_free(cli_heatmap *map) {
  if (map != NULL)
    free(map->cells);
  free(map);
}

void cli_heatmap_see(void *user, int64_t index, double gap, bool agrees) {
  cli_heatmap *map = user;
  const int64_t panel = index / (map->rows * map->columns), row = index / map->columns % map->rows;
  cell *at = cell_at(map, panel / map->in_a_row * (map->rows + 1) + row,
                     panel % map->in_a_row * (map->columns + 1) + index % map->columns);
  const kind is = isinf(gap) ? NOT_FINITE : agrees ? AGREES : DIFFERS;
  if (is == DIFFERS) {
    map->smallest = map->largest == 0 || gap < map->smallest ? gap : map->smallest;
    map->largest = gap > map->largest ? gap : map->largest;
  }
  if (is > at->is || (is == at->is && gap > at->gap))
    *at = (cell){gap, is};
}

/* Returns the place of a difference on the logarithmic scale, from 0 to 1. */
static double place_of(const cli_heatmap *map, const cell *at) {
  const double range = log(map->largest / map->smallest);
  return range > 0 ? log(at->gap / map->smallest) / range : 0.5;
}

void cli_json_heatmap(cli_node *node, const cli_heatmap *map) {
  static const char letters[] = {[EQUAL] = '.', [FRAME] = ' ', [AGREES] = '+', [NOT_FINITE] = '!'};
  cli_node_integer(node, "columns", map->n_across);
  cli_node *rows = cli_node_array(node, "rows");
  for (int64_t row = 0; row < map->n_down; row++) {
    cli_string text = {0};
    for (int64_t column = 0; column < map->n_across; column++) {
      const cell *at = &map->cells[row * map->n_across + column];
      cli_add(&text, "%c", at->is == DIFFERS ? (char)('0' + lround(9 * place_of(map, at))) : letters[at->is]);
    }
    cli_node_text(rows, NULL, cli_text(&text));
    cli_reset(&text);
  }
}

#ifdef IRRUN_HAVE_PNG

/* Chooses the colour of a cell. For a difference, the colour ranges from yellow to dark red on a logarithmic scale. */
static void paint(const cli_heatmap *map, const cell *at, unsigned char *out) {
  static const unsigned char colors[][RGB] = {
      [EQUAL] = {255, 255, 255}, [FRAME] = {170, 170, 170}, [AGREES] = {180, 210, 240}, [NOT_FINITE] = {200, 0, 200}};
  static const unsigned char scale[][RGB] = {{255, 225, 100}, {245, 120, 40}, {190, 20, 30}, {90, 0, 20}};
  if (at->is != DIFFERS) {
    memcpy(out, colors[at->is], RGB);
    return;
  }
  const int n_steps = (int)(sizeof scale / sizeof scale[0]) - 1;
  const double place = map->largest > map->smallest ? place_of(map, at) * n_steps : n_steps - 1;
  const int step = place >= n_steps ? n_steps - 1 : place > 0 ? (int)place : 0;
  for (int i = 0; i < RGB; i++)
    out[i] = (unsigned char)lround(scale[step][i] + (place - step) * (scale[step + 1][i] - scale[step][i]));
}

/* Paints the cells. The space beside a map that is narrower than its legend gets the colour of frames. */
static void paint_cells(const cli_heatmap *map, size_t width, unsigned char *pixels) {
  static const cell frame = {.is = FRAME};
  const size_t height = (size_t)(map->n_down * map->enlarged), enlarged = (size_t)map->enlarged;
  for (size_t row = 0; row < height; row++)
    for (size_t column = 0; column < width; column++) {
      const size_t across = column / enlarged, at = row / enlarged * (size_t)map->n_across + across;
      paint(map, across < (size_t)map->n_across ? &map->cells[at] : &frame, pixels + (row * width + column) * RGB);
    }
}

/* Finds the kinds that the map has, without frames, and returns their number. */
static int find_kinds(const cli_heatmap *map, kind *out_kinds) {
  bool has[N_KINDS] = {false};
  int n = 0;
  for (int64_t i = 0; i < map->n_across * map->n_down; i++)
    has[map->cells[i].is] = true;
  for (int is = 0; is < N_KINDS; is++)
    if (has[is] && is != FRAME)
      out_kinds[n++] = (kind)is;
  return n;
}

/* Paints the legend's row for a kind. The text of differences is their range. */
static void paint_legend(const cli_heatmap *map, kind is, size_t number, size_t width, unsigned char *pixels) {
  static const char *const texts[] = {
      [EQUAL] = "equal", [AGREES] = "within tolerance", [NOT_FINITE] = "NaN or infinite"};
  unsigned char colors[CLI_LEGEND_SWATCH * RGB];
  char range[40];
  for (int i = 0; i < CLI_LEGEND_SWATCH; i++) {
    const double place = (double)i / (CLI_LEGEND_SWATCH - 1);
    const cell at = {is == DIFFERS ? map->smallest * pow(map->largest / map->smallest, place) : 0, is};
    paint(map, &at, colors + i * RGB);
  }
  snprintf(range, sizeof range, map->smallest == map->largest ? "%.3g" : "%.3g..%.3g", map->smallest, map->largest);
  cli_legend_draw(pixels, width, number, colors, is == DIFFERS ? range : texts[is]);
}

/* Paints the map, a line, and the legend. */
static unsigned char *paint_all(const cli_heatmap *map, size_t *out_width, size_t *out_height) {
  kind kinds[N_KINDS];
  const int n = find_kinds(map, kinds);
  const size_t width = (size_t)(map->n_across * map->enlarged), height = (size_t)(map->n_down * map->enlarged);
  const size_t legend = (size_t)n * CLI_LEGEND_HEIGHT;
  *out_width = width < CLI_LEGEND_WIDTH ? CLI_LEGEND_WIDTH : width;
  *out_height = height + LINE + legend;
  unsigned char *pixels = cli_allocate(*out_width * *out_height, RGB), *below = pixels + *out_width * height * RGB;
  paint_cells(map, *out_width, pixels);
  memset(below, 0xaa, *out_width * LINE * RGB);
  memset(below + *out_width * LINE * RGB, 0xff, *out_width * legend * RGB);
  for (int i = 0; i < n; i++)
    paint_legend(map, kinds[i], (size_t)i, *out_width, below + *out_width * LINE * RGB);
  return pixels;
}

irrun_status cli_heatmap_write(cli *c, const cli_heatmap *map, const char *path) {
  size_t width, height;
  unsigned char *pixels = paint_all(map, &width, &height);
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGB};
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  unsigned char *file = cli_allocate(bytes, 1);
  if (!png_image_write_to_memory(&image, file, &bytes, 0, pixels, 0, NULL))
    cli_out_of_memory();
  const irrun_status status = irrun_bytes_write(c->context, file, bytes, path);
  free(file);
  free(pixels);
  return status;
}

const char *cli_heatmap_library_version(void) {
  return PNG_LIBPNG_VER_STRING;
}

irrun_status cli_heatmap_check_library(cli *c) {
  (void)c;
  return IRRUN_OK;
}

#else

irrun_status cli_heatmap_write(cli *c, const cli_heatmap *map, const char *path) {
  (void)map, (void)path;
  return cli_heatmap_check_library(c);
}

const char *cli_heatmap_library_version(void) {
  return NULL;
}

irrun_status cli_heatmap_check_library(cli *c) {
  return cli_fault(c->context, "IR704", NULL, "install libpng (Debian package libpng-dev) and build irrun anew",
                   "--heatmap needs libpng, and this irrun was built without it");
}

#endif
