# Tests tensors between layers: --save-all, --expect with tensors of inner layers, and --isolate.
load helpers

networks="$BATS_TEST_DIRNAME/../../models/networks"

# planted_with_results: does as planted, and writes good.npz with the outputs of all layers of good.xml.
planted_with_results() {
  planted
  "$IRRUN" good.xml --fill random -q --save-all good.npz >/dev/null
}

@test "--save-all writes what every layer computes, also what nothing reads" {
  pool_model /dev/stdout | sed 's|<output><port id="1".*</output>|<output><port id="1" precision="FP32"/><port id="2" precision="I32"/></output>|
    s/type="AvgPool" version="opset1"/type="MaxPool" version="opset8"/
    s/exclude-pad="true"/index_element_type="i32" axis="0"/' >max.xml
  irrun max.xml --fill iota --save-all all.npz
  ends 0
  says "all.npz: written, 3 tensors" "$output"
  irrun max.xml --fill iota --expect all.npz -v
  ends 0
  says "pool.1  MaxPool-8" "$output"
  says "max.xml: 3 of 3 tensors match" "$output"
  # A layer has several outputs. Its name as a key means the output whose tensor has this name.
  sed 's/<port id="1" precision="FP32"/& names="pool"/' max.xml >named.xml
  pool_model pool.xml
  irrun pool.xml --fill iota --save-all pool.npz -q
  irrun named.xml --fill iota --expect pool.npz -v
  says "pool.0  MaxPool-8" "$output"
  irrun max.xml --fill iota --expect pool.npz
  says "1 key names no tensor of the model: 'pool' (of 'pool.0', 'pool.1')" "$stderr"
}

@test "the first layer that diverges is named, and those behind it are counted" {
  planted_with_results
  irrun bad.xml --fill random --expect good.npz
  ends 1
  says "bad.xml:387:5: error: layer 'stages.2/blocks.0/token_mixer/pool' diverges in " "$stderr"
  says " of 'good.npz:stages.2/blocks.0/token_mixer/pool' [IR608 layer-diverges]" "$stderr"
  [ "$(grep -c '\[IR608' <<<"$stderr")" -eq 1 ]
  last=${lines[-1]}
  says "bad.xml: 'stages.2/blocks.0/token_mixer/pool' is the first that diverges, behind 'stages.1/downsample': " "$last"
  says " of 64 tensors differ" "$last"
  differing=${last% of 64 *}
  [ "${differing##* }" -gt 5 ]
}

@test "--isolate: an error does not travel" {
  planted_with_results
  irrun bad.xml --fill random --expect good.npz --isolate
  ends 1
  [ "$(grep -c '\[IR608' <<<"$stderr")" -eq 1 ]
  says ": 1 of 64 tensors differ" "${lines[-1]}"
  irrun bad.xml --fill random --expect good.npz --isolate --atol 100
  ends 0
  says "64 of 64 tensors match" "${lines[-1]}"
}

@test "--isolate needs tensors of layers" {
  tensors
  irrun pool.xml --input x.npy --expect y.npy --isolate
  ends 2
  says "'--isolate' needs expected tensors that lie inside the model" "$stderr"
}

@test "an .npz of some layers: outputs may be missing, other names may not" {
  two_model two.xml
  { echo '<net name="one" version="11"><layers>'; chain_layers 0 a 2 2; echo '</layers><edges>'; chain_edges 0
    echo '</edges></net>'; } >one.xml
  irrun one.xml --fill iota -q --save-all some.npz
  ends 0
  irrun two.xml --fill iota --expect some.npz
  ends 0
  [ "${lines[-1]}" = "two.xml: 2 of 2 tensors match" ]
  irrun two.xml --fill 1 --expect some.npz
  ends 1
  [ "${lines[-1]}" = "two.xml: 'ax' is the first that diverges: 2 of 2 tensors differ" ]
  sed 's/"apool"/"apol"/' one.xml >other.xml
  irrun other.xml --fill iota -q --save-all some.npz
  irrun two.xml --fill iota --expect some.npz
  ends 0
  says "1 key names no tensor of the model: 'apol'; 3 tensors of the model have no key: 'bx', 'apool', 'bpool' [IR510" "$stderr"
  [ "$output" = "two.xml: 1 of 1 tensor matches" ]
  irrun two.xml --fill iota --expect some.npz -v
  says "only in some.npz: 'apol'" "$output"
  says "only in two.xml: 'bpool'" "$output"
  irrun two.xml --fill iota --expect some.npz --json
  says '{"file":"two.xml","name":"bpool"}' "$(tr -d ' \t\n' <<<"$output")"
  irrun two.xml --fill iota --expect some.npz --deny=IR510
  ends 5
}

