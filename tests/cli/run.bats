# Tests a run: its inputs, fills and printed results.
load helpers

@test "the result's shape, type, range and values" {
  tensors
  irrun pool.xml --input x.npy
  ends 0
  [ -z "$stderr" ]
  diff - <(echo "$output") <<'EOF'
y  f32[1,1,2,2]  min 2.5  mean 7.5  max 12.5
   [0,0]   2.5   4.5
          10.5  12.5
EOF
}

@test "-q: one line; by name, by layer's number, by short option" {
  tensors
  irrun pool.xml -q --input x=x.npy
  ends 0
  [ "$output" = "y  f32[1,1,2,2]  min 2.5  mean 7.5  max 12.5" ]
  irrun pool.xml -q -i 0=x.npy
  ends 0
  irrun pool.xml -q -ix.npy
  ends 0
}

@test "long results are cut, -v shows more" {
  tensors
  irrun same.xml --input x.npy -v
  ends 0
  says "15" "$output"
  pool_model big.xml
  sed -i -e 's/1,1,4,4/1,2,40,40/' -e 's:<dim>1</dim><dim>1</dim><dim>[0-9]*</dim><dim>[0-9]*</dim>::' big.xml
  irrun big.xml --fill iota
  ends 0
  says "  ..." "$output"
  says "... 40 rows of 20" "$output"
}

@test "a missing input is IR501, ready to paste" {
  pool_model pool.xml
  irrun pool.xml
  ends 5
  [ -z "$output" ]
  says "[IR501 input-missing]" "$stderr"
  says "hint: --input FILE or --fill random" "$stderr"
  two_model two.xml
  irrun two.xml
  ends 5
  says "error: 2 inputs are missing: 'ax' f32[1,1,4,4], 'bx' f32[1,1,4,4] [IR501 input-missing]" "$stderr"
  says "hint: --input 'ax=FILE' --input 'bx=FILE' or --fill random" "$stderr"
}

@test "an input that nothing needs leaves no doubt which one a file is for" {
  tensors
  sed 's|</layers>|<layer id="9" name="z" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>&|' \
    pool.xml >dead.xml
  irrun dead.xml -q --input x.npy --expect y.npy
  ends 0
}

@test "a file without NAME where there are several inputs" {
  tensors
  two_model two.xml
  irrun two.xml --input x.npy
  ends 2
  says "--input 'ax=FILE' --input 'bx=FILE'" "$stderr"
  says_not IR501 "$stderr"
}

@test "a name that is none" {
  tensors
  irrun pool.xml --input z=x.npy
  ends 5
  says "[IR502 name-unknown]" "$stderr"
  says_not IR501 "$stderr"
}

@test "a file whose name holds '=' needs no escape when it is there" {
  tensors
  cp x.npy a=b.npy
  irrun pool.xml -q --input a=b.npy
  ends 0
}

@test "an input is given once" {
  tensors
  irrun pool.xml --input x.npy --input x=x.npy
  ends 2
  says "input 'x' is given twice: 'x.npy' and 'x.npy'" "$stderr"
  irrun pool.xml --input x.npy --fill x=ones
  ends 2
}

@test "--fill for what has no file, by name, and its kinds" {
  two_model two.xml
  irrun two.xml -q --fill ones
  ends 0
  [ "$(grep -c 'min 1  mean 1  max 1' <<<"$output")" -eq 2 ]
  irrun two.xml -q --fill ax=zeros --fill 7
  ends 0
  says "ay  f32[1,1,2,2]  min 0  mean 0  max 0" "$output"
  says "by  f32[1,1,2,2]  min 7  mean 7  max 7" "$output"
  irrun two.xml --fill nonsense
  ends 2
  [ "$(grep -c '\[IR801' <<<"$stderr")" -eq 1 ]
  irrun two.xml --fill ones --fill zeros
  ends 2
}

