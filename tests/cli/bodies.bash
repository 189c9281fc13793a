# Writes models with bodies: If, Loop and TensorIterator. For bats files.

# layer ID NAME TYPE-OPSET ATTRIBUTES N_INPUTS [TYPE]...: prints a layer with N_INPUTS inputs and an output of each
# TYPE.
layer() {
  local id=$1 name=$2 type=${3%-*} opset=${3##*-} data=$4 n=$5 i
  shift 5
  echo "<layer id=\"$id\" name=\"$name\" type=\"$type\" version=\"opset$opset\">${data:+<data $data/>}"
  [ "$n" -eq 0 ] || echo "<input>$(for ((i = 0; i < n; i++)); do echo "<port id=\"$i\"/>"; done)</input>"
  [ $# -eq 0 ] || echo "<output>$(for i; do echo "<port id=\"$((n++))\" precision=\"$i\"/>"; done)</output>"
  [ "$type" = Loop ] || [ "$type" = TensorIterator ] || [ "$type" = If ] || echo "</layer>"
}

# parameter ID NAME SHAPE TYPE: prints a Parameter.
parameter() {
  layer "$1" "$2" Parameter-1 "shape=\"$3\" element_type=\"$4\"" 0 "$4"
}

# result ID NAME: prints a Result.
result() {
  layer "$1" "$2" Result-1 "" 1
}

# edges FROM:PORT-TO:PORT...: prints the edges of a model.
edges() {
  local edge
  echo "<edges>"
  for edge; do
    sed -E 's|(.*):(.*)-(.*):(.*)|<edge from-layer="\1" from-port="\2" to-layer="\3" to-port="\4"/>|' <<<"$edge"
  done
  echo "</edges>"
}

# Print lines of a port map: input PORT PARAMETER [ATTRIBUTES]; output PORT RESULT [ATTRIBUTES]; back RESULT PARAMETER.
input() {
  echo "<input external_port_id=\"$1\" internal_layer_id=\"$2\" ${3-}/>"
}
output() {
  echo "<output external_port_id=\"$1\" internal_layer_id=\"$2\" ${3-}/>"
}
back() {
  echo "<edge from-layer=\"$1\" to-layer=\"$2\"/>"
}

# if_model FILE [SHAPE]: writes a model with y = x + x if c is true, otherwise y = x * x * x.
if_model() {
  cat >"$1" <<EOF
<net name="if" version="11"><layers>
$(parameter 0 c "" boolean)$(parameter 1 x "${2:-3}" f32)
$(layer 2 branch If-8 "" 2 FP32)
<then_port_map>$(input 1 0)$(output 0 2)</then_port_map>
<else_port_map>$(input 1 0)$(output 0 3)</else_port_map>
<then_body><layers>$(parameter 0 a "${2:-3}" f32)$(layer 1 twice Add-1 "" 2 FP32)$(result 2 r)</layers>
$(edges 0:0-1:0 0:0-1:1 1:2-2:0)</then_body>
<else_body><layers>$(parameter 0 b "${2:-3}" f32)$(layer 1 square Multiply-1 "" 2 FP32)$(layer 2 cube Multiply-1 "" 2 FP32)$(result 3 r)
</layers>$(edges 0:0-1:0 0:0-1:1 1:2-2:0 0:0-2:1 2:2-3:0)</else_body></layer>
$(result 3 y)</layers>$(edges 0:0-2:0 1:0-2:1 2:2-3:0)</net>
EOF
}

# loop_model FILE: writes a Loop that adds `step` to s. It stops after n iterations, or as soon as s >= limit. `all` has
# s after each iteration, `numbers` the number of each iteration.
loop_model() {
  cat >"$1" <<EOF
<net name="loop" version="11"><layers>
$(parameter 0 n "" i64)$(parameter 1 go "" boolean)$(parameter 2 s 1 f32)$(parameter 3 step 1 f32)$(parameter 4 limit 1 f32)
$(layer 5 loop Loop-5 "" 5 FP32 FP32 I64)
<port_map>$(input 2 0)$(input 3 1)$(input 4 2)$(input -1 3 'purpose="current_iteration"')
$(output -1 8 'purpose="execution_condition"')$(output 5 7)$(output 6 7 'axis="0" start="0" end="-1" stride="1" part_size="1"')
$(output 7 9 'axis="0" start="0" end="-1" stride="1" part_size="1"')</port_map>
<back_edges>$(back 7 0)</back_edges>
<body><layers>$(parameter 0 sum 1 f32)$(parameter 1 add 1 f32)$(parameter 2 most 1 f32)$(parameter 3 i 1 i64)
$(layer 4 grow Add-1 "" 2 FP32)$(layer 5 below Less-1 "" 2 BOOL)$(layer 6 same Abs-1 "" 1 I64)
$(result 7 sums)$(result 8 again)$(result 9 counted)</layers>
$(edges 0:0-4:0 1:0-4:1 4:2-5:0 2:0-5:1 3:0-6:0 4:2-7:0 5:2-8:0 6:1-9:0)</body></layer>
$(result 6 last)$(result 7 all)$(result 8 numbers)</layers>
$(edges 0:0-5:0 1:0-5:1 2:0-5:2 3:0-5:3 4:0-5:4 5:5-6:0 5:6-7:0 5:7-8:0)</net>
EOF
}

# iterator_model FILE SLICES [OUTPUT_SLICES [SHAPE [PART_SHAPE]]]: writes a TensorIterator that computes running sums of
# the columns of x, starting at s. x is f32[1,4] or SHAPE, a column is f32[1,1] or PART_SHAPE.
iterator_model() {
  cat >"$1" <<EOF
<net name="sums" version="11"><layers>
$(parameter 0 x "${4:-1,4}" f32)$(parameter 1 s 1,1 f32)$(layer 2 sums TensorIterator-1 "" 2 FP32 FP32)
<port_map>$(input 0 0 "$2")$(input 1 1)$(output 2 3 "${3:-$2}")$(output 3 3)</port_map>
<back_edges>$(back 3 1)</back_edges>
<body><layers>$(parameter 0 part "${5:-1,1}" f32)$(parameter 1 sum 1,1 f32)$(layer 2 add Add-1 "" 2 FP32)$(result 3 r)</layers>
$(edges 0:0-2:0 1:0-2:1 2:2-3:0)</body></layer>
$(result 3 all)$(result 4 last)</layers>$(edges 0:0-2:0 1:0-2:1 2:2-3:0 2:3-4:0)</net>
EOF
}

# nested_model FILE: writes a Loop of n iterations. Each runs a Loop that doubles s m times, and joins s to itself.
nested_model() {
  cat >"$1" <<EOF
<net name="nested" version="11"><layers>
$(parameter 0 n "" i64)$(parameter 1 m "" i64)$(parameter 2 go "" boolean)$(parameter 3 s "?" f32)
$(layer 4 outer Loop-5 "" 4 FP32)
<port_map>$(input 1 1)$(input 2 5)$(input 3 0)$(output -1 6 'purpose="execution_condition"')$(output 4 4)</port_map>
<back_edges>$(back 4 0)</back_edges>
<body><layers>$(parameter 0 s "?" f32)$(parameter 1 again "" boolean)
$(layer 2 inner Loop-5 "" 3 FP32)
<port_map>$(input 1 1)$(input 2 0)$(output -1 4 'purpose="execution_condition"')$(output 3 3)</port_map>
<back_edges>$(back 3 0)</back_edges>
<body><layers>$(parameter 0 t "?" f32)$(parameter 1 more "" boolean)$(layer 2 twice Add-1 "" 2 FP32)
$(result 3 doubled)$(result 4 ok)</layers>$(edges 0:0-2:0 0:0-2:1 2:2-3:0 1:0-4:0)</body></layer>
$(layer 3 join Concat-1 'axis="0"' 2 FP32)$(result 4 joined)$(parameter 5 trips "" i64)$(result 6 ok)</layers>
$(edges 5:0-2:0 1:0-2:1 0:0-2:2 2:3-3:0 2:3-3:1 3:2-4:0 1:0-6:0)</body></layer>
$(result 5 y)</layers>$(edges 0:0-4:0 2:0-4:1 1:0-4:2 3:0-4:3 4:4-5:0)</net>
EOF
}

# shellcheck disable=SC2034 # tests use it
FORWARD='axis="1" start="0" end="-1" stride="1" part_size="1"'
# shellcheck disable=SC2034 # tests use it
BACKWARD='axis="1" start="-1" end="0" stride="-1" part_size="1"'

# state_model FILE: writes a model with y = x + (the sum of x over earlier executions). A variable keeps the sum.
state_model() {
  cat >"$1" <<EOF
<net name="state" version="11"><layers>
$(parameter 0 x 2 f32)$(layer 1 before ReadValue-6 'variable_id="v" variable_type="f32" variable_shape="2"' 0 FP32)
$(layer 2 sum Add-1 "" 2 FP32)$(layer 3 keep Assign-6 'variable_id="v"' 1 FP32)$(result 4 y)</layers>
$(edges 1:0-2:0 0:0-2:1 2:2-3:0 2:2-4:0)</net>
EOF
}

# found_model FILE: writes a model that lists the positions where x is not 0.
found_model() {
  printf '\377\377\377\377\377\377\377\377' >"${1%.xml}.bin"
  cat >"$1" <<EOF
<net name="found" version="11"><layers>
$(parameter 0 x 2,3 f32)$(layer 1 minus Negative-1 "" 1 FP32)$(layer 2 found NonZero-3 'output_type="i64"' 1 I64)
$(layer 3 one_axis Const-1 'element_type="i64" shape="1" offset="0" size="8"' 0 I64)
$(layer 4 list Reshape-1 'special_zero="false"' 2 I64)$(result 5 y)</layers>
$(edges 0:0-1:0 1:1-2:0 2:1-4:0 3:0-4:1 4:2-5:0)</net>
EOF
}

# gives EXPECTED MODEL ARGUMENT...: checks that the outputs have the names, types, shapes and numbers in EXPECTED.
gives() {
  irrun "${@:2}"
  ends 0
  diff <(sed 's/  min .*//; s/^ *\[[0-9,]*\] //' <<<"$output" | tr -s ' \n' ' ') <(echo -n "$1 ")
}

# array DIMS [TYPE]: writes x.npy with these dims and the elements 0, 1, 2..
array() {
  echo "<net name=\"x\" version=\"11\"><layers>$(parameter 0 x "$1" "${2:-f32}")$(result 1 y)</layers>$(edges 0:0-1:0)</net>" >x.xml
  "$IRRUN" x.xml --fill iota -q --output x.npy
}

# refuses STATUS TEXT MODEL ARGUMENT...: checks that the run ends with STATUS and TEXT on stderr.
refuses() {
  irrun "${@:3}"
  ends "$1"
  says "$2" "$stderr"
}
