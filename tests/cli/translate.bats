# Tests --convert of an nGraph model to an IR.
load helpers

models="$BATS_TEST_DIRNAME/../../models/ngraph"

# ngraph_pool FIELDS SHAPE: writes pool.json, an nGraph model of an average pool over one f32 input.
ngraph_pool() {
  cat >pool.json <<EOF
[{"name": "pool", "parameters": ["x"], "result": ["y"], "ops": [
  {"name": "x", "op": "Parameter", "outputs": ["x_0"], "element_type": "float", "shape": $2},
  {"name": "average", "op": "AvgPool", "inputs": ["x"], "outputs": ["average_0"],
   $1},
  {"name": "y", "op": "Result", "inputs": ["average"], "outputs": ["y_0"]}]}]
EOF
}

@test "nGraph's page example as IR computes the same bytes" {
  for name in page_example page_example_include; do
    converts "out.xml: written, 3 layers; out.bin, 0 bytes" out.xml "$models/$name.json"
    [ -z "$stderr" ]
    [ ! -s out.bin ]
    irrun --check-shapes --strict -q out.xml
    ends 0
    same_run "$models/$name.json" out.xml --fill random:3
  done
  diff - <(grep -e '<layer ' -e '<data ' -e 'names=' out.xml) <<'EOF'
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,1,3,3" element_type="f32"/>
        <port id="0" precision="FP32" names="x_0">
    <layer id="1" name="average" type="AvgPool" version="opset1">
      <data kernel="2,2" strides="1,1" pads_begin="1,1" pads_end="0,0" exclude-pad="false" rounding_type="floor" auto_pad="explicit"/>
        <port id="1" precision="FP32" names="average_0">
    <layer id="2" name="y" type="Result" version="opset1" output_names="y_0">
EOF
}

@test "a Constant goes to the .bin, and a Result that the file has not gets a name" {
  converts "out.xml: written, 3 layers; out.bin, 16 bytes" out.xml "$models/old_spelling.json"
  printf '\0\0\x80\x3f\0\0\0\xc0\0\0\x40\x40\0\0\x80\xc0' | cmp - out.bin # 1, -2, 3, -4
  says '<data element_type="f32" shape="1,1,4" offset="0" size="16"/>' "$(cat out.xml)"
  says '<layer id="2" name="pool/sink_port_2" type="Result" version="opset1">' "$(cat out.xml)"
  same_run "$models/old_spelling.json" out.xml
}

@test "constants begin at multiples of 64, also behind an empty one" {
  cat >three.json <<'EOF'
[{"name": "three", "parameters": [], "result": ["a", "none", "b"], "ops": [
  {"name": "a", "op": "Constant", "outputs": ["a_0"], "element_type": "int8_t", "shape": [3], "value": ["1", "2", "3"]},
  {"name": "none", "op": "Constant", "outputs": ["none_0"], "element_type": "float", "shape": [0], "value": []},
  {"name": "b", "op": "Constant", "outputs": ["b_0"], "element_type": "char", "shape": [], "value": ["1"]}]}]
EOF
  converts "out.xml: written, 6 layers; out.bin, 65 bytes" out.xml three.json
  { printf '\1\2\3'; head -c 61 /dev/zero; printf '\1'; } | cmp - out.bin
  same_run three.json out.xml
}

@test "auto_pad and lists of one repeated item are written out" {
  ngraph_pool '"window_shape": [2, 3], "window_movement_strides": [], "padding_below": [], "padding_above": [0, 1],
   "include_padding_in_avg_computation": false, "pad_type": 1, "ceil_mode": true' '[1, 1, 4, 5]'
  irrun --convert out.xml pool.json
  ends 0
  says 'kernel="2,3" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true" rounding_type="ceil" auto_pad="same_lower"' "$(cat out.xml)"
  same_run pool.json out.xml --fill iota
  # VALID has no effect in nGraph, so the pads of the file count.
  sed -i 's/"pad_type": 1/"pad_type": 3/; s/"padding_below": \[\]/"padding_below": [1, 0]/' pool.json
  irrun --convert out.xml pool.json
  ends 0
  says 'pads_begin="1,0" pads_end="0,1" exclude-pad="true" rounding_type="ceil" auto_pad="explicit"' "$(cat out.xml)"
  same_run pool.json out.xml --fill iota
}

