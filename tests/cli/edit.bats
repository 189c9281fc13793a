# Tests --edit, which changes a model and writes it as an IR.
load helpers

models="$BATS_TEST_DIRNAME/../../models"
pool=$models/demo/pool.xml
digits=$models/networks/digits.xml

# edits LINE ARGUMENT...: checks that an edit ends with status 0, prints LINE, and warns of nothing.
edits() {
  local expected=$1
  shift
  irrun "$@"
  ends 0
  diff - <(echo "$output") <<<"$expected"
  [ -z "$stderr" ]
}

# refuses_of MODEL TEXT ARGUMENT...: checks that an edit is refused with TEXT, and writes nothing.
refuses_of() {
  local model=$1 expected=$2
  shift 2
  irrun "$model" -o out.xml "$@"
  ends 2
  says "$expected" "$stderr"
  [ "$output" = "out.xml: not written" ]
  [ ! -e out.xml ] && [ ! -e out.bin ]
}

# refuses TEXT ARGUMENT...: the same for pool.xml.
refuses() {
  refuses_of "$pool" "$@"
}

# nothing MODEL EDIT: checks that the edit is warned of, for it changes nothing, and that the model stays as it is.
nothing() {
  irrun "$1" -o out.xml --edit "$2"
  ends 0
  says "warning: '--edit $2' finds nothing to change" "$stderr"
  cmp "$1" out.xml
  [ ! -e "${1%.xml}.bin" ] || cmp "${1%.xml}.bin" out.bin
  irrun "$1" -o out.xml --strict --edit "$2"
  ends 2
  rm -f out.xml out.bin
}

@test "preprocessing computes what was computed before" {
  edits "out.xml: written, 1 edit, 1 port of 1 layer follow; out.bin, 352 bytes" "$models/networks/pool_mixer.xml" \
    -o out.xml --edit 'input 0: u8 nhwc reverse mean=10,20,30 scale=2,4,8'
  irrun --check-shapes --strict -q out.xml
  ends 0
  irrun --check-shapes -v out.xml
  says 'u8[1,' "$output"
}

@test "the order is: type, channels, mean, scale, layout" {
  cat >one.xml <<'END'
<net name="one" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,3,1,1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>1</dim><dim>1</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>1</dim><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
END
  edits "out.xml: written, 1 edit, 1 port of 1 layer follow; out.bin, 288 bytes" one.xml -o out.xml \
    --edit 'x: u8 nhwc reverse mean=1,2,3 scale=2'
  irrun out.xml --input x=10,20,30 --output y.npy -q
  ends 0
  irrun one.xml --input x=14.5,9,3.5 --expect y.npy --atol 0 --rtol 0 -q # reversed 30, 20, 10; minus 1, 2, 3; halved
  ends 0
}

@test "what no edit concerns stays byte for byte" {
  irrun "$digits" -q -o out.xml --edit 'layer filters: rename=renamed'
  ends 0
  [ "$(diff "$digits" out.xml | grep -c '^>')" -eq 1 ]
  cmp "${digits%.xml}.bin" out.bin
}

@test "names, a batch and rt_info" {
  edits "out.xml: written, 3 edits, 4 ports of 3 layers follow" "$pool" -o out.xml \
    --edit 'x: rename=image batch=? layout=nchw' --edit 'y: rename=probabilities' \
    --edit 'model: rt_info/model_info/labels="cat & dog"'
  says '<labels value="cat &amp; dog"/>' "$(cat out.xml)"
  says 'layout="[N,C,H,W]"' "$(cat out.xml)"
  irrun --check-shapes --strict out.xml
  ends 0
  says 'f32[?,1,4,4]' "$output"
  irrun out.xml --input image="$models/demo/x.npy" --output probabilities=y.npy -q
  ends 0
  edits "again.xml: written, 2 edits" out.xml -o again.xml --edit 'model: rt_info/model_info/labels=bird' \
    --edit 'model: rt_info/a/b=1 rt_info/a/c=2'
  says '<a><b value="1"/><c value="2"/></a>' "$(cat again.xml)"
  says '<labels value="bird"/>' "$(cat again.xml)"
}

