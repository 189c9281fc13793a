# --check-shapes: table, verdict, diagnostics as compilers print them.
load helpers

@test "of a layer at fault only what is known is told" {
  pool_model pool.xml
  sed -i 's/ type="AvgPool"//' pool.xml
  irrun --check-shapes pool.xml
  ends 3
  says "layer 'pool' (id 1)" "$stderr"
}

@test "a correct model: the table and one line" {
  pool_model pool.xml
  irrun --check-shapes pool.xml
  ends 0
  [ -z "$stderr" ]
  diff - <(echo "$output") <<'EOF'
 id  layer  op           inputs        output        declared
  0  x      Parameter-1                f32[1,1,4,4]  ok
  1  pool   AvgPool-1    f32[1,1,4,4]  f32[1,1,2,2]  ok
  2  y      Result-1     f32[1,1,2,2]
pool.xml: ok, 3 layers, 1 input, 1 output
EOF
}

@test "-q prints the verdict alone, -v attributes, costs and formulas" {
  pool_model pool.xml
  irrun --check-shapes -q pool.xml
  ends 0
  [ "$output" = "pool.xml: ok, 3 layers, 1 input, 1 output" ]
  irrun --check-shapes -v pool.xml
  ends 0
  says 'kernel="2,2" strides="2,2"' "$output"
  says "macs" "$output"
  says "        floor((4 + 0 + 0 - 2) / 2) + 1 = 2; floor((4 + 0 + 0 - 2) / 2) + 1 = 2" "$output"
}

@test "a wrong declared shape: place, excerpt, caret, notes and the last line" {
  pool_model pool.xml 2 2 3
  irrun --check-shapes pool.xml
  ends 3
  says "pool.xml:10:74" "$stderr"
  says ": error: " "$stderr"
  says "[IR301 declared-shape-differs]" "$stderr"
  says "   10 |       <output><port" "$stderr"
  grep -E '^      \| +\^~*$' <<<"$stderr"
  says "note: layer 'pool' (id 1, AvgPool" "$stderr"
  says "1 error. 'irrun --explain=IR301' tells more." "$stderr"
  says "pool.xml: invalid, 3 layers, 1 input, 1 output, 1 error" "$output"
  says "differs" "$output"
}

@test "the caret stands under the attribute's value" {
  pool_model pool.xml 64 2
  irrun --check-shapes -q pool.xml
  ends 3
  line=$(grep '^    8 |' <<<"$stderr")
  marks=$(grep -A1 '^    8 |' <<<"$stderr" | tail -1)
  before=${marks%%^*}
  [ "${line:${#before}-8:13}" = 'kernel="64,64' ]
  [ "${marks:${#before}}" = "^~" ]
}

@test "several models: one line each, the worst status" {
  pool_model good.xml
  pool_model bad.xml 2 2 3
  irrun --check-shapes good.xml bad.xml missing.xml
  ends 6
  says "good.xml: ok" "${lines[0]}"
  says "bad.xml: invalid" "${lines[1]}"
  says "missing.xml: unreadable" "${lines[2]}"
  [ "${#lines[@]}" -eq 3 ]
}

@test "--max-errors cuts and says so" {
  pool_model bad.xml 2 2 3
  irrun --check-shapes -q --max-errors=2 bad.xml bad.xml bad.xml
  ends 3
  [ "$(grep -c IR301 <<<"$stderr")" -eq 3 ] # two errors and the last line
  says "1 more error not shown" "$stderr"
  says "3 errors" "$stderr"
  irrun --check-shapes -q --max-errors=0 bad.xml bad.xml bad.xml
  [ "$(grep -c '\[IR301' <<<"$stderr")" -eq 3 ]
}

@test "--allow, --deny and --strict change severities" {
  pool_model bad.xml 2 2 3
  irrun --check-shapes -q --allow=IR301 bad.xml
  ends 0
  says "warning: " "$stderr"
  irrun --check-shapes -q --allow=declared-shape-differs,IR304 bad.xml
  ends 2
  sed -e 's/precision="FP32"/precision="FP32" names="a"/' bad.xml >twins.xml
  irrun --check-shapes -q --allow=IR301 twins.xml
  ends 0
  says "warning: " "$stderr"
  says "[IR112 tensor-name-repeated]" "$stderr"
  irrun --check-shapes -q --allow=IR301,IR112 twins.xml
  says_not IR112 "$stderr"
  irrun --check-shapes -q --allow=IR301 --deny=IR112 twins.xml
  ends 3
  irrun --check-shapes -q --allow=IR301 --strict twins.xml
  ends 3
}

