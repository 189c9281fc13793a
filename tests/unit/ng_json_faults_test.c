/* Tests what the nGraph JSON reader reports about faulty models: each rule, the place, and k diagnostics for k
 * faults. */
#include "read_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Places the text in a model, at line 2, column 1. */
#define TEXT(text) "[{\"name\":\"f\",\"ops\":\n" text

static void broken_json(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {TEXT(""), "IR010 error 1:20", IR_INVALID},
      {TEXT("[{\"name\"}]}]"), "IR010 error 2:9", IR_INVALID},
      {TEXT("[1,]"), "IR010 error 2:4", IR_INVALID},
      {TEXT("[,1]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[1 2]"), "IR010 error 2:4", IR_INVALID},
      {TEXT("[1}"), "IR010 error 2:3", IR_INVALID},
      {TEXT("{\"a\":1,}"), "IR010 error 2:8", IR_INVALID},
      {TEXT("{\"a\" 1}"), "IR010 error 2:6", IR_INVALID},
      {TEXT("{\"a\":}"), "IR010 error 2:6", IR_INVALID},
      {TEXT("{a:1}"), "IR010 error 2:2", IR_INVALID},
      {TEXT("{'a':1}"), "IR010 error 2:2", IR_INVALID},
      {TEXT("{\"a\":1]"), "IR010 error 2:7", IR_INVALID},
      {TEXT("[True]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[nul]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[truee]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[NaN]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[-Infinity]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("['a']"), "IR010 error 2:2", IR_INVALID},
      {TEXT("// no\n[]"), "IR010 error 2:1", IR_INVALID},
      {TEXT("[01]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[-]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[+1]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[.5]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[5.]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[1e]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[0x10]"), "IR010 error 2:2", IR_INVALID},
      {TEXT("[1, \"a"), "IR010 error 2:7", IR_INVALID},
      {TEXT("[1, \"a\\"), "IR010 error 2:8", IR_INVALID},
      {TEXT("[1, \"a\n\"]"), "IR010 error 2:7", IR_INVALID},
      {TEXT("[1, \"a\tb\"]"), "IR010 error 2:7", IR_INVALID},
      {TEXT("[1, \"\\x\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\u12g4\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\ud800\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\udc00\\ud800\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\ud800\\udbff\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\udbff\\udc00\"]}][]"), "IR010 error 2:22", IR_INVALID},
      {TEXT("[1, \"\\u0000\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\u001f\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\\b\"]"), "IR010 error 2:6", IR_INVALID},
      {TEXT("[1, \"\xff\"]"), "IR006 error 2:6", IR_INVALID},
      {TEXT("[1, \"\xc3(\"]"), "IR006 error 2:6", IR_INVALID},
      {TEXT("[1, \xed\xa0\x80]"), "IR006 error 2:5", IR_INVALID},
      {TEXT("[]}]\n more"), "IR010 error 3:2", IR_INVALID},
      {TEXT("[]}][]"), "IR010 error 2:5", IR_INVALID},
  };
  CHECK(cases);
  static const char behind[] = TEXT("[]}]\0"), inside[] = TEXT("[\"a\0\"]}]"), between[] = TEXT("[\0]}]");
  check_bytes(behind, sizeof behind - 1, "IR010 error 2:5", IR_INVALID);
  check_bytes(inside, sizeof inside - 1, "IR010 error 2:4", IR_INVALID);
  check_bytes(between, sizeof between - 1, "IR010 error 2:2", IR_INVALID);
}

#define MODEL(function)  "[{\"name\":\"f\"," function "}]"
#define OPS(ops)         MODEL("\"parameters\":[\"X\"],\"result\":[\"R\"],\"ops\":[\n" X ",\n" ops ",\n" R "]")
#define X                "{\"name\":\"X\",\"op\":\"Parameter\",\"element_type\":\"float\",\"shape\":[1]}"
#define R                "{\"name\":\"R\",\"op\":\"Result\",\"inputs\":[\"X\"]}"
#define LISTS(p, r, ops) MODEL("\"parameters\":[\n" p "],\"result\":[\n" r "],\"ops\":[\n" ops "]")

static void functions(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {"{\"name\":\"f\",\"parameters\":[]}", "IR012 error 1:1", IR_INVALID},
      {"[1, {\"name\":\"f\",\"ops\":[],\"parameters\":[],\"result\":[]}]", "IR012 error 1:2", IR_INVALID},
      {"[{\"name\":1,\"parameters\":{},\"result\":\"R\",\"ops\":null}]",
       "IR012 error 1:10, IR012 error 1:25, IR012 error 1:37, IR012 error 1:47", IR_INVALID},
      {"[{\"name\":\"f\",\"ops\":[]}]", "IR204 error 1:2, IR204 error 1:2", IR_INVALID},
      {"[{\"name\":\"f\",\"ops\":[],\"paramters\":[],\"result\":[]}]", "IR204 error 1:2, IR205 warning 1:24",
       IR_INVALID},
      {MODEL("\"parameters\":[],\"result\":[],\"ops\":[],\"result_shape\":[]"), "", IR_OK},
      {MODEL("\"parameters\":[],\"result\":[],\"ops\":[\n1,null]"), "IR012 error 2:1, IR012 error 2:3", IR_OK},
      {MODEL("\"parameters\":[],\"result\":[],\"ops\":[],\n\"ops\":[]"), "IR011 error 2:2", IR_OK},
  };
  CHECK(cases);
}

