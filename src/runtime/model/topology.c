/* Sorts layers topologically; finds cycles and unneeded layers. All walks are loops over arrays, without recursion. */
#include "base/message_text.h"
#include "runtime/model/model.h"
#include <stdio.h>
#include <string.h>

/* consumers[first[i] .. first[i + 1]) are the nodes that read node i, once for each input. */
typedef struct consumer_lists {
  int32_t *first, *consumers;
} consumer_lists;

static bool linked(const irrun_model *model, int32_t node, int32_t input) {
  return model->nodes[node].inputs[input].layer >= 0;
}

static bool make_consumers(const irrun_model *model, consumer_lists *lists) {
  const ir_memory *memory = model->graph.memory;
  size_t n = model->graph.n_layers, n_links = 0;
  lists->first = ir_alloc_zero(memory, n + 2, sizeof *lists->first);
  if (lists->first == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    for (int32_t p = 0; p < model->nodes[i].n_inputs; p++)
      if (linked(model, (int32_t)i, p)) {
        lists->first[model->nodes[i].inputs[p].layer + 2]++;
        n_links++;
      }
  for (size_t i = 2; i < n + 2; i++)
    lists->first[i] += lists->first[i - 1];
  lists->consumers = ir_alloc_zero(memory, n_links + 1, sizeof *lists->consumers);
  if (lists->consumers == NULL)
    return false;
  /* first[i + 1] is the next free position in node i's list; at the end it is the end of the list */
  for (size_t i = 0; i < n; i++)
    for (int32_t p = 0; p < model->nodes[i].n_inputs; p++)
      if (linked(model, (int32_t)i, p))
        lists->consumers[lists->first[model->nodes[i].inputs[p].layer + 1]++] = (int32_t)i;
  return true;
}

static void free_consumers(const irrun_model *model, consumer_lists *lists) {
  ir_free(model->graph.memory, lists->first);
  ir_free(model->graph.memory, lists->consumers);
}

/* Kahn's algorithm. Sorts nodes into model->order, and returns their number. Nodes that are in a cycle, or depend on
 * one, are left out. waiting[i] counts the inputs of node i whose producers are not sorted yet. */
static int32_t sort_nodes(irrun_model *model, const consumer_lists *lists, int32_t *waiting) {
  int32_t n = (int32_t)model->graph.n_layers, n_sorted = 0;
  for (int32_t i = 0; i < n; i++) {
    waiting[i] = 0;
    for (int32_t p = 0; p < model->nodes[i].n_inputs; p++)
      waiting[i] += linked(model, i, p);
    if (waiting[i] == 0)
      model->order[n_sorted++] = i;
  }
  for (int32_t at = 0; at < n_sorted; at++) {
    int32_t node = model->order[at];
    for (int32_t c = lists->first[node]; c < lists->first[node + 1]; c++)
      if (--waiting[lists->consumers[c]] == 0)
        model->order[n_sorted++] = lists->consumers[c];
  }
  return n_sorted;
}

/* ---- cycles ---- */

#define SHOWN_OF_CYCLE 8

/* State of Tarjan's algorithm, which finds strongly connected components among the nodes that are not sorted. Arrays
 * replace recursion. */
typedef struct cycle_search {
  irrun_model *model;
  const int32_t *waiting;
  int32_t *number, *low;  /* `number`: order of visits, from 1; 0: not visited; -1: component is done. `low`: lowest
                             number reachable */
  int32_t *frame, *input; /* `frame`: nodes of the search path; `input`: for each of these, the next input to follow */
  int32_t *stack, *walk;
  int32_t n_stack, n_visited;
} cycle_search;

/* The producer of the next input of `node` that is not sorted either; -1: there is none. Begins at input `*input`, and
 * advances `*input`. */
static int32_t next_waiting(const cycle_search *search, int32_t node, int32_t *input) {
  const ir_node *at = &search->model->nodes[node];
  while (*input < at->n_inputs) {
    int32_t from = at->inputs[(*input)++].layer;
    if (from >= 0 && search->waiting[from] > 0)
      return from;
  }
  return -1;
}

/* Reports a cycle in which walk[i + 1] feeds walk[i]. The message begins with the layer that is first in the file. */
static void report_cycle(irrun_model *model, const int32_t *walk, int32_t length) {
  char text[1024];
  size_t used = 0;
  int32_t begin = 0;
  for (int32_t i = 1; i < length; i++)
    begin = walk[i] < walk[begin] ? i : begin;
  for (int32_t i = 0; i < length && i < SHOWN_OF_CYCLE && used < sizeof text; i++) {
    const ir_layer *layer = model->nodes[walk[(begin + length - i) % length]].layer;
    used += (size_t)snprintf(text + used, sizeof text - used, "'%s' (id %lld) -> ", ir_shown_text(layer->name).text,
                             (long long)layer->id);
  }
  const ir_layer *first = model->nodes[walk[begin]].layer;
  if (used < sizeof text && length > SHOWN_OF_CYCLE)
    used += (size_t)snprintf(text + used, sizeof text - used, "%d more -> ", length - SHOWN_OF_CYCLE);
  if (used < sizeof text)
    snprintf(text + used, sizeof text - used, "'%s'", ir_shown_text(first->name).text);
  ir_where where = ir_layer_where(&model->graph, first, first->at);
  if (length == 1)
    ir_report(&model->context->diags, IR107_CYCLE, where, "layer '%s' feeds itself", first->name);
  else
    ir_report(&model->context->diags, IR107_CYCLE, where, "%d layers feed each other in a cycle: %s", length, text);
}

/* Reports a cycle of a strongly connected component; `low` of its nodes is `root`. Follows inputs within the component
 * until a node repeats. A single node is a cycle only if it feeds itself. */
static void report_component(cycle_search *search, const int32_t *members, int32_t n_members, int32_t root) {
  const ir_node *nodes = search->model->nodes;
  int32_t *walk = search->walk;
  int32_t node = members[0], length = 0;
  bool loops = n_members > 1;
  for (int32_t p = 0; p < nodes[node].n_inputs; p++)
    loops = loops || nodes[node].inputs[p].layer == node;
  if (!loops)
    return;
  while (search->number[node] != 0) {
    search->number[node] = 0;
    walk[length++] = node;
    int32_t next = -1, input = 0;
    while (next < 0 || search->low[next] != root)
      next = next_waiting(search, node, &input);
    node = next;
  }
  int32_t begin = 0;
  while (walk[begin] != node)
    begin++;
  report_cycle(search->model, walk + begin, length - begin);
}

/* Removes a component from the top of the stack, and reports its cycle. `node` was visited first in the component. */
static void take_component(cycle_search *search, int32_t node) {
  int32_t begin = search->n_stack, root = search->number[node];
  do
    begin--;
  while (search->stack[begin] != node);
  int32_t n_members = search->n_stack - begin;
  for (int32_t i = begin; i < search->n_stack; i++)
    search->low[search->stack[i]] = root;
  report_component(search, search->stack + begin, n_members, root);
  for (int32_t i = begin; i < search->n_stack; i++)
    search->number[search->stack[i]] = -1;
  search->n_stack = begin;
}

static void visit(cycle_search *search, int32_t node, int32_t depth) {
  search->number[node] = search->low[node] = ++search->n_visited;
  search->stack[search->n_stack++] = node;
  search->frame[depth] = node;
  search->input[depth] = 0;
}

static void search_from(cycle_search *search, int32_t start) {
  int32_t depth = 0;
  visit(search, start, 0);
  while (depth >= 0) {
    int32_t node = search->frame[depth], next = next_waiting(search, node, &search->input[depth]);
    if (next >= 0 && search->number[next] == 0) {
      visit(search, next, ++depth);
      continue;
    }
    if (next >= 0) {
      if (search->number[next] > 0 && search->number[next] < search->low[node])
        search->low[node] = search->number[next];
      continue;
    }
    if (search->low[node] == search->number[node])
      take_component(search, node);
    if (--depth >= 0 && search->low[node] < search->low[search->frame[depth]] && search->number[node] > 0)
      search->low[search->frame[depth]] = search->low[node];
  }
}

static ir_code find_cycles(irrun_model *model, const int32_t *waiting) {
  const ir_memory *memory = model->graph.memory;
  size_t n = model->graph.n_layers;
  int32_t *room = ir_alloc_zero(memory, 6 * n, sizeof *room);
  if (room == NULL)
    return ir_out_of_memory(&model->context->diags);
  cycle_search search = {.model = model,
                         .waiting = waiting,
                         .number = room,
                         .low = room + n,
                         .frame = room + 2 * n,
                         .input = room + 3 * n,
                         .stack = room + 4 * n,
                         .walk = room + 5 * n};
  for (size_t i = 0; i < n; i++)
    if (waiting[i] > 0 && search.number[i] == 0)
      search_from(&search, (int32_t)i);
  ir_free(memory, room);
  return IR_OK;
}

/* ---- what is needed ---- */

static bool is_output(const ir_node *node) {
  return ir_op_is(node->op, IR_RUN_OUTPUT);
}

void ir_mark_needed(const ir_node *nodes, int32_t *stack, int32_t n_stack, const bool *given, bool *needed) {
  for (int32_t i = 0; i < n_stack; i++)
    needed[stack[i]] = true;
  while (n_stack > 0) {
    const int32_t layer = stack[--n_stack];
    const ir_node *node = &nodes[layer];
    if (given != NULL && given[layer])
      continue;
    for (int32_t p = 0; p < node->n_inputs; p++) {
      int32_t from = node->inputs[p].layer;
      if (from < 0 || needed[from])
        continue;
      needed[from] = true;
      stack[n_stack++] = from;
    }
  }
}

/* Whether the layer can be a misspelt Result: it has no outputs, and its op is unknown, which was reported. */
static bool may_be_result(const ir_node *node) {
  return node->op == NULL && node->layer->n_outputs == 0;
}

static void check_dead(irrun_model *model, const consumer_lists *lists) {
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    /* in a chain of unneeded layers, report only the last */
    if (node->live || lists->first[i + 1] > lists->first[i])
      continue;
    if (may_be_result(node))
      continue;
    bool input = ir_op_is(node->op, IR_RUN_INPUT);
    /* Unneeded inputs are normal in nGraph models, which are often parts of larger models. Unneeded inputs are also
     * normal in bodies: a Loop's body can ignore the loop's condition. */
    if (input && (model->graph.dialect == IR_NGRAPH || model->owner != NULL))
      continue;
    ir_report(&model->context->diags, IR109_DEAD_LAYER, ir_layer_where(&model->graph, node->layer, node->layer->at),
              input ? "no Result needs the input '%s'; it need not be given"
                    : "no Result needs layer '%s'; it is never computed",
              node->layer->name);
  }
}