@test "sizes that are open stay open" {
  sed 's/"shape": \[1, 1, 3, 3\]/"shape": [1, 1, null, 3]/' "$models/page_example.json" >open.json
  irrun --convert out.xml open.json
  ends 0
  says 'shape="1,1,?,3"' "$(cat out.xml)"
  [ "$(grep -c '<dim>-1</dim>' out.xml)" -eq 4 ] # each of the four ports has one open dim
  same_run open.json out.xml --fill iota --shape 1,1,4,3
  irrun --convert out.xml open.json --shape 1,1,4,3
  ends 2
  says "'--shape' has no effect with '--convert'" "$stderr"
}

@test "what no result needs is left out, an unused Parameter is not" {
  sed 's/"parameters": \["x"\]/"parameters": ["x", "spare"]/; s/^  {"name": "y"/  {"name": "spare", "op": "Parameter", "element_type": "float", "shape": [1]},\n  {"name": "dead", "op": "MaxPool", "inputs": ["x"], "window_shape": [1, 1], "window_movement_strides": []},\n&/' \
    "$models/page_example.json" >spare.json
  irrun --convert out.xml spare.json
  ends 0
  [ "$output" = "out.xml: written, 4 layers, 1 layer left out that no result needs; out.bin, 0 bytes" ]
  says 'name="spare"' "$(cat out.xml)"
  says_not dead "$(cat out.xml)"
  same_run spare.json out.xml --fill iota
}

@test "GetOutputElement needs no layer, a repeated result gets two" {
  sed 's/"result": \["y"\]/"result": ["g", "average"]/; s/^  {"name": "y".*/  {"name": "g", "op": "GetOutputElement", "inputs": ["average"], "n": 0}]}]/' \
    "$models/page_example.json" >get.json
  converts "out.xml: written, 4 layers; out.bin, 0 bytes" out.xml get.json
  says 'name="g/sink_port_2"' "$(cat out.xml)"
  says 'name="average/sink_port_3"' "$(cat out.xml)"
  [ "$(grep -c 'from-layer="1" from-port="1"' out.xml)" -eq 2 ]
  irrun --check-shapes --strict -q out.xml
  ends 0
}

@test "IR213: what an IR cannot say is at the node, and nothing is written" {
  cp "$models/six_axes.json" .
  irrun --convert out.xml six_axes.json
  ends 4
  says "six_axes.json:3:3: error: AvgPool-1 of an IR cannot be this node: input 0 ('data') has rank 8" "$stderr"
  says "takes rank 3 to 5 [IR213 not-in-an-ir]" "$stderr"
  says "note: layer 'average' (id 1, AvgPool-1)" "$stderr"
  says "1 error." "$stderr"
  [ "$output" = "six_axes.json: unsupported, 3 layers, 1 input, 1 output, 1 error" ]
  folder_holds six_axes.json
  irrun --convert out.xml six_axes.json --allow=IR213
  ends 2
  irrun --convert out.xml six_axes.json --json
  ends 4
  says_not '"converted"' "$output"
  folder_holds six_axes.json
}

@test "IR213: a name that XML does not allow, and booleans to average" {
  sed 's/"average_0"/"\\ufffe"/' "$models/page_example.json" >name.json
  irrun --convert out.xml name.json
  ends 4
  says "name.json:3:87: error: the tensor name " "$stderr"
  says "U+FFFE, which XML does not allow [IR213 not-in-an-ir]" "$stderr"
  sed 's/"float"/"char"/' "$models/page_example.json" >char.json
  irrun --convert out.xml char.json
  ends 4
  says "char.json:3:3: error: AvgPool-1 of an IR cannot be this node: input 0 ('data') is boolean" "$stderr"
  folder_holds char.json name.json
}

