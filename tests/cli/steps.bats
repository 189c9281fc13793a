# Tests runs of several steps with the state of the model kept between them, and states that are saved and loaded. All
# expected numbers are computed by hand.
load helpers

@test "--step keeps the state, and each step has its inputs, outputs and expected values" {
  sums_model m.xml
  irrun m.xml -i x=1,2 --step -i x=10,20 -o sum=b.npy --step --fill ones
  ends 0
  diff - <(echo "$output") <<'EOF'
step 1 of 3
sum  f32[2]  min 1  mean 1.5  max 2
   1  2
same  f32[2]  min 1  mean 1.5  max 2
   1  2
step 2 of 3
sum  f32[2]  min 11  mean 16.5  max 22  -> b.npy
step 3 of 3
sum  f32[2]  min 12  mean 17.5  max 23
   12  23
same  f32[2]  min 1  mean 1  max 1
   1  1
EOF
  irrun m.xml -i x=1,2 --step -i x=10,20 -e sum=b.npy --step -i x=1,1 -e sum=b.npy --step -i x=@b.npy -e same=b.npy --atol sum=1
  ends 0
  irrun m.xml -i x=1,2 --step -i x=10,20 -e sum=b.npy --step -i x=1,1 -e sum=b.npy --step -i x=@b.npy -e same=b.npy
  ends 1
  says "step 3 of 4
sum  f32[2]  DIFFERS  2 of 2 (100 %)" "$output"
  says "same  f32[2]  ok" "$output"
  irrun m.xml -q -i x=1,2 -o sum=a.npy --step -i x=10,20 -o sum=c.npy
  ends 0
  [ -z "$output" ]
  cmp b.npy c.npy
}

@test "a folder as --input: a run for each file in it, in natural order, with first values of variables" {
  sums_model m.xml
  mkdir sets empty
  for value in 1 2 10; do
    "$IRRUN" m.xml --fill "$value" -q -o same="sets/s$value.npy"
  done
  irrun m.xml --input sets -o sum=out/ --stats
  ends 2
  says "'--output sum=out/' is written by one run, and '--input sets' is a run for each of 3 files" "$stderr"
  local wrong
  for wrong in "--save-all s.npz" "--save-state s.npz" "--profile=p.json" "--report r.html"; do
    # shellcheck disable=SC2086 # $wrong is several words
    irrun m.xml --input sets $wrong
    ends 2
    says "error: '$wrong' is written by one run, and '--input sets' is a run for each of 3 files" "$stderr"
    says_not step "$stderr"
  done
  irrun m.xml --input sets --against openvino
  ends 2
  says "'--against' is for one run, and '--input sets' is a run for each file" "$stderr"
  irrun m.xml --input sets --expect sets
  ends 2
  says "'--expect sets' is a folder, and each run of '--input sets' compares with the same file" "$stderr"
  irrun m.xml --input sets --stats
  ends 0
  diff - <(echo "$output") <<'EOF'
input 1 of 3: sets/s1.npy
sum  f32[2]  min 1  mean 1  max 1
   1  1
same  f32[2]  min 1  mean 1  max 1
   1  1
input 2 of 3: sets/s2.npy
sum  f32[2]  min 2  mean 2  max 2
   2  2
same  f32[2]  min 2  mean 2  max 2
   2  2
input 3 of 3: sets/s10.npy
sum  f32[2]  min 10  mean 10  max 10
   10  10
same  f32[2]  min 10  mean 10  max 10
   10  10
 tensor  value   min   mean  max    std  0.1..99.9 %
 before  f32[2]    0      0    0      0         0..0  all equal
 x       f32[2]    1  4.333   10  4.028    1.001..10
 add     f32[2]    1  4.333   10  4.028    1.001..10
 keep    f32[2]    1  4.333   10  4.028    1.001..10
EOF
  irrun m.xml --input sets --json
  says '"data_set":	"sets/s2.npy"' "$output"
  irrun m.xml --input empty
  ends 6
  says "empty: error: the folder has no files" "$stderr"
  irrun m.xml --input sets --step --input 3
  ends 2
  says "'--step' is for one run, and '--input sets' is a run for each file" "$stderr"
}