static void fields_of_nodes(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {OPS("{\"op\":\"Relu\"}"), "IR204 error 3:1", IR_OK},
      {OPS("{\"name\":\"\",\"op\":\"Relu\"}"), "IR206 error 3:9", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"\"}"), "IR206 error 3:18", IR_OK},
      {OPS("{\"name\":3,\"op\":\"Relu\"}"), "IR012 error 3:9", IR_OK},
      {OPS("{\"name\":\"A\"}"), "IR204 error 3:1", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":[]}"), "IR012 error 3:18", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"op_version\":\"1\"}"), "IR012 error 3:38", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"op_version\":1.5}"), "IR206 error 3:38", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"op_version\":-1}"), "IR207 error 3:38", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"op_version\":99999999999999999999}"), "IR207 error 3:38", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"friendly_name\":1}"), "IR012 error 3:41", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"inputs\":\"X\"}"), "IR012 error 3:34", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"outputs\":[\"t\",1]}"), "IR012 error 3:40", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"attribute_visitor\":1}"), "IR012 error 3:45", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\n\"kernel\":\"2,2\",\"exclude_pad\":1,\"pad_type\":\"0\"}"),
       "IR012 error 4:10, IR012 error 4:30, IR012 error 4:43", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"name\":\"B\"}"), "IR011 error 3:26", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Constant\"}"), "IR204 error 3:1", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Constant\",\"value\":[\"1\",2,3]}"), "IR012 error 3:42", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Constant\",\"value\":[],\"value_type\":{}}"), "IR204 error 3:53, IR204 error 3:53",
       IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Constant\",\"value\":[],\"value_type\":[]}"), "IR012 error 3:53", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Constant\",\"value\":[],\"element_type\":{},\"shape\":[]}"), "IR204 error 3:55",
       IR_OK},
  };
  CHECK(cases);
}

static void inputs(void **state) {
  (void)state;
#define INPUTS(inputs) OPS("{\"name\":\"A\",\"op\":\"Relu\",\"inputs\":[" inputs "]}")
  static const fault_case cases[] = {
      {INPUTS("\"Y\""), "IR103 error 3:36", IR_OK},
      {INPUTS("\"X\",\"Y\",\"Z\""), "IR103 error 3:40, IR103 error 3:44", IR_OK},
      {INPUTS("\"A\""), "IR107 error 3:36", IR_OK},
      {INPUTS("\"R\""), "IR115 error 3:36", IR_OK},
      {INPUTS("1"), "IR012 error 3:35", IR_OK},
      {INPUTS("{}"), "IR204 error 3:35, IR204 error 3:35", IR_OK},
      {INPUTS("{\"node\":\"X\"}"), "IR204 error 3:35", IR_OK},
      {INPUTS("{\"node\":\"X\",\"index\":\"0\"}"), "IR012 error 3:55", IR_OK},
      {INPUTS("{\"node\":\"X\",\"index\":-1}"), "IR207 error 3:55", IR_OK},
      {INPUTS("{\"node\":\"X\",\"index\":0.5}"), "IR206 error 3:55", IR_OK},
      {INPUTS("{\"node\":\"X\",\"index\":99999999999999999999}"), "IR207 error 3:55", IR_OK},
      {INPUTS("{\"node\":[],\"index\":0}"), "IR012 error 3:43", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"control_deps\":[\"Y\",1]}"), "IR103 error 3:42, IR012 error 3:45", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"GetOutputElement\",\"n\":1,\"inputs\":[{\"node\":\"X\",\"index\":0}]}"),
       "IR209 warning 3:41", IR_OK},
      {OPS("{\"name\":\"A\",\"op\":\"GetOutputElement\",\"n\":\"1\",\"inputs\":[\"X\"]}"), "IR012 error 3:41", IR_OK},
      /* a cycle of two nodes: only the name that is used before its node is reported */
      {OPS("{\"name\":\"A\",\"op\":\"Relu\",\"inputs\":[\"B\"]},\n{\"name\":\"B\",\"op\":\"Relu\",\"inputs\":[\"A\"]}"),
       "IR115 error 3:36", IR_OK},
      /* the node without a name can be the missing Y, so Y is not reported */
      {OPS("{\"op\":\"Relu\"},{\"name\":\"A\",\"op\":\"Relu\",\"inputs\":[\"Y\"]}"), "IR204 error 3:1", IR_OK},
      {OPS("{\"name\":\"X\",\"op\":\"Relu\",\"inputs\":[\"X\"]}"), "IR114 error 3:10", IR_OK},
  };
  CHECK(cases);
}

