#include "example_models.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a model. An example replaces the piece with a `part` name, or all pieces with a `group` name. */
typedef struct model_piece {
  const char *text, *part, *group;
} model_piece;

static const model_piece pool[] = {
    {.text = "<?xml version=\"1.0\"?>", .part = "head"},
    {.text = "<net name=\"pool\" version=\"11\">", .part = "net"},
    {.text = "  <layers>"},
    {.text = "    <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\n"
             "      <data shape=\"1,1,4,4\" element_type=\"f32\"/>\n"
             "      <output>\n"
             "        <port id=\"0\" precision=\"FP32\" names=\"image\">\n"
             "          <dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim>\n"
             "        </port>\n"
             "      </output>\n"
             "    </layer>",
     .part = "x"},
    {.text = "    <layer id=\"1\" name=\"pool\" type=\"AvgPool\" version=\"opset1\">", .part = "pool"},
    {.text = "      <data kernel=\"2,2\" strides=\"2,2\" pads_begin=\"0,0\" pads_end=\"0,0\" exclude-pad=\"true\"/>",
     .part = "pool-data"},
    {.text = "      <input><port id=\"0\"/></input>"},
    {.text = "      <output>\n"
             "        <port id=\"1\" precision=\"FP32\"><dim>1</dim><dim>1</dim><dim>2</dim><dim>2</dim></port>\n"
             "      </output>",
     .part = "pool-output"},
    {.text = "    </layer>"},
    {.text = "", .part = "extra"},
    {.text = "    <layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
             "      <input><port id=\"0\"/></input>\n"
             "    </layer>",
     .part = "y"},
    {.text = "  </layers>\n"
             "  <edges>"},
    {.text = "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>", .part = "x-edge"},
    {.text = "    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>", .part = "y-edge"},
    {.text = "  </edges>"},
    {.text = "", .part = "end"},
    {.text = "</net>"},
    {.text = NULL},
};

static const model_piece adaptive[] = {
    {.text = "<?xml version=\"1.0\"?>\n"
             "<net name=\"adaptive\" version=\"11\">\n"
             "  <layers>\n"
             "    <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\n"
             "      <data shape=\"1,1,4,4\" element_type=\"f32\"/>\n"
             "      <output>\n"
             "        <port id=\"0\" precision=\"FP32\"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port>\n"
             "      </output>\n"
             "    </layer>"},
    {.text = "    <layer id=\"1\" name=\"size\" type=\"Const\" version=\"opset1\">", .group = "size"},
    {.text = "      <data element_type=\"i64\" shape=\"2\" offset=\"0\" size=\"16\"/>",
     .part = "size-data",
     .group = "size"},
    {.text = "      <output><port id=\"0\" precision=\"I64\"><dim>2</dim></port></output>\n"
             "    </layer>",
     .group = "size"},
    {.text = "    <layer id=\"2\" name=\"adaptive\" type=\"AdaptiveAvgPool\" version=\"opset8\">", .part = "adaptive"},
    {.text = "      <input><port id=\"0\"/><port id=\"1\"/></input>", .part = "adaptive-input"},
    {.text = "      <output>\n"
             "        <port id=\"2\" precision=\"FP32\"><dim>1</dim><dim>1</dim><dim>2</dim><dim>2</dim></port>\n"
             "      </output>\n"
             "    </layer>\n"
             "    <layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
             "      <input><port id=\"0\"/></input>\n"
             "    </layer>\n"
             "  </layers>\n"
             "  <edges>\n"
             "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
             "    <edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n"
             "    <edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/>\n"
             "  </edges>\n"
             "</net>"},
    {.text = NULL},
};

