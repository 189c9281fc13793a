/* Each rule has a text and an example for --explain and the documents; tests/unit/rule_examples_test.c runs the
 * examples. `part` is the part of an example model that `wrong` and `right` replace: "file" and "ngraph" are whole
 * models, "conversion" is a model to convert. If `part` is "command", both are shell commands for a folder with those
 * models and some tensors; if `part` is "none", no example is possible. */
#include "diag/rules.h"

#define DOCS         "https://docs.openvino.ai/2026/documentation/openvino-ir-format"
#define OPERATION(p) DOCS "/operation-sets/operation-specs/" p ".html"
#define AVG_POOL     OPERATION("pooling/avg-pool-1")
#define MAX_POOL     OPERATION("pooling/max-pool-8")
#define ADAPTIVE     OPERATION("pooling/adaptive-avg-pool-8")
#define REDUCE_MEAN  OPERATION("reduction/reduce-mean-1")
#define ADD          OPERATION("arithmetic/add-1")
#define BROADCASTS   DOCS "/operation-sets/broadcast-rules.html"
#define RESHAPE      OPERATION("shape/reshape-1")
#define SQUEEZE      OPERATION("shape/squeeze-1")
#define MATMUL       OPERATION("matrix/matmul-1")
#define ASSIGN       OPERATION("infrastructure/assign-6")
#define LOOP         OPERATION("infrastructure/loop-5")
#define CONCAT       OPERATION("movement/concat-1")
#define POOL_SHAPES  OPERATION("pooling/pooling_shape_rules")
#define NGRAPH_OPS   "nGraph, https://github.com/NervanaSystems/ngraph"
#define CONSTANT     OPERATION("infrastructure/constant-1")
#define PARAMETER    OPERATION("infrastructure/parameter-1")
#define RESULT       OPERATION("infrastructure/result-1")
#define FORMAT       "OpenVINO IR format, " DOCS ".html"
#define OPSETS       "OpenVINO operation sets, " DOCS "/operation-sets/available-opsets.html"
#define XML          "XML 1.0, https://www.w3.org/TR/xml/"
#define JSON         "RFC 8259, https://www.rfc-editor.org/rfc/rfc8259"
#define NUMPY        "NumPy's .npy format, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html"
#define ISCLOSE      "numpy.isclose, https://numpy.org/doc/stable/reference/generated/numpy.isclose.html"
#define IRRUN        "irrun's own rule"
#define NGRAPH       "nGraph, https://github.com/NervanaSystems/ngraph"

const ir_rule_text ir_rule_texts[IR_RULE_COUNT] = {
#include "diag/rule_texts_file.inc"
#include "diag/rule_texts_graph.inc"
#include "diag/rule_texts_ngraph.inc"
#include "diag/rule_texts_op.inc"
#include "diag/rule_texts_run.inc"
#include "diag/rule_texts_shape.inc"
};
