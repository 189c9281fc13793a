#include "ng_file.h"
#include "base/limits.h"
#include "base/message_text.h"
#include "ng_archive.h"
#include "ng_reader.h"
#include <errno.h>
#include <string.h>

static ir_where nowhere(const ir_graph *graph) {
  return (ir_where){.source = graph->source, .at = IR_NOWHERE};
}

/* Reads bytes [begin, end) of the source, without a byte order mark. The caller frees `text->bytes`. */
static ir_code load(const ir_graph *graph, int64_t begin, int64_t end, ir_diags *diags, ng_text *text) {
  char mark[3];
  if (end - begin >= 3 && ir_source_read(graph->source, begin, mark, 3) == 3 && memcmp(mark, "\xef\xbb\xbf", 3) == 0)
    begin += 3;
  char *bytes = ir_alloc(graph->memory, (size_t)(end - begin) + 1);
  *text = (ng_text){.bytes = bytes, .size = end - begin, .begin = begin, .source = graph->source};
  if (bytes == NULL)
    return ir_out_of_memory(diags);
  const int64_t n = ir_source_read(graph->source, begin, bytes, text->size);
  bytes[n > 0 ? n : 0] = '\0';
  if (n == text->size)
    return IR_OK;
  return ir_report(diags, IR701_FILE_NOT_READABLE, nowhere(graph), "cannot read the model: %s",
                   n < 0 ? strerror(errno) : "it became shorter while it was read");
}

/* Drops the weights, and warns if the user gave them: an nGraph model contains its constants. */
static void drop_weights(ir_graph *graph, ir_diags *diags) {
  if (graph->weights != NULL && graph->weights->given)
    ir_report_as(diags, IR405_BIN_UNUSED_BYTES, IR_WARNING, nowhere(graph),
                 "'%s' is not read: an nGraph model holds its constants itself", graph->weights->path);
  ir_weights_free(graph->weights);
  graph->weights = NULL;
}

static ir_code read_text(ir_graph *graph, ir_diags *diags, ng_archive *archive) {
  int64_t begin = 0, end = graph->source->size;
  if (archive != NULL) {
    begin = graph->source->text_begin = archive->records[0].begin;
    end = graph->source->text_end = begin + archive->records[0].size;
  }
  ng_text text;
  ng_tree tree = {.root = NULL};
  ir_code code = load(graph, begin, end, diags, &text);
  if (code == IR_OK)
    code = ng_tree_read(&text, graph->memory, diags, &tree);
  if (code == IR_OK)
    code = ng_read_functions(graph, &tree, archive, diags);
  ng_tree_reset(&tree, graph->memory);
  ir_free(graph->memory, (char *)text.bytes);
  return code;
}

static void report_unused(const ir_graph *graph, const ng_archive *archive, ir_diags *diags) {
  for (size_t i = 1; i < archive->n; i++)
    if (!archive->records[i].used)
      ir_report(diags, IR405_BIN_UNUSED_BYTES, nowhere(graph), "the archive's record '%s' (%s) is not read",
                archive->records[i].name, ir_count(archive->records[i].size, "byte").text);
}

ir_code ir_ng_read(ir_source *source, ir_graph *graph, ir_diags *diags) {
  graph->source = source;
  graph->dialect = IR_NGRAPH;
  drop_weights(graph, diags);
  if (!ng_is_archive(source))
    return read_text(graph, diags, NULL);
  ng_archive archive;
  ir_code code = ng_archive_read(source, graph->memory, diags, &archive);
  if (code == IR_OK)
    code = read_text(graph, diags, &archive);
  if (code == IR_OK)
    report_unused(graph, &archive, diags);
  ng_archive_reset(&archive);
  return code;
}