@test "a step reads its own elements where a plan is used again" {
  cat >powers.xml <<'EOF'
<net name="powers" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="power" type="Exp" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
EOF
  irrun powers.xml -i x=0,0 --step -i x=-inf,0 --step -i x=0,0 --step -i x=-inf,0,inf
  ends 0
  diff - <(grep '^ ' <<<"$output") <<'EOF'
   1  1
   0  1
   1  1
     0    1  inf
EOF
}

@test "a step may read what an earlier one wrote, and its tensors do not last" {
  sums_model m.xml
  irrun m.xml -q -i x=1,2 -o sum=a.npy --step -i x=@a.npy --assert-output sum=[2]
  ends 0
  says "sum  f32[2]  min 2  mean 3  max 4" "$output"
  irrun m.xml -i x=1,2 --step
  ends 5
  says "input 'x', f32[2], is missing" "$stderr"
  irrun m.xml -i x=1,2 --step -i z=1 --step -i x=1,1
  ends 5
  says "step 2 of 3" "$output"
  says_not "step 3 of 3" "$output"
}

@test "faults of outputs and expected values are found before the first step" {
  sums_model m.xml
  irrun m.xml -i x=1,2 -o sum=a.npy --step -i x=1,2 -o sum=a.npy
  ends 2
  says "'--output a.npy' is given twice" "$stderr"
  irrun m.xml -i x=1,2 -o d/ --step -i x=1,2 -o d/
  ends 2
  says "'--output d/' is given twice" "$stderr"
  irrun m.xml -i x=1,2 -o b.npz --step -i x=1,2 -e none.npy
  ends 6
  irrun m.xml -i x=1,2 -q -o sum=a.npy
  irrun m.xml -i x=1,2 -e sum=a.npy --step -i x=1,2 -o sum=a.npy
  ends 2
  says "'--output a.npy' would overwrite what '--expect a.npy' compares with" "$stderr"
  irrun m.xml -i x=@a.npy --step -i x=1,2 -o sum=a.npy
  ends 2
  says "'--output a.npy' would overwrite what '--input a.npy' reads" "$stderr"
  irrun m.xml -i x=- --step -i x=- <a.npy
  ends 2
  says "both read stdin" "$stderr"
  folder_holds a.npy m.xml
  for option in --save-all=a.npz --profile=p.json; do
    irrun m.xml -i x=1,2 --step -i x=1,2 $option
    ends 2
    says "writes one file, and here are 2 steps" "$stderr"
  done
  irrun --bench m.xml --fill ones --step
  ends 2
}

@test "options that look into layers see each step" {
  sums_model m.xml
  irrun m.xml -i x=1,2 -q --step -i x=3,4 --profile
  ends 0
  [ "$(grep -c 'add_f32' <<<"$output")" -eq 2 ]
  irrun m.xml -i x=1,2 --step -i x=inf,4 --assert-finite
  ends 1
  says "step 2 of 2" "$output"
  irrun m.xml -i x=4,6 -q --save-all all.npz
  irrun m.xml -i x=4,6 -e all.npz --step -i x=0,0 --step -i x=1,2
  ends 0
  says "m.xml: 4 of 4 tensors match" "$output"
}

@test "--save-state and --load-state" {
  sums_model m.xml
  irrun m.xml -i x=1,2 --step -i x=10,20 --save-state s.npz
  ends 0
  says "state  1 variable -> s.npz" "$output"
  irrun m.xml -i x=5,5 --load-state s.npz --save-state s.npz
  ends 0
  diff - <(echo "$output") <<'EOF'
state  1 variable from s.npz
sum  f32[2]  min 16  mean 21.5  max 27
   16  27
same  f32[2]  min 5  mean 5  max 5
   5  5
state  1 variable -> s.npz
EOF
  irrun m.xml -i x=0,0 --load-state s.npz -q
  ends 0
  says "max 27" "$output"
}

