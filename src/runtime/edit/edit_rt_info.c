/* Sets rt_info of the model. Values are set one after another in the edited text, for several can be in one new
 * element. */
#include "parser/ir_tag.h"
#include "runtime/edit/editing.h"
#include "runtime/edit/remarks.h"

#include <string.h>

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

/* Finds the child whose key is the first one of the path. Returns false if there is none, or if memory is out. */
static bool find_key(ir_editing *e, const ir_buffer *text, const ir_element *parent, const char *path,
                     ir_element *child) {
  const size_t length = strcspn(path, "/");
  *child = (ir_element){0};
  while (ir_next_child(text->data, parent, NULL, child)) {
    const char *key = ir_rt_key(&e->arena, text->data, child);
    if (key != NULL && strlen(key) == length && memcmp(key, path, length) == 0)
      return true;
  }
  return false;
}

/* Finds the element of the path, or the innermost one around it; `*out_rest` is the part of the path that is not there,
 * or NULL. */
static void find_path(ir_editing *e, const ir_buffer *text, const char *path, ir_element *out, const char **out_rest) {
  const ir_element root = {.content_end = (int64_t)text->n, .end = (int64_t)text->n};
  ir_element child;
  *out = (ir_element){0};
  ir_next_child(text->data, &root, "net", out);
  for (*out_rest = path; *out_rest != NULL && find_key(e, text, out, *out_rest, &child); *out = child) {
    const char *slash = strchr(*out_rest, '/');
    *out_rest = slash == NULL ? NULL : slash + 1;
  }
}

ir_code ir_edit_rt_info(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  (void)subject;
  struct ir_rt_value *item = ir_arena_alloc(&e->arena, sizeof *item), **last = &e->rt_values;
  ir_element element;
  const char *rest;
  if (item == NULL)
    return ir_out_of_memory(e->diags);
  if (strstr(word, "//") != NULL || word[strlen(word) - 1] == '/')
    return ir_edit_fault(e, "'%s' is no path of names, as rt_info/model_info/labels", word);
  find_path(e, &e->text, word, &element, &rest);
  const char *old = rest == NULL ? ir_rt_attribute(&e->arena, e->text.data, &element, "value") : NULL;
  if (old != NULL && strcmp(old, value) == 0)
    return IR_OK;
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

static ir_code set_value(ir_editing *e, ir_buffer *text, const struct ir_rt_value *item) {
  ir_element element, child = {0};
  const char *rest;
  ir_buffer value = {.memory = text->memory}, by = {.memory = text->memory};
  int64_t place[2];
  e->edit = item->edit;
  find_path(e, text, item->path, &element, &rest);
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
  ir_code code = IR_OK;
  for (const struct ir_rt_value *item = e->rt_values; item != NULL && code != IR_NO_MEMORY; item = item->next)
    code = ir_code_worse(code, set_value(e, text, item));
  return code;
}