@test "a model from stdin" {
  pool_model pool.xml
  irrun --check-shapes -q - <pool.xml
  ends 0
  says ": ok, 3 layers" "$output"
}

@test "names with control characters are printed escaped" {
  pool_model pool.xml
  sed -i 's/name="pool"/name="po\&#10;ol"/' pool.xml
  irrun --check-shapes pool.xml
  says 'po\nol' "$output"
}

@test "an op that irrun has not: its declaration is believed, status 4, a list" {
  pool_model conv.xml
  sed -i 's/type="AvgPool"/type="Convolution"/' conv.xml
  irrun --check-shapes conv.xml
  ends 4
  says "[IR210 not-runnable-here]" "$stderr"
  says "believed" "$output"
  says "conv.xml: unsupported" "$output"
  says "missing: Convolution-1 (1 layer)" "$output"
  irrun --check-shapes --allow=IR210 -q conv.xml
  ends 0
}

@test "colour: never into a file, always when asked, not in NO_COLOR's way" {
  pool_model bad.xml 2 2 3
  irrun --check-shapes bad.xml
  says_not $'\033' "$stderr$output"
  irrun --check-shapes --color=always bad.xml
  says $'\033[1;31merror' "$stderr"
  NO_COLOR=1 irrun --check-shapes --color=always bad.xml
  says $'\033' "$stderr"
}

# reshaped FILE: a pool, then a Reshape whose target stands in the .bin; the file declares 2x8.
reshaped() {
  cat >"$1" <<'EOF'
<net name="m" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,1,4,4" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></output>
    </layer>
    <layer id="1" name="target" type="Const" version="opset1">
      <data element_type="i64" shape="2" offset="0" size="16"/>
      <output><port id="0" precision="I64"><dim>2</dim></port></output>
    </layer>
    <layer id="2" name="reshape" type="Reshape" version="opset1">
      <data special_zero="true"/>
      <input><port id="0"/><port id="1"/></input>
      <output><port id="2" precision="FP32"><dim>2</dim><dim>8</dim></port></output>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
EOF
}

@test "without its .bin a model is checked, and declared shapes are believed where they depend on it" {
  reshaped m.xml
  irrun --check-shapes m.xml
  ends 0
  grep -qE "reshape .* f32\[2,8\] +believed" <<<"$output"
  says "m.xml: ok, 4 layers, 1 input, 1 output, 1 warning" "$output"
  says "warning: 1 constant is not looked at: there is no m.bin; a shape that depends on one is taken as the file declares it [IR401" "$stderr"
  irrun --check-shapes --allow=IR401 m.xml
  ends 0
  says_not IR401 "$stderr"
  irrun --check-shapes --strict m.xml
  ends 6
  irrun --check-shapes - <m.xml
  ends 0
  says "no .bin is given" "$stderr"
  irrun m.xml --fill ones
  ends 6
  says "error: the constant's bytes are in m.bin: No such file or directory [IR401" "$stderr"
  irrun --check-shapes --weights nowhere.bin m.xml
  ends 6
}

@test "what is declared is not believed where it cannot be" {
  reshaped m.xml
  sed -i 's|<dim>2</dim><dim>8</dim>|<dim>16</dim>|' m.xml
  irrun --check-shapes m.xml
  ends 3
  says "output port 2 declares [16], expected [?,?] [IR301" "$stderr"
}

@test "declared shapes are believed behind an op that irrun lacks, too" {
  reshaped m.xml
  sed -i 's|type="Const" |type="Tokens" |; s|version="opset1">\n      <data element_type="i64"|&|' m.xml
  sed -i '/name="target"/ s|opset1|extension|' m.xml
  irrun --check-shapes m.xml
  ends 4
  grep -qE "reshape .* f32\[2,8\] +believed" <<<"$output"
}

@test "what hits many layers in one way is said once, and all of it with -v and --json" {
  fault=$BATS_TEST_DIRNAME/../faults/IR209_once.xml
  irrun --check-shapes "$fault"
  [ "$(grep -c '\[IR209' <<<"$stderr")" -eq 1 ]
  says "note: the same in 2 more places; -v shows all" "$stderr"
  irrun --check-shapes -v "$fault"
  [ "$(grep -c '\[IR209' <<<"$stderr")" -eq 3 ]
  irrun --check-shapes --json "$fault"
  [ "$(grep -c '"IR209"' <<<"$output")" -eq 3 ]
  misaligned=$BATS_TEST_DIRNAME/../faults/IR404_misaligned.xml
  irrun --check-shapes "$misaligned"
  says_not IR404 "$stderr"
  irrun --check-shapes -v "$misaligned"
  says "[IR404 constant-misaligned]" "$stderr"
}