@test "a state that does not fit is refused" {
  sums_model m.xml
  irrun m.xml -i x=1,2 -q --save-state s.npz -o o.npz
  ends 0
  irrun m.xml -i x=1,2 --load-state o.npz
  ends 5
  says "o.npz: error: the model has no variable 'sum'" "$stderr"
  says "its first variable is 'v'" "$stderr"
  sed 's/shape="2"/shape="3"/g' m.xml >three.xml
  irrun three.xml -i x=1,2,3 --load-state s.npz
  ends 5
  says "the tensor for variable 'v' has shape [2], expected [3]" "$stderr"
  sed 's/f32/f64/g; s/FP32/FP64/g' m.xml >double.xml
  irrun double.xml -i x=1,2 --load-state s.npz
  ends 5
  says "the tensor for variable 'v' is f32, expected f64" "$stderr"
  for option in --load-state --save-state; do
    irrun m.xml -i x=1,2 $option s.npy
    ends 2
    says "the name does not end in .npz" "$stderr"
    irrun "$IRRUN_SOURCE/models/demo/pool.xml" --fill ones $option s.npz
    ends 2
    says "the model has no variables" "$stderr"
  done
  irrun m.xml -i x=1,2 -o sum=a.npy --save-state a.npy
  ends 2
  irrun m.xml -i o.npz --save-state o.npz
  ends 2
  says "'--save-state o.npz' would overwrite what '--input o.npz' reads" "$stderr"
  irrun m.xml -i x=1,2 --save-state none/s.npz
  ends 6
}

# repeater OPTION...: runs the language model that repeats what followed an id before.
repeater() {
  irrun "$IRRUN_SOURCE/models/networks/repeater.xml" "$@"
}

@test "--llm fills attention_mask, position_ids and beam_idx, from the ids and the state" {
  repeater --llm -i input_ids=3,1,4,1 --step -i input_ids=1,5 --save-state s.npz
  ends 0
  diff - <(echo "$output") <<'EOF'
step 1 of 2
filled  attention_mask i64[1,4] ones, position_ids i64[1,4] from 0, beam_idx i32[1] from 0
logits  f32[1,4,10]  min 0  mean 0.05  max 2
   [0]  0  0  0  0  0  0  0  0  0  0
        0  0  0  0  0  0  0  0  0  0
        0  0  0  0  0  0  0  0  0  0
        0  0  0  0  2  0  0  0  0  0
step 2 of 2
filled  attention_mask i64[1,6] ones, position_ids i64[1,2] from 4, beam_idx i32[1] from 0
logits  f32[1,2,10]  min 0  mean 0.3  max 4
   [0]  0  4  0  0  2  0  0  0  0  0
        0  0  0  0  0  0  0  0  0  0
state  1 variable -> s.npz
EOF
  repeater --llm -i input_ids=1 --load-state s.npz
  ends 0
  says "attention_mask i64[1,7] ones, position_ids i64[1,1] from 6" "$output"
  says "   [0]  0  4  0  0  2  5  0  0  0  0" "$output"
}

@test "--llm leaves given inputs alone, and refuses a model without ids" {
  repeater --llm -i input_ids=1,2,1 -i position_ids=0,0,0 --fill beam_idx=zeros --shape beam_idx=1
  ends 0
  says "filled  attention_mask i64[1,3] ones
" "$output"
  says "max 0" "$output"
  repeater --llm
  ends 5
  says "input 'input_ids', i64[?,?], is missing" "$stderr"
  irrun "$IRRUN_SOURCE/models/demo/pool.xml" --fill ones --llm
  ends 2
  says "'--llm': the model has no input 'input_ids'" "$stderr"
}

@test "--llm counts the ids of earlier steps if no size of the state says how many they are" {
  sed 's/variable_shape="?,?,10"/variable_shape="?,?,?"/' "$IRRUN_SOURCE/models/networks/repeater.xml" >open.xml
  cp "$IRRUN_SOURCE/models/networks/repeater.bin" open.bin
  irrun open.xml --llm -i input_ids=3,1,4,1 --step -i input_ids=1,5 --step -i input_ids=1 --save-state s.npz
  ends 0
  says "attention_mask i64[1,6] ones, position_ids i64[1,2] from 4" "$output"
  says "attention_mask i64[1,7] ones, position_ids i64[1,1] from 6" "$output"
  irrun open.xml --llm -i input_ids=1 --load-state s.npz
  ends 2
  says "the length of the state is unknown: it was loaded" "$stderr"
}

