#include "read_model.h"
#include "base/limits.h"
#include "ir_prolog.h"
#include "ir_xml.h"
#include "ng_file.h"
#include "sniff.h"
#include <errno.h>

static const char *hint_for(ir_file_kind kind) {
  switch (kind) {
  case IR_FILE_ONNX:
  case IR_FILE_MODEL:
    return "convert it with OpenVINO's 'ovc', then give the .xml that it writes";
  case IR_FILE_BLOB:
    return "it holds no model that another program could read: give the .xml that it was compiled from";
  case IR_FILE_TENSOR:
    return "give the model first, and tensors with --input or --expect";
  case IR_FILE_POINTER:
    return IR_POINTER_HINT;
  case IR_FILE_BINARY:
    return "give the .xml of the model; its .bin is found beside it, or given with --weights";
  case IR_FILE_EMPTY:
    return "it may be cut short: copy or export it again";
  case IR_FILE_JSON:
    return "give the .xml of a model, or an nGraph model: an array of functions with 'name', 'parameters', 'result' "
           "and 'ops'";
  default:
    return "give the .xml of a model";
  }
}

/* Copies the first bytes of a stream, from which ir_sniff finds the kind of file. If they are blanks, copies more.
 * Returns 0 or an errno. */
static int fetch_head(ir_source *source) {
  int error = 0;
  int64_t begin = 0;
  while (error == 0 && source->stream >= 0 && source->size <= IR_MAX_STREAM_TEXT &&
         source->size < begin + IR_SNIFF_HEAD) {
    error = ir_source_fetch(source, 2 * begin + IR_SNIFF_HEAD);
    begin = ir_text_begin(source);
  }
  return error;
}

/* Copies the rest of a stream, and reports a model that exceeds the limits. */
static ir_code fetch_rest(ir_source *source, ir_diags *diags) {
  const ir_where where = {.source = source, .at = IR_NOWHERE};
  const bool is_stream = source->stream >= 0;
  char text[IR_SOURCE_ERROR_TEXT];
  const int error = ir_source_fetch(source, IR_MAX_STREAM_TEXT + 1);
  if (error != 0)
    return ir_report(diags, IR701_FILE_NOT_READABLE, where, "cannot read the model: %s",
                     ir_source_error_text(error, text, sizeof text));
  if (is_stream && source->size > IR_MAX_STREAM_TEXT) {
    ir_code code = ir_report(diags, IR004_LIMIT_EXCEEDED, where, "a stream of more than %lld bytes",
                             (long long)IR_MAX_STREAM_TEXT);
    ir_hint(diags, "save it as a file: irrun reads longer models from files");
    return code;
  }
  if (source->size > IR_MAX_MODEL_BYTES)
    return ir_report(diags, IR004_LIMIT_EXCEEDED, where, "the file has %lld bytes; irrun reads models up to %lld",
                     (long long)source->size, (long long)IR_MAX_MODEL_BYTES);
  return IR_OK;
}

ir_code ir_read_model(ir_source *source, ir_graph *graph, ir_diags *diags) {
  const ir_where where = {.source = source, .at = IR_NOWHERE};
  const char *description;
  char text[IR_SOURCE_ERROR_TEXT];
  graph->source = source;
  int error = fetch_head(source);
  const ir_file_kind kind = error == 0 ? ir_sniff(source, &description) : IR_FILE_UNREADABLE;
  if (kind == IR_FILE_UNREADABLE)
    return ir_report(diags, IR701_FILE_NOT_READABLE, where, "cannot read the model: %s",
                     ir_source_error_text(error == 0 ? errno : error, text, sizeof text));
  if (kind == IR_FILE_XML || kind == IR_FILE_NGRAPH) {
    ir_code code = fetch_rest(source, diags);
    if (code != IR_OK)
      return code;
    return kind == IR_FILE_XML ? ir_xml_read(source, graph, diags) : ir_ng_read(source, graph, diags);
  }
  ir_code code = ir_report(diags, IR002_NOT_AN_IR, where, "%s is %s, not an OpenVINO IR", source->name, description);
  ir_hint(diags, "%s", hint_for(kind));
  return code;
}
