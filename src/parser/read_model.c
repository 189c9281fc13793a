#include "read_model.h"
#include "ir_xml.h"
#include "ng_file.h"
#include "sniff.h"
#include <errno.h>
#include <string.h>

static const char *hint_for(ir_file_kind kind) {
  switch (kind) {
  case IR_FILE_ONNX:
  case IR_FILE_MODEL:
    return "convert it with OpenVINO's 'ovc', then give the .xml that it writes";
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

ir_code ir_read_model(ir_source *source, ir_graph *graph, ir_diags *diags) {
  const char *description;
  const ir_file_kind kind = ir_sniff(source, &description);
  if (kind == IR_FILE_XML)
    return ir_xml_read(source, graph, diags);
  if (kind == IR_FILE_NGRAPH)
    return ir_ng_read(source, graph, diags);
  graph->source = source;
  const ir_where where = {.source = source, .at = IR_NOWHERE};
  if (kind == IR_FILE_UNREADABLE)
    return ir_report(diags, IR701_FILE_NOT_READABLE, where, "cannot read the model: %s", strerror(errno));
  ir_code code = ir_report(diags, IR002_NOT_AN_IR, where, "%s is %s, not an OpenVINO IR", source->name, description);
  ir_hint(diags, "%s", hint_for(kind));
  return code;
}