static bool may_have_result(const irrun_model *model) {
  for (size_t i = 0; i < model->graph.n_layers; i++)
    if (may_be_result(&model->nodes[i]))
      return true;
  return false;
}

/* Reports a model without a Result. OpenVINO accepts such a model, so only a run reports an error. */
static void report_no_result(irrun_model *model) {
  ir_diags *diags = &model->context->diags;
  const ir_where where = {.source = model->graph.source, .at = ir_span_of(model->graph.at)};
  if (may_have_result(model))
    return;
  if (model->purpose == IRRUN_TO_RUN)
    ir_report_firm(diags, IR210_NOT_RUNNABLE_HERE, where, "the model has no outputs: there is nothing to run");
  else
    ir_report(diags, IR108_NO_RESULT, where,
              model->graph.n_layers == 0 ? "the %s has no layers" : "the %s has no Result: it computes nothing",
              model->owner != NULL ? "body" : "model");
  ir_hint(diags, "end the model with a layer of type \"Result\" behind every output");
}

/* Whether the node is an Assign: needed even without a Result, because it keeps a value for the next execution. */
static bool is_sink(const irrun_model *model, const ir_node *node) {
  return model->graph.dialect == IR_OPENVINO && strcmp(node->layer->type, "Assign") == 0;
}

