# Tests --cut, which writes a part of a model as a model.
load helpers

network="$BATS_TEST_DIRNAME/../../models/networks/pool_mixer.xml"
pool=stages.2/blocks.0/token_mixer/pool

# same_as_whole OUT LAYER: checks that the cut, run with its written inputs, computes the same as LAYER in the whole
# network.
same_as_whole() {
  irrun "$network" --fill random -q --save-all all.npz
  ends 0
  irrun "$1.xml" --input "$1.npz" -q --expect "$2=all.npz" --atol 0 --rtol 0
  ends 0
  says "1 of 1 output matches" "$output"
}

# loop_model: writes a TensorIterator 'each' whose body adds 5 to x. 5 is the second constant of the .bin.
loop_model() {
  printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0' >loop.bin
  cat >loop.xml <<'END'
<net name="loop" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="i32"/><output><port id="0" precision="I32"><dim>2</dim></port></output></layer>
<layer id="1" name="each" type="TensorIterator" version="opset1">
<input><port id="0" precision="I32"><dim>2</dim></port></input><output><port id="1" precision="I32"><dim>2</dim></port></output>
<port_map><input axis="0" external_port_id="0" internal_layer_id="0" start="0" end="-1" stride="1" part_size="1"/>
<output axis="0" external_port_id="1" internal_layer_id="3" start="0" end="-1" stride="1" part_size="1"/></port_map>
<back_edges/>
<body><layers>
<layer id="0" name="one" type="Parameter" version="opset1"><data shape="1" element_type="i32"/><output><port id="0" precision="I32"><dim>1</dim></port></output></layer>
<layer id="1" name="five" type="Const" version="opset1"><data element_type="i32" shape="1" offset="16" size="4"/><output><port id="0" precision="I32"><dim>1</dim></port></output></layer>
<layer id="2" name="add" type="Add" version="opset1"><input><port id="0" precision="I32"><dim>1</dim></port><port id="1" precision="I32"><dim>1</dim></port></input><output><port id="2" precision="I32"><dim>1</dim></port></output></layer>
<layer id="3" name="out" type="Result" version="opset1"><input><port id="0" precision="I32"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></body>
<rt_info><attribute name="kept" version="0"/></rt_info>
</layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0" precision="I32"><dim>2</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
END
}

@test "a layer and its inputs give what it gives in the whole model" {
  irrun --cut=$pool "$network" -o one.xml --fill random
  ends 0
  [ "$output" = "one.xml: written, 1 layer, 1 input, 1 output; one.bin, 0 bytes; one.npz, 1 tensor" ]
  folder_holds one.bin one.npz one.xml
  same_as_whole one $pool
}

@test "what lies between tensors comes with its constants" {
  irrun --cut=stages.1/downsample..stages.2/blocks.1/act "$network" -o some.xml --fill random
  ends 0
  says "some.xml: written, 10 layers, 1 input, 1 output; some.bin, 4 bytes; some.npz, 1 tensor" "$output"
  same_as_whole some stages.2/blocks.1/act
}

@test "a head and a tail are the whole" {
  irrun --cut=..stages.1/downsample "$network" -o head.xml
  ends 0
  irrun --cut=stages.1/downsample.. "$network" -o tail.xml
  ends 0
  irrun --cut=stages.1/downsample..features "$network" -o same.xml
  ends 0
  cmp tail.xml same.xml
  irrun head.xml --fill random -q -o middle.npy
  ends 0
  irrun "$network" --fill random -q -o whole.npy
  ends 0
  irrun tail.xml --input middle.npy -q --expect features=whole.npy --atol 0 --rtol 0
  ends 0
}

@test "-v lists what the end of a cut needs" {
  irrun -v --cut=..stages.0/blocks.0/token_mixer/pool "$network" -o part.xml
  ends 0
  says "  0  image " "$output"
  says "
  2  stages.0/blocks.0/token_mixer/pool " "$output"
  says_not "stages.0/blocks.0/token_mixer/minus" "$output"
  says "part.xml: written, 1 layer, 1 input, 1 output" "${lines[-1]}"
}

@test ".. is the whole model, in another shape with --shape" {
  irrun --cut=.. "$BATS_TEST_DIRNAME/../../models/max_pool/dynamic.xml" --shape 1,3,32,64 -o small.xml
  ends 0
  irrun --check-shapes -q small.xml --assert-output 'y=f32[1,3,8,16]'
  ends 0
  irrun small.xml --fill random -q -o small.npy
  ends 0
  irrun "$BATS_TEST_DIRNAME/../../models/max_pool/dynamic.xml" --shape 1,3,32,64 --fill random -q -e small.npy
  ends 0
}