@test "a fill is for what has no file, be it nothing; a wrong kind or name is refused always" {
  tensors
  two_model two.xml
  irrun pool.xml -q --input x.npy --fill ones --expect y.npy
  ends 0
  head -c 288 /dev/zero >zeros.bin
  irrun "$IRRUN_SOURCE/tests/golden/graphs/constant_data.xml" --weights zeros.bin -q --fill ones
  ends 0
  irrun "$IRRUN_SOURCE/tests/golden/graphs/constant_data.xml" --weights zeros.bin -q --fill x=ones
  ends 5
  says "the model has no input 'x'; it has none" "$stderr"
  irrun pool.xml --input x.npy --fill bogus -q
  ends 2
  says "bogus" "$stderr"
  [ "$(grep -c '\[IR801' <<<"$stderr")" -eq 1 ]
  # The fill is reported before the model is read, so that faults of the model do not hide it.
  irrun nowhere.xml --input nowhere.npy --fill bogus
  ends 2
  says "there is no fill 'bogus'" "$stderr"
  irrun two.xml --input x.npy --fill bogus
  ends 2
  says "'bogus'" "$stderr"
  irrun two.xml -q --input ax=x.npy --fill ones --output ay=a.npy
  ends 0
}

@test "a fill needs a known shape" {
  pool_model pool.xml
  sed -i -e 's/shape="1,1,4,4"/shape="?,1,4,4"/' -e 's:<dim>1</dim>:<dim>-1</dim>:' pool.xml
  irrun pool.xml --fill ones
  ends 5
  says "[IR309 shape-unknown]" "$stderr"
  says "--input 'x=FILE'" "$stderr"
}

@test "raw bytes, from a file and from stdin" {
  tensors
  irrun same.xml -q --input x.npy --output x.raw
  ends 0
  [ "$(stat -c %s x.raw)" -eq 64 ]
  irrun pool.xml -q --input x.raw --expect y.npy
  ends 0
  irrun pool.xml -q --input - --expect y.npy <x.raw
  ends 0
  head -c 60 x.raw >short.raw
  irrun pool.xml --input short.raw
  ends 5
  says "[IR507 raw-size-differs]" "$stderr"
}

@test "a lone .npz binds by key; surplus keys and NAME=" {
  two_model two.xml
  irrun two.xml -q --fill iota --output ys.npz
  ends 0
  # The keys of ys.npz, ay and by, are outputs, not inputs.
  irrun two.xml --input ys.npz
  ends 5
  says "error: keys 'ay', 'by' name no input of the model [IR508" "$stderr"
  says "hint: the inputs are ax, bx" "$stderr"
  says_not IR501 "$stderr"
  irrun two.xml --input ax=ys.npz --fill ones
  ends 5
  says "no key is named like input 'ax'" "$stderr"
  says "its keys are ay, by" "$stderr"
  pool_model pool.xml
  sed -i 's/name="y"/name="x"/' pool.xml
  irrun pool.xml -q --fill 3 --output xs.npz
  ends 0
  irrun pool.xml -q --input xs.npz
  ends 5 # the tensor of xs.npz is smaller than the input
  says "[IR503 input-shape-differs]" "$stderr"
}

@test "a missing file is status 6 and nothing else" {
  pool_model pool.xml
  irrun pool.xml --input nowhere.npy
  ends 6
  [ "$(grep -c 'error:' <<<"$stderr")" -eq 1 ]
}

@test "k faults of the inputs are k errors" {
  two_model two.xml
  irrun two.xml --input ax=nowhere.npy
  ends 6
  [ "$(grep -c 'error:' <<<"$stderr")" -eq 2 ]
  says "input 'bx', f32[1,1,4,4], is missing" "$stderr"
}

@test "a faulty model is not run" {
  tensors
  pool_model bad.xml 2 2 3
  irrun bad.xml --input x.npy --output out.npy
  ends 3
  [ -z "$output" ]
  [ ! -e out.npy ]
}

@test "only what the asked outputs need has to be given" {
  tensors
  two_model two.xml
  irrun two.xml -q --input ax=x.npy --output ay=a.npy
  ends 0
  cmp a.npy y.npy
}

@test "an op that irrun has not: status 4 and the list" {
  sed 's/"AvgPool"/"Relu"/' "$BATS_TEST_DIRNAME/../../models/ngraph/page_example.json" >relu.json
  irrun relu.json --fill ones
  ends 4
  [ -z "$output" ]
  says "Ops that irrun does not have: Relu-0 (1 layer)." "$stderr"
}

