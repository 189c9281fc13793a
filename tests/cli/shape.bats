# Tests --shape, which sets input sizes that the model leaves open.
load helpers

# open_model FILE: writes a pool with x f32[?,1,2..8,4].
open_model() {
  pool_model "$1"
  sed -i -e 's/shape="1,1,4,4"/shape="?,1,2..8,4"/' -e 's:<dim>[0-9]*</dim>:<dim>-1</dim>:g' "$1"
  sed -i '/<output><port id="0"/s:<dim>.*</dim>:<dim>-1</dim><dim>1</dim><dim>-1</dim><dim>4</dim>:' "$1"
}

@test "dynamic dims are shown as intervals, and narrowed by --shape" {
  open_model pool.xml
  irrun --check-shapes pool.xml
  ends 0
  says "f32[?,1,2..8,4]    f32[1..,1,1..4,2]" "$output"
  irrun --check-shapes pool.xml --shape 1,?,3..6,?
  ends 0
  says "f32[1,1,3..6,4]  f32[1,1,1..3,2]" "$output"
  irrun --check-shapes pool.xml --shape 'x=[2, 1, 4, 4]'
  ends 0
  says "f32[2,1,2,2]" "$output"
  irrun --check-shapes pool.xml --shape 0=2,1,4,4 --shape=...
  ends 2
  irrun --check-shapes pool.xml --shape ...
  ends 0
  says "f32[?,1,2..8,4]" "$output"
}

@test "-v shows the formula of intervals, and no empty one" {
  open_model pool.xml
  irrun --check-shapes -v pool.xml
  ends 0
  says "        floor((2..8 + 0 + 0 - 2) / 2) + 1 = 1..4; floor((4 + 0 + 0 - 2) / 2) + 1 = 2" "$output"
  sed 's/exclude-pad="true"/& auto_pad="same_upper"/' pool.xml >same.xml
  irrun --check-shapes -v same.xml
  ends 0
  says "        floor((2..8 + pads of same_upper - 2) / 2) + 1 = 1..4; floor((4 + 0 + 0 - 2) / 2) + 1 = 2" "$output"
  sed 's/shape="[^"]*"/shape="..."/; s:<dim>[-0-9]*</dim>::g' pool.xml >any.xml
  irrun --check-shapes -v any.xml
  ends 0
  [ "$(grep -cE '^ *$' <<<"$output")" -eq 0 ]
  irrun --check-shapes --json any.xml
  ends 0
  says '"formula":	null' "$output"
  says_not '"formula":	""' "$output"
}

@test "a fill has the shape that is given" {
  open_model pool.xml
  irrun pool.xml -q --fill iota --shape x=1,1,4,4
  ends 0
  [ "$output" = "y  f32[1,1,2,2]  min 2.5  mean 7.5  max 12.5" ]
  irrun pool.xml -q --fill iota --shape x=1,?,4..5,?
  ends 5
  says "its shape [1,1,4..5,4] is not known" "$stderr"
  says "--shape 'x=1,1,4,4'" "$stderr"
}

@test "an input has to have the shape that is given" {
  tensors
  open_model open.xml
  irrun open.xml -q --input x.npy --shape x=1,1,4..8,4
  ends 0
  irrun open.xml -q --input x.npy --shape x=1,1,5..8,4
  ends 5
  says "has shape [1,1,4,4], expected [1,1,5..8,4]" "$stderr"
  says "[IR503 input-shape-differs]" "$stderr"
}

@test "a shape cannot contradict the model" {
  open_model pool.xml
  for shape in 1,2,4,4 1,1,1..8,4 1,1,4..9,4 1,1,4 ?,?,?,?,?; do
    irrun --check-shapes pool.xml --shape "x=$shape"
    ends 5
    says "'--shape x=$shape': the model has f32[?,1,2..8,4] there" "$stderr"
    [ "$(grep -c error: <<<"$stderr")" -eq 1 ]
  done
}