@test "a body stays whole, with its constants and what irrun does not read" {
  loop_model
  irrun --cut=each loop.xml -o cut.xml
  ends 0
  says "cut.xml: written, 1 layer, 1 input, 1 output; cut.bin, 4 bytes" "$output"
  says '<attribute name="kept" version="0"/>' "$(cat cut.xml)"
  says 'offset="0" size="4"' "$(cat cut.xml)"
  cmp cut.bin <(printf '\5\0\0\0')
  irrun --check-shapes -q cut.xml
  ends 0
  irrun --cut=add loop.xml -o cut.xml
  ends 2
  says "cannot cut 'add': it lies in a body, which is cut as a whole" "$stderr"
  says "cut the layer that holds it: 'each'" "$stderr"
}

@test "inputs are written where the model can be run" {
  loop_model
  irrun --cut=each loop.xml -o cut.xml --fill iota
  ends 0
  folder_holds cut.bin cut.npz cut.xml loop.bin loop.xml
  irrun cut.xml --input cut.npz
  ends 0
  says "5  6" "$output"
}

@test "layers of one name are told apart by their ids" {
  two_model two.xml
  sed -i 's/name="bpool"/name="apool"/' two.xml
  irrun --cut=apool two.xml -o cut.xml
  ends 2
  says "cannot cut 'apool': several layers have that name" "$stderr"
  irrun --cut='#4.0' two.xml -o cut.xml --fill iota
  ends 0
  irrun --check-shapes -q cut.xml
  ends 0
  says "bx" "$(cat cut.xml)"
  says_not "ax" "$(cat cut.xml)"
}

@test "without a .bin the constants are missing, and a warning says so" {
  loop_model
  rm loop.bin
  irrun --cut=each loop.xml -o cut.xml
  ends 0
  says "constants of the cut were not copied" "$stderr"
  folder_holds cut.xml loop.xml
}

@test "names that there are not, and what is no cut" {
  tensors
  irrun --cut=pol pool.xml -o cut.xml
  ends 2
  says "cannot cut 'pol': no layer and no tensor has that name" "$stderr"
  says "did you mean 'pool'?" "$stderr"
  irrun --cut=x..pol pool.xml -o cut.xml
  ends 2
  says "cannot cut 'pol'" "$stderr"
  irrun --cut=pool..x pool.xml -o cut.xml
  ends 2
  says "what stands behind the dots does not need what stands before" "$stderr"
  irrun --cut=x pool.xml -o cut.xml
  ends 2
  says "cannot cut 'x': it is an input of the model" "$stderr"
  two_model two.xml
  irrun --cut=ax..bpool two.xml -o cut.xml
  ends 2
  says "what stands behind the dots does not need what stands before" "$stderr"
  folder_holds pool.xml same.xml two.xml x.npy y.npy
}

@test "no file of the model or of its inputs is written over" {
  tensors
  "$IRRUN" same.xml --fill iota -q --output x.npz
  cp x.npz kept.npz
  for out in pool.xml x.xml; do
    irrun --cut=pool pool.xml -o $out --input x=x.npz
    ends 2
    says "would overwrite" "$stderr"
  done
  cmp x.npz kept.npz
  irrun --cut=pool pool.xml -o pool.xml
  ends 2
  says "'--output pool.xml' would overwrite 'pool.xml', a file of the model" "$stderr"
}

@test "the command line of a cut" {
  tensors
  irrun --cut=pool pool.xml
  ends 2
  says "'--cut' needs one '--output OUT.xml'" "$stderr"
  irrun --cut=pool pool.xml -o cut.npz
  ends 2
  says "'--output cut.npz': the name does not end in .xml" "$stderr"
  irrun --cut=pool pool.xml two.xml -o cut.xml
  ends 2
  says "cut them one by one" "$stderr"
}

