/* png_colors FILE: prints a PNG as "WIDTH HEIGHT" and, for each row, its runs of equal pixels: "4*ffffff 2*5a0014"
 * means four white pixels, then two dark red ones. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const png_byte *row, png_uint_32 width) {
  for (png_uint_32 x = 0, n; x < width; x += n) {
    const png_byte *color = row + 3 * x;
    for (n = 1; x + n < width && memcmp(color, color + 3 * n, 3) == 0; n++)
      ;
    printf("%s%u*%02x%02x%02x", x > 0 ? " " : "", n, color[0], color[1], color[2]);
  }
  puts("");
}

int main(int argc, char **argv) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (argc != 2 || !png_image_begin_read_from_file(&image, argv[1]))
    return 1;
  image.format = PNG_FORMAT_RGB;
  png_byte *pixels = malloc(PNG_IMAGE_SIZE(image));
  if (pixels == NULL || !png_image_finish_read(&image, NULL, pixels, 0, NULL))
    return 1;
  printf("%u %u\n", image.width, image.height);
  for (png_uint_32 y = 0; y < image.height; y++)
    print_row(pixels + 3 * (size_t)image.width * y, image.width);
  free(pixels);
}
