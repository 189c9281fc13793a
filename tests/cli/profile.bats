# Tests --profile: a table of the layers' times, and a trace. No test checks a time.
load helpers

models=$BATS_TEST_DIRNAME/../../models

@test "a run shows its layers behind the results" {
  two_model two.xml
  irrun two.xml --fill ones --profile
  ends 0
  says "ay  f32[1,1,2,2]" "$output"
  [[ "${lines[-3]}" =~ ^" id  layer  op         kernel "+"time"" "+"share"" "+"speed"$ ]]
  [[ "${lines[-2]}" =~ ^"  1  apool  AvgPool-1  "[a-z0-9_.]+" ("[a-z0-9]+")"" "+[0-9.]+" "[mun]?s" "+[0-9.]+" % "+[0-9.]+" "[kMG]?"B/s"$ ]]
  [[ "${lines[-1]}" =~ ^"  4  bpool  AvgPool-1  " ]]
}

@test "a measurement shows them too" {
  pool_model pool.xml
  irrun --bench=5 pool.xml --profile -q
  ends 0
  [ "${#lines[@]}" -eq 3 ]
  says " 1  pool   AvgPool-1" "${lines[2]}"
}

@test "--json has the steps" {
  pool_model pool.xml
  irrun pool.xml --fill ones --profile --json
  ends 0
  diff <(printf '%s\n' id name inside op kernel isa start_ns duration_ns calls share read_bytes written_bytes macs macs_per_s) \
    <(sed -n '/^\t*"profile":/,/^\t\t\t\t}/s/^\t\t\t\t\t"\([a-z_]*\)":.*/\1/p' <<<"$output")
  irrun --bench=2 pool.xml --profile --json
  ends 0
  says '"profile":' "$output"
  irrun pool.xml --fill ones --json
  says_not '"profile":' "$output"
}

# sum_of KEY: the sum of all numbers with this key in the profile of $output.
sum_of() {
  awk -F '\t+' -v key="\"$1\":" '/"profile":/ { on = 1 } on && $2 == key { sum += $3 } END { printf "%.0f\n", sum }' <<<"$output"
}

@test "the multiplications of all steps are those of the model, and a rate is shown" {
  for model in "$models"/networks/{digits,residual}.xml "$models"/../tests/golden/families/{attention,convolution,matrix}.xml; do
    irrun --check-shapes --json "$model"
    macs=$(sed -n '/"sizes":/,$s/^\t*"macs":\t\([0-9]*\).*/\1/p' <<<"$output" | head -1)
    [ "$macs" -gt 0 ]
    for kernels in fast plain; do
      irrun "$model" --fill ones --profile --json --kernels "$kernels"
      ends 0
      [ "$(sum_of macs)" -eq "$macs" ]
      [ "$(sum_of macs_per_s)" -gt 0 ]
    done
  done
  irrun "$models/networks/digits.xml" --fill ones -q --profile
  [[ "${lines[2]}" =~ "speed "+"products"$ ]]
  [[ "${lines[3]}" =~ ^"  3  match "+"Convolution-1 ".*" "[0-9.]+" GMAC/s"$ ]]
  [[ "${lines[4]}" =~ "B/s"$ ]]
}

@test "a trace is a list of events" {
  two_model two.xml
  irrun two.xml --fill ones --profile=trace.json -q
  ends 0
  [ "$(head -c 1 trace.json)" = "[" ]
  diff <(printf '%s\n' name cat ph ts dur pid tid args id kernel isa read_bytes written_bytes macs) \
    <(sed -n 's/^\t*"\([a-z_]*\)":.*/\1/p' trace.json | head -14)
  [ "$(grep -c '"ph":' trace.json)" -eq 2 ]
  grep -q $'"name":\t"apool"' trace.json
  grep -q $'"cat":\t"AvgPool-1"' trace.json
  irrun --bench=2 two.xml --profile=trace.json -q
  ends 0
  [ "$(grep -c '"ph":' trace.json)" -eq 2 ]
  folder_holds trace.json two.xml
}

@test "a trace is written where one can be, and over no file of the run" {
  tensors
  irrun pool.xml --fill ones --profile=trace.txt
  ends 2
  says "'--profile=trace.txt': the name does not end in .json" "$stderr"
  irrun pool.xml --fill ones --profile=
  ends 2
  irrun pool.xml --fill ones --profile=missing/trace.json
  ends 6
  [ -z "$output" ]
  irrun --bench=1 pool.xml --profile=missing/trace.json
  ends 6
  cp "$models/ngraph/page_example.json" model.json
  irrun model.json --fill ones --profile=./model.json
  ends 2
  says "'--profile=./model.json' would overwrite 'model.json'" "$stderr"
  cmp model.json "$models/ngraph/page_example.json"
  cp x.npy x.json
  irrun --bench=1 pool.xml --input x.json --profile=x.json
  ends 2
  cmp x.npy x.json
  cp y.npy y.json
  irrun pool.xml --input x.npy --expect y.json --profile=y.json
  ends 2
  cmp y.npy y.json
  ln -s /dev/stdout out.json
  irrun pool.xml --input x.npy --profile=out.json
  ends 2
  says "'--profile=out.json' leads to an open stream" "$stderr"
}

@test "--profile needs a run" {
  irrun --check-shapes m.xml --profile
  ends 2
  says "'--profile' has no effect with '--check-shapes'" "$stderr"
}
