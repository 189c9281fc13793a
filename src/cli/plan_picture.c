/* Draws a plan's memory: steps from left to right, the bytes of the block upwards. Each tensor in the block is a box,
 * from the step that writes the tensor to the last step that reads the tensor. */
#include "plan_picture.h"

#include <string.h>

enum { LEFT = 90, TOP = 24, WIDTH = 1000, HEIGHT = 480, N_COLORS = 8 };

static void add_escaped(cli_string *svg, const char *text) {
  for (; *text != '\0'; text++) {
    const char *word = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
    if (word != NULL)
      cli_add(svg, "%s", word);
    else
      cli_add(svg, "%c", *text);
  }
}

static void add_box(const cli_run *r, cli_string *svg, const irrun_plan_info *info, const irrun_plan_tensor *tensor) {
  static const char *const colors[N_COLORS] = {"#8dd3c7", "#ffd92f", "#bebada", "#fb8072",
                                               "#80b1d3", "#fdb462", "#b3de69", "#fccde5"};
  const double column = (double)WIDTH / (double)info->n_steps, byte = (double)HEIGHT / (double)info->block_bytes;
  irrun_layer layer = {.size = sizeof layer};
  cli_string title = {0};
  if (irrun_model_get_layer(r->model, tensor->layer, &layer))
    cli_add_name(&title, layer.name);
  cli_add(&title, " ");
  cli_add_plan_tensor(&title, tensor);
  cli_add(&title, ": %lld bytes at %lld, steps %lld to %lld", (long long)tensor->bytes, (long long)tensor->offset,
          (long long)tensor->first_step, (long long)tensor->last_step);
  cli_add(svg, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"><title>",
          LEFT + (double)tensor->first_step * column, TOP + HEIGHT - (double)(tensor->offset + tensor->bytes) * byte,
          (double)(tensor->last_step - tensor->first_step + 1) * column, (double)tensor->bytes * byte,
          colors[tensor->number % N_COLORS]);
  add_escaped(svg, cli_text(&title));
  cli_add(svg, "</title></rect>\n");
  cli_reset(&title);
}

irrun_status cli_write_plan_picture(cli_run *r, const char *path) {
  irrun_plan_info info = {.size = sizeof info};
  irrun_plan_row row = {.size = sizeof row};
  irrun_plan_tensor tensor = {.size = sizeof tensor};
  cli_string svg = {0}, size = {0};
  irrun_run_get_plan_info(r->run, &info);
  cli_add_bytes(&size, (double)info.block_bytes);
  cli_add(&svg,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" "
          "stroke=\"white\" stroke-width=\"0.5\">\n"
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f0f0f0\"/>\n",
          LEFT + WIDTH + 10, TOP + HEIGHT + 30, LEFT, TOP, WIDTH, HEIGHT);
  for (int64_t i = 0; irrun_run_get_plan_row(r->run, i, &row); i++)
    for (int p = 0; irrun_run_get_plan_tensor(r->run, i, true, p, &tensor); p++)
      if (row.step >= 0 && tensor.offset >= 0 && !tensor.is_view && tensor.bytes > 0)
        add_box(r, &svg, &info, &tensor);
  cli_add(&svg,
          "<g stroke=\"none\"><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n"
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0 B</text>\n"
          "<text x=\"%d\" y=\"%d\">step 0</text>\n"
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%lld</text></g>\n</svg>\n",
          LEFT - 8, TOP + 10, cli_text(&size), LEFT - 8, TOP + HEIGHT, LEFT, TOP + HEIGHT + 18, LEFT + WIDTH,
          TOP + HEIGHT + 18, (long long)(info.n_steps - 1));
  const irrun_status status = irrun_text_write(r->c->context, cli_text(&svg), path);
  cli_reset(&svg);
  cli_reset(&size);
  return status;
}