@test "IR214: a window with nothing but padding, with its index" {
  ngraph_pool '"window_shape": [2, 2], "window_movement_strides": [5, 3], "padding_below": [0, 0], "padding_above": [1, 0],
   "include_padding_in_avg_computation": false, "ceil_mode": true' '[1, 1, 4, 5]'
  irrun --convert out.xml pool.json
  ends 0
  says "pool.json:4:21: warning: window [1,0] holds no input element: its average is NaN here, and 0 in an IR [IR214 value-differs-in-ir]" "$stderr"
  [ -e out.xml ]
  rm out.xml out.bin
  irrun --convert out.xml pool.json --deny=IR214
  ends 4
  says ": error: window [1,0]" "$stderr"
  folder_holds pool.json
  irrun --convert out.xml pool.json --allow=IR214
  ends 0
  says_not IR214 "$stderr"
}

@test "IR214: sizes that are open may have such a window" {
  ngraph_pool '"window_shape": [2], "window_movement_strides": [5], "padding_below": [0], "padding_above": [1],
   "include_padding_in_avg_computation": false, "ceil_mode": true' '[1, 1, null]'
  irrun --convert out.xml pool.json
  ends 0
  says "pool.json:4:21: warning: some size of spatial axis 0 (W), which is open, gives a window that holds no input element" "$stderr"
  says "its average is NaN here, and 0 in an IR [IR214 value-differs-in-ir]" "$stderr"
  sed -i 's/true}/false}/; s/"ceil_mode": true/"ceil_mode": false/' pool.json
  irrun --convert out.xml pool.json
  ends 0
  [ -z "$stderr" ]
}

@test "IR214: pads as long as a window leave a window of an open size empty" {
  ngraph_pool '"window_shape": [2], "window_movement_strides": [1], "padding_below": [1], "padding_above": [1],
   "include_padding_in_avg_computation": false' '[1, 1, null]'
  irrun --convert out.xml pool.json
  ends 0
  says "pool.json:4:21: warning: some size of spatial axis 0 (W), which is open, gives a window that holds no input element" "$stderr"
}

@test "IR213: more than three axes of an input of unknown rank" {
  ngraph_pool '"window_shape": [1, 1, 2, 2], "window_movement_strides": [], "padding_below": [], "padding_above": [],
   "include_padding_in_avg_computation": true' null
  irrun --convert out.xml pool.json
  ends 4
  says "kernel has 4 items; AvgPool-1 has 1 to 3 spatial axes [IR213 not-in-an-ir]" "$stderr"
  says "JSON pointer /0/ops/1" "$stderr"
  folder_holds pool.json
}

@test "IR213: an op that irrun lacks, though --allow lets it pass" {
  sed 's/"AvgPool"/"Relu"/' "$models/page_example.json" >relu.json
  irrun --convert out.xml relu.json
  ends 4
  says "irrun does not have Relu-0" "$stderr"
  says "[IR210 not-runnable-here]" "$stderr"
  irrun --convert out.xml relu.json --allow=IR210
  ends 4
  says "error: irrun does not have Relu-0, and cannot say what an IR has for it [IR213 not-in-an-ir]" "$stderr"
  sed -i 's/"inputs": \["x"\]/"inputs": []/' relu.json
  irrun --convert out.xml relu.json --allow=IR210
  ends 4
  folder_holds relu.json
}

@test "tensor names of outputs that stand for another are kept" {
  sed 's/"result": \["y"\]/"result": ["g", "h"]/; s/^  {"name": "y".*/  {"name": "g", "op": "GetOutputElement", "inputs": ["average"], "n": 0, "outputs": ["g,0"]},\n  {"name": "h", "op": "GetOutputElement", "inputs": ["g"], "n": 0, "outputs": ["h_0"]}]}]/' \
    "$models/page_example.json" >get.json
  converts "out.xml: written, 4 layers; out.bin, 0 bytes" out.xml get.json
  says 'names="average_0,g\,0,h_0"' "$(cat out.xml)"
  # If a result node has no tensor names, the output gets the node's name.
  ngraph_pool '"window_shape": [2], "window_movement_strides": [], "padding_below": [], "padding_above": [],
   "include_padding_in_avg_computation": false' '[1, 1, 4]'
  sed 's/"result": \["y"\]/"result": ["average"]/; s/ "outputs": \["average_0"\],//; s/},$/},/; /"Result"/d' pool.json |
    sed '$s/},/}]}]/' >bare.json
  irrun --convert out.xml bare.json
  ends 0
  says 'output_names="average"' "$(cat out.xml)"
  irrun out.xml --fill iota -q --output average=a.npy
  ends 0
}
