# Tests --expect and its report of differences.
load helpers

models="$BATS_TEST_DIRNAME/../../models"

# other_tensors: writes other.raw, which equals y.npy in all rows but the last.
other_tensors() {
  tensors
  pool_model flat.xml 2 2
  "$IRRUN" pool.xml --input x.npy -q --output y.raw
  # Replaces 10.5 and 12.5 by 10.75 and 12.75.
  { head -c 8 y.raw; printf '\x00\x00\x2c\x41\x00\x00\x4c\x41'; } >other.raw
}

@test "the tolerances of the type are the defaults also where they are given; more steps than are counted" {
  tensors
  irrun pool.xml --input x.npy --expect y.npy --atol 1e-6 --rtol 1e-5
  says_not "not the defaults" "$output"
  irrun pool.xml --input x.npy --expect y.npy --rtol 1e-4
  says "(not the defaults)" "$output"
  sed 's/AvgPool/MaxPool/; s/ exclude-pad="true"//; s/f32/u64/; s/FP32/U64/' pool.xml >max.xml
  irrun max.xml -q --fill 0 --output zero.npy
  irrun max.xml --fill 18446744073709551615 --expect zero.npy
  ends 1
  says "   >= 9223372036854775807 ulp" "$output"
  says "ulp      p50 >= 9223372036854775807  p99 >= 9223372036854775807  max >= 9223372036854775807" "$output"
}

@test "a match: one line an output, one for all" {
  tensors
  irrun pool.xml --input x.npy --expect y.npy
  ends 0
  [ -z "$stderr" ]
  [ "${lines[0]}" = "y  f32[1,1,2,2]  ok  max abs 0  max ulp 0" ]
  [ "${lines[1]}" = "pool.xml: 1 of 1 output matches" ]
  irrun pool.xml -q --input x.npy -e y.npy
  [ "$output" = "pool.xml: 1 of 1 output matches" ]
}

@test "--cast converts what is expected" {
  tensors
  sed -e 's/f32/f64/' -e 's/FP32/FP64/g' pool.xml >pool64.xml
  irrun pool64.xml -q --fill iota --output y64.npy
  irrun pool.xml -q --input x.npy --expect y64.npy
  ends 1
  says "hint: convert the expected tensor to f32, or let --cast do it" "$stderr"
  irrun pool.xml -q --input x.npy --expect y64.npy --cast
  ends 0
  [ -z "$stderr" ]
  [ "$output" = "pool.xml: 1 of 1 output matches" ]
}

@test "a difference: status 1 and the report" {
  other_tensors
  irrun pool.xml --input x.npy --expect other.raw
  ends 1
  says "[IR601 output-differs]" "$stderr"
  diff - <(echo "$output") <<'EOF'
y  f32[1,1,2,2]  DIFFERS  2 of 4 (50 %)   atol 1e-06  rtol 1e-05
   similar  cosine 0.99998004   snr 33.87 dB   psnr 35.27 dB   l2 0.3536   rel l2 0.02026   max rel 0.02326 (floored)
   worst    at [0,0,1,0]   got 10.5   expected 10.75   abs 0.25   rel 0.02326   262144 ulp
   first    at [0,0,1,0]
   where    2 of 2 in the last row (H = 1)   <- likely a padding or ceil matter
   abs      mean 0.125  p50 0  p90 0.25  p99 0.25  max 0.25
   ulp      p50 0  p99 262144  max 262144
   passes   with --atol 0.25, or --rtol 0.024, or --ulp 262144 (the other tolerances unchanged)
pool.xml: 1 of 1 output differs
EOF
}

@test "the tolerances that the report names do pass" {
  other_tensors
  irrun pool.xml --input x.npy --expect other.raw
  options=$(sed -n 's/^   passes   with \(.*\) (the.*/\1/p' <<<"$output" | sed 's/, or /\n/g')
  [ "$(wc -l <<<"$options")" -eq 3 ]
  while read -r option; do
    eval "irrun pool.xml -q --input x.npy --expect other.raw $option"
    ends 0
  done <<<"$options"
}

@test "tolerances: all outputs, one output, both, and said when not the defaults" {
  other_tensors
  irrun pool.xml --input x.npy --expect other.raw --atol 0.3
  ends 0
  says "atol 0.3  rtol 1e-05  (not the defaults)" "$output"
  irrun pool.xml -q --input x.npy --expect other.raw --atol 0.3 --atol y=0.1
  ends 1
  irrun pool.xml -q --input x.npy --expect other.raw --ulp 262144
  ends 0
  irrun pool.xml -q --input x.npy --expect other.raw --atol z=1
  ends 5
  says "IR502" "$stderr"
  irrun pool.xml -q --input x.npy --expect other.raw --atol 1 --atol 2
  ends 2
}