@test "an old .bin does not stay beside a model without constants" {
  # shellcheck disable=SC2034 # used as `given`
  local cut=(--cut pool -o out.xml) convert=(--convert out.xml) edit=(--edit 'x: rename=z' -o out.xml)
  for words in cut convert edit; do
    local -n given=$words
    echo old >out.bin
    irrun "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" "${given[@]}"
    ends 0
    says "out.bin, 0 bytes" "$output"
    [ ! -s out.bin ]
    irrun --check-shapes --strict -q out.xml
    ends 0
    rm out.bin
    irrun "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" "${given[@]}"
    [ ! -e out.bin ]
  done
}

@test "the file to write is no output of a run" {
  for words in "--edit|x: rename=z" "--cut|pool"; do
    irrun "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" "${words%|*}" "${words#*|}" -o y=out.xml
    ends 2
    says "NAME=FILE writes an output of a run, and '${words%|*}' writes a model" "$stderr"
    irrun "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" "${words%|*}" "${words#*|}" -o ./y=out.xml
    ends 0
    rm y=out.xml
  done
}

@test "a cut assigns no variable that it does not read" {
  sums_model m.xml
  irrun --cut=x.. m.xml -o cut.xml # with the Add and the Assign, without the ReadValue
  ends 0
  says "cut.xml: written, 1 layer, 2 inputs, 1 output" "$output"
  irrun cut.xml -i x=1,2 -i before=10,20 -q --assert-output 'sum=f32[2]'
  ends 0
  says "min 11  mean 16.5  max 22" "$output"
  irrun --cut=.. m.xml -o cut.xml
  ends 0
  says "cut.xml: written, 3 layers, 1 input, 2 outputs" "$output"
  irrun --check-shapes -q cut.xml
  ends 0
  for words in keep x..keep; do
    irrun "--cut=$words" m.xml -o cut.xml
    ends 2
    says "only assigns a variable" "$stderr"
  done
}

@test "what is read is cut, also where strict parsers of XML refuse it" {
  local model="$BATS_TEST_DIRNAME/../../models/demo/pool.xml"
  { echo; cat "$model"; } >blank.xml
  sed 's/name="pool" type/name="po\&#1;ol" type/' "$model" >control.xml
  sed 's/name="pool" type/name="po\x01ol" type/' "$model" >raw.xml
  sed 's/<data kernel/<data a:b="1" kernel/' "$model" >prefix.xml
  sed 's!</layers>!</layers><rt_info><a:b value="1"/></rt_info>!' "$model" >info.xml
  sed 's/<?xml version="1.0"?>/<?xml version="1.0" encoding="US-ASCII"?>/; s/name="pool"/name="p\xc3\xb6ol"/' "$model" >ascii.xml
  for what in blank control raw prefix info ascii; do
    irrun --cut=.. $what.xml -o cut.xml --allow=IR001,IR205
    ends 0
    grep -q -a -F "$(grep -a 'type="AvgPool"' $what.xml)" cut.xml # the layer's text is the same, byte for byte
    irrun cut.xml --input "$BATS_TEST_DIRNAME/../../models/demo/x.npy" --allow=IR001,IR205
    ends 0
    says "mean 7.5" "$output"
  done
  irrun --cut=$'po\x01ol' raw.xml -o cut.xml # the Result has the name, too
  ends 0
  irrun --check-shapes -q cut.xml
  ends 0
}

@test "constants with equal bytes are written once" {
  local const='type="Const" version="opset1"><data element_type="f32" shape="4" size="16" offset='
  local port='precision="FP32"><dim>4</dim></port>'
  printf 'AAAABBBBCCCCDDDDeeeeAAAABBBBCCCCDDDD' >m.bin
  cat >m.xml <<END
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="4" element_type="f32"/><output><port id="0" $port</output></layer>
<layer id="1" name="a" $const"0"/><output><port id="0" $port</output></layer>
<layer id="2" name="b" $const"0"/><output><port id="0" $port</output></layer>
<layer id="3" name="c" $const"20"/><output><port id="0" $port</output></layer>
<layer id="4" name="p" type="Add" version="opset1"><input><port id="0" $port<port id="1" $port</input><output><port id="2" $port</output></layer>
<layer id="5" name="q" type="Add" version="opset1"><input><port id="0" $port<port id="1" $port</input><output><port id="2" $port</output></layer>
<layer id="6" name="r" type="Add" version="opset1"><input><port id="0" $port<port id="1" $port</input><output><port id="2" $port</output></layer>
<layer id="7" name="y" type="Result" version="opset1"><input><port id="0" $port</input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="4" to-port="0"/><edge from-layer="1" from-port="0" to-layer="4" to-port="1"/>
<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/><edge from-layer="2" from-port="0" to-layer="5" to-port="1"/>
<edge from-layer="5" from-port="2" to-layer="6" to-port="0"/><edge from-layer="3" from-port="0" to-layer="6" to-port="1"/>
<edge from-layer="6" from-port="2" to-layer="7" to-port="0"/>
</edges></net>
END
  irrun --cut=.. m.xml -o cut.xml
  ends 0
  says "cut.xml: written, 3 layers, 1 input, 1 output; cut.bin, 16 bytes" "$output"
  cmp cut.bin <(printf 'AAAABBBBCCCCDDDD')
  irrun m.xml --fill iota -q -o y.npy
  irrun cut.xml --fill iota -q -e y.npy --atol 0 --rtol 0
  ends 0
}