/* A MaxPool with both outputs on 2^32 elements. */
static const model_piece maximum[] = {
    {.text = "<?xml version=\"1.0\"?>\n"
             "<net name=\"maximum\" version=\"11\">\n"
             "  <layers>\n"
             "    <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\n"
             "      <data shape=\"1,1,65536,65536\" element_type=\"u8\"/>\n"
             "      <output><port id=\"0\" precision=\"U8\"/></output>\n"
             "    </layer>\n"
             "    <layer id=\"1\" name=\"pool\" type=\"MaxPool\" version=\"opset8\">"},
    {.text = "      <data kernel=\"2,2\" strides=\"2,2\" pads_begin=\"0,0\" pads_end=\"0,0\"/>",
     .part = "max-pool-data"},
    {.text =
         "      <input><port id=\"0\"/></input>\n"
         "      <output>\n"
         "        <port id=\"1\" precision=\"U8\"><dim>-1</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim></port>\n"
         "        <port id=\"2\" precision=\"dynamic\"><dim>-1</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim></port>\n"
         "      </output>\n"
         "    </layer>\n"
         "    <layer id=\"2\" name=\"values\" type=\"Result\" version=\"opset1\">\n"
         "      <input><port id=\"0\"/></input>\n"
         "    </layer>\n"
         "    <layer id=\"3\" name=\"indices\" type=\"Result\" version=\"opset1\">\n"
         "      <input><port id=\"0\"/></input>\n"
         "    </layer>\n"
         "  </layers>\n"
         "  <edges>\n"
         "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\n"
         "    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>\n"
         "    <edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/>\n"
         "  </edges>\n"
         "</net>"},
    {.text = NULL},
};

/* Beginnings and ends of models whose op has two inputs. The op stands between `x_head` and `tail`. Its second input
 * is `b_parameter` (f32) or `one_number` (i64, value 2). */
static const char x_head[] = "<?xml version=\"1.0\"?>\n"
                             "<net name=\"two\" version=\"11\">\n"
                             "  <layers>\n"
                             "    <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">";
static const char b_parameter[] = "      <output><port id=\"0\" precision=\"FP32\"/></output>\n"
                                  "    </layer>\n"
                                  "    <layer id=\"1\" name=\"b\" type=\"Parameter\" version=\"opset1\">";
static const char b_end[] = "      <output><port id=\"0\" precision=\"FP32\"/></output>\n"
                            "    </layer>";
static const char one_number[] = "      <output><port id=\"0\" precision=\"FP32\"/></output>\n"
                                 "    </layer>\n"
                                 "    <layer id=\"1\" name=\"c\" type=\"Const\" version=\"opset1\">\n"
                                 "      <data element_type=\"i64\" shape=\"1\" offset=\"0\" size=\"8\"/>\n"
                                 "      <output><port id=\"0\" precision=\"I64\"><dim>1</dim></port></output>\n"
                                 "    </layer>";
static const char tail[] = "      <input><port id=\"0\"/><port id=\"1\"/></input>\n"
                           "      <output><port id=\"2\" precision=\"FP32\"/></output>\n"
                           "    </layer>\n"
                           "    <layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
                           "      <input><port id=\"0\"/></input>\n"
                           "    </layer>\n"
                           "  </layers>\n"
                           "  <edges>\n"
                           "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
                           "    <edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n"
                           "    <edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/>\n"
                           "  </edges>\n"
                           "</net>";

static const model_piece reduce[] = {
    {.text = x_head},
    {.text = "      <data shape=\"1,4,4\" element_type=\"f32\"/>", .part = "reduce-x"},
    {.text = one_number},
    {.text = "    <layer id=\"2\" name=\"mean\" type=\"ReduceMean\" version=\"opset1\">\n"
             "      <data keep_dims=\"true\"/>"},
    {.text = tail},
    {.text = NULL},
};

/* Add of f32[2,3,4] and f32[3,1]. */
static const model_piece add[] = {
    {.text = x_head},
    {.text = "      <data shape=\"2,3,4\" element_type=\"f32\"/>"},
    {.text = b_parameter},
    {.text = "      <data shape=\"3,1\" element_type=\"f32\"/>", .part = "add-b"},
    {.text = b_end},
    {.text = "    <layer id=\"2\" name=\"add\" type=\"Add\" version=\"opset1\">"},
    {.text = "      <data auto_broadcast=\"numpy\"/>", .part = "add-data"},
    {.text = tail},
    {.text = NULL},
};

static const model_piece reshape[] = {
    {.text = x_head},
    {.text = "      <data shape=\"1,2\" element_type=\"f32\"/>", .part = "reshape-x"},
    {.text = one_number},
    {.text = "    <layer id=\"2\" name=\"reshape\" type=\"Reshape\" version=\"opset1\">\n"
             "      <data special_zero=\"false\"/>"},
    {.text = tail},
    {.text = NULL},
};