@test "several outputs: NAME=, a lone .npy, a lone .npz" {
  tensors
  two_model two.xml
  irrun two.xml --fill iota --expect y.npy
  ends 2
  says "--expect 'ay=FILE' --expect 'by=FILE'" "$stderr"
  irrun two.xml --fill iota --expect ay=y.npy
  ends 0
  [ "${lines[1]}" = "two.xml: 1 of 1 output matches" ]
  irrun two.xml -q --fill iota --output all.npz
  irrun two.xml --fill iota --expect all.npz
  ends 0
  [ "${lines[2]}" = "two.xml: 2 of 2 outputs match" ]
  irrun two.xml --fill iota --expect ay=y.npy --expect ay=y.npy
  ends 2
}

@test "an .npz that lacks an output, and one with a surplus key" {
  two_model two.xml
  irrun two.xml -q --fill iota --output ay=one.npz
  ends 0
  irrun two.xml --fill iota --expect one.npz
  ends 1
  says "[IR605 expected-missing]" "$stderr"
  says "two.xml: 1 of 2 outputs differ" "$output"
  irrun two.xml -q --fill iota --output both.npz
  pool_model pool.xml
  sed -i 's/name="y"/name="ay"/' pool.xml
  irrun pool.xml --fill iota --expect both.npz
  ends 0
  says "both.npz: warning: 1 key names no tensor of the model: 'by' [IR510 keys-on-one-side]" "$stderr"
  irrun pool.xml --fill iota --expect both.npz --strict
  ends 5
  says "error: 1 key names no tensor of the model: 'by'" "$stderr"
}

@test "another shape or type is status 1 and compares no element" {
  tensors
  irrun pool.xml --input x.npy --expect x.npy
  ends 1
  says "[IR602 expected-shape-differs]" "$stderr"
  says "DIFFERS  in shape or type" "$output"
}

@test "a difference names what was noted of the model and may be its cause, without -v" {
  cp "$models/avg_pool/ceil_overhang.xml" overhang.xml
  sed 's/exclude-pad="false"/exclude-pad="true"/' overhang.xml >other.xml
  irrun other.xml -q --fill ones --output y.npy
  irrun overhang.xml --fill ones --expect y.npy
  ends 1
  says "[IR601 output-differs]" "$stderr"
  says "note: layer 'pool' may be why: the last window divides by 9, PyTorch and ONNX by 4: it" "$stderr"
  says "[IR312 divisor-counts-overhang], overhang.xml:12:85" "$stderr"
  says "hint: 'irrun --explain=IR312' tells more of it; -v shows all notes" "$stderr"
  irrun overhang.xml --fill ones --expect y.npy --json
  ends 1
  says "layer 'pool' may be why" "$output"
  irrun overhang.xml --fill ones --expect y.npy --allow=IR312
  ends 1
  says_not IR312 "$stderr"
  irrun overhang.xml -q --fill ones --output same.npy
  irrun overhang.xml --fill ones --expect same.npy
  ends 0
  [ -z "$stderr" ]
}

@test "a difference in shape names causes of its own kind alone" {
  cp "$models/avg_pool/window_without_input.xml" ceil.xml
  sed 's/rounding_type="ceil"/rounding_type="floor"/; s|<dim>3</dim>|<dim>2</dim>|' ceil.xml >floor.xml
  irrun floor.xml -q --fill ones --output y.npy
  irrun ceil.xml --fill ones --expect y.npy
  ends 1
  says "[IR602 expected-shape-differs]" "$stderr"
  says "layer 'pool' may be why: rounding_type 'ceil' gives 3 here, PyTorch and ONNX 2, on" "$stderr"
  says "hint: 'irrun --explain=IR310' tells more of it" "$stderr"
  irrun "$models/avg_pool/ceil_overhang.xml" --fill ones --expect y.npy
  ends 1
  says "hint: make the expected tensor from a model of the same input shape" "$stderr"
  says_not IR312 "$stderr"
}

@test "a missing expected file is status 6, and nothing is computed" {
  tensors
  irrun pool.xml --input x.npy --expect nowhere.npy --output out.npy
  ends 6
  [ ! -e out.npy ]
}

@test "an expected file that cannot be read is not compared" {
  tensors
  head -c 100 y.npy >cut.npy
  irrun pool.xml --input x.npy --expect cut.npy
  ends 5
  says "not compared" "$output"
  [[ $output != *DIFFERS* ]]
}