@test "what a declared dim says has to lie in the narrowed interval" {
  open_model pool.xml
  sed -i '/<output><port id="1"/s:<dim>-1</dim></port>:<dim>7</dim></port>:' pool.xml
  irrun --check-shapes pool.xml --shape x=7,1,2,4
  ends 3
  says "[IR301 declared-shape-differs]" "$stderr"
}

@test "texts that are no shape, names that are no input, a shape twice" {
  open_model pool.xml
  for shape in x= q x=1,1,q,4 x=1,,4,4 x=1..0,1,4,4 x=-4,1,4,4 x=1,1,4,99999999999999999999; do
    irrun --check-shapes pool.xml --shape "$shape"
    [ "$status" -ne 0 ]
    says "'--shape $shape'" "$stderr"
  done
  irrun --check-shapes pool.xml --shape z=1,1,4,4
  ends 5
  says "the model has no input 'z'; it has 'x'" "$stderr"
  irrun --check-shapes pool.xml --shape x=1,1,4,4 --shape 0=1,1,4,4
  ends 2
  says "are for one input" "$stderr"
}

@test "of several inputs the one that is meant has to be named" {
  two_model two.xml
  irrun two.xml -q --fill ones --shape 1,1,4,4
  ends 2
  says "the model has 2 inputs, say which one it is" "$stderr"
}

@test "a broken Parameter is not narrowed" {
  open_model pool.xml
  sed -i 's/shape="?,1,2..8,4"/shape="?,x"/' pool.xml
  irrun --check-shapes pool.xml --shape x=1,1,4,4
  ends 3
  [ "$(grep -c error: <<<"$stderr")" -eq 1 ]
}

# wide_open FILE KERNEL: writes a pool with x f32[1,1,?,?].
wide_open() {
  pool_model "$1" "$2"
  sed -i -e 's/shape="1,1,4,4"/shape="1,1,?,?"/' -e 's:<dim>[0-9]*</dim>:<dim>-1</dim>:g' "$1"
  sed -i '/<output><port id="0"/s:<dim>.*</dim>:<dim>1</dim><dim>1</dim><dim>-1</dim><dim>-1</dim>:' "$1"
}

@test "a fault that only a given tensor brings is the input's, whatever its rule" {
  wide_open copy.xml 1
  wide_open pool.xml 2
  irrun --check-shapes -q pool.xml
  ends 0
  irrun copy.xml -q --fill iota --shape 1,1,3,1 --output low.npy
  ends 0
  irrun pool.xml --input low.npy
  ends 5
  [ -z "$output" ]
  diff - <(sed -n '1p; /^note: the model/,$p' <<<"$stderr") <<'EOF'
pool.xml:8:23: error: kernel 2 exceeds the padded input 1 on spatial axis 1 (W) [IR304 kernel-exceeds-input]
note: the model has no fault; what this run was given has:
note: input 'x' is f32[1,1,3,1]; the model takes f32[1,1,?,?], pool.xml:3:5
1 error. 'irrun --explain=IR304' tells more.
EOF
  irrun pool.xml --input low.npy --json
  ends 5
  says '"exit":	5' "$output"
  says '"verdict":	"bad-data"' "$output"
}

@test "a fault of the model stays the model's in a run" {
  tensors
  pool_model wide.xml 5
  irrun wide.xml --input x.npy
  ends 3
  says_not "what this run was given" "$stderr"
}

@test "a Concat of an unknown rank has no formula, nor the one of the layer before" {
  cat >m.xml <<'XML'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="z" type="Parameter" version="opset1"><data shape="..." element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="2" name="a" type="Concat" version="opset1"><data axis="0"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>
<layer id="3" name="b" type="Concat" version="opset1"><data axis="0"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
<layer id="5" name="w" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="0"/><edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/><edge from-layer="3" from-port="2" to-layer="5" to-port="0"/></edges></net>
XML
  irrun --check-shapes --json m.xml
  ends 0
  [ "$(grep -o '"formula":.*' <<<"$output" | grep -cv null)" -eq 1 ]
}