static const model_piece squeeze[] = {
    {.text = x_head},     {.text = "      <data shape=\"4,4,1\" element_type=\"f32\"/>", .part = "squeeze-x"},
    {.text = one_number}, {.text = "    <layer id=\"2\" name=\"squeeze\" type=\"Squeeze\" version=\"opset1\">"},
    {.text = tail},       {.text = NULL},
};

static const model_piece concat[] = {
    {.text = x_head},
    {.text = "      <data shape=\"1,3\" element_type=\"f32\"/>"},
    {.text = b_parameter},
    {.text = "      <data shape=\"2,3\" element_type=\"f32\"/>", .part = "concat-b"},
    {.text = b_end},
    {.text = "    <layer id=\"2\" name=\"concat\" type=\"Concat\" version=\"opset1\">\n"
             "      <data axis=\"0\"/>"},
    {.text = tail},
    {.text = NULL},
};

/* MatMul of f32[1,3] and f32[3,2]. */
static const model_piece mat_mul[] = {
    {.text = x_head},      {.text = "      <data shape=\"1,3\" element_type=\"f32\"/>"},
    {.text = b_parameter}, {.text = "      <data shape=\"3,2\" element_type=\"f32\"/>", .part = "matmul-b"},
    {.text = b_end},       {.text = "    <layer id=\"2\" name=\"matmul\" type=\"MatMul\" version=\"opset1\">"},
    {.text = tail},        {.text = NULL},
};

/* A variable that ReadValue reads and Assign writes. */
static const model_piece state[] = {
    {.text = x_head},
    {.text = "      <data shape=\"1,3\" element_type=\"f32\"/>\n"
             "      <output><port id=\"0\" precision=\"FP32\"/></output>\n"
             "    </layer>\n"
             "    <layer id=\"1\" name=\"read\" type=\"ReadValue\" version=\"opset6\">\n"
             "      <data variable_id=\"state\" variable_type=\"f32\" variable_shape=\"1,3\"/>\n"
             "      <input><port id=\"0\"/></input>\n"
             "      <output><port id=\"1\" precision=\"FP32\"/></output>\n"
             "    </layer>\n"
             "    <layer id=\"2\" name=\"keep\" type=\"Assign\" version=\"opset6\">"},
    {.text = "      <data variable_id=\"state\"/>", .part = "assign"},
    {.text = "      <input><port id=\"0\"/></input>\n"
             "      <output><port id=\"1\" precision=\"FP32\"/></output>\n"
             "    </layer>\n"
             "    <layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
             "      <input><port id=\"0\"/></input>\n"
             "    </layer>\n"
             "  </layers>\n"
             "  <edges>\n"
             "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\n"
             "    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>\n"
             "    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"3\" to-port=\"0\"/>\n"
             "  </edges>\n"
             "</net>"},
    {.text = NULL},
};

/* A TensorIterator that computes ReLU of f32[1,3], one column per iteration. */
static const model_piece iterator[] = {
    {.text = x_head},
    {.text = "      <data shape=\"1,3\" element_type=\"f32\"/>\n"
             "      <output><port id=\"0\" precision=\"FP32\"/></output>\n"
             "    </layer>\n"
             "    <layer id=\"1\" name=\"each\" type=\"TensorIterator\" version=\"opset1\">\n"
             "      <input><port id=\"0\"/></input>\n"
             "      <output><port id=\"1\" precision=\"FP32\"/></output>\n"
             "      <port_map>"},
    {.text = "        <input external_port_id=\"0\" internal_layer_id=\"0\" axis=\"1\"/>", .part = "port-map"},
    {.text = "        <output external_port_id=\"1\" internal_layer_id=\"2\" axis=\"1\"/>\n"
             "      </port_map>\n"
             "      <body>\n"
             "        <layers>\n"
             "          <layer id=\"0\" name=\"part\" type=\"Parameter\" version=\"opset1\">\n"
             "            <data shape=\"1,1\" element_type=\"f32\"/>\n"
             "            <output><port id=\"0\" precision=\"FP32\"/></output>\n"
             "          </layer>\n"
             "          <layer id=\"1\" name=\"relu\" type=\"ReLU\" version=\"opset1\">\n"
             "            <input><port id=\"0\"/></input>\n"
             "            <output><port id=\"1\" precision=\"FP32\"/></output>\n"
             "          </layer>\n"
             "          <layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
             "            <input><port id=\"0\"/></input>\n"
             "          </layer>\n"
             "        </layers>\n"
             "        <edges>\n"
             "          <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\n"
             "          <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>\n"
             "        </edges>\n"
             "      </body>\n"
             "    </layer>\n"
             "    <layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
             "      <input><port id=\"0\"/></input>\n"
             "    </layer>\n"
             "  </layers>\n"
             "  <edges>\n"
             "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\n"
             "    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/>\n"
             "  </edges>\n"
             "</net>"},
    {.text = NULL},
};