static void lists(void **state) {
  (void)state;
#define Y "{\"name\":\"Y\",\"op\":\"Parameter\",\"element_type\":\"float\",\"shape\":[1]}"
  static const fault_case cases[] = {
      {LISTS("", "\"R\"", X ",\n" R), "IR116 error 4:10", IR_OK},
      {LISTS("\"X\",\"X\"", "\"R\"", X ",\n" R), "IR116 error 2:6", IR_OK},
      {LISTS("\"X\",\"R\"", "\"R\"", X ",\n" R), "IR116 error 2:6", IR_OK},
      {LISTS("\"X\",\"Z\"", "\"R\"", X ",\n" R), "IR103 error 2:6", IR_OK},
      {LISTS("\"X\",1", "\"R\"", X ",\n" R), "IR012 error 2:5", IR_OK},
      {LISTS("\"X\"", "\"R\",\"X\"", X ",\n" R), "IR117 error 3:6", IR_OK},
      {LISTS("\"X\"", "\"X\",\"X\",\"R\"", X ",\n" R), "IR117 error 3:10", IR_OK},
      {LISTS("\"X\"", "\"Z\",{}", X ",\n" R), "IR103 error 3:2, IR012 error 3:5", IR_OK},
      /* nodes that no result needs, which nGraph ignores */
      {LISTS("\"X\"", "\"R\"", X ",\n" R ",\n" Y), "IR109 warning 6:10", IR_OK},
      {LISTS("\"X\"", "\"R\"", X ",\n" R ",\n" Y ",\n{\"name\":\"A\",\"op\":\"Relu\",\"inputs\":[\"Y\"]}"),
       "IR109 warning 6:10", IR_OK},
      {LISTS("\"X\"", "\"X\"", X ",\n" R), "IR109 warning 5:10", IR_OK},
      {LISTS("\"X\",\"Y\"", "\"R\"", X ",\n" R ",\n" Y), "", IR_OK},
  };
  CHECK(cases);
}

static void archives(void **state) {
  (void)state;
  static const char trailer[] = "\xc7\x71"
                                "abcdefghijklmnopqr"
                                "\x0b\0\0\0\0\0TRAILER!!!\0",
                    no_name[] = "\xc7\x71"
                                "abcdefghijklmnopqr"
                                "\0\0\0\0\0\0",
                    long_name[] = "\xc7\x71"
                                  "abcdefghijklmnopqr"
                                  "\xff\xff\0\0\0\0",
                    large[] = "\x71\xc7"
                              "abcdefghijklmnopqr"
                              "\0\2\xff\xff\xff\xff"
                              "m\0[]",
                    no_magic[] = "\x71\xc7"
                                 "abcdefghijklmnopqr"
                                 "\0\2\0\0\0\2m\0[]0000000000000000000000000000",
                    json[] = "\x71\xc7"
                             "abcdefghijklmnopqr"
                             "\0\2\0\0\0\2m\0[]\x71\xc7"
                             "abcdefghijklmnopqr"
                             "\0\x0b\0\0\0\0TRAILER!!!\0",
                    bracket[] = "\x71\xc7"
                                "abcdefghijklmnopqr"
                                "\0\2\0\0\0\2m\0]}\x71\xc7"
                                "abcdefghijklmnopqr"
                                "\0\x0b\0\0\0\0TRAILER!!!\0";
  check_bytes(trailer, sizeof trailer, "IR013 error 0:0", IR_INVALID);
  check_bytes(no_name, sizeof no_name - 1, "IR013 error 0:0", IR_INVALID);
  check_bytes(long_name, sizeof long_name - 1, "IR013 error 0:0", IR_INVALID);
  check_bytes(large, sizeof large - 1, "IR013 error 0:0", IR_INVALID);
  check_bytes(no_magic, sizeof no_magic - 1, "IR013 error 0:0", IR_INVALID);
  check_bytes(json, sizeof json, "IR012 error 1:1", IR_INVALID);
  check_bytes(bracket, sizeof bracket, "IR010 error 1:1", IR_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broken_json), cmocka_unit_test(functions), cmocka_unit_test(fields_of_nodes),
      cmocka_unit_test(inputs),      cmocka_unit_test(lists),     cmocka_unit_test(archives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