ir_code ir_model_find_live(irrun_model *model) {
  const ir_memory *memory = model->graph.memory;
  const size_t n = model->graph.n_layers;
  int32_t *stack = ir_alloc_zero(memory, n + 1, sizeof *stack), n_ends = 0;
  bool *needed = ir_alloc_zero(memory, n + 1, sizeof *needed);
  const bool room = stack != NULL && needed != NULL;
  for (size_t i = 0; room && i < n; i++)
    if (is_output(&model->nodes[i]) || is_sink(model, &model->nodes[i]))
      stack[n_ends++] = (int32_t)i;
  if (room)
    ir_mark_needed(model->nodes, stack, n_ends, NULL, needed);
  /* without a Result and an Assign, all nodes are live, so that only the missing Result is reported */
  for (size_t i = 0; room && i < n; i++)
    model->nodes[i].live = needed[i] || n_ends == 0;
  model->has_ends = n_ends > 0;
  ir_free(memory, needed);
  ir_free(memory, stack);
  return room ? IR_OK : ir_out_of_memory(&model->context->diags);
}

static bool make_io_lists(irrun_model *model) {
  size_t n = model->graph.n_layers;
  model->inputs = ir_arena_array(&model->arena, n + 1, sizeof *model->inputs);
  model->outputs = ir_arena_array(&model->arena, n + 1, sizeof *model->outputs);
  if (model->inputs == NULL || model->outputs == NULL)
    return false;
  for (size_t i = 0; i < n; i++) {
    const ir_op *op = model->nodes[i].op;
    if (ir_op_is(op, IR_RUN_INPUT))
      model->inputs[model->n_inputs++] = (int32_t)i;
    if (is_output(&model->nodes[i]))
      model->outputs[model->n_outputs++] = (int32_t)i;
  }
  return true;
}