@test ".. has all inputs and outputs of the model, in its order" {
  local port='<port id="0" precision="FP32"><dim>2</dim></port>'
  local in=${port/id=\"0/id=\"1}
  printf 'AAAABBBB' >m.bin
  cat >m.xml <<END
<net name="m" version="11"><layers>
<layer id="0" name="unused" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output>$port</output></layer>
<layer id="1" name="passed" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output>$port</output></layer>
<layer id="2" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output>$port</output></layer>
<layer id="3" name="c" type="Const" version="opset1"><data element_type="f32" shape="2" offset="0" size="8"/><output>$port</output></layer>
<layer id="4" name="minus" type="Negative" version="opset1"><input>$in</input><output>$port</output></layer>
<layer id="5" name="r" type="ReLU" version="opset1"><input>$in</input><output>$port</output></layer>
<layer id="6" name="fixed" type="Result" version="opset1"><input>$in</input></layer>
<layer id="7" name="y" type="Result" version="opset1" output_names="told"><input>$in</input></layer>
<layer id="8" name="same" type="Result" version="opset1"><input>$in</input></layer>
<layer id="9" name="y_again" type="Result" version="opset1"><input>$in</input></layer>
</layers><edges>
<edge from-layer="3" from-port="0" to-layer="4" to-port="1"/><edge from-layer="4" from-port="0" to-layer="6" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="5" to-port="1"/><edge from-layer="5" from-port="0" to-layer="7" to-port="1"/>
<edge from-layer="1" from-port="0" to-layer="8" to-port="1"/><edge from-layer="5" from-port="0" to-layer="9" to-port="1"/>
</edges></net>
END
  irrun --cut=.. m.xml -o cut.xml --fill iota
  ends 0
  says "cut.xml: written, 1 layer, 3 inputs, 4 outputs; cut.bin, 8 bytes; cut.npz, 2 tensors" "$output"
  for given in "m.xml --fill iota" "cut.xml --input cut.npz"; do
    # shellcheck disable=SC2086 # several words
    irrun $given
    ends 0
    echo "$output" >"out${given%%.*}"
  done
  cmp outm outcut
  [ "$(grep -c f32 outcut)" = 4 ]
  says "told  f32[2]" "$(cat outcut)"
  irrun --cut=x.. m.xml -o part.xml # from x alone
  ends 0
  says "part.xml: written, 1 layer, 1 input, 1 output" "$output"
}

@test "the inputs of a cut of an IR 10 have names that no other tensor has" {
  local parameter='type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output><port id="0" precision="FP32"'
  local relu='type="ReLU" version="opset1"><input><port id="0"><dim>2</dim></port></input><output><port id="1" precision="FP32"'
  for names in "t - p" "t t p" "t p,t p" "a t t" "a p,t t"; do
    read -r a b c <<<"$names"
    cat >m.xml <<END
<net name="m" version="10"><layers>
<layer id="0" name="x" $parameter><dim>2</dim></port></output></layer>
<layer id="1" name="$a" $relu names="${b#-}"><dim>2</dim></port></output></layer>
<layer id="2" name="$c" $relu names="t"><dim>2</dim></port></output></layer>
<layer id="3" name="last" $relu><dim>2</dim></port></output></layer>
<layer id="4" name="y" type="Result" version="opset1"><input><port id="0"><dim>2</dim></port></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="2" from-port="1" to-layer="3" to-port="0"/><edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
</edges></net>
END
    irrun --cut="$c" m.xml -o cut.xml --fill iota
    ends 0
    irrun cut.xml --input cut.npz
    ends 0
    says_not "IR112" "$stderr"
  done
}
