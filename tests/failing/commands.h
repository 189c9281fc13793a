/* Command lines of every mode. Left out: --against openvino and MODEL.onnx, which need Python's packages, and --update,
 * which writes into the folder of the cases. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_ARGUMENTS = 8, MAX_OUTPUTS = 3 };

typedef struct command {
  const char *name, *arguments[MAX_ARGUMENTS], *outputs[MAX_OUTPUTS], *folder;
  int status;        /* of a run without failure */
  bool is_new;       /* no output exists before the run; otherwise the first does */
  bool varies;       /* report and outputs contain times, so only their ends are compared */
  bool shows_faults; /* outputs show a model at fault, too */
  bool shows_places; /* the report has lines of the model file, unless it cannot be read again */
} command;

#define SOURCES  "sources/"
#define MODELS   SOURCES "models/"
#define FAMILIES SOURCES "tests/golden/families/"
#define FAULTY   SOURCES "tests/faults/IR301_reshape.xml"
#define NET      SOURCES "tests/failing/net.xml", "--weights=net.bin" /* loads oneDNN */

static const command commands[] = {
    {.name = "help", .arguments = {"--help"}},
    {.name = "version", .arguments = {"--version"}, .varies = true},
    {.name = "list_ops", .arguments = {"--list-ops=Pool", "--json"}},
    {.name = "list_rules", .arguments = {"--list-rules"}},
    {.name = "explain", .arguments = {"--explain=IR304,AvgPool-14"}},
    {.name = "man", .arguments = {"--generate=man"}},
    {.name = "completions", .arguments = {"--generate=bash"}},
    {.name = "edits", .arguments = {"--generate=edits"}},
    {.name = "check", .arguments = {"--check-shapes", MODELS "networks/global_pools.xml"}},
    {.name = "faults", .arguments = {"--check-shapes", FAULTY}, .status = 3, .shows_places = true},
    {.name = "json", .arguments = {"--check-shapes", "--json", MODELS "networks/global_pools.xml"}},
    {.name = "sarif", .arguments = {"--check-shapes", "--format=sarif", FAULTY}, .status = 3, .shows_places = true},
    {.name = "github", .arguments = {"--check-shapes", "--format=github", FAULTY}, .status = 3, .shows_places = true},
    {.name = "folder", .arguments = {"--check-shapes", MODELS "avg_pool"}, .shows_places = true},
    {.name = "watch", .arguments = {"--check-shapes", "--watch", MODELS "avg_pool/f16.xml"}},
    {.name = "baseline", .arguments = {"--check-shapes", "--baseline=known", FAULTY}},
    {.name = "write_baseline",
     .arguments = {"--check-shapes", "--write-baseline=new", FAULTY},
     .outputs = {"new"},
     .is_new = true},
    {.name = "constants",
     .arguments = {"--check-shapes", "--save-all=all.npz", "--stats", MODELS "networks/digits.xml"},
     .outputs = {"all.npz"}},
    {.name = "page",
     .arguments = {"--report=page.html", "-q", MODELS "networks/digits.xml"},
     .outputs = {"page.html"},
     .shows_faults = true},
    {.name = "page_of_run",
     .arguments = {"--report=page.html", "-q", MODELS "networks/digits.xml", "--fill=random"},
     .outputs = {"page.html"},
     .varies = true},
    {.name = "rt_info", .arguments = {"--rt-info", "-v", MODELS "networks/digits.xml"}},
    {.name = "plan", .arguments = {"--show-plan", MODELS "networks/digits.xml"}},
    {.name = "plan_json", .arguments = {"--show-plan", "--json", MODELS "networks/digits.xml"}},
    {.name = "plan_of_products", .arguments = {"--show-plan", NET}, .varies = true},
    {.name = "plan_picture",
     .arguments = {"--show-plan=plan.svg", MODELS "networks/digits.xml"},
     .outputs = {"plan.svg"}},
    {.name = "dot", .arguments = {"--graph=dot", MODELS "networks/digits.xml"}},
    {.name = "mermaid",
     .arguments = {"--graph=mermaid", "--output=graph", MODELS "networks/digits.xml"},
     .outputs = {"graph"},
     .shows_faults = true},
    {.name = "svg",
     .arguments = {"--graph=svg", "--output=graph.svg", MODELS "avg_pool/f16.xml"},
     .outputs = {"graph.svg"}},
    {.name = "diff", .arguments = {"--diff=" MODELS "avg_pool/f16.xml", MODELS "avg_pool/bf16.xml"}, .status = 1},
    {.name = "run", .arguments = {MODELS "demo/pool.xml", "--threads=1", "--input", MODELS "demo/x.npy"}},
    {.name = "expect",
     .arguments = {FAMILIES "shape.xml", "--threads=1", "--input", FAMILIES "shape/io.npz", "--expect",
                   FAMILIES "shape/io.npz"}},
    {.name = "output",
     .arguments = {MODELS "max_pool/indices_in_plane.xml", "--threads=1", "--fill=iota", "--output=all.npz",
                   "--output=folder/"},
     .outputs = {"all.npz", "folder/y.npy", "folder/indices.npy"},
     .folder = "folder"},
    {.name = "save",
     .arguments = {MODELS "max_pool/indices_in_plane.xml", "--threads=1", "--fill=iota", "--save-all=all.npz"},
     .outputs = {"all.npz"}},
    {.name = "folder_of_inputs", .arguments = {MODELS "demo/pool.xml", "-q", "--input", "inputs"}},
    {.name = "heatmap",
     .arguments = {MODELS "demo/pool.xml", "--fill=iota", "--expect", MODELS "demo/seven.npy", "--heatmap=map.png"},
     .outputs = {"map.png"},
     .status = 1},
    {.name = "against",
     .arguments = {MODELS "networks/digits.xml", "--fill=random", "--against", MODELS "networks/digits.xml",
                   "--isolate"}},
    {.name = "profile",
     .arguments = {MODELS "networks/digits.xml", "--fill=random", "-q", "--profile=trace.json"},
     .outputs = {"trace.json"},
     .varies = true},
    {.name = "steps",
     .arguments = {MODELS "networks/repeater.xml", "--llm", "--input=input_ids=1,2", "--step", "--input=input_ids=1",
                   "--save-state=state.npz"},
     .outputs = {"state.npz"}},
    {.name = "greedy", .arguments = {MODELS "networks/repeater.xml", "--greedy=3", "--input=input_ids=1,2"}},
    {.name = "old", .arguments = {MODELS "old/colors.xml", "--embed-preprocess", "--fill=random"}},
    {.name = "one_thread", .arguments = {NET, "--fill=ones", "--threads=1"}},
    {.name = "threads", .arguments = {NET, "--fill=ones", "--threads=3"}},
    {.name = "plain", .arguments = {NET, "--fill=ones", "--threads=3", "--kernels=plain"}},
    {.name = "bench",
     .arguments = {"--bench=8", "--parallel=4", "--threads=4", "-q", MODELS "demo/pool.xml"},
     .varies = true},
    {.name = "bench_products", .arguments = {"--bench=2", "--parallel=2", "--threads=4", "-q", NET}, .varies = true},
    {.name = "test", .arguments = {"--test", "--threads=1", SOURCES "tests/cli/cases"}},
    {.name = "junit",
     .arguments = {"--test", "--threads=3", "--junit=out.xml", SOURCES "tests/cli/cases"},
     .outputs = {"out.xml"},
     .varies = true},
    {.name = "convert",
     .arguments = {"--convert=out.xml", MODELS "ngraph/old_spelling.json"},
     .outputs = {"out.xml", "out.bin"}},
    {.name = "correct",
     .arguments = {"--convert=out.xml", MODELS "old/colors.xml"},
     .outputs = {"out.xml", "out.bin"},
     .shows_places = true},
    {.name = "cut",
     .arguments = {"--cut=stages.2/blocks.0/token_mixer/minus", MODELS "networks/pool_mixer.xml", "--threads=1",
                   "--fill=random", "--output=out.xml"},
     .outputs = {"out.npz", "out.xml", "out.bin"}},
    {.name = "edit",
     .arguments = {"--edit=input_ids: i32", MODELS "networks/repeater.xml", "--output=out.xml"},
     .outputs = {"out.xml", "out.bin"}},
    {.name = "dry_run", .arguments = {"--edit=input_ids: i32", MODELS "networks/repeater.xml", "--dry-run"}},
};

#endif
