# Tests models that a check accepts because OpenVINO accepts them, and models that it refuses because OpenVINO has no
# kernel for them.
load helpers

# layer_model TYPE OPSET ATTRIBUTES SHAPE..: prints a model of one layer. Its inputs are Parameters of f32 or
# $element_type, one for each SHAPE.
layer_model() {
  local type=$1 opset=$2 data=$3 i=0
  shift 3
  echo '<net name="m" version="11"><layers>'
  for shape; do
    echo "<layer id=\"$i\" name=\"x$i\" type=\"Parameter\" version=\"opset1\"><data shape=\"$shape\" element_type=\"${element_type:-f32}\"/><output><port id=\"0\" precision=\"undefined\"/></output></layer>"
    i=$((i + 1))
  done
  echo "<layer id=\"$i\" name=\"layer\" type=\"$type\" version=\"$opset\"><data $data/><input>"
  for ((p = 0; p < i; p++)); do echo "<port id=\"$p\"/>"; done
  echo "</input><output><port id=\"$i\" precision=\"undefined\"/></output></layer>"
  echo "<layer id=\"$((i + 1))\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer></layers><edges>"
  for ((p = 0; p < i; p++)); do echo "<edge from-layer=\"$p\" from-port=\"0\" to-layer=\"$i\" to-port=\"$p\"/>"; done
  echo "<edge from-layer=\"$i\" from-port=\"$i\" to-layer=\"$((i + 1))\" to-port=\"0\"/></edges></net>"
}

# silent ARGUMENT..: checks layer_model's model without any report.
silent() {
  layer_model "$@" >m.xml
  irrun --check-shapes -v m.xml
  ends 0 && [ -z "$stderr" ]
}

@test "pads may be missing where auto_pad sets them, in every op that has both" {
  for pad in same_upper same_lower valid SAME_UPPER; do
    lists="strides=\"1,1\" dilations=\"1,1\" auto_pad=\"$pad\""
    pool="kernel=\"2,2\" strides=\"1,1\" auto_pad=\"$pad\""
    silent Convolution opset1 "$lists" 1,4,8,8 6,4,3,3
    silent ConvolutionBackpropData opset1 "$lists" 1,4,8,8 4,6,3,3
    silent GroupConvolution opset1 "$lists" 1,4,8,8 2,3,2,3,3
    silent GroupConvolutionBackpropData opset1 "$lists" 1,4,8,8 2,2,3,3,3
    layer_model BinaryConvolution opset1 "$lists mode=\"xnor-popcount\" pad_value=\"0\"" 1,4,8,8 6,4,3,3 >m.xml
    irrun --check-shapes m.xml
    ends 0
    says_not IR204 "$stderr"
    silent MaxPool opset1 "$pool" 1,4,8,8
    silent MaxPool opset8 "$pool dilations=\"1,1\"" 1,4,8,8
    silent MaxPool opset14 "$pool dilations=\"1,1\"" 1,4,8,8
    for opset in opset1 opset14 opset16; do
      silent AvgPool "$opset" "$pool exclude-pad=\"true\"" 1,4,8,8
    done
  done
}

@test "pads are needed where auto_pad is explicit, missing or no word" {
  for pad in 'auto_pad="explicit"' '' 'auto_pad="same"'; do
    layer_model Convolution opset1 "strides=\"1,1\" dilations=\"1,1\" $pad" 1,4,8,8 6,4,3,3 >m.xml
    irrun --check-shapes -q m.xml
    ends 3
    says "Convolution-1 needs the attribute 'pads_begin' [IR204" "$stderr"
    says "Convolution-1 needs the attribute 'pads_end' [IR204" "$stderr"
  done
}

@test "types that no kernel of a pool or of arithmetic computes are errors" {
  for element_type in string nf4 f8e4m3 f8e5m2 f8e8m0 f4e2m1 u1 u2 u3 u6; do
    layer_model AvgPool opset1 'kernel="2,2" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"' 1,4,8,8 >pool.xml
    layer_model MaxPool opset1 'kernel="2,2" strides="1,1" pads_begin="0,0" pads_end="0,0"' 1,4,8,8 >max.xml
    layer_model Add opset1 '' 2,3 2,3 >add.xml
    layer_model ReLU opset1 '' 2,3 >relu.xml
    layer_model Tanh opset1 '' 2,3 >tanh.xml
    layer_model Gelu opset7 '' 2,3 >gelu.xml
    layer_model Swish opset4 '' 2,3 >swish.xml
    layer_model FakeQuantize opset1 'levels="256"' 1,3 1 1 1 1 >quantize.xml
    layer_model RNNCell opset3 'hidden_size="4"' 2,3 2,4 4,3 4,4 4 >cell.xml
    layer_model NormalizeL2 opset1 'eps="0.1" eps_mode="add"' 1,3 1 | sed '/name="x1"/ s/element_type="[^"]*"/element_type="i64"/' >normalize.xml
    for model in pool max add relu tanh gelu swish quantize cell normalize; do
      irrun --check-shapes -q $model.xml
      ends 3
      says "is $element_type; " "$stderr"
      says "[IR306 element-type-not-allowed]" "$stderr"
    done
  done
}

