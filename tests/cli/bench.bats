# Tests --bench: its measurements, reports and refusals. No test checks a time.
load helpers

models=$BATS_TEST_DIRNAME/../../models

# keys_of OBJECT KEY...: checks that OBJECT, an object or a list of objects in $output, has exactly these keys.
keys_of() {
  local object=$1
  shift
  diff <(printf '%s\n' "$@") <(sed -n "/^\t*\"$object\":/,/^\t\t\t[]}]/s/^\t\t\t\t\"\([a-z0-9_]*\)\":.*/\1/p" <<<"$output")
}

@test "a measurement tells machine, inputs, times and the floor" {
  pool_model pool.xml
  irrun --bench=20 --threads 1 pool.xml
  ends 0
  [ -z "$stderr" ]
  says "pool.xml  " "${lines[0]}"
  says "1 thread" "${lines[0]}"
  [ "${lines[1]}" = "   input    x  f32[1,1,4,4] filled with random:1" ]
  [[ ${lines[2]} =~ ^"   load     "[0-9.]+" "[mun]?s"   first run "[0-9.]+" "[mun]?s"   new shapes "[0-9.]+" "[mun]?s"   peak memory "[0-9.]+" MB"$ ]]
  [[ ${lines[3]} =~ ^"   run      min "[0-9.]+" "[mun]?s"   median "[0-9.]+" "[mun]?s"   p90 "[0-9.]+" "[mun]?s"   p99 "[0-9.]+" "[mun]?s"   max "[0-9.]+" "[mun]?s$ ]]
  [[ ${lines[4]} =~ ^"   rate     "[0-9.]+" runs/s   (20 runs in "[0-9.]+" "[mun]?s")"$ ]]
  [[ ${lines[5]} =~ ^"   speed    "[0-9.]+" "[kMG]?"B/s, "[0-9.]+" % of this machine's floor"$ ]]
  [[ ${lines[6]} =~ ^"   floor    "[0-9.]+" "[mun]s", to read and write the 80 B of 1 step and compute nothing"$ ]]
  [ "${#lines[@]}" -eq 7 ]
  folder_holds pool.xml
}

@test "-q: one line" {
  pool_model pool.xml
  irrun --bench=1 -q pool.xml
  ends 0
  [ "${#lines[@]}" -eq 1 ]
  [[ $output =~ ^"pool.xml  median "[0-9.]+" "[mun]s"  min "[0-9.]+" "[mun]s", "[0-9.]+" runs/s, "[0-9.]+" "[kMG]?"B/s, "[0-9.]+" % of this machine's floor"$ ]]
}

@test "a number of runs, of seconds, or neither" {
  pool_model pool.xml
  irrun --bench=1 pool.xml
  ends 0
  says "(1 run in " "$output"
  irrun pool.xml --bench=0.001s
  ends 0
  irrun pool.xml --bench -q
  ends 0
  for bad in 0 0s -1 1.5 "" s x 1m 1e-10s nans infs 1ss 2000000000 2000000000s; do
    irrun pool.xml --bench="$bad"
    ends 2
    says "'--bench=$bad': needs a number of runs of at least 1, or of seconds above 0" "$stderr"
  done
}

@test "the number stands behind a '='" {
  pool_model pool.xml
  irrun --bench 100 pool.xml
  ends 2
  says "a measurement takes one MODEL, and here are 2: '100', 'pool.xml'" "$stderr"
  says "--bench=100" "$stderr"
  irrun --bench
  ends 2
  says "no MODEL is given" "$stderr"
}

@test "inputs are given as to a run" {
  tensors
  irrun --bench=1 pool.xml --input x.npy
  ends 0
  says_not "filled" "$output"
  irrun --bench=1 pool.xml --fill ones
  ends 0
  says_not "filled" "$output"
  two_model two.xml
  irrun --bench=1 two.xml --fill ax=zeros
  ends 0
  says "input    bx  f32[1,1,4,4] filled with random:1" "$output"
  says_not "ax  " "$output"
  says "160 B of 2 steps" "$output"
  irrun --bench=1 - --fill iota -q <pool.xml
  ends 0
  irrun --bench=1 "$models/avg_pool/dynamic.xml" --shape 2,3,8,8 -q
  ends 0
}