# window_model FILE VARIABLE: writes a model with the inputs of Mamba and a variable of 4 columns.
window_model() {
  local port='<port id="0" precision="I64"/>' f32='<port id="1" precision="FP32"/>' in='<input><port id="0"/></input>'
  cat >"$1" <<EOF
<net name="window" version="11"><layers>
<layer id="0" name="input_ids" type="Parameter" version="opset1"><data shape="?,?" element_type="i64"/><output>$port</output></layer>
<layer id="1" name="attention_mask" type="Parameter" version="opset1"><data shape="?,?" element_type="i64"/><output>$port</output></layer>
<layer id="2" name="cache_position" type="Parameter" version="opset1"><data shape="?" element_type="i64"/><output>$port</output></layer>
<layer id="3" name="read" type="ReadValue" version="opset6"><data variable_id="$2" variable_type="f32" variable_shape="1,2,4"/><output>$f32</output></layer>
<layer id="4" name="keep" type="Assign" version="opset6"><data variable_id="$2"/>$in<output>$f32</output></layer>
<layer id="5" name="ids" type="Result" version="opset1">$in</layer>
<layer id="6" name="mask" type="Result" version="opset1">$in</layer>
<layer id="7" name="position" type="Result" version="opset1">$in</layer>
</layers><edges><edge from-layer="3" from-port="1" to-layer="4" to-port="0"/><edge from-layer="0" from-port="0" to-layer="5" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="6" to-port="0"/><edge from-layer="2" from-port="0" to-layer="7" to-port="0"/></edges></net>
EOF
}

@test "--llm fills cache_position: the columns of the window, then the position of each id" {
  window_model m.xml cache_params.past.conv.0cache_params.present.conv.0
  irrun m.xml --llm -i input_ids=7,8,9,5,6,1 --step -i input_ids=3 --step -i input_ids=4 -o position=p.npy
  ends 0
  says "filled  attention_mask i64[1,6] ones, cache_position i64[4] from 0
" "$output"
  says "filled  attention_mask i64[1,1] ones, cache_position i64[1] from 6
" "$output"
  says "filled  attention_mask i64[1,1] ones, cache_position i64[1] from 7
" "$output"
  says "position  i64[4]  min 0  mean 1.5  max 3" "$output"
  irrun m.xml --llm -i input_ids=7,8 --step -i input_ids=3 -i cache_position=9
  ends 0
  says "cache_position i64[4] from 0" "$output"
  says "position  i64[1]  min 9" "$output"
  window_model other.xml cache_params.past.ssm.0
  irrun other.xml --llm -i input_ids=7,8
  ends 2
  says "the size of the window is unknown: the model has no variable 'cache_params.past.conv.0' with a known last size" "$stderr"
}

@test "--greedy continues the ids" {
  repeater --greedy 6 -i input_ids=1,2,3,1 -e 2,3,1,2,3,1 -o ids.npy --save-state s.npz
  ends 0
  diff - <(echo "${output//"$IRRUN_SOURCE/"/}") <<'EOF'
filled  attention_mask i64[1,4] ones, position_ids i64[1,4] from 0, beam_idx i32[1] from 0
ids  2,3,1,2,3,1
state  1 variable -> s.npz
models/networks/repeater.xml: the ids match
EOF
  repeater --greedy 6 -i input_ids=1,2,3,1 -e ids.npy -q
  ends 0
  repeater --greedy 6 -i input_ids=1,2,3,1 -e 2,3,1,2,3,9 -q
  ends 1
  says "ids  2,3,1,2,3,1" "$output"
  says "the worst at [0,5]: got 1, expected 9" "$stderr"
  repeater --greedy 5 -i input_ids=1,2,3,1 -e ids.npy
  ends 1
  repeater --greedy 3 -i input_ids=1 --load-state s.npz -q # the last id was not given to the model yet
  ends 0
  [ "$output" = "ids  2,3,1" ]
  repeater --greedy 3 -i input_ids=1,2,3,1 --json
  ends 0
  says '"ids":	[2, 3, 1]' "$output"
}

