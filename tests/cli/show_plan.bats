# Tests --show-plan: kernels and the reasons for them, fused, copied and constant operations, and places of tensors.
load helpers

models="$BATS_TEST_DIRNAME/../../models"

needs_module() {
  [[ "$("$IRRUN" --version)" =~ "oneDNN "[0-9] ]] || skip "irrun-onednn.so was not built: no libdnnl-dev"
}

# row LAYER: prints the layer's row of the table with single blanks, and the lines that belong to it.
row() {
  awk -v layer="$1" '
    /^ *([0-9]+ )? *[^ ]+  +[A-Z]/ { is_it = $1 == layer || $2 == layer }
    /^[^ ]/ { is_it = 0 }
    is_it' <<<"$output" | tr -s ' '
}

# steps: prints the kernels in $output, a plan or a profile.
steps() {
  grep -o '[a-z0-9_.+]* ([a-z0-9]*)' <<<"$output" | sed 's/ .*//'
}

# found_model FILE: writes a model with a NonZero. Shapes after the NonZero are unknown until a run.
found_model() {
  cat >"$1" <<'XML'
<net name="found" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="minus" type="Negative" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer>
<layer id="2" name="found" type="NonZero" version="opset3"><data output_type="i64"/><input><port id="0"/></input><output><port id="1" precision="I64"/></output></layer>
<layer id="3" name="last" type="Negative" version="opset1"><input><port id="0"/></input><output><port id="1" precision="I64"/></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="1" to-layer="3" to-port="0"/><edge from-layer="3" from-port="1" to-layer="4" to-port="0"/></edges></net>
XML
}

# target_model FILE: writes a Reshape whose target is an input.
target_model() {
  cat >"$1" <<'XML'
<net name="target" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="target" type="Parameter" version="opset1"><data shape="1" element_type="i64"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="minus" type="Negative" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer>
<layer id="3" name="shaped" type="Reshape" version="opset1"><data special_zero="false"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="2" from-port="1" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/><edge from-layer="3" from-port="2" to-layer="4" to-port="0"/></edges></net>
XML
}

@test "a plan is shown without inputs: kernels, types, places and bytes" {
  irrun --show-plan "$models/networks/digits.xml"
  ends 0
  diff - <(row match) <<'END'
 0 match Convolution convolution (any) f32[1,10,10,12] 0 4800 7224
 why: all products of the plan together are too few for oneDNN: less than 4 million multiplications
END
  diff - <(row probabilities) <<'END'
 3 probabilities SoftMax soft_max_f32 (any) f32[1,10] 64 40 80
 why: irrun's own kernel for these types; oneDNN computes only convolutions and matrix products
END
  says "digits.xml: 5 steps, block 9.60 kB" "$output"
  says "without oneDNN and the passes for it: all products" "$output"
  [ "$stderr" = "" ]
}

@test "the steps are those of a run" {
  for model in digits global_pools pool_mixer residual; do
    irrun "$models/networks/$model.xml" --fill random -q --profile
    ends 0
    steps >run
    irrun --show-plan "$models/networks/$model.xml"
    ends 0
    steps >plan
    diff <(grep -v lay_out_weights run) plan # a plan lacks the steps that relay weights
  done
}

@test "what was fused, and why each copy is there" {
  needs_module
  irrun --show-plan "$models/networks/residual.xml"
  ends 0
  says "fused: Add+ReLU why: oneDNN computes products; its weights are laid out once for the model" "$(row first | tr '\n' ' ' | tr -s ' ')"
  says "convolution+add+relu (onednn)" "$(row second)"
  says "why: Convolution 'first' reads it with channels last, and it lies plain" "$(row image)"
  says "why: oneDNN writes channels last, and an output of the plan lies plain" "$(row features)"
  says_not "without oneDNN" "$output"
  irrun --show-plan "$models/networks/residual.xml" --kernels=plain
  ends 0
  says "why: plain kernels were asked for" "$(row second)"
  says_not "Relayout" "$output"
  irrun --show-plan "$models/networks/residual.xml" --skip-pass=fuse
  ends 0
  says_not "fused:" "$output"
  says "first_relu" "$output"
}

@test "the program after a pass has operations and no kernels" {
  needs_module
  irrun --show-plan=after:lower "$models/networks/residual.xml"
  ends 0
  says "residual.xml: 9 operations after lower" "$output"
  says_not "Contraction" "$output"
  irrun --show-plan=after:fuse "$models/networks/residual.xml"
  ends 0
  says "residual.xml: 5 operations after fuse" "$output"
  says "fused: Add+ReLU" "$(row second)"
  says_not "onednn" "$output"
  says_not "Relayout" "$output"
}