static const model_piece *const models[] = {pool,    adaptive, maximum, reduce, add,     reshape,
                                            squeeze, concat,   mat_mul, state,  iterator};

static bool piece_in(const model_piece *piece, const char *part) {
  return part != NULL && ((piece->part != NULL && strcmp(piece->part, part) == 0) ||
                          (piece->group != NULL && strcmp(piece->group, part) == 0));
}

static bool has_part(const model_piece *pieces, const char *part) {
  bool found = false;
  for (; pieces->text != NULL && !found; pieces++)
    found = piece_in(pieces, part);
  return found;
}

static char *join(const model_piece *pieces, const char *part, const char *replacement) {
  char *text = NULL;
  size_t n_bytes;
  FILE *out = open_memstream(&text, &n_bytes);
  if (out == NULL)
    return NULL;
  bool replaced = false;
  for (; pieces->text != NULL; pieces++) {
    bool ours = piece_in(pieces, part);
    if (!ours || !replaced)
      fprintf(out, "%s\n", ours ? replacement : pieces->text);
    replaced = replaced || ours;
  }
  return fclose(out) == 0 ? text : NULL;
}

char *example_model(const char *part, const char *replacement) {
  if (part == NULL)
    return join(pool, NULL, NULL);
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    if (has_part(models[i], part))
      return join(models[i], part, replacement);
  return NULL;
}

/* ---- the folder ---- */

static bool write_file(const char *folder, const char *name, const void *bytes, size_t n_bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    return false;
  bool written = fwrite(bytes, 1, n_bytes, file) == n_bytes;
  return fclose(file) == 0 && written;
}

static bool write_text(const char *folder, const char *name, const char *text) {
  return text != NULL && write_file(folder, name, text, strlen(text));
}

/* Writes a file of .npy version 1.0: magic, header length, header padded to 128 bytes, elements. All machines that
 * irrun supports are little-endian. */