# named_model FILE: writes a model in which a layer and another layer's tensor have the same name. Layers Abs, Exp and
# ReLU are called conv1, exp and relu1. The tensor of relu1, the model's output, is called conv1.
named_model() {
  local i=0 name type
  {
    echo '<net name="names" version="11"><layers>'
    for name in x conv1 exp relu1; do
      case $name in x) type=Parameter ;; conv1) type=Abs ;; exp) type=Exp ;; *) type=ReLU ;; esac
      echo "<layer id=\"$i\" name=\"$name\" type=\"$type\" version=\"opset1\">"
      if [ $i -eq 0 ]; then echo '<data element_type="f32" shape="1,4"/>'; else
        echo '<input><port id="0"><dim>1</dim><dim>4</dim></port></input>'; fi
      echo "<output><port id=\"1\" precision=\"FP32\"$([ $i -eq 3 ] && echo ' names="conv1"')><dim>1</dim><dim>4</dim></port></output></layer>"
      i=$((i + 1))
    done
    echo '<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"><dim>1</dim><dim>4</dim></port></input></layer></layers><edges>'
    for i in 0 1 2 3; do echo "<edge from-layer=\"$i\" from-port=\"1\" to-layer=\"$((i + 1))\" to-port=\"0\"/>"; done
    echo '</edges></net>'
  } >"$1"
}

@test "a layer comes before a tensor name: in keys, in --cut, and in what is written" {
  named_model named.xml
  irrun named.xml --fill -2..2 --save-all all.npz -q
  ends 0
  # The key conv1 means the layer conv1. If -e compared it with the tensor of relu1, they would differ.
  irrun named.xml --fill -2..2 --expect all.npz -v
  ends 0
  says "  1  conv1  Abs-1" "$output"
  says "named.xml: 4 of 4 tensors match" "$output"
  irrun named.xml --fill -2..2 --expect all.npz --isolate -q
  ends 0
  irrun named.xml --cut=conv1 --output one.xml
  ends 0
  grep -q 'type="Abs"' one.xml
  irrun named.xml --cut=..conv1 --output part.xml
  ends 0
  says "part.xml: written, 1 layer" "$output"
  # Reports call the output conv1. The key in the archive is y, because the key conv1 would mean the layer.
  irrun named.xml --fill -2..2 --output out.npz -q
  ends 0
  grep -q 'y.npy' out.npz
  irrun named.xml --fill -2..2 --expect out.npz
  ends 0
}

@test "a tensor name that two layers have chooses none: both are listed" {
  named_model named.xml
  sed 's/name="exp"/name="t"/' named.xml >one.xml
  irrun one.xml --fill -2..2 --save-all all.npz -q
  sed -e '/name="conv1" type/,/<.layer>/s/precision="FP32"/& names="t"/' -e '/name="exp"/,/<.layer>/s/precision="FP32"/& names="t"/' \
    named.xml >twice.xml
  irrun twice.xml --cut=t --output part.xml
  ends 2
  says "cannot cut 't': several layers have that name" "$stderr"
  says "hint: give one of 'conv1', 'exp'" "$stderr"
  irrun twice.xml --fill -2..2 --expect all.npz
  ends 0
  says "1 key names no tensor of the model: 't' (of 'conv1', 'exp'); 1 tensor of the model has no key: 'exp' [IR510" "$stderr"
}

@test "--input takes the inputs of what --save-all wrote, and counts the rest in a line" {
  named_model named.xml
  irrun named.xml --fill -2..2 --save-all all.npz -q
  irrun named.xml --input all.npz --expect all.npz -q
  ends 0
  says "all.npz: warning: 3 keys name no input of the model: 'conv1', 'exp', 'relu1' [IR510" "$stderr"
  irrun named.xml --input all.npz --strict
  ends 5
}

@test "keys that name nothing that is computed are no match" {
  cp "$networks/global_pools.xml" pools.xml
  cp "$networks/global_pools.bin" pools.bin
  sed 's/name="x"/name="order"/; s/name="y"/name="other"/' "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" >order.xml
  irrun order.xml --fill 1 --save-all all.npz -q
  ends 0
  irrun pools.xml --fill 1 --expect all.npz
  ends 1
  says "nothing was compared: its keys name constants" "$stderr"
}