@test "--greedy refuses what it cannot continue" {
  repeater --greedy 0 -i input_ids=1
  ends 2
  repeater --greedy 2
  ends 5
  repeater --greedy 2 -i input_ids=1 -i beam_idx=0
  ends 2
  says "'--greedy' fills attention_mask, position_ids, cache_position and beam_idx itself" "$stderr"
  repeater --greedy 2 --fill input_ids=iota --shape input_ids=2,3
  ends 2
  says "input_ids has 6 elements in 2 rows" "$stderr"
  repeater --greedy 2 -i input_ids=1 --step
  ends 2
  says "'--step' has no effect with '--greedy'" "$stderr"
  repeater --greedy 2 -i input_ids=1 -o a.npy -o b.npy
  ends 2
  says "'--output' is given twice" "$stderr"
  repeater --greedy 2 -i input_ids=1 -q -o ids.npy
  ends 0
  repeater --greedy 2 -i input_ids=1 -e ids.npy -o ./ids.npy
  ends 2
  says "would overwrite what '--expect ids.npy' compares with" "$stderr"
  repeater --greedy 2 -i input_ids=ids.npy -o ids.npy
  ends 2
  says "would overwrite what '--input ids.npy' reads" "$stderr"
  repeater --greedy 2 -i input_ids=1 -o a.npz --save-state a.npz
  ends 2
  says "'--save-state=a.npz' would overwrite 'a.npz'" "$stderr"
  irrun "$IRRUN_SOURCE/models/demo/pool.xml" --greedy 2 --fill ones
  ends 2
  says "this model has none" "$stderr"
}

@test "--test runs the steps of a data set, and keeps the state between them" {
  mkdir -p cases/m/step_2 cases/m/step_10 cases/m/test_data_set_0/step_1
  sums_model cases/m.xml
  irrun cases/m.xml -i x=1,2 -q -o same=cases/m/step_2/input.npy
  cp cases/m/step_2/input.npy cases/m/test_data_set_0/step_1
  irrun cases/m.xml -i x=10,20 -q -o same=cases/m/step_10/input.npy
  irrun --test cases
  ends 1
  says "cases/m/step_2: no expected outputs are beside the inputs" "$stderr$output"
  irrun --test --update cases
  ends 0
  says "cases/m/step_10/expected_sum.npy: output 'sum', new: f32[2]" "$output"
  irrun cases/m.xml -i x=11,22 -q -e same=cases/m/step_10/expected_sum.npy
  ends 0
  irrun --test cases
  ends 0
  says "2 cases: 2 ok" "$output"
  cp cases/m/step_2/input.npy cases/m/step_10/expected_sum.npy
  echo '{"atol": 0.5, "outputs": {"sum": {"rtol": 0.25}}}' >cases/irrun-test.json
  irrun --test -v cases
  ends 1
  says "cases/m/step_10/expected_sum.npy: output 'sum' differs in 2 of 2 elements" "$output"
  # the command line that -v shows repeats the case
  command=$(sed -n 's/^   \$ irrun //p' <<<"$output")
  eval "irrun $command"
  ends 1
  says "step 2 of 2
sum  f32[2]  DIFFERS" "$output"
  cp cases/m/step_2/input.npy cases/m/step_2/expected_sum.npy
  cp cases/m/step_10/input.npy cases/m/step_2
  irrun --test cases --filter cases/m
  ends 1
  says "step_2/expected_sum.npy" "$output"
  says_not "step_10" "$output"
  irrun --test --update cases
  ends 0
  irrun --test cases
  ends 0
  cp cases/m/step_2/input.npy cases/m
  irrun --test cases
  ends 2
  says "the data set has files beside its steps" "$output"
}
