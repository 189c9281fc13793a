/* Reads the text of an IR that was edited in memory. */
#ifndef IR_MODEL_READ_H
#define IR_MODEL_READ_H

#include "runtime/model/model.h"

typedef struct ir_edited_text {
  const char *name;          /* names the text in diagnostics */
  irrun_buffer text;         /* the XML; it must outlive the model */
  const ir_weights *weights; /* of the model that was edited; NULL: there are none */
  irrun_buffer tail; /* new constants, which follow the .bin from offset tail_begin; they must outlive the model */
  int64_t tail_begin;
  bool checks_ports; /* wrong declarations of ports (IR301, IR302) are errors: nothing corrects them later */
} ir_edited_text;

/* Reads and checks the text like irrun_model_read with IRRUN_TO_CONVERT. */
irrun_status ir_read_edited(irrun_context *context, const ir_edited_text *edited, irrun_model **out_model);

#endif