@test "notes that stand alone are shown with -v only" {
  tensors
  sed -e 's/auto_pad="[a-z]*"//; s/exclude-pad/auto_pad="valid" exclude-pad/; s/pads_end="0,0"/pads_end="1,1"/' pool.xml >pads.xml
  irrun pads.xml -q --input x.npy
  ends 0
  says_not "note:" "$stderr"
  irrun pads.xml -v --input x.npy
  ends 0
  says "[IR209 attribute-without-effect]" "$stderr"
}

@test "tensors that would not fit into memory together are refused before any is made" {
  # a and b are broadcast to n x n. Each of the two large tensors, `sum` and `abs`, takes 0.6 of the machine's memory.
  n=$(awk '/^MemTotal/ { print int(sqrt($2 * 1024 * 0.6 / 8)) }' /proc/meminfo)
  cat >large.xml <<EOF
<net name="large" version="11">
  <layers>
    <layer id="0" name="a" type="Parameter" version="opset1">
      <data shape="$n,1" element_type="f64"/><output><port id="0" precision="FP64"/></output>
    </layer>
    <layer id="1" name="b" type="Parameter" version="opset1">
      <data shape="1,$n" element_type="f64"/><output><port id="0" precision="FP64"/></output>
    </layer>
    <layer id="2" name="sum" type="Add" version="opset1">
      <input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP64"/></output>
    </layer>
    <layer id="3" name="abs" type="Abs" version="opset1">
      <input><port id="0"/></input><output><port id="1" precision="FP64"/></output>
    </layer>
    <layer id="4" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    <edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
  </edges>
</net>
EOF
  irrun --check-shapes large.xml
  ends 0
  irrun large.xml --fill ones
  ends 6
  says "[IR004 limit-exceeded]" "$stderr"
  says "half of what is available" "$stderr"
}

@test "--max-memory: what a run may take, and what it says that it would" {
  wide_model wide.xml 512,512
  irrun wide.xml --fill ones -q --max-memory 2047K
  ends 6
  says "with what this layer needs, the run takes 2097152 bytes" "$stderr"
  says "a run may take 2096128 bytes of memory, as --max-memory says [IR004 limit-exceeded]" "$stderr"
  says "hint: if that is meant: --max-memory 2M" "$stderr"
  irrun wide.xml --fill ones -q --max-memory 2M
  ends 0
  irrun --bench=1 wide.xml -q --max-memory 2097151
  ends 6
}

@test "a run that is too large is refused once, beside what is wrong with its inputs, and nothing is filled" {
  wide_model wide.xml 1048576,1048576
  irrun wide.xml --fill random
  ends 6
  [ "$(grep -c ': error: ' <<<"$stderr")" -eq 1 ]
  says "hint: if that is meant: --max-memory 4194304M" "$stderr"
  irrun wide.xml
  ends 6
  [ "$(grep -c ': error: ' <<<"$stderr")" -eq 2 ]
  says "[IR501 input-missing]" "$stderr"
  wide_model open.xml '?,1048576'
  irrun open.xml --shape 1048576,1048576 --fill random
  ends 6
  says "[IR004 limit-exceeded]" "$stderr"
}

@test "a model without outputs is valid, and there is nothing to run" {
  without=$BATS_TEST_DIRNAME/../faults/IR108_no_result.xml
  irrun "$without" --fill 1
  ends 4
  says "error: the model has no outputs: there is nothing to run [IR210" "$stderr"
  says_not no-result "$stderr"
  irrun "$without" --fill 1 --allow=IR210
  ends 4
}

@test "what a scalar's 0 and -1 name is said once in a run, too" {
  sed -e '/name="s2"/,/<.layer>/d' -e '/name="y2"/,/<.layer>/d' -e '/layer="[23]2"/d' \
    "$BATS_TEST_DIRNAME/../faults/by_hand/IR315_mean_of_a_scalar.xml" >scalar.xml
  irrun scalar.xml --weights "$BATS_TEST_DIRNAME/../faults/by_hand/IR315_mean_of_a_scalar.bin" --fill 7 -q
  ends 0
  [ "$(grep -c 'IR315' <<<"$stderr")" -eq 3 ] # two warnings, and the line that names --explain
  [ "${lines[0]}" = "y0  f32[]  min 7  mean 7  max 7" ]
}