@test "an attribute changes, and shapes follow" {
  edits "out.xml: written, 1 edit, 2 ports of 2 layers follow" "$pool" -o out.xml --edit 'layer pool: kernel=3,3'
  says 'kernel="3,3"' "$(cat out.xml)"
  irrun --check-shapes --strict out.xml
  says 'f32[1,1,2,2]' "$output"
}

@test "an edit that makes the model wrong is refused with the fault of the model" {
  irrun "$pool" -o out.xml --edit 'layer pool: kernel=9,9'
  ends 3
  says 'out.xml: not written' "$output"
  says IR304 "$stderr"
  [ ! -e out.xml ]
}

@test "an output is added, and another dropped with the layers that only it needs" {
  irrun "$digits" -o less.xml -q --edit 'probability: drop'
  ends 0
  irrun --check-shapes --strict -q less.xml
  ends 0
  says "1 input, 1 output" "$output"
  irrun "$digits" --input "$models/demo/seven.npy" --output digit=a.npy -q
  irrun less.xml --input "$models/demo/seven.npy" --output digit=b.npy -q
  cmp a.npy b.npy
  irrun "$digits" -o more.xml -q --edit 'layer filters: output=weights'
  ends 0
  irrun --check-shapes --strict -q more.xml
  says "1 input, 3 outputs" "$output"
  refuses "the edits drop every output" --edit 'y: drop'
}

@test "a constant gets other elements" {
  edits "one.xml: written, 1 edit; one.bin, 4 bytes" "$pool" -o one.xml --edit 'x: mean=1'
  irrun one.xml --input "$models/demo/x.npy" --output a.npy -q
  header="{'descr': '<f4', 'fortran_order': False, 'shape': (), }"
  printf '\223NUMPY\1\0\166\0%-117s\n\0\0\0\100' "$header" >two.npy # 2
  edits "two.xml: written, 1 edit; two.bin, 68 bytes" one.xml -o two.xml --edit 'layer x/mean_value: read=two.npy'
  irrun two.xml --input "$models/demo/x.npy"
  says "min -2" "$output"
  edits "three.xml: written, 1 edit; three.bin, 4 bytes" two.xml -o three.xml --edit 'model: compact'
  irrun three.xml --input "$models/demo/x.npy"
  says "min -2" "$output"
}

@test "weights in fewer bytes, with their error" {
  irrun "$digits" -o half.xml --edit 'model: weights=f16'
  ends 0
  says "constants in" "$output"
  irrun "$digits" -o small.xml --edit 'model: weights=int8_sym'
  ends 0
  says "error 0." "$output"
  [ "$(wc -c <small.bin)" -lt "$(wc -c <half.bin)" ]
  for name in half small; do
    irrun --check-shapes --strict -q $name.xml
    ends 0
    irrun $name.xml --input "$models/demo/seven.npy"
    says "   7" "${lines[1]}"
  done
  irrun half.xml -o back.xml -q --edit 'model: weights=f32'
  ends 0
  [ "$(grep -c 'type="Convert"' back.xml)" -eq "$(grep -c 'type="Convert"' "$digits")" ]
}

@test "each faulty edit is an error of its own" {
  irrun "$pool" -o out.xml --edit 'x: revers' --edit 'nothing: u8' --edit 'x' --edit 'layer pool: kernl=3,3' \
    --edit 'input x: mean=1,2' --edit 'x: nhwc=3'
  ends 2
  [ "$(grep -c 'error:' <<<"$stderr")" -eq 6 ]
  says "did you mean 'reverse'?" "$stderr"
  says "has no layer and no tensor 'nothing'" "$stderr"
  says "did you mean 'kernel'?" "$stderr"
  says "has 2 numbers, expected 1, or one for each channel: f32[1,1,4,4] is NCHW" "$stderr"
}