@test "a key cannot climb out of the folder where the archive is unpacked, and is read back" {
  named_model named.xml
  sed -i 's|name="conv1" type|name="../../conv1" type|; s|name="exp"|name="/etc/..\\%2E"|' named.xml
  irrun named.xml --fill -2..2 --save-all all.npz -q
  ends 0
  grep -q '%2E%2E/%2E%2E/conv1.npy' all.npz
  grep -qF '/etc/%2E%2E\%252E.npy' all.npz
  irrun named.xml --input all.npz --expect all.npz -q
  ends 0
  says "named.xml: 4 of 4 tensors match" "$output"
}

@test "inner tensors in the report of --json" {
  planted_with_results
  irrun bad.xml --fill random --expect good.npz --json
  ends 1
  says '"inner"' "$output"
  says '"name":"stages.1/downsample"' "$(tr -d ' \t\n' <<<"$output")"
}

@test "--assert-finite names the first layer that is not, be it an input" {
  wide_model wide.xml 600
  sed -e 's/name="abs" type="Abs"/name="root" type="Power"/' \
    -e '/name="root"/,/<.layer>/s|<port id="0"/></input>|<port id="0"/><port id="2"/></input>|' \
    -e 's|  </edges>|<edge from-layer="0" from-port="0" to-layer="1" to-port="2"/>&|' wide.xml >power.xml
  irrun power.xml --fill iota --assert-finite # 27^27 is the first power that exceeds f32
  ends 1
  says "power.xml:6:5: error: layer 'root' is not finite in 573 of 600 elements; the first at [27]: inf [IR609 layer-not-finite]" \
    "$stderr"
  says "y  f32[600]" "$output"
  irrun power.xml --fill 2 --assert-finite
  ends 0
  { head -c 2200 /dev/zero; printf '\0\0\300\377'; head -c 196 /dev/zero; } >nan.raw
  irrun power.xml --input nan.raw --assert-finite -q --json
  ends 1
  says "layer 'x' is not finite in 1 of 600 elements; the first at [550]: nan" "$output"
  [ "$(grep -c IR609 <<<"$output")" -eq 1 ]
  irrun --check-shapes power.xml --assert-finite
  ends 2
}

@test "--assert-finite lets infinities pass that a constant began; =nan asks for NaN alone" {
  wide_model wide.xml 4
  printf '\x00\x00\x80\xff' >mask.bin
  sed -e 's/name="abs" type="Abs"/name="root" type="Add"/' \
    -e '/name="root"/,/<.layer>/s|<port id="0"/></input>|<port id="0"/><port id="2"/></input>|' \
    -e 's|</layers>|<layer id="9" name="mask" type="Const" version="opset1"><data element_type="f32" shape="" offset="0" size="4"/><output><port id="0" precision="FP32"/></output></layer>&|' \
    -e 's|  </edges>|<edge from-layer="9" from-port="0" to-layer="1" to-port="2"/>&|' wide.xml >mask.xml
  irrun mask.xml --fill 1 --assert-finite
  ends 0
  says "y  f32[4]  -inf 4" "$output"
  irrun mask.xml --fill inf --assert-finite
  ends 1
  says "layer 'x' is not finite in 4 of 4 elements; the first at [0]: inf" "$stderr"
  irrun mask.xml --fill inf --assert-finite=nan
  ends 1
  says "layer 'root' is nan in 4 of 4 elements; the first at [0]: nan" "$stderr"
  irrun wide.xml --fill inf --assert-finite=nan
  ends 0
  irrun wide.xml --fill inf --assert-finite=none
  ends 2
  says "'--assert-finite=none': needs nan, or nothing" "$stderr"
}

@test "another shape inside, and a file that is not written over" {
  tensors
  irrun pool.xml --input x.npy -q --save-all all.npz
  ends 0
  pool_model odd.xml 1 4
  irrun odd.xml --input x.npy --expect all.npz
  ends 1
  says "[IR602 expected-shape-differs]" "$stderr"
  irrun pool.xml --input x.npy --expect all.npz --save-all all.npz
  ends 2
  says "'--save-all all.npz' would overwrite what '--expect all.npz' compares with" "$stderr"
  irrun pool.xml --input x.npy --output all.npz --save-all ./all.npz
  ends 2
  says "'--output all.npz' and '--save-all ./all.npz' lead to one place" "$stderr"
  irrun pool.xml --input x.npy --save-all all.npy
  ends 2
  says "'--save-all all.npy': the name does not end in .npz" "$stderr"
  irrun pool.xml --input x.npy --save-all missing/all.npz
  ends 6
}
