# Tests --diff, which compares two models.
load helpers

networks="$BATS_TEST_DIRNAME/../../models/networks"

@test "a model does not differ from itself, nor from one whose layers stand in another order" {
  pool_model pool.xml
  irrun --diff pool.xml pool.xml
  ends 0
  [ "$output" = "pool.xml: no difference from pool.xml" ]
  two_model two.xml
  { echo '<net name="two" version="11"><layers>'; chain_layers 3 b 2 2; chain_layers 0 a 2 2; echo '</layers><edges>'
    chain_edges 0; chain_edges 3; echo '</edges></net>'; } >turned.xml
  irrun --diff two.xml turned.xml
  ends 0
}

@test "attributes, shapes, ops, layers and edges" {
  pool_model pool.xml
  pool_model fine.xml 1 4
  irrun --diff pool.xml fine.xml
  ends 1
  diff - <(echo "$output") <<'END'
  'pool' kernel: 2,2 -> 1,1
  'pool' strides: 2,2 -> 1,1
  'pool' output 0: f32[1,1,2,2] -> f32[1,1,4,4]
fine.xml: 3 differences from pool.xml
END
  sed 's/kernel="2,2"/kernel="2, 2"/' pool.xml >blank.xml
  irrun --diff pool.xml blank.xml
  ends 0
  sed 's/"pool"/"mean"/g; s/ exclude-pad="true"//; s/AvgPool/MaxPool/' pool.xml >max.xml
  irrun --diff pool.xml max.xml
  ends 1
  says "+ 'mean' layer: MaxPool-1" "$output"
  says "- 'pool' layer: AvgPool-1" "$output"
  says "  'y' input 0: pool, output 0 -> mean, output 0" "$output"
  sed 's/ exclude-pad="true"//; s/AvgPool/MaxPool/' pool.xml >max.xml
  irrun --diff pool.xml max.xml
  says "  'pool' op: AvgPool-1 -> MaxPool-1" "$output"
  says "- 'pool' exclude-pad: true" "$output"
  irrun --diff pool.xml max.xml -q
  [ "$output" = "max.xml: 2 differences from pool.xml" ]
}

@test "constants are compared by what they hold, not by where it lies" {
  cp "$networks/global_pools.xml" old.xml
  cp "$networks/global_pools.bin" old.bin
  cp old.xml new.xml
  cp old.bin new.bin
  irrun --diff old.xml new.xml
  ends 0
  printf '\x02' | dd of=new.bin conv=notrunc status=none
  irrun --diff old.xml new.xml
  says "  'order' 1 of 4 elements, the worst at [0]: 0 -> 2" "$output"
  rm new.bin
  irrun --diff old.xml new.xml
  says " not compared, for want of a .bin" "$output"
}

@test "a document, faulty models, and what is refused" {
  pool_model pool.xml
  pool_model fine.xml 1 4
  irrun --diff pool.xml fine.xml --json
  ends 1
  says '"mode":"diff"' "$(tr -d ' \t\n' <<<"$output")"
  says '{"layer":"pool","what":"kernel","old":"2,2","new":"1,1"}' "$(tr -d ' \t\n' <<<"$output")"
  pool_model wrong.xml 2 2 3
  irrun --diff wrong.xml pool.xml
  ends 3
  says "IR301" "$stderr"
  says "pool.xml: no difference from wrong.xml" "$output"
  irrun --diff missing.xml pool.xml
  ends 6
  [ -z "$output" ]
  irrun --diff pool.xml
  ends 2
  irrun --diff pool.xml pool.xml fine.xml
  ends 2
  says "a comparison takes one MODEL, and here are 2" "$stderr"
}

@test "SARIF has no place for differences" {
  pool_model m.xml
  irrun --diff=m.xml --format=sarif m.xml
  ends 2
  says "'--json' has" "$output"
}

@test "port maps and back edges" {
  cat >each.xml <<'EOF'
<net name="each" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,3" element_type="f32"/>
<output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="each" type="TensorIterator" version="opset1">
<port_map><input external_port_id="0" internal_layer_id="0" axis="1"/>
<output external_port_id="1" internal_layer_id="1" axis="1"/></port_map>
<input><port id="0"/></input><output><port id="1" precision="FP32"/></output>
<body><layers>
<layer id="0" name="part" type="Parameter" version="opset1"><data shape="1,1" element_type="f32"/>
<output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="out" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></body>
</layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
  sed '/<port_map><input/s/axis="1"/axis="1" start="-1" end="0" stride="-1"/' each.xml >back.xml
  irrun --diff=each.xml each.xml
  ends 0
  irrun --diff=each.xml back.xml
  ends 1
  says "- 'each' port_map input: external_port_id=0 internal_layer_id=part axis=1" "$output"
  says "+ 'each' port_map input: external_port_id=0 internal_layer_id=part axis=1 start=-1 end=0 stride=-1" "$output"
  says "back.xml: 2 differences" "$output"
  sed 's/shape="1,1"/shape="1,?"/' each.xml >open.xml
  irrun --diff=each.xml open.xml
  ends 1
  says "  'each > part' shape: 1,1 -> 1,?" "$output"
  sed -e 's/id="0" name="part"/id="7" name="part"/' -e 's/internal_layer_id="0"/internal_layer_id="7"/' \
    -e '/<body>/,/<.body>/s/from-layer="0"/from-layer="7"/' each.xml >ids.xml
  irrun --diff=each.xml ids.xml
  ends 0
}