/* Finds the nodes whose results do not depend on constants alone. */
static void find_varying(irrun_model *model) {
  for (size_t at = 0; at < model->graph.n_layers; at++) {
    ir_node *node = &model->nodes[model->order[at]];
    node->varies =
        !ir_op_is(node->op, IR_RUN_CONSTANT) && (node->op == NULL || node->n_inputs == 0 || !ir_op_folds(node->op));
    for (int32_t i = 0; i < node->n_inputs && !node->varies; i++)
      node->varies = node->inputs[i].layer >= 0 && model->nodes[node->inputs[i].layer].varies;
  }
}

ir_code ir_model_order(irrun_model *model) {
  const ir_memory *memory = model->graph.memory;
  int32_t n = (int32_t)model->graph.n_layers;
  consumer_lists lists = {NULL, NULL};
  int32_t *waiting = ir_alloc_zero(memory, (size_t)n + 1, sizeof *waiting);
  model->order = ir_arena_array(&model->arena, (size_t)n + 1, sizeof *model->order);
  ir_code code = IR_OK;
  if (waiting == NULL || model->order == NULL || !make_consumers(model, &lists) || !make_io_lists(model)) {
    code = ir_out_of_memory(&model->context->diags);
    goto end;
  }
  int32_t n_sorted = sort_nodes(model, &lists, waiting);
  if (n_sorted < n) {
    code = find_cycles(model, waiting);
    model->links_faulty = true;
    /* nodes that are not sorted come last; their inputs are poisoned, but their attributes are checked */
    for (int32_t i = 0; i < n; i++)
      if (waiting[i] > 0) {
        model->nodes[i].in_cycle = true;
        model->order[n_sorted++] = i;
      }
  }
  find_varying(model);
  if (!model->has_ends)
    report_no_result(model);
  else if (!model->links_faulty)
    check_dead(model, &lists);
end:
  free_consumers(model, &lists);
  ir_free(memory, waiting);
  return code;
}