static bool write_npy(const char *folder, const char *name, const char *descr, const char *shape, const void *data,
                      size_t n_bytes) {
  unsigned char file[512] = "\x93NUMPY\x01\x00\x76\x00";
  memset(file + 10, ' ', 118);
  int length =
      snprintf((char *)file + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
  file[10 + length] = ' ';
  file[127] = '\n';
  memcpy(file + 128, data, n_bytes);
  return write_file(folder, name, file, 128 + n_bytes);
}

static bool write_tensors(const char *folder) {
  float x[16], nan[16], y[4] = {2.5F, 4.5F, 10.5F, 12.5F}, other[4] = {2.5F, 4.5F, 10.5F, 13};
  float complex_numbers[32] = {0};
  int32_t integers[16];
  double y_double[4] = {2.5, 4.5, 10.5, 12.5};
  for (int i = 0; i < 16; i++) {
    x[i] = nan[i] = (float)i;
    integers[i] = i;
  }
  nan[5] = NAN;
  return write_npy(folder, "x.npy", "<f4", "1, 1, 4, 4", x, sizeof x) &&
         write_npy(folder, "nan.npy", "<f4", "1, 1, 4, 4", nan, sizeof nan) &&
         write_npy(folder, "integers.npy", "<i4", "1, 1, 4, 4", integers, sizeof integers) &&
         write_npy(folder, "complex.npy", "<c8", "1, 1, 4, 4", complex_numbers, sizeof complex_numbers) &&
         write_npy(folder, "y.npy", "<f4", "1, 1, 2, 2", y, sizeof y) &&
         write_npy(folder, "other.npy", "<f4", "1, 1, 2, 2", other, sizeof other) &&
         write_npy(folder, "double.npy", "<f8", "1, 1, 2, 2", y_double, sizeof y_double);
}

static bool write_bins(const char *folder) {
  const int64_t sizes[2] = {2, 2};
  unsigned char long_bin[36] = {0}; /* two i64 sizes at byte 0, and a misaligned copy at byte 20 */
  memcpy(long_bin, sizes, sizeof sizes);
  memcpy(long_bin + 20, sizes, sizeof sizes);
  float one = 1, nan = NAN, large = 1e6F;
  return write_file(folder, "adaptive.bin", sizes, sizeof sizes) &&
         write_file(folder, "long.bin", long_bin, sizeof long_bin) &&
         write_file(folder, "model.bin", long_bin, sizeof long_bin) &&
         write_file(folder, "constant.bin", &one, sizeof one) && write_file(folder, "nan.bin", &nan, sizeof nan) &&
         write_file(folder, "large.bin", &large, sizeof large);
}

/* Writes a model that outputs its input or a constant. */
static bool write_echo(const char *folder, const char *name, const char *type, const char *data, const char *dims) {
  char text[2048];
  snprintf(text, sizeof text,
           "<net name=\"echo\" version=\"11\">\n"
           "  <layers>\n"
           "    <layer id=\"0\" name=\"x\" type=\"%s\" version=\"opset1\">\n"
           "      <data element_type=\"f32\" %s/>\n"
           "      <output><port id=\"0\" precision=\"FP32\">%s</port></output>\n"
           "    </layer>\n"
           "    <layer id=\"1\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>\n"
           "  </layers>\n"
           "  <edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges>\n"
           "</net>\n",
           type, data, dims);
  return write_text(folder, name, text);
}

/* Gathers elements of the input. The input's elements are also the indices. */
static const char gather[] =
    "<net name=\"gather\" version=\"11\">\n"
    "  <layers>\n"
    "    <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\n"
    "      <data element_type=\"i64\" shape=\"2\"/>\n"
    "      <output><port id=\"0\" precision=\"I64\"><dim>2</dim></port></output>\n"
    "    </layer>\n"
    "    <layer id=\"1\" name=\"gather\" type=\"GatherElements\" version=\"opset6\">\n"
    "      <data axis=\"0\"/>\n"
    "      <input><port id=\"0\"/><port id=\"1\"/></input>\n"
    "      <output><port id=\"2\" precision=\"I64\"><dim>2</dim></port></output>\n"
    "    </layer>\n"
    "    <layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>\n"
    "  </layers>\n"
    "  <edges>\n"
    "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\n"
    "    <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/>\n"
    "    <edge from-layer=\"1\" from-port=\"2\" to-layer=\"2\" to-port=\"0\"/>\n"
    "  </edges>\n"
    "</net>\n";

static bool write_models(const char *folder) {
  char *pool_text = join(pool, NULL, NULL), *adaptive_text = join(adaptive, NULL, NULL);
  char *product_text = example_model("matmul-b", "<data shape=\"3,2\" element_type=\"f32\"/>");
  char *with_second = example_model("extra", "<layer id=\"3\" name=\"z\" type=\"Result\" version=\"opset1\">\n"
                                             "  <input><port id=\"0\"/></input>\n"
                                             "</layer>\n");
  bool written = write_text(folder, "pool.xml", pool_text) && write_text(folder, "adaptive.xml", adaptive_text) &&
                 write_text(folder, "gather.xml", gather) && with_second != NULL && product_text != NULL &&
                 write_text(folder, "matmul.xml", product_text);
  char *edges = with_second == NULL ? NULL : strstr(with_second, "  </edges>");
  if (edges != NULL) {
    char two[4096];
    snprintf(two, sizeof two, "%.*s    <edge from-layer=\"1\" from-port=\"1\" to-layer=\"3\" to-port=\"0\"/>\n%s",
             (int)(edges - with_second), with_second, edges);
    written = written && write_text(folder, "two.xml", two);
  }
  free(pool_text);
  free(adaptive_text);
  free(product_text);
  free(with_second);
  return written && edges != NULL;
}

bool example_folder_fill(const char *folder) {
  return write_models(folder) && write_bins(folder) && write_tensors(folder) &&
         write_echo(folder, "constant.xml", "Const", "shape=\"1\" offset=\"0\" size=\"4\"", "<dim>1</dim>") &&
         write_echo(folder, "dynamic.xml", "Parameter", "shape=\"1,1,?,?\"",
                    "<dim>1</dim><dim>1</dim><dim>-1</dim><dim>-1</dim>") &&
         write_echo(folder, "huge.xml", "Parameter", "shape=\"1048576,1048576\"",
                    "<dim>1048576</dim><dim>1048576</dim>");
}