@test "values of words are checked" {
  refuses "expected numbers as 123.7" --edit 'x: mean=a'
  refuses "0 becomes 0 as f32, and the scale divides" --edit 'x: scale=1,0'
  refuses "'mean' needs a value: mean=X,.." --edit 'x: mean'
  refuses "'reverse' takes no value" --edit 'x: reverse=1'
  refuses "the layout HWC has 3 axes" --edit 'x: hwc'
  refuses "cannot become NCHW" --edit 'x: ncdw'
  refuses "is no type that data of an input can have" --edit 'x: string'
  refuses "is no type that data of an input can have" --edit 'x: dynamic'
  refuses "expected numbers as 123.7" --edit 'x: mean=nan'
  refuses "1e+300 becomes inf as f32" --edit 'x: mean=1e300'
  refuses "1e-300 becomes 0 as f32, and the scale divides" --edit 'x: scale=1e-300'
  refuses "a quote is not closed" --edit 'x: rename="a b'
  refuses "expected sizes of at least 1, or ?" --edit 'x: batch=x'
  refuses "expected sizes of at least 1, or ?" --edit 'x: batch=0'
  refuses "expected sizes of at least 1, or ?" --edit 'x: resize=0,0'
  refuses "expected sizes of at least 1, or ?" --edit 'x: resize=8,0'
  refuses "expected sizes of at least 1, or ?" --edit 'x: resize=8,-3'
  refuses "expected the height and width of the data" --edit 'x: resize=8'
  refuses "expected dims as" --edit 'x: shape=-2'
  refuses "expected numbers as 123.7" --edit 'x: scale=inf'
  refuses "-0 becomes -0 as f32, and the scale divides" --edit 'x: scale=-0'
  refuses "expected dims as" --edit 'x: shape=a'
  refuses "'shape=4,4' has another rank than the layout NCHW" --edit 'x: shape=4,4 reverse'
  refuses "expected words behind the colon" --edit 'x: '
  refuses "expected f16, f32, int8_sym or int8_asym" --edit 'model: weights=int9'
  refuses "the layer is AvgPool, expected a Const" --edit 'layer pool: read=x.npy'
  refuses "is no path of names" --edit 'model: rt_info/a//b=1'
}

@test "the layout in the file counts, and one that has no letter for each axis is not guessed" {
  edits "last.xml: written, 1 edit" "$pool" -o last.xml --edit 'x: layout=nhwc'
  edits "out.xml: written, 1 edit, 1 port of 1 layer follow; out.bin, 32 bytes" last.xml -o out.xml --edit 'x: nchw u8'
  irrun --check-shapes out.xml
  says 'Transpose-1' "$output"
  sed -i 's/\[N,H,W,C\]/[N,...,C]/' last.xml
  irrun last.xml -o none.xml --edit 'x: reverse'
  ends 2
  says "does not have a letter for each axis: say model=LAYOUT" "$stderr"
  rm out.bin
  edits "out.xml: written, 1 edit, 4 ports of 3 layers follow" last.xml -o out.xml --edit 'x: shape=2,1,4,4'
}

@test "a name cannot be given to two things" {
  refuses "several layers or tensors would be named 'x'" --edit 'tensor pool: output=x'
  refuses "several layers or tensors would be named 'pool'" --edit 'x: output=pool'
  refuses "several layers or tensors would be named 'z'" --edit 'tensor pool: output=z' --edit 'x: rename=z'
  refuses "several layers or tensors would be named 'pool'" --edit 'x: rename=pool'
  refuses "several layers or tensors would be named 'y'" --edit 'x: rename=y'
  edits "out.xml: written, 2 edits" "$pool" -o out.xml --edit 'x: rename=y' --edit 'y: rename=x'
  irrun --check-shapes --strict -q out.xml
  ends 0
}

@test "a tensor that is an output already gets another name, and no second output" {
  irrun "$pool" -o named.xml -q --edit 'tensor pool: output=middle'
  irrun --check-shapes --strict -q named.xml
  says "1 input, 1 output" "$output"
  irrun named.xml --input x="$models/demo/x.npy" --output middle=y.npy -q
  ends 0
  edits "same.xml: written, 1 edit" named.xml -o same.xml --edit 'tensor pool: output=middle,'
  says 'names="middle,middle\,"' "$(cat same.xml)"
}

@test "characters that XML does not have are refused, wherever they stand" {
  refuses "it holds the character U+0001, which XML does not allow" --edit $'model: rt_info/a=\x01'
  refuses "it holds the character U+0001" --edit $'model: rt_info/\x01=a'
  refuses "it holds the character U+001B" --edit $'x: rename=\x1b'
  refuses "it holds the character U+FFFE" --edit $'tensor pool: output=\xef\xbf\xbe'
  refuses "it holds the byte 0xFF, which is no UTF-8" --edit $'layer pool: auto_pad=\xff'
}

