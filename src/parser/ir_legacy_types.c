#include "ir_legacy_types.h"
#include "ir_fields.h"
#include <string.h>

ir_type ir_legacy_precision(ir_reader *reader, const ir_text *text, const char *attribute, ir_type fallback) {
  ir_type type = fallback;
  if (text->text == NULL || text->length == 0 || ir_text_is(text, "MIXED", 5) || ir_text_is(text, "UNSPECIFIED", 11))
    return fallback;
  if (ir_text_is(text, "BIN", 3))
    return IR_U1;
  const ir_field field = {reader->graph, reader->layer, attribute, text};
  if (ir_field_precision(&field, reader->diags, &type) != IR_OK && reader->layer != NULL)
    reader->layer->broken = true;
  return type;
}

ir_code ir_begin_legacy_net(ir_reader *reader, const ir_tag *tag) {
  ir_fields fields;
  ir_code code = ir_find_fields(reader, tag, IR_ELEMENT_LEGACY_NET, &fields);
  reader->graph->dialect = IR_LEGACY;
  reader->graph->precision = ir_legacy_precision(reader, &fields.at[IR_NET_PRECISION], "precision", IR_F32);
  if (code == IR_OK && fields.has_unknown)
    ir_report_unknown(reader, tag, IR_ELEMENT_LEGACY_NET);
  return code;
}

void ir_take_layer_precision(ir_reader *reader, const ir_fields *fields) {
  reader->layer->precision =
      ir_legacy_precision(reader, &fields->at[IR_LAYER_PRECISION], "precision", reader->graph->precision);
}