@test "several shapes, one after the other" {
  model=$models/avg_pool/dynamic.xml
  irrun --bench=1 -q "$model" --shape 2,3,8,8 --shape 2,3,9,8 --shape 2,3,10,8
  ends 0
  [ "${#lines[@]}" -eq 3 ]
  says "[2,3,8,8]  median " "${lines[0]}"
  says "[2,3,9,8]  median " "${lines[1]}"
  says "[2,3,10,8]  median " "${lines[2]}"
  irrun --bench=1 --json "$model" --shape 2,3,8,8 --shape 2,3,99,8
  [ "$status" -ne 0 ]
  [ "$(grep -c '"path":' <<<"$output")" -eq 2 ]
  [ "$(grep -c '"median_ns":' <<<"$output")" -eq 1 ]
  irrun --bench=1 - --shape 1,1,4,4 --shape 1,1,4,? <"$model"
  ends 2
  says "several shapes read the model several times" "$stderr"
  irrun --bench=1 "$model" --shape 2,3,8,8 --shape 2,3,9,8 --profile=t.json
  ends 2
  says "a trace is of one shape" "$stderr"
  two_model two.xml
  irrun --bench=1 -q two.xml --shape ax=1,1,4,4 --shape bx=1,1,4,4 --shape bx=1,1,4,4
  ends 0
  [ "${#lines[@]}" -eq 2 ]
  irrun --bench=1 -q two.xml --shape ax=1,1,4,4 --shape ax=1,1,4,4 --shape ax=1,1,4,4 --shape bx=1,1,4,4 --shape bx=1,1,4,4
  ends 2
  says "'--shape' is given 3 times for one input, and 2 times for another" "$stderr"
}

@test "--parallel measures runs at once and their throughput" {
  tensors
  irrun --bench=10 --parallel 4 --threads 6 pool.xml --input x.npy
  ends 0
  says ", 4 runs of 1 thread" "${lines[0]}"
  says "(12 runs in " "$output" # each of the four does a fourth, rounded up
  [[ ${lines[3]} =~ ^"   rate     "[0-9.]+" runs/s, 4 at once   (" ]]
  irrun --bench=0.01s --parallel 3 --threads 7 --json "$models/networks/residual.xml" --skip-pass fuse
  ends 0
  says $'"parallel":\t3' "$output"
  says $'"threads":\t2' "$output"
  irrun --bench=1 --parallel 1 -q pool.xml
  ends 0
  [[ $output =~ ^"pool.xml  median "[0-9.]+" "[mun]s"  min "[0-9.]+" "[mun]s", "[0-9.]+" runs/s, " ]]
  for bad in 0 -1 257 x ""; do
    irrun --bench pool.xml --parallel "$bad"
    ends 2
    says "'--parallel $bad': needs a whole number from 1 to 256" "$stderr"
  done
  irrun pool.xml --parallel 2
  ends 2
  says "'--parallel' has no effect without '--bench'" "$stderr"
}

@test "--parallel: limits hold for each run" {
  wide_model wide.xml 1000,1001
  irrun --bench=4 --parallel 4 -q wide.xml --max-memory 9M # an input and an output of 4 MB
  ends 0
  irrun --bench=4 --parallel 4 -q wide.xml --max-memory 7M
  ends 6
  says "IR004" "$stderr"
  irrun --bench=4 --parallel 4 -q wide.xml --max-time 1ns
  ends 6
  says "IR705" "$stderr"
}

@test "--parallel: more threads than can start" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers need much address space"
  pool_model pool.xml
  irrun_within 300000 --bench=4 --parallel 256 pool.xml # the stacks of 256 threads take more
  ends 6
  says "of 256 threads could be started" "$stderr"
}

@test "exit statuses are those of a run" {
  pool_model pool.xml
  irrun --bench=1 missing.xml
  ends 6
  irrun --bench=1 "$models/spec/P1.xml"
  ends 3
  sed 's/"AvgPool"/"Relu"/' "$models/ngraph/page_example.json" >relu.json
  irrun --bench=1 relu.json
  ends 4
  says "Ops that irrun does not have: Relu-0" "$stderr"
  [ -z "$output" ]
  head -c 5 /dev/zero >short.raw
  irrun --bench=1 pool.xml --input short.raw
  ends 5
  irrun --bench=1 "$models/avg_pool/dynamic.xml"
  ends 5
  says "input 'x' cannot be filled: its shape [?,3,4..64,8] is not known" "$stderr"
}

@test "what a measurement has no use for" {
  for option in --output=y.npy --expect=y.npy --atol=1 --rtol=1 --ulp=1; do
    irrun --bench m.xml "$option"
    ends 2
    says "'${option%=*}' has no effect with '--bench'" "$stderr"
  done
  irrun --bench --check-shapes m.xml
  ends 2
  says "'--bench' and '--check-shapes' are two different things to do" "$stderr"
  irrun --bench=1 --bench=2 m.xml
  ends 2
  says "'--bench' is given twice" "$stderr"
  irrun --bench=1 m.xml --fill nonsense
  ends 2
}