@test "views and constants need no step, and pools name their route" {
  irrun --show-plan "$models/networks/global_pools.xml"
  ends 0
  says "why: no step: its output shows the elements of its input in another shape" "$(row ReduceMax_column)"
  irrun --show-plan "$models/networks/lp_pool.xml" -v
  ends 0
  says "half_f32 Convert f32[] constant 4 why: computed once for the model" "$(row half_f32 | tr '\n' ' ' | tr -s ' ')"
  says "why: small windows: straight from rows to outputs" "$(row average)"
  says "reads: abs f32[1,2,5,5], p_f32 f32[] constant" "$(row power)"
  irrun --show-plan "$models/networks/lp_pool.xml" --skip-pass=fold
  ends 0
  says "half_f32 Convert convert (any)" "$(row half_f32)"
}

@test "an index that an input has is copied before it is checked" {
  irrun --show-plan "$BATS_TEST_DIRNAME/../golden/families/movement.xml"
  ends 0
  says "copy_checked (any)" "$output"
  says "why: the next step checks these elements; nobody else can change the copy" "$output"
}

@test "an open shape is named, and --shape or --input closes it" {
  irrun --show-plan "$models/avg_pool/dynamic.xml"
  ends 5
  says "the shape [?,3,4..64,8] of input 'x' is open, and a plan needs it [IR309 shape-unknown]" "$stderr"
  says "hint: name one: --shape 'x=1,3,4,8', or give a tensor: --input 'x=FILE'" "$stderr"
  [ "$output" = "" ]
  irrun --show-plan "$models/avg_pool/dynamic.xml" --shape 1,3,8,8
  ends 0
  says "f32[1,3,4,4]" "$(row pool)"
}

@test "of several stages the first is shown, and what the next one waits for" {
  found_model found.xml
  irrun --show-plan found.xml
  ends 0
  says "minus Negative" "$(row minus)"
  says "found.xml: 1 step" "$output"
  says "the run has several stages, and this is the first: the next one waits for NonZero 'found'" "$output"
  irrun --show-plan=after:fold found.xml
  ends 0
  says "found.xml: 1 operation after fold" "$output"
}

@test "an input whose elements decide shapes" {
  target_model target.xml
  irrun --show-plan target.xml
  ends 0
  says "elements of an input, which --input or --fill gives, decide shapes of Reshape 'shaped'" "$output"
  irrun --show-plan target.xml --input target=6
  ends 0
  says "f32[6] view" "$(row shaped)"
  says_not "elements of an input" "$output"
}

@test "a picture of the memory has a box for each tensor in it" {
  irrun --show-plan=memory.svg "$models/networks/digits.xml"
  ends 0
  says "memory.svg: written" "$output"
  [ "$(grep -c '<title>' memory.svg)" -eq 6 ]
  says "<title>match f32[1,10,10,12]: 4800 bytes at 0, steps 0 to 1</title>" "$(<memory.svg)"
  xmllint --noout memory.svg 2>/dev/null || ! command -v xmllint
  cp "$models/networks/digits.xml" "$models/networks/digits.bin" .
  mv digits.xml digits.svg
  irrun --show-plan=digits.svg digits.svg --weights digits.bin
  ends 2
  says "would overwrite 'digits.svg'" "$stderr"
  irrun --show-plan=none/memory.svg "$models/networks/digits.xml"
  ends 6
}

@test "--json has rows and tensors" {
  irrun --show-plan --json "$models/networks/digits.xml"
  ends 0
  says '"kernel":	"soft_max_f32"' "$output"
  says '"offset":	4800' "$output"
  says '"block_bytes":	9600' "$output"
  says '"awaited":	[]' "$output"
}

@test "what --show-plan does not take" {
  irrun --show-plan=after:sort "$models/demo/pool.xml"
  ends 2
  says "'--show-plan=after:sort': needs a file .svg, or after:lower or one of after:widen fold quantize pack fuse layout" "$stderr"
  irrun --show-plan=plan.png "$models/demo/pool.xml"
  ends 2
  irrun --show-plan "$models/demo/pool.xml" --expect y.npy
  ends 2
  says "'--expect' has no effect with '--show-plan'" "$stderr"
  irrun --show-plan "$models/demo/pool.xml" "$models/demo/pool.xml"
  ends 2
  says "a plan takes one MODEL" "$stderr"
  irrun --show-plan "$models/spec/P1.xml"
  ends 3
}
