/* Sets rt_info of the model. Values are set one after another in the text of the <rt_info>, for several can be in one
 * new element. */
#include "parser/ir_tag.h"
#include "runtime/edit/editing.h"
#include "runtime/edit/remarks.h"

#include <string.h>

#define RT_INFO "rt_info/" /* what paths begin with */

/* A value to set: `path` is "rt_info/model_info/labels". */
struct ir_rt_value {
  const char *path, *value, *edit;
  struct ir_rt_value *next;
};

/* Whether a key can be the name of a tag. */
static bool is_tag_name(const char *key, size_t length) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char others[] = "-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return strspn(key, first) > 0 && strspn(key, others) >= length;
}

/* Begins a tag with the first key of the path. A key that is no name of XML becomes <info name="KEY". */
static void open_tag(ir_buffer *text, const char *path) {
  const size_t length = strcspn(path, "/");
  const bool is_name = is_tag_name(path, length);
  ir_buffer_add_text(text, is_name ? "<" : "<info name=\"");
  ir_add_escaped(text, path, length);
  ir_buffer_add_text(text, is_name ? "" : "\"");
}

static void close_tag(ir_buffer *text, const char *path) {
  const size_t length = strcspn(path, "/");
  const bool is_name = is_tag_name(path, length);
  ir_buffer_add_text(text, "</");
  ir_buffer_add(text, is_name ? path : "info", is_name ? length : strlen("info"));
  ir_buffer_add_text(text, ">");
}

static void add_value(ir_buffer *text, const char *value) {
  ir_buffer_add_text(text, " value=\"");
  ir_add_escaped(text, value, strlen(value));
  ir_buffer_add_text(text, "\"");
}

/* Adds <A><B value="..."/></A>, for the path "A/B". */
static void add_path(ir_buffer *text, const char *path, const char *value) {
  const char *last = path;
  for (; strchr(last, '/') != NULL; last = strchr(last, '/') + 1) {
    open_tag(text, last);
    ir_buffer_add_text(text, ">");
  }
  open_tag(text, last);
  add_value(text, value);
  ir_buffer_add_text(text, "/>");
  while (last > path) {
    for (last--; last > path && last[-1] != '/';)
      last--;
    close_tag(text, last);
  }
}

/* Finds the model's <rt_info>, and <net> around it. Returns false if there is none. */
static bool find_rt_info(const ir_buffer *text, ir_element *net, ir_element *out) {
  const ir_element root = {.content_end = (int64_t)text->n, .end = (int64_t)text->n};
  *net = *out = (ir_element){0};
  const bool found = ir_next_child(text->data, &root, "net", net) && ir_next_child(text->data, net, "rt_info", out);
  if (!found)
    *out = (ir_element){0};
  return found;
}

/* Finds the child whose key is the first one of the path; else `child->end` is 0. */
static ir_code find_key(ir_editing *e, const ir_buffer *text, const ir_element *parent, const char *path,
                        ir_arena *keys, ir_element *child) {
  const size_t length = strcspn(path, "/");
  *child = (ir_element){0};
  while (ir_next_child(text->data, parent, NULL, child)) {
    const char *key = ir_rt_key(keys, text->data, child);
    if (key == NULL)
      return ir_out_of_memory(e->diags);
    if (strlen(key) == length && memcmp(key, path, length) == 0)
      return IR_OK;
  }
  *child = (ir_element){0};
  return IR_OK;
}

/* Finds the element of the path in `rt_info`, or the innermost one around it; `*out_rest` is the part of the path that
 * is not there, or NULL. */
static ir_code find_path(ir_editing *e, const ir_buffer *text, const ir_element *rt_info, const char *path,
                         ir_element *out, const char **out_rest) {
  ir_code code = IR_OK;
  ir_element child = *rt_info;
  ir_arena keys;
  ir_arena_init(&keys, text->memory, (size_t)IR_MAX_ARENA_BYTES);
  *out = child;
  *out_rest = path + strlen(RT_INFO);
  while (*out_rest != NULL && code == IR_OK) {
    const char *slash = strchr(*out_rest, '/');
    code = find_key(e, text, out, *out_rest, &keys, &child);
    if (child.end == 0)
      break;
    *out = child;
    *out_rest = slash == NULL ? NULL : slash + 1;
  }
  ir_arena_reset(&keys);
  return code;
}