@test "a model without steps has no floor" {
  cat >pass.xml <<'EOF'
<net name="pass" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>4</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>4</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
EOF
  irrun --bench=2 pass.xml
  ends 0
  says "(2 runs in" "$output"
  says_not "floor" "$output"
  irrun --bench=2 pass.xml --json
  ends 0
  says $'"floor_ns":\tnull' "$output"
  says $'"floor_share":\tnull' "$output"
}

@test "--json" {
  two_model two.xml
  irrun --bench=7 two.xml --json --fill ax=ones --threads 2
  ends 0
  [ -z "$stderr" ]
  says $'"mode":\t"bench"' "$output"
  says $'"filled":\t["bx"]' "$output"
  says $'"runs":\t7' "$output"
  says $'"bytes":\t160' "$output"
  says $'"threads":\t2' "$output"
  keys_of bench filled load_ns first_ns new_shapes_ns runs min_ns median_ns p90_ns p99_ns max_ns parallel runs_per_s bytes \
    bytes_per_s floor_ns floor_share peak_bytes precision machine
  irrun --bench=7 --json "$models/spec/P1.xml"
  ends 3
  says $'"verdict":\t"invalid"' "$output"
  says_not '"bench":' "$output"
}

@test "--llm measures prompt and tokens apart" {
  model=$models/networks/repeater.xml
  irrun --bench=2 --llm --threads 1 "$model"
  ends 0
  [ -z "$stderr" ]
  says "1 thread" "${lines[0]}"
  [ "${lines[1]}" = "   input    input_ids i64[1,128] from 0..9:1, then single tokens" ]
  [[ ${lines[2]} =~ ^"   load     "[0-9.]+" "[mun]?s"   first run "[0-9.]+" "[mun]?s"   peak memory "[0-9.]+" MB"$ ]]
  [[ ${lines[3]} =~ ^"   prompt   min "[0-9.]+" "[mun]?s"   median ".*"   "[0-9.]+" tokens/s"$ ]]
  [[ ${lines[4]} =~ ^"   token    min "[0-9.]+" "[mun]?s"   median ".*"   "[0-9.]+" tokens/s"$ ]]
  [[ ${lines[5]} =~ ^"   weights  180 B for a token, "[0-9.]+" "[kMG]?"B/s, "[0-9.]+" % of the "[0-9.]+" "[kMG]?"B/s that this machine reads"$ ]]
  [ "${#lines[@]}" -eq 6 ]
  irrun --bench=0.01s --llm -q "$model" -i input_ids=3,1,4
  ends 0
  [ "${#lines[@]}" -eq 1 ]
  [[ $output =~ "repeater.xml  prompt "[0-9.]+" tokens/s, then "[0-9.]+" tokens/s, " ]]
}

@test "--llm: the report has every prompt and token" {
  irrun --bench=3 --llm --json "$models/networks/repeater.xml" --shape input_ids=2,1..5
  ends 0
  keys_of llm_bench load_ns first_ns prompt token weight_bytes weight_bytes_per_s read_bytes_per_s peak_bytes precision \
    machine
  [ "$(grep -A2 '"prompt":' <<<"$output" | tr -d '\t\n')" = '"prompt":{"tokens":10,"runs":3,' ]
  [ "$(grep -A2 '"token":' <<<"$output" | tr -d '\t\n')" = '"token":{"tokens":2,"runs":48,' ]
}

@test "--llm: a profile is of a token, and names its kernels after other plans were made" {
  irrun --bench=6 --llm --profile=trace.json "$models/networks/repeater.xml"
  ends 0
  [[ $(grep " votes " <<<"$output") =~ "Multiply-1"\ +"multiply_f32 (any)" ]]
  says '"name":	"votes"' "$(<trace.json)"
  says '"kernel":	"multiply_f32"' "$(<trace.json)"
}

@test "--llm: what it refuses" {
  model=$models/networks/repeater.xml
  irrun --bench=1 --llm --parallel 2 "$model"
  ends 2
  says "'--bench --llm' measures one run at a time" "$stderr"
  irrun --bench=1 --llm "$model" --shape input_ids=1,5
  ends 2
  says "'input_ids' always has 5 ids or more" "$stderr"
  irrun --bench=1 --llm "$model" -i position_ids=1,2
  ends 2
  says "'--bench --llm' fills attention_mask, position_ids, cache_position and beam_idx itself" "$stderr"
  irrun --bench=1 --llm "$models/demo/pool.xml"
  ends 2
  says "the model has no input 'input_ids'" "$stderr"
  sed 's/name="x"/name="input_ids"/' "$models/demo/pool.xml" >ids.xml
  irrun --bench=1 --llm ids.xml
  ends 2
  says "this model has none" "$stderr"
  irrun --bench=1 --llm --fail-above 1ns "$model"
  ends 1
  says "a token takes " "$stderr"
}