@test "names and rt_info keep every character" {
  local name='a<b>&"c'"'"$'d\t\n'
  name+=$(printf 'n%.0s' {1..300})
  irrun "$pool" -o out.xml -q --edit "layer pool: rename=\"${name//\"/}\""
  ends 0
  irrun --check-shapes --strict --json out.xml
  ends 0
  irrun out.xml -o long.xml -q --edit "model: rt_info/${name: -300}=1"
  ends 0
  edits "long.xml: written, 1 edit" long.xml -o long.xml --edit "model: rt_info/${name: -300}=<2>"
  says "<${name: -300} value=\"&lt;2&gt;\"/>" "$(cat long.xml)"
}

@test "a faulty model is refused, or mended" {
  irrun "$models/spec/P1.xml" -o out.xml --edit 'x: rename=z'
  ends 3
  says "out.xml:17:68: error: output port 1 declares 32x32, expected 16x16" "$stderr"
  says "out.xml: not written" "$output"
  says "P1.xml: invalid, 3 layers, 1 input, 1 output, 1 error" "$output"
  [ ! -e out.xml ]
  sed 's/kernel="2,2"/kernel="9,9"/' "$pool" >faulty.xml
  irrun faulty.xml -o out.xml --edit 'layer pool: kernel=8,8'
  ends 3
  says "kernel 8 exceeds" "$stderr"
  says "faulty.xml: invalid" "$output"
  [ ! -e out.xml ]
  edits "out.xml: written, 1 edit" faulty.xml -o out.xml --edit 'layer pool: kernel=2,2'
  cmp out.xml "$pool"
}

@test "no faulty model is written" {
  local model
  for model in "$BATS_TEST_DIRNAME"/../faults/IR[1-4]*.xml; do
    [[ $model == *IR210* ]] && continue # no fault of the model, and an edit keeps it
    irrun "$model" -o out.xml -q --edit 'model: rt_info/a=b'
    [ "$status" -le 6 ]
    if [ "$status" -eq 0 ]; then
      irrun --check-shapes -q out.xml
      ends 0
      rm -f out.xml out.bin
    fi
    [ ! -e out.xml ]
  done
}

@test "one edit sees what another one does to its input" {
  edits "out.xml: written, 2 edits, 4 ports of 3 layers follow; out.bin, 4 bytes" "$pool" -o out.xml \
    --edit 'x: batch=2' --edit 'x: mean=1'
  irrun --check-shapes --strict -q out.xml
  ends 0
}

@test "a shape that the model cannot have is refused with the fault of its layer" {
  irrun "$pool" -o out.xml --edit 'x: shape=4,4'
  ends 3
  says "AvgPool-1 takes rank 3 to 5 [IR303" "$stderr"
  [ ! -e out.xml ]
  edits "out.xml: written, 1 edit, 4 ports of 3 layers follow" "$pool" -o out.xml --edit 'x: shape=...'
  says 'shape="..."' "$(cat out.xml)"
  irrun --check-shapes --strict -q out.xml
  ends 0
}

@test "a port that declares no type gets none" {
  wide_model wide.xml 2,3
  irrun wide.xml -o out.xml -q --edit 'x: shape=4,5'
  ends 0
  diff out.xml <(sed 's/2,3/4,5/' wide.xml)
}