@test "types of few bits are no fault where they are moved, converted or widened" {
  for element_type in i4 u4; do
    silent AvgPool opset1 'kernel="2,2" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"' 1,4,8,8
    silent Add opset1 '' 2,3 2,3
  done
  for element_type in string nf4 f8e4m3 f8e5m2 f8e8m0 f4e2m1 i4 u1 u2 u3 u4 u6; do
    silent ShapeOf opset3 'output_type="i64"' 2,3
    silent Identity opset16 '' 2,3
    layer_model Squeeze opset1 '' 1,3 >m.xml
    irrun --check-shapes m.xml
    ends 0
    [ $element_type = string ] || silent Convert opset1 'destination_type="f32"' 2,3
  done
  for element_type in f8e4m3 f8e5m2; do
    silent Convolution opset1 'strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0"' 1,4,8,8 6,4,3,3
    silent MatMul opset1 'transpose_a="false" transpose_b="false"' 2,3 3,4
  done
}

@test "Parameter, Result and Assign are known in any case, Const by its exact name" {
  pool_model m.xml
  sed 's/type="Parameter"/type="PARAMETER"/; s/type="Result"/type="result"/' m.xml >roles.xml
  irrun --check-shapes roles.xml
  ends 0
  says "the type is 'PARAMETER', which OpenVINO reads; the spec spells it 'Parameter' [IR201" "$stderr"
  says "the type is 'result', which OpenVINO leaves out in silence; the spec spells it 'Result' [IR201" "$stderr"
  says "ok, 3 layers, 1 input, 1 output, 2 warnings" "$output"
  irrun m.xml --fill ones
  computed=$output
  irrun roles.xml --fill ones
  ends 0
  [ "$output" = "$computed" ]
  sed 's/"Assign"/"ASSIGN"/' "$BATS_TEST_DIRNAME/../faults/by_hand/IR204_read_value_without_both.xml" >assign.xml
  irrun --check-shapes -q assign.xml
  ends 0
  says "the type is 'ASSIGN', which OpenVINO leaves out in silence; the spec spells it 'Assign' [IR201" "$stderr"
  for type in CONST const CONSTANT Constant; do
    sed "s/type=\"Const\"/type=\"$type\"/" "$BATS_TEST_DIRNAME/../golden/adaptive/adaptive_counted_2d.xml" >const.xml
    irrun --check-shapes -q const.xml
    ends 3
    says "no opset of OpenVINO has an op '$type' [IR201" "$stderr"
    says "hint: did you mean 'Const'?" "$stderr"
  done
}

@test "an op that old files have in an earlier opset has to be spelt there as it is" {
  layer_model MVN opset1 'eps="0.1" across_channels="false" normalize_variance="true"' 1,3,4,4 >m.xml
  irrun --check-shapes -q m.xml
  ends 0
  sed 's/"MVN"/"mvn"/' m.xml >lower.xml
  irrun --check-shapes -q lower.xml
  ends 3
  says "is not in opset1; it is in opset2 to" "$stderr"
}

@test "a ReadValue-6 that says nothing of its variable begins as its first value is, and a run computes it" {
  irrun "$BATS_TEST_DIRNAME/../faults/by_hand/IR204_read_value_without_both.xml" -i x=1,2,3,4,5,6
  ends 0
  says "y  f32[2,3]  min 1  mean 3.5  max 6" "$output"
}

@test "no shape is asked for where the model is not run whatever its shapes" {
  layer_model Multinomial opset13 'convert_type="i32" with_replacement="true" log_probs="false"' '?,?' 1 |
    sed '/name="x1"/ s/f32/i32/' >m.xml
  irrun m.xml --fill zeros
  ends 4
  says "irrun checks Multinomial-13 and does not run it" "$stderr"
  says_not "--shape" "$stderr"
  [ "$(grep -c error: <<<"$stderr")" -eq 1 ]
}