@test "an output is not written over an input" {
  tensors
  cp x.npy in.npy
  irrun same.xml --input in.npy --output in.npy
  ends 2
  says "'--output in.npy' would overwrite what '--input in.npy' reads" "$stderr"
  ln -s in.npy link.npy
  irrun same.xml --input x=link.npy --output in.npy
  ends 2
  cmp in.npy x.npy
}

@test "two options that read stdin, by any of its names" {
  tensors
  irrun pool.xml --input - --expect - <x.npy
  ends 2
  says "'--expect' and '--input' both read stdin" "$stderr"
  irrun pool.xml --input /dev/stdin --expect - <x.npy
  ends 2
  says "'--expect' and '--input' both read stdin" "$stderr"
  irrun - --input /dev/stdin <pool.xml
  ends 2
  says "'MODEL' and '--input' both read stdin" "$stderr"
}

@test "numbers in the wrong order are told without a type" {
  pool_model pool.xml
  irrun pool.xml --fill 2..1
  ends 2
  says "fill '2..1': the first number has to be less than the second" "$stderr"
}

@test "a zero width space in a name is escaped" {
  pool_model pool.xml
  sed -i 's/name="pool"/name="po\&#x200b;ol"/; s/kernel="2,2"/kernel="2,x"/' pool.xml
  irrun --check-shapes -q pool.xml
  says "layer 'po\xe2\x80\x8bol'" "$stderr"
}

@test "an element type that is not given is not called by another word" {
  pool_model m.xml
  sed -i 's/element_type="f32"/element_type="undefined"/' m.xml
  irrun --check-shapes -q m.xml
  ends 0
  irrun m.xml --fill 1
  ends 4
  says "error: the element type of input 'x' is not given; irrun needs to know it [IR210 not-runnable-here]" "$stderr"
  says "hint: name it, as in --shape 'x=f32[1,3]'" "$stderr"
}

@test "an element type that is not given comes from --shape, or from the file that is given" {
  tensors
  sed 's/element_type="f32"/element_type="dynamic"/' pool.xml >m.xml
  irrun pool.xml --input x.npy
  expected=$output
  irrun m.xml --input x.npy
  ends 0
  [ "$output" = "$expected" ]
  irrun m.xml --shape f32 --input x.npy
  ends 0
  [ "$output" = "$expected" ]
  irrun m.xml --shape 'x=f32[1,1,4,4]' --fill 1
  ends 0
  says "f32[1,1,2,2]" "$output"
  irrun --check-shapes pool.xml --shape 'i32[1,1,4,4]'
  ends 5
  says "the model has the element type f32 there [IR503" "$stderr"
}

@test "element types that irrun has no kernel for are checked and not run" {
  tensors
  sed -e 's/element_type="f32"/element_type="i4"/' -e 's/precision="FP32"/precision="I4"/' pool.xml >i4.xml
  irrun --check-shapes i4.xml
  ends 0
  irrun i4.xml --input x.npy
  ends 4
  says "error: irrun does not compute with elements of type i4 [IR210 not-runnable-here]" "$stderr"
}

# converting FROM TO [N]: prints a model that converts x, of N elements, to TO.
converting() {
  local dims="<dim>${3:-5}</dim>"
  cat <<END
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="${3:-5}" element_type="$1"/><output><port id="0" precision="$1">$dims</port></output></layer>
<layer id="1" name="y" type="Convert" version="opset1"><data destination_type="$2"/><input><port id="0">$dims</port></input><output><port id="1" precision="$2">$dims</port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0">$dims</port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
END
}