@test "edits that set the same contradict each other" {
  refuses "'u8' and 'f16' set the same" --edit 'x: u8 f16'
  refuses "'rename=a' and 'rename=b' set the same" --edit 'x: rename=a rename=b'
  refuses "'nhwc' and 'layout=nchw' set the same" --edit 'x: nhwc layout=nchw'
  refuses "'kernel=1,1' and 'kernel=3,3' set the same" --edit 'layer pool: kernel=1,1 kernel=3,3'
  refuses "'rt_info/a=1' and 'rt_info/a=2' set the same" --edit 'model: rt_info/a=1 rt_info/a=2'
  while read -r first second; do
    first=${first//\~/ } second=${second//\~/ }
    refuses "sets the same as '${first#*:}' of '--edit ${first%%:*}: ${first#*:}'" --edit "${first%%:*}: ${first#*:}" \
      --edit "${second%%:*}: ${second#*:}"
    says "'--edit ${second%%:*}: ${second#*:}': '${second#*:}' sets" "$stderr"
  done <<'END'
model:weights=f16 model:weights=f32
x:batch=2 x:batch=3
x:layout=nchw x:layout=nhwc
x:layout=nchw x:nhwc
x:rename=a x:rename=b
layer~pool:rounding_type=ceil layer~pool:rounding_type=floor
tensor~pool:output=a layer~pool:output=b
y:drop layer~pool:output=b
model:rt_info/a=1 model:rt_info/a=2
END
  refuses "change the same text of the model" --edit 'x: shape=2,1,4,4' --edit 'x: batch=3'
  refuses "'shape=2,1,4,4' and 'batch=3' give an axis two sizes" --edit 'x: shape=2,1,4,4 batch=3'
  refuses "'shape=1,1,4,4' and 'resize=8,8' give an axis two sizes" --edit 'x: shape=1,1,4,4 resize=8,8'
  irrun "$digits" -o out.xml --edit 'probability: drop rename=p'
  ends 2
  says "changes a part of the model that is removed with a dropped output" "$stderr"
}

@test "an edit that finds nothing to change says so" {
  irrun "$digits" -o small.xml -q --edit 'model: weights=int8_sym'
  for type in f32 int8_asym; do
    refuses_of small.xml "weights such as 'filters' are stored as i8" --edit "model: weights=$type"
  done
  nothing small.xml 'model: weights=int8_sym'
  nothing "$digits" 'model: weights=f32'
  nothing "$digits" 'model: compact'
  nothing "$pool" 'model: weights=f16'
  nothing "$pool" 'layer pool: kernel=2,2'
  nothing "$pool" 'x: f32 batch=1 shape=1,1,4,4'
  irrun "$pool" -o noted.xml -q --edit 'x: layout=nchw' --edit 'model: rt_info/a=1' --edit 'tensor pool: output'
  ends 0
  nothing noted.xml 'x: layout=nchw'
  nothing noted.xml 'model: rt_info/a=1'
  nothing noted.xml 'tensor pool: output'
}

@test "a dry run shows what changes and writes nothing" {
  irrun "$pool" --dry-run --edit 'layer pool: kernel=3,3'
  ends 0
  says "'pool' kernel: 2,2 -> 3,3" "$output"
  [ -z "$(ls)" ]
}

@test "a dry run shows names, layouts, outputs and rt_info" {
  irrun "$pool" --dry-run --edit 'x: rename=image layout=nchw' --edit 'layer pool: output=middle' \
    --edit 'model: rt_info/a/b=c'
  ends 0
  says "  'image' name: x -> image" "$output"
  says "+ 'image' output 0 rt_info/layout: [N,C,H,W]" "$output"
  says "+ 'pool' output 0 names: middle" "$output"
  says "+ model rt_info/a/b: c" "$output"
  says "the edited model: 4 differences" "$output"
}

@test "rt_info is printed as it was set" {
  irrun --rt-info "$pool"
  ends 0
  [ "$output" = "$pool: no rt_info, and no tensor names or layouts of inputs and outputs" ]
  irrun "$pool" -o out.xml -q --edit 'x: layout=nchw' --edit 'layer pool: output=middle' \
    --edit 'model: rt_info/model_info/labels="cat & dog" "rt_info/a key=1" rt_info/1<a=2'
  ends 0
  says '<info name="a key" value="1"/><info name="1&lt;a" value="2"/>' "$(cat out.xml)" # as OpenVINO writes such keys
  irrun --rt-info out.xml
  ends 0
  says "model           rt_info/model_info/labels  cat & dog" "$output"
  says "model           rt_info/a key              1" "$output"
  says "x, output 0     rt_info/layout             [N,C,H,W]" "$output"
  says "pool, output 0  names                      middle" "$output"
  irrun --rt-info --json out.xml
  says '"path":	"rt_info/a key"' "$output"
  irrun out.xml -o again.xml -q --edit 'model: "rt_info/a key=2"'
  says '<info name="a key" value="2"/>' "$(cat again.xml)"
}

@test "constants are saved, changed and read back" {
  irrun --check-shapes -q --save-all w.npz "$digits"
  ends 0
  nothing "$digits" 'model: read=w.npz'
  irrun --check-shapes --save-all w.npz "$digits" "$pool"
  ends 2
  says "'--save-all' belongs to one MODEL" "$stderr"
  cp "$digits" "${digits%.xml}.bin" .
  ln -s digits.bin digits.npz
  irrun --check-shapes --save-all digits.npz digits.xml
  ends 2
  says "would overwrite 'digits.bin'" "$stderr"
  irrun "$pool" -o out.xml --edit 'model: read=w.npz'
  ends 2
  says "the model has no layer 'filters'" "$stderr"
}

@test "layers of bodies are edited, and shapes in bodies follow" {
  local bodies=$BATS_TEST_DIRNAME/../golden/families/infrastructure.xml loop=TensorIterator-1.0.59
  irrun "$bodies" -o out.xml -q --edit "layer $loop > $loop.1: rename=renamed" --edit 'x58: shape=?,1,4'
  ends 0
  irrun --check-shapes -v out.xml
  ends 0
  says "$loop > renamed " "$output"
  [[ "$output" =~ "$loop > $loop.0 "+Parameter-1\ +f32\[\?,1,4\]\ +ok ]]
  [[ "$output" =~ "$loop > $loop.2 "+Concat-1\ .*f32\[\?,1,8\]\ +ok ]]
  irrun "$bodies" -o none.xml --edit "layer $loop > $loop.1: output"
  ends 2
  says "the layer is in a body, and an output of the model cannot come from there" "$stderr"
  irrun "$bodies" -o none.xml --edit "layer $loop > x: rename=y"
  ends 2
  says "the model has no layer '$loop > x'" "$stderr"
}

@test "the report of weights" {
  irrun "$digits" -o small.xml -v --edit 'model: weights=int8_asym'
  says " constant  from  to  bytes   error" "$output"
  says " filters   f32   u8    380  0.39 %" "$output"
  irrun "$digits" -o small.xml --json --edit 'model: weights=int8_asym'
  ends 0
  says '"to":	"u8"' "$output"
  irrun "$digits" --dry-run --edit 'model: weights=int8_asym'
  ends 0
  says "weights  1 constant in 380 B" "$output"
}

@test "a .bin that is too short, and files that cannot be written" {
  cp "$digits" .
  head -c 100 "${digits%.xml}.bin" >digits.bin
  irrun digits.xml -o out.xml --edit 'model: weights=f16'
  ends 3
  says IR40 "$stderr"
  [ ! -e out.xml ]
  mkdir folder.xml
  irrun "$digits" -o folder.xml --edit 'input 0: mean=1'
  ends 6
  irrun "$digits" -o missing/out.xml --edit 'input 0: mean=1'
  ends 6
  says "there is no folder 'missing'" "$stderr"
}

@test "a model can be edited in place" {
  cp "$digits" "${digits%.xml}.bin" .
  irrun digits.xml -o digits.xml -q --edit 'input 0: mean=3'
  ends 0
  irrun --check-shapes --strict -q digits.xml
  ends 0
}

@test "an IR of version 10 and an nGraph model are refused" {
  sed 's/version="11"/version="10"/' "$pool" >ten.xml
  irrun ten.xml -o out.xml --edit 'x: u8'
  ends 2
  says "OpenVINO reads it, and saves it as version 11 after model.set_rt_info(11, 'version')" "$stderr"
  irrun "$models/ngraph/page_example.json" -o out.xml --edit 'x: u8'
  ends 2
  says "--convert OUT.xml" "$stderr"
}

@test "constants without their .bin are not lost in silence" {
  irrun "$pool" -o one.xml -q --edit 'x: mean=1'
  rm one.bin
  irrun one.xml -o two.xml --edit 'x: rename=z'
  ends 0
  says "warning: constants are not copied" "$stderr"
  irrun one.xml -o three.xml --edit 'layer pool: output' --edit 'x: scale=2'
  ends 6
  says "error: constants cannot be added" "$stderr"
}

@test "the list of words" {
  irrun --generate=edits
  ends 0
  says "mean=X,.." "$output"
}

@test "a model from a stream gets constants that decide shapes" {
  edits "out.xml: written, 1 edit, 1 port of 1 layer follow; out.bin, 32 bytes" - -o out.xml \
    --edit 'x: nhwc model=nchw' <"$pool"
}
