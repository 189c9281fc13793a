#include "runtime/convert/out_pair.h"
#include "irrun_program.h"
#include "runtime/files/out_link.h"
#include "runtime/files/tensor_file.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 16 };

static bool write_to_file(void *user, const void *data, size_t bytes) {
  return ir_out_file_write(user, data, bytes);
}

ir_byte_sink ir_sink_of(ir_out_file *file) {
  return (ir_byte_sink){write_to_file, file};
}

bool ir_same_place(const char *a, const char *b) {
  char place[2][IRRUN_PLACE_TEXT];
  return strcmp(irrun_output_place(a, place[0], sizeof place[0]), irrun_output_place(b, place[1], sizeof place[1])) ==
         0;
}

static ir_code refuse_place(const ir_out_pair *pair, const char *path, const char *what) {
  ir_code code = ir_report(&pair->model->context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                           "'%s' would overwrite %s", path, what);
  ir_hint(&pair->model->context->diags, "give another name");
  return code;
}

/* Whether the path is a link to a file that is there. */
static bool leads_to_file(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Sets `folder`, of PATH_MAX bytes, to the folder of a path. Returns false if there is no such folder. */
static bool find_folder(const char *path, char *folder) {
  char above[IR_MAX_PATH];
  snprintf(above, sizeof above, "%.*s.", (int)ir_folder_length(path), path);
  return realpath(above, folder) != NULL;
}

static bool is_below(const char *folder, const char *other) {
  const size_t n = strlen(other);
  return strncmp(folder, other, n) == 0 && (folder[n] == '/' || folder[n] == '\0' || n == 1);
}

/* Whether the paths, which are followed links, are one name in one folder. */
static bool is_same_name(const char *a, const char *b) {
  char folders[2][PATH_MAX];
  return strcmp(a + ir_folder_length(a), b + ir_folder_length(b)) == 0 && find_folder(a, folders[0]) &&
         find_folder(b, folders[1]) && strcmp(folders[0], folders[1]) == 0;
}

/* Refuses a .bin that is a link out of the folder of the .xml: such a link can come with a model. It can be a link to
 * `beside`, the .bin beside the file that the .xml leads to. */
static ir_code check_bin_link(const ir_out_pair *pair, const char *beside) {
  struct stat info;
  char target[IR_MAX_PATH], folder[PATH_MAX], of_xml[PATH_MAX];
  snprintf(target, sizeof target, "%s", pair->bin_path);
  if (lstat(target, &info) != 0 || !S_ISLNK(info.st_mode) || ir_follow_links(target, &info) != 0 ||
      is_same_name(target, beside))
    return IR_OK; /* also where the opening of the file reports why it cannot be written */
  if (find_folder(target, folder) && find_folder(pair->xml_path, of_xml) && is_below(folder, of_xml))
    return IR_OK;
  ir_diags *diags = &pair->model->context->diags;
  ir_code code = ir_report(diags, IR702_FILE_NOT_WRITABLE, (ir_where){.at = IR_NOWHERE},
                           "cannot write '%s': the link leads to '%s', outside of the folder of '%s'", pair->bin_path,
                           target, pair->xml_path);
  ir_hint(diags, "remove the link, or give another name");
  return code;
}

/* Refuses to replace a model that the .xml is a link to, if its .bin, which lies beside it, would stay as it is. */
static ir_code check_links(const ir_out_pair *pair) {
  const ir_memory *memory = &pair->model->context->memory;
  struct stat info;
  char target[IR_MAX_PATH];
  snprintf(target, sizeof target, "%s", pair->xml_path);
  ir_follow_links(target, &info);
  char *beside = ir_weights_path_beside(memory, target);
  if (beside == NULL)
    return ir_out_of_memory(&pair->model->context->diags);
  ir_code code;
  if (leads_to_file(pair->xml_path) && !leads_to_file(pair->bin_path) && !ir_same_place(beside, pair->bin_path))
    code = refuse_place(pair, pair->xml_path, "the file that this link leads to, but not its .bin");
  else
    code = check_bin_link(pair, beside);
  ir_free(memory, beside);
  return code;
}

/* Refuses to write the .xml over the model's .bin, the .bin over the model's .xml, or either over an nGraph model or an
 * IR of version 2 to 7. Other IRs can be written over themselves. */
static ir_code check_places(const ir_out_pair *pair) {
  const ir_graph *graph = &pair->model->graph;
  const char *const model = pair->model->path, *const weights = graph->weights == NULL ? NULL : graph->weights->path;
  const bool from_file = strcmp(model, "-") != 0;
  if (ir_same_place(pair->xml_path, pair->bin_path))
    return refuse_place(pair, pair->xml_path, "the constants that are written");
  if (from_file && ir_same_place(pair->bin_path, model))
    return refuse_place(pair, pair->bin_path, "the model");
  if (from_file && (graph->dialect == IR_NGRAPH || ir_is_legacy(graph)) && ir_same_place(pair->xml_path, model))
    return refuse_place(pair, pair->xml_path, "the model");
  if (ir_is_legacy(graph) && weights != NULL && ir_same_place(pair->bin_path, weights))
    return refuse_place(pair, pair->bin_path, "its constants");
  if (graph->dialect == IR_OPENVINO && weights != NULL && ir_same_place(pair->xml_path, weights))
    return refuse_place(pair, pair->xml_path, "its constants");
  return IR_OK;
}

/* Whether the path is a descriptor, or leads to a FIFO or a socket. */
static bool is_stream(const char *path) {
  struct stat info;
  return irrun_output_descriptor(path) >= 0 ||
         (stat(path, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)));
}