@test "--fail-below limits the similarity; single elements may then differ" {
  model=$IRRUN_SOURCE/models/demo/pool.xml
  "$IRRUN" "$model" --fill iota -q -o right.npy
  irrun "$model" --fill random:1 --expect right.npy --fail-below cosine=0.5 --fail-below snr=-20
  ends 0
  says "   similar  cosine 0." "$output"
  says "1 output matches" "$output"
  irrun "$model" --fill random:1 --expect right.npy --fail-below cosine=0.9999 --fail-below psnr=90
  ends 1
  says "error: 'y' has cosine 0." "$stderr"
  says "below 0.9999 of --fail-below [IR601" "$stderr"
  says "error: 'y' has psnr " "$stderr"
  says "DIFFERS  beyond a limit of similarity" "$output"
  irrun "$model" --fill random:1 --expect right.npy --fail-below cosine=0.5 --atol 1e-3
  ends 1
  says "elements (atol 0.001" "$stderr"
  irrun "$model" --fill nan --expect right.npy --fail-below cosine=-1
  ends 1
  irrun "$model" --fill iota --expect right.npy -v
  says "   similar  cosine 1   snr inf dB   psnr inf dB   l2 0   rel l2 0   max rel 0" "$output"
  irrun "$model" --fill random:1 --expect right.npy --json
  says '"cosine":	0.' "$output"
  for wrong in cosine cosine= cosin=1 cosine=x snr=1e999; do
    irrun "$model" --fill iota --expect right.npy --fail-below "$wrong"
    ends 2
    says "needs a measure and a number" "$stderr"
  done
  for wrong in cosine=1.5 cosine=-2; do
    irrun --test --fail-below "$wrong" "$model"
    ends 2
    says "error: '--fail-below $wrong': needs a measure and a number in its range [IR801" "$stderr"
  done
  irrun "$model" --fill iota --expect right.npy --fail-below cosine=0.9 --fail-below snr=1 --fail-below cosine=0.5
  ends 2
  says "'--fail-below cosine=0.5': a limit of cosine is given twice" "$stderr"
  irrun "$model" --fill iota --fail-below cosine=0.9
  ends 2
  says "nothing is compared" "$stderr"
  irrun "$model" --fill iota --expect right.npy --fail-below l2=1
  ends 2
  says "hint: cosine=0.999 (from -1 to 1), snr=30 or psnr=40" "$stderr"
  "$IRRUN" "$model" --fill iota -q --save-all all.npz
  irrun "$model" --fill random:1 --expect all.npz --fail-below cosine=0.5
  ends 0
  irrun "$model" --fill random:1 --expect all.npz --fail-below cosine=0.99999
  ends 1
  says "error: 'x' has cosine 0." "$stderr"
  says "below 0.99999 of --fail-below [IR608" "$stderr"
  says_not IR601 "$stderr"
}

@test "the cosine of one element says only that the signs agree" {
  sed 's/<dim>[34]</<dim>1</g; s/shape="1,1,4,4"/shape="1,1,1,1"/; s/kernel="[^"]*"/kernel="1,1"/; s/pads_\(begin\|end\)="[^"]*"/pads_\1="0,0"/g' \
    "$IRRUN_SOURCE/models/demo/pool.xml" >one.xml
  "$IRRUN" one.xml --fill 5 -q -o five.npy
  irrun one.xml --fill 7 --expect five.npy --fail-below cosine=0.99
  ends 0
  says "   similar  cosine 1 (of one element: its sign)   snr" "$output"
}

@test "--fail-above limits the distance of whole tensors" {
  model=$IRRUN_SOURCE/models/demo/pool.xml
  "$IRRUN" "$model" --fill iota -q -o right.npy
  irrun "$model" --fill 0..16:1 --expect right.npy --fail-above l2=100 --fail-above rel-l2=1
  ends 0
  says "1 output matches" "$output"
  irrun "$model" --fill 0..16:1 --expect right.npy --fail-above l2=1 --fail-above rel-l2=0.01 --fail-below snr=-99
  ends 1
  says "error: 'y' has l2 " "$stderr"
  says "above 1 of --fail-above [IR601" "$stderr"
  says "error: 'y' has rel-l2 0." "$stderr"
  says_not "--fail-below" "$stderr"
  irrun "$model" --fill nan --expect right.npy --fail-above l2=1e300
  ends 1
  for wrong in 5ms cosine=1 l2 l2=; do
    irrun "$model" --fill iota --expect right.npy --fail-above "$wrong"
    ends 2
    says "hint: l2=0.1 or rel-l2=0.001; the limit of a time needs --bench" "$stderr"
  done
}