@test "numbers of few bits: converted, shown, written as their bytes, read and compared" {
  converting f32 i4 >to.xml
  irrun to.xml --input 1,-2,7.5,8,-9 --output y.raw
  ends 0
  says "i4[5]  min -8  mean 1  max 7" "$output"
  [ "$(od -An -tx1 y.raw)" = " e1 87 07" ]
  irrun to.xml -q --input 1,-2,7,7,7 --expect y.raw
  ends 1
  says "differs in 1 of 5 elements (atol 0, rtol 0); the worst at [3]: got 7, expected -8" "$stderr"
  irrun to.xml -q --input 1,-2,7,8,7 --output y.npy
  ends 4
  says ".npy has no elements of type i4 [IR210 not-runnable-here]" "$stderr"
  says "hint: write the bytes as they are, to a file named .raw" "$stderr"
  converting i4 f32 >from.xml
  irrun from.xml --input y.raw
  ends 0
  says "1  -2   7  -8   7" "$output"
  irrun from.xml --input 1,2,3,4,8
  ends 5
  says "number 4 of input 'x' is 8, and i4 has no such number" "$stderr"
}

@test "floats of 8 bits lie in .npy as bytes without a type" {
  converting f32 f8e4m3 >to.xml
  irrun to.xml --input 1,448,-0.1,500,1e9 --output y.npy
  ends 0
  [ "$(tail -c 5 y.npy | od -An -tx1)" = " 38 7e 9d 7f 7f" ]
  grep -q "'descr': '<V1'" y.npy
  converting f8e4m3 f8e5m2 >other.xml
  irrun other.xml --input y.npy
  ends 0
  says "448  -0.09375       nan       nan" "$output"
  converting u8 f32 >bytes.xml
  irrun bytes.xml --input y.npy
  ends 5
  says "elements are '<V1', bytes without a type" "$stderr"
}

# random_model: prints a model with x f32[2,3] and n i64[1]. Two RandomUniforms draw i64 numbers, which are the target
# of a Reshape. A Multinomial draws from x.
random_model() {
  cat <<'END'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="n" type="Parameter" version="opset1"><data shape="1" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="lo" type="Parameter" version="opset1"><data shape="" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
<layer id="3" name="hi" type="Parameter" version="opset1"><data shape="" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
<layer id="4" name="sizes" type="RandomUniform" version="opset8"><data output_type="i64" op_seed="1" global_seed="1"/><input><port id="0"/><port id="1"/><port id="2"/></input><output><port id="3" precision="I64"/></output></layer>
<layer id="5" name="more" type="RandomUniform" version="opset8"><data output_type="i64" op_seed="1" global_seed="1"/><input><port id="0"/><port id="1"/><port id="2"/></input><output><port id="3" precision="I64"/></output></layer>
<layer id="6" name="flat" type="Reshape" version="opset1"><data special_zero="false"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>
<layer id="7" name="drawn" type="Multinomial" version="opset13"><data convert_type="i64" with_replacement="true" log_probs="false" op_seed="1" global_seed="1"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="I64"/></output></layer>
<layer id="8" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
<layer id="9" name="z" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="1" from-port="0" to-layer="4" to-port="0"/><edge from-layer="2" from-port="0" to-layer="4" to-port="1"/>
<edge from-layer="3" from-port="0" to-layer="4" to-port="2"/>
<edge from-layer="4" from-port="3" to-layer="5" to-port="0"/><edge from-layer="2" from-port="0" to-layer="5" to-port="1"/>
<edge from-layer="3" from-port="0" to-layer="5" to-port="2"/>
<edge from-layer="0" from-port="0" to-layer="6" to-port="0"/><edge from-layer="5" from-port="3" to-layer="6" to-port="1"/>
<edge from-layer="0" from-port="0" to-layer="7" to-port="0"/><edge from-layer="1" from-port="0" to-layer="7" to-port="1"/>
<edge from-layer="6" from-port="2" to-layer="8" to-port="0"/><edge from-layer="7" from-port="2" to-layer="9" to-port="0"/>
</edges></net>
END
}

@test "ops that are only checked are named before anything is run, every one of them once" {
  random_model >m.xml
  irrun --check-shapes m.xml
  ends 0
  irrun m.xml --fill 6
  ends 4
  [ "$(grep -c "irrun checks .* and does not run it" <<<"$stderr")" -eq 2 ]
  says "m.xml:6:1: error: irrun checks RandomUniform-8 and does not run it" "$stderr"
  says "m.xml:9:1: error: irrun checks Multinomial-13 and does not run it" "$stderr"
}
