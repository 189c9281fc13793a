# What lies between layers: --save-all, the inner tensors of --expect, --isolate.
load helpers

networks="$BATS_TEST_DIRNAME/../../models/networks"

# planted: good.xml, bad.xml with another pool in its middle, and good.npz, what the layers of good.xml compute.
planted() {
  cp "$networks/pool_mixer.xml" good.xml
  cp "$networks/pool_mixer.bin" good.bin
  cp good.bin bad.bin
  sed '388s/exclude-pad="true"/exclude-pad="false"/' good.xml >bad.xml
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
}

@test "the first layer that diverges is named, and those behind it are counted" {
  planted
  irrun bad.xml --fill random --expect good.npz
  ends 1
  says "bad.xml:387:5: error: layer 'stages.2/blocks.0/token_mixer/pool' diverges in " "$stderr"
  says " of 'good.npz:stages.2/blocks.0/token_mixer/pool' [IR608 layer-diverges]" "$stderr"
  [ "$(grep -c '\[IR608' <<<"$stderr")" -eq 1 ]
  last=${lines[-1]}
  says "bad.xml: 'stages.2/blocks.0/token_mixer/pool' is the first that diverges, behind 'stages.1/downsample': " "$last"
  says " of 64 tensors differ" "$last"
  [ "$(sed 's/.*: \([0-9]*\) of 64.*/\1/' <<<"$last")" -gt 5 ]
}

@test "--isolate: an error does not travel" {
  planted
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
  ends 5
  says "key 'apol' names no output of the model" "$stderr"
}

@test "inner tensors in the report of --json" {
  planted
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
  irrun power.xml --fill iota --assert-finite # 27^27 is more than an f32 holds
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