# numbered_model FILE FROM [TYPE]: writes two pools, each followed by an operation with the same constant. Names are
# numbered from FROM. With TYPE f16, the constants are stored in f16.
numbered_model() {
  local at=$2 i name=${1%.xml}
  {
    echo '<net name="numbered" version="11"><layers>'
    echo '<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="1,4"/><output><port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port></output></layer>'
    for i in 1 2; do
      if [ "${3:-}" = f16 ]; then
        echo "<layer id=\"${i}0\" name=\"Constant_${at}_compressed\" type=\"Const\" version=\"opset1\"><data element_type=\"f16\" shape=\"1,4\" offset=\"$((8 * (i - 1)))\" size=\"8\"/><output><port id=\"0\" precision=\"FP16\"><dim>1</dim><dim>4</dim></port></output></layer>"
        echo "<layer id=\"${i}1\" name=\"Constant_$at\" type=\"Convert\" version=\"opset1\"><data destination_type=\"f32\"/><input><port id=\"0\"><dim>1</dim><dim>4</dim></port></input><output><port id=\"1\" precision=\"FP32\"><dim>1</dim><dim>4</dim></port></output></layer>"
      else
        echo "<layer id=\"${i}1\" name=\"Constant_$at\" type=\"Const\" version=\"opset1\"><data element_type=\"f32\" shape=\"1,4\" offset=\"$((16 * (i - 1)))\" size=\"16\"/><output><port id=\"1\" precision=\"FP32\"><dim>1</dim><dim>4</dim></port></output></layer>"
      fi
      echo "<layer id=\"${i}2\" name=\"Add_$((at + 1))\" type=\"Add\" version=\"opset1\"><input><port id=\"0\"><dim>1</dim><dim>4</dim></port><port id=\"1\"><dim>1</dim><dim>4</dim></port></input><output><port id=\"2\" precision=\"FP32\"><dim>1</dim><dim>4</dim></port></output></layer>"
      at=$((at + 2))
    done
    echo "<layer id=\"3\" name=\"Result_$at\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"><dim>1</dim><dim>4</dim></port></input></layer></layers><edges>"
    for i in 1 2; do
      [ "${3:-}" != f16 ] || echo "<edge from-layer=\"${i}0\" from-port=\"0\" to-layer=\"${i}1\" to-port=\"0\"/>"
      echo "<edge from-layer=\"$([ $i = 1 ] && echo 0 || echo 12)\" from-port=\"$([ $i = 1 ] && echo 0 || echo 2)\" to-layer=\"${i}2\" to-port=\"0\"/>"
      echo "<edge from-layer=\"${i}1\" from-port=\"1\" to-layer=\"${i}2\" to-port=\"1\"/>"
    done
    echo '<edge from-layer="22" from-port="2" to-layer="3" to-port="0"/></edges></net>'
  } >"$1"
  # Writes 0.1 and 1000.1, which f16 rounds.
  if [ "${3:-}" = f16 ]; then
    for i in 1 2 3 4; do printf '\x66\x2e'; done >"$name.bin"
    for i in 1 2 3 4; do printf '\xd0\x63'; done >>"$name.bin"
  else
    for i in 1 2 3 4; do printf '\xcd\xcc\xcc\x3d'; done >"$name.bin"
    for i in 1 2 3 4; do printf '\x66\x06\x7a\x44'; done >>"$name.bin"
  fi
}

@test "layers that were numbered are paired by structure" {
  numbered_model a.xml 10
  numbered_model b.xml 11
  irrun --diff a.xml b.xml
  ends 0
  [ "$output" = "b.xml: no difference from a.xml" ]
  printf '\xcd\xcc\xcc\x3e' | dd of=b.bin conv=notrunc status=none
  irrun --diff a.xml b.xml
  ends 1
  [ "$output" = "  'Constant_11' 1 of 4 elements, the worst at [0,0]: 0.100000001 -> 0.400000006
b.xml: 1 difference from a.xml" ]
}

@test "a model in f16 differs in one line from that in f32, and each constant is named with -v" {
  numbered_model a.xml 10
  numbered_model h.xml 50 f16
  irrun --diff a.xml h.xml
  ends 1
  [ "$output" = "  2 constants: f32 -> f16; -v names them
h.xml: 1 difference from a.xml" ]
  irrun --diff h.xml a.xml -v
  ends 1
  says "  'Constant_10' constant: f16[1,4] -> f32[1,4]" "$output"
  printf '\x66\x2f' | dd of=h.bin conv=notrunc status=none
  irrun --diff a.xml h.xml
  says "  'Constant_50' 1 of 4 elements, the worst at [0,0]" "$output"
  sed 's/f32/f16/g; s/FP32/FP16/g' "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" >half.xml
  irrun --diff "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" half.xml
  ends 1
  says "half.xml: 1 difference from " "$output"
}
