# Tests the sizes of weights and state that --check-shapes prints. unit.sizes_test tests how weights are recognised.
load helpers

@test "sizes of weights and state are shown for a model with variables, and with -v for any with weights" {
  model=$IRRUN_SOURCE/models/networks/repeater.xml
  irrun --check-shapes "$model"
  ends 0
  diff - <(tail -n 7 <<<"${output//"$IRRUN_SOURCE/"/}") <<'EOF'
 weights  constants  parameters  scales  bytes    share
 f32              3           3           12 B  100.0 %
 sum     3 parameters, 180 B with scales and all other constants
 run     0 MACs, 0 FLOPs without 7 layers of unknown work; activations: of open size
 state   40 B a token for one sequence, in 1 variable
 memory  164 kB with 4,096 tokens: weights 180 B and state 164 kB; estimated: 120 B or more for each token of a step
models/networks/repeater.xml: ok, 49 layers, 4 inputs, 1 output
EOF
  irrun --check-shapes -q "$model"
  says_not "parameters" "$output"
  sed 's/variable_shape="?,?,10"/variable_shape="?,?,?"/' "$model" >open.xml
  cp "${model%.xml}.bin" open.bin
  irrun --check-shapes open.xml
  says "state   of unknown size, in 1 variable" "$output"
  says_not "4,096" "$output"
  model=$IRRUN_SOURCE/models/networks/global_pools.xml
  irrun --check-shapes "$model"
  says_not "parameters" "$output"
  irrun --check-shapes -v "$model"
  says "sum     3 parameters, 68 B" "$output"
  irrun --check-shapes --json "$model"
  says '"scales":	null' "$output"
  says '"token_bytes":	0' "$output"
}

@test "the work of a run and its memory are shown for the shapes given, after a summary, with -v and as JSON" {
  model=$IRRUN_SOURCE/models/networks/pool_mixer.xml
  irrun --check-shapes "$model"
  says " sum          1 parameter, 4 B with scales and all other constants" "$output"
  says " run          0 MACs, 213.7 K FLOPs; activations: 49.2 kB at their peak" "$output"
  irrun --check-shapes -v "$model"
  says " run     0 MACs, 213.7 K FLOPs; activations: 49.2 kB at their peak" "$output"
  irrun --check-shapes --json "$model"
  says '"macs":	0,' "$output"
  says '"peak_bytes":	49152' "$output"
  irrun --check-shapes -v "$IRRUN_SOURCE/models/max_pool/dynamic.xml"
  says " run     0 MACs, 0 FLOPs without 2 layers of unknown work; activations: of open size" "$output"
  irrun --check-shapes -v "$IRRUN_SOURCE/models/max_pool/dynamic.xml" --shape 1,3,224,224
  says_not "unknown work" "$output"
}

@test "work and weights by op, and the constants of each kind of weights, with -v and --stats and as JSON" {
  model=$IRRUN_SOURCE/models/networks/digits.xml
  irrun --check-shapes -v "$model"
  ends 0
  diff - <(tail -n 11 <<<"$output" | head -n 8) <<'EOF'
 op             layers            macs           flops   parameters  bytes of weights
 Convolution-1       1  42.0 K 100.0 %  84.0 K  97.2 %  350  97.2 %   1.40 kB  97.2 %
 Add-1               1                   1.2 K   1.4 %   10   2.8 %      40 B   2.8 %
 ReduceMax-1         1                   1.2 K   1.4 %
 SoftMax-8           1                      10   0.0 %
 weights  constants  parameters  scales    bytes    share
 f32              2         360          1.44 kB  100.0 %
        filters, bias
EOF
  irrun --check-shapes --stats "$model"
  says " Convolution-1       1  42.0 K 100.0 %" "$output"
  says_not "filters, bias" "$output"
  irrun --check-shapes "$model"
  says_not "bytes of weights" "$output"
  irrun --check-shapes --json "$model"
  says '"constants":	["filters", "bias"]' "$output"
  [ "$(sed -n '/"ops":/,$s/^\t*"op":\t"\(.*\)",$/\1/p' <<<"$output" | tr '\n' ' ')" = "Convolution Add ReduceMax SoftMax " ]
}

@test "the work of a body counts once for each iteration, that of an If is unknown" {
  local port='<port id="0" precision="FP32"><dim>1</dim><dim>5</dim><dim>8</dim></port>'
  local part='<port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>8</dim></port>'
  cat >loop.xml <<EOF
<net name="loop" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,5,8" element_type="f32"/><output>$port</output></layer>
<layer id="1" name="each" type="TensorIterator" version="opset1"><input>$port</input><output>${port/id=\"0\"/id=\"1\"}</output>
<port_map><input axis="1" external_port_id="0" internal_layer_id="0" start="0" end="-1" stride="1" part_size="1"/>
<output axis="1" external_port_id="1" internal_layer_id="2" start="0" end="-1" stride="1" part_size="1"/></port_map><back_edges/><body><layers>
<layer id="0" name="row" type="Parameter" version="opset1"><data shape="1,1,8" element_type="f32"/><output>$part</output></layer>
<layer id="1" name="tanh" type="Tanh" version="opset1"><input>$part</input><output>${part/id=\"0\"/id=\"1\"}</output></layer>
<layer id="2" name="end" type="Result" version="opset1"><input>$part</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></body></layer>
<layer id="2" name="y" type="Result" version="opset1"><input>$port</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
  irrun --check-shapes -v loop.xml
  ends 0
  says " run     0 MACs, 40 FLOPs; activations: 320 B at their peak" "$output"
  sed 's:type="TensorIterator" version="opset1":type="TensorIterator" version="extension":' loop.xml >extension.xml
  irrun --check-shapes -v extension.xml
  ends 0
  says "FLOPs without 1 layer of unknown work" "$output"
  irrun --check-shapes -v "$IRRUN_SOURCE/tests/golden/families/condition.xml"
  says "FLOPs without 1 layer of unknown work" "$output"
}