static ir_code refuse_path(const ir_out_pair *pair, const char *path, const char *why) {
  ir_diags *diags = &pair->model->context->diags;
  ir_code code =
      ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "cannot write an IR to '%s': %s", path, why);
  ir_hint(diags, "give a name such as out.xml; the constants are then in out.bin");
  return code;
}

ir_code ir_out_pair_find(ir_out_pair *pair, const char *path) {
  static const char two_files[] = "it is two files, and this is a stream";
  if (is_stream(path))
    return refuse_path(pair, path, two_files);
  if (!ir_has_suffix(path, ".xml"))
    return refuse_path(pair, path, "expected NAME.xml");
  pair->xml_path = path;
  pair->bin_path = ir_weights_path_beside(&pair->model->context->memory, path);
  if (pair->bin_path == NULL)
    return ir_out_of_memory(&pair->model->context->diags);
  return is_stream(pair->bin_path) ? refuse_path(pair, pair->bin_path, two_files) : check_places(pair);
}

/* Whether a new .bin at `path` would replace the constants of a model whose .xml stays. */
static bool takes_constants(const ir_out_pair *pair, const char *path) {
  ir_weights *weights = pair->model->graph.weights;
  const char *model = pair->model->path;
  return path == pair->bin_path && weights != NULL && ir_weights_open(weights) && ir_same_place(path, weights->path) &&
         (strcmp(model, "-") == 0 || !ir_same_place(pair->xml_path, model));
}

ir_code ir_out_pair_open(const ir_out_pair *pair, const char *path, ir_out_file **out_file) {
  ir_diags *diags = &pair->model->context->diags;
  if (takes_constants(pair, path))
    return refuse_place(pair, path, "the constants of the model");
  ir_code link = path == pair->bin_path ? check_links(pair) : IR_OK;
  if (link != IR_OK)
    return link;
  ir_out_file *file = ir_alloc_zero(&pair->model->context->memory, 1, sizeof *file);
  if (file == NULL)
    return ir_out_of_memory(diags);
  ir_code code = ir_out_file_open(file, diags, &pair->model->context->memory, path);
  if (code == IR_OK)
    *out_file = file;
  else
    ir_free(&pair->model->context->memory, file);
  return code;
}

/* Copies bytes within the system, as far as the file systems can. Returns the number of copied bytes. */
static int64_t copy_fast(int from, int to, int64_t size) {
  off_t at = 0;
  while (at < size && copy_file_range(from, &at, to, NULL, (size_t)(size - at), 0) > 0)
    ;
  return at;
}

static ir_code report_changed(const ir_out_pair *pair, ir_source *source, const char *why) {
  return ir_report(&pair->model->context->diags, IR701_FILE_NOT_READABLE,
                   (ir_where){.source = source, .at = IR_NOWHERE}, "cannot copy the constants: %s", why);
}

ir_code ir_out_pair_copy(const ir_out_pair *pair, const ir_weights *weights) {
  char bytes[COPY_BYTES];
  ir_source *source = weights->source;
  int64_t at = source->fd < 0 ? 0 : copy_fast(source->fd, pair->bin->fd, source->size);
  while (at < source->size) {
    errno = 0;
    const int64_t n = ir_source_read(source, at, bytes, COPY_BYTES);
    if (n <= 0)
      return report_changed(pair, source, errno != 0 ? strerror(errno) : "the file became shorter");
    if (!ir_out_file_write(pair->bin, bytes, (size_t)n))
      return IR_OK;
    at += n;
  }
  if (weights->tail == NULL)
    return IR_OK;
  if (at > weights->tail_begin)
    return report_changed(pair, source, "the file became longer");
  memset(bytes, 0, sizeof bytes);
  if (ir_out_file_write(pair->bin, bytes, (size_t)(weights->tail_begin - at)))
    ir_out_file_write(pair->bin, weights->tail, (size_t)(weights->size - weights->tail_begin));
  return IR_OK;
}

bool ir_out_pair_has_copy(const ir_out_pair *pair, const ir_weights *weights) {
  struct stat opened, there;
  return weights->tail == NULL && ir_same_place(weights->path, pair->bin_path) &&
         fstat(weights->source->fd, &opened) == 0 && stat(pair->bin_path, &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

ir_code ir_out_pair_without_bin(ir_out_pair *pair, bool has_constants) {
  if (access(pair->bin_path, F_OK) != 0)
    return IR_OK;
  if (!has_constants)
    return ir_out_pair_open(pair, pair->bin_path, &pair->bin);
  ir_note(&pair->model->context->diags, (ir_where){0}, "'%s' is there, of whatever model, and will be taken for them",
          pair->bin_path);
  return IR_OK;
}

ir_code ir_out_pair_commit(const ir_out_pair *pair) {
  return pair->bin == NULL ? ir_out_file_commit(pair->xml)
                           : ir_out_files_commit((ir_out_file *const[]){pair->bin, pair->xml}, 2);
}

void ir_out_pair_discard(ir_out_pair *pair) {
  ir_out_file *const files[] = {pair->xml, pair->bin};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (files[i] != NULL)
      ir_out_file_discard(files[i]);
    ir_free(&pair->model->context->memory, files[i]);
  }
  ir_free(&pair->model->context->memory, pair->bin_path);
}
