#include "ops/registry.h"
#include "base/number_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IR_OP(name) extern const ir_op ir_op_##name;
#include "ops/op_list.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OP

static const ir_op *const op_rows[] = {
#define IR_OP(name) &ir_op_##name,
#include "ops/op_list.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OP
};

/* The opsets `first` to `last` of OpenVINO, in which a type means the op's `version`. */
typedef struct opset_row {
  const char *type;
  int first, last, version;
} opset_row;

static const opset_row opset_rows[] = {
#define IR_OPSET_OP(type, first, last, version) {type, first, last, version},
#include "ops/opset_table.inc"
#ifdef IR_EXTRA_OP_LIST
#include IR_EXTRA_OP_LIST
#endif
#undef IR_OPSET_OP
};

/* An op of nGraph. Bit v of `versions`: op_version v exists. Rows are sorted by type. */
typedef struct ngraph_row {
  const char *type;
  unsigned versions;
} ngraph_row;

static const ngraph_row ngraph_rows[] = {
#define IR_NGRAPH_OP(type, versions) {type, versions},
#include "ops/ngraph/op_table.inc"
#undef IR_NGRAPH_OP
};

#define N_NGRAPH_ROWS (sizeof ngraph_rows / sizeof ngraph_rows[0])
#define N_OP_ROWS     (sizeof op_rows / sizeof op_rows[0])
#define N_OPSET_ROWS  (sizeof opset_rows / sizeof opset_rows[0])

const ir_op *ir_op_at(size_t index) {
  return index < N_OP_ROWS ? op_rows[index] : NULL;
}

int ir_opset_last(void) {
  int last = 0;
  for (size_t i = 0; i < N_OPSET_ROWS; i++)
    last = opset_rows[i].last > last ? opset_rows[i].last : last;
  return last;
}

/* The number of an opset's name: "opset7" is 7. -1 for any other text. */
static int opset_number(const char *text) {
  if (strncmp(text, "opset", 5) != 0 || text[5] < '1' || text[5] > '9' || strlen(text) > 8)
    return -1;
  char *end;
  long number = strtol(text + 5, &end, 10);
  return *end == '\0' ? (int)number : -1;
}

/* The first row of a type, found by bisection. N_OPSET_ROWS if there is none. */
static size_t first_opset_row(const char *type) {
  size_t low = 0, high = N_OPSET_ROWS;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(opset_rows[middle].type, type) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < N_OPSET_ROWS && strcmp(opset_rows[low].type, type) == 0 ? low : N_OPSET_ROWS;
}

/* The first row of a type, ignoring case. N_OPSET_ROWS if there is none. Const must be spelled exactly, because
 * OpenVINO requires it. */
static size_t first_row_in_any_case(const char *type) {
  for (size_t i = 0; i < N_OPSET_ROWS && strcasecmp(type, "Const") != 0; i++)
    if (strcasecmp(type, opset_rows[i].type) == 0)
      return i;
  return N_OPSET_ROWS;
}

/* Ops that old files use in an opset before the one that introduced them. OpenVINO accepts exactly these pairs. */
static const struct {
  const char *type, *opset;
  int read_as;
} moved_ops[] = {
    {"MVN", "opset1", 2},
    {"ROIPooling", "opset1", 2},
    {"ReorgYolo", "opset1", 2},
#define IR_MOVED(type)                                                                                                 \
  {type, "experimental", 6}, {                                                                                         \
    type, "extension", 6                                                                                               \
  }
    IR_MOVED("ExperimentalDetectronDetectionOutput"),
    IR_MOVED("ExperimentalDetectronGenerateProposalsSingleImage"),
    IR_MOVED("ExperimentalDetectronPriorGridGenerator"),
    IR_MOVED("ExperimentalDetectronROIFeatureExtractor"),
    IR_MOVED("ExperimentalDetectronTopKROIs"),
    IR_MOVED("GRUCell"),
    IR_MOVED("Proposal"),
    IR_MOVED("RNNCell"),
#undef IR_MOVED
};

static int opset_of(const char *type, const char *opset) {
  for (size_t i = 0; i < sizeof moved_ops / sizeof moved_ops[0]; i++)
    if (strcmp(type, moved_ops[i].type) == 0 && strcmp(opset, moved_ops[i].opset) == 0)
      return moved_ops[i].read_as;
  return opset_number(opset);
}

static const ir_op *find_row(ir_dialect dialect, const char *type, int version) {
  for (size_t i = 0; i < N_OP_ROWS; i++)
    if (op_rows[i]->dialect == dialect && op_rows[i]->version == version && strcmp(op_rows[i]->type, type) == 0)
      return op_rows[i];
  return NULL;
}

static const char *nearest_name(const char *type, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcasecmp(names[i], type) == 0)
      return names[i];
  return ir_did_you_mean(type, names, n);
}

static const char *nearest_type(const char *type) {
  const char *names[N_OPSET_ROWS];
  for (size_t i = 0; i < N_OPSET_ROWS; i++)
    names[i] = opset_rows[i].type;
  /* OpenVINO's C++ class is "Constant"; files spell it "Const" */
  return strcasecmp(type, "Constant") == 0 ? "Const" : nearest_name(type, names, N_OPSET_ROWS);
}