/* Whether the file has the value already. */
static ir_code find_same(ir_editing *e, const char *path, const char *value, bool *out_is_same) {
  ir_element net, element;
  const char *rest, *old = NULL;
  *out_is_same = false;
  if (!e->knows_rt_info)
    find_rt_info(&e->text, &net, &e->rt_info);
  e->knows_rt_info = true;
  if (e->rt_info.end == 0)
    return IR_OK;
  ir_code code = find_path(e, &e->text, &e->rt_info, path, &element, &rest);
  if (code == IR_OK && rest == NULL)
    old = ir_rt_attribute(&e->arena, e->text.data, &element, "value");
  *out_is_same = old != NULL && strcmp(old, value) == 0;
  return code;
}

ir_code ir_edit_rt_info(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)subject;
  struct ir_rt_value *item = ir_arena_alloc(&e->arena, sizeof *item), **last = &e->rt_values;
  bool is_same;
  if (item == NULL)
    return ir_out_of_memory(e->diags);
  if (strstr(word, "//") != NULL || word[strlen(word) - 1] == '/')
    return ir_edit_fault(e, "'%s' is no path of names, as rt_info/model_info/labels", word);
  ir_code code = find_same(e, word, value, &is_same);
  if (code != IR_OK || is_same)
    return code;
  while (*last != NULL)
    last = &(*last)->next;
  *item = (struct ir_rt_value){.path = word, .value = value, .edit = e->edit};
  *last = item;
  e->n_changes++;
  return IR_OK;
}

/* Replaces bytes [begin, end) of the text. */
static bool splice(ir_buffer *text, int64_t begin, int64_t end, const ir_buffer *by) {
  ir_buffer result = {.memory = text->memory};
  ir_buffer_add(&result, text->data, (size_t)begin);
  ir_buffer_add(&result, by->data, by->n);
  ir_buffer_add(&result, text->data + end, text->n - (size_t)end);
  if (result.out_of_memory || by->out_of_memory) {
    ir_buffer_reset(&result);
    return false;
  }
  ir_buffer_reset(text);
  *text = result;
  return true;
}

/* Sets a value in `text`, which is that of the <rt_info>. */
static ir_code set_value(ir_editing *e, ir_buffer *text, const struct ir_rt_value *item) {
  ir_element rt_info = {0}, element, child = {0};
  const char *rest;
  ir_buffer value = {.memory = text->memory}, by = {.memory = text->memory};
  int64_t place[2];
  e->edit = item->edit;
  ir_element_at(text->data, (int64_t)text->n, 0, &rt_info);
  ir_code code = find_path(e, text, &rt_info, item->path, &element, &rest);
  if (code != IR_OK)
    return code;
  const bool has_value = ir_element_attribute(text->data, &element, "value", &place[0], &place[1]);
  if (rest != NULL && has_value)
    return ir_edit_fault(e, "'%s': the element around '%s' is a value, and has nothing inside", item->path, rest);
  if (rest == NULL && !has_value && ir_next_child(text->data, &element, NULL, &child))
    return ir_edit_fault(e, "'%s' has no value, but more names inside", item->path);
  if (rest != NULL) {
    add_path(&value, rest, item->value);
    ir_put_inside(text->data, &element, value.out_of_memory ? "" : value.data, &by, place);
  } else if (has_value) {
    ir_add_escaped(&by, item->value, strlen(item->value));
  } else {
    place[0] = place[1] = ir_attributes_end(text->data, &element);
    add_value(&by, item->value);
  }
  const bool ok = !value.out_of_memory && splice(text, place[0], place[1], &by);
  ir_buffer_reset(&value);
  ir_buffer_reset(&by);
  return ok ? IR_OK : ir_out_of_memory(e->diags);
}

ir_code ir_set_rt_values(ir_editing *e, ir_buffer *text) {
  ir_buffer info = {.memory = text->memory};
  ir_element net, old;
  ir_code code = IR_OK;
  if (e->rt_values == NULL)
    return IR_OK;
  if (find_rt_info(text, &net, &old))
    ir_buffer_add(&info, text->data + old.begin, (size_t)(old.end - old.begin));
  else {
    ir_buffer_add_text(&info, "<rt_info></rt_info>");
    old.begin = old.end = net.content_end;
  }
  if (info.out_of_memory)
    code = ir_out_of_memory(e->diags);
  for (const struct ir_rt_value *item = e->rt_values; item != NULL && code != IR_NO_MEMORY; item = item->next)
    code = ir_code_worse(code, set_value(e, &info, item));
  if (code == IR_OK && !splice(text, old.begin, old.end, &info))
    code = ir_out_of_memory(e->diags);
  ir_buffer_reset(&info);
  return code;
}