static const char *nearest_ngraph_type(const char *type) {
  const char *names[N_NGRAPH_ROWS];
  for (size_t i = 0; i < N_NGRAPH_ROWS; i++)
    names[i] = ngraph_rows[i].type;
  return nearest_name(type, names, N_NGRAPH_ROWS);
}

static int compare_type(const void *type, const void *row) {
  return strcmp(type, ((const ngraph_row *)row)->type);
}

static ir_op_match find_ngraph(const char *type, const char *version) {
  ir_op_match match = {.result = IR_OP_UNKNOWN_TYPE};
  const ngraph_row *row = bsearch(type, ngraph_rows, N_NGRAPH_ROWS, sizeof *ngraph_rows, compare_type);
  int64_t number;
  if (row == NULL) {
    match.meant = nearest_ngraph_type(type);
    return match;
  }
  match.opset_first = __builtin_ctz(row->versions);
  match.opset_last = 31 - __builtin_clz(row->versions);
  if (ir_text_number(version, strlen(version), &number) != IR_NUMBER_OK) {
    match.result = IR_OP_UNKNOWN_OPSET;
  } else if (number < 0 || number > match.opset_last || (row->versions >> number & 1) == 0) {
    match.result = IR_OP_NOT_IN_OPSET;
  } else {
    match.version = (int)number;
    match.op = find_row(IR_NGRAPH, type, match.version);
    match.result = match.op != NULL ? IR_OP_FOUND : IR_OP_NOT_HERE;
  }
  return match;
}

bool ir_opset_exists(const char *opset) {
  int number = opset_number(opset);
  return number >= 1 && number <= ir_opset_last();
}

/* Whether the text is a misspelt opset, such as "Opset1", "opset1x" or "ospet1". False for other names, such as
 * "custom_ops". */
static bool is_meant_for_opset(const char *text) {
  char name[16];
  size_t length = strcspn(text, "0123456789");
  if (strncasecmp(text, "opset", 5) == 0)
    return true;
  if (length >= sizeof name)
    return false;
  memcpy(name, text, length);
  name[length] = '\0';
  return ir_misspells(name, "opset");
}

static ir_op_match find_openvino(const char *type, const char *opset) {
  ir_op_match match = {.result = IR_OP_UNKNOWN_TYPE};
  size_t first = first_opset_row(type);
  if (first == N_OPSET_ROWS)
    first = first_row_in_any_case(type);
  const char *spelt = first < N_OPSET_ROWS ? opset_rows[first].type : NULL;
  int number = opset_of(type, opset);
  if (number < 0 && !is_meant_for_opset(opset)) {
    match.result = IR_OP_OF_EXTENSION;
    return match;
  }
  for (size_t i = first; i < N_OPSET_ROWS && strcmp(opset_rows[i].type, spelt) == 0; i++) {
    const opset_row *row = &opset_rows[i];
    if (match.opset_first == 0)
      match.opset_first = row->first;
    match.opset_last = row->last;
    if (number >= row->first && number <= row->last) {
      match.version = row->version;
      match.op = find_row(IR_OPENVINO, row->type, row->version);
      match.result = match.op != NULL ? IR_OP_FOUND : IR_OP_NOT_HERE;
    } else if (match.result == IR_OP_UNKNOWN_TYPE) {
      match.result = IR_OP_NOT_IN_OPSET;
    }
  }
  if ((match.result == IR_OP_FOUND || match.result == IR_OP_NOT_HERE) && strcmp(spelt, type) != 0)
    match.type = spelt;
  else if (match.result == IR_OP_UNKNOWN_TYPE)
    match.meant = nearest_type(type);
  else if (match.result == IR_OP_NOT_IN_OPSET && !ir_opset_exists(opset))
    match.result = IR_OP_UNKNOWN_OPSET;
  return match;
}

/* The tools of the time ignored the case of types. A type that they did not know was an extension's. */
static ir_op_match find_legacy(const char *type) {
  const char *names[N_OP_ROWS];
  size_t n = 0;
  for (size_t i = 0; i < N_OP_ROWS; i++) {
    if (op_rows[i]->dialect != IR_LEGACY)
      continue;
    if (strcasecmp(op_rows[i]->type, type) == 0)
      return (ir_op_match){.result = IR_OP_FOUND, .op = op_rows[i], .version = op_rows[i]->version};
    names[n++] = op_rows[i]->type;
  }
  const char *meant = ir_did_you_mean(type, names, n);
  return (ir_op_match){.result = meant != NULL ? IR_OP_UNKNOWN_TYPE : IR_OP_OF_EXTENSION, .meant = meant};
}

ir_op_match ir_op_find(ir_dialect dialect, const char *type, const char *opset) {
  return dialect == IR_NGRAPH   ? find_ngraph(type, opset)
         : dialect == IR_LEGACY ? find_legacy(type)
                                : find_openvino(type, opset);
}

bool ir_op_opsets(const ir_op *op, int *out_first, int *out_last) {
  *out_first = *out_last = 0;
  for (size_t i = 0; op->dialect == IR_OPENVINO && i < N_OPSET_ROWS; i++)
    if (opset_rows[i].version == op->version && strcmp(opset_rows[i].type, op->type) == 0) {
      *out_first = opset_rows[i].first;
      *out_last = opset_rows[i].last;
      return true;
    }
  return false;
}
