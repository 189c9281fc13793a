# Tests --check-shapes: its verdict, and diagnostics in the format of compilers.
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

@test "-v shows what constants hold, and of larger ones the range" {
  cat >m.xml <<'EOF'
<net name="m" version="11">
  <layers>
    <layer id="0" name="few" type="Const" version="opset1">
      <data element_type="u8" shape="8" offset="0" size="8"/>
      <output><port id="0" precision="U8"><dim>8</dim></port></output>
    </layer>
    <layer id="1" name="many" type="Const" version="opset1">
      <data element_type="u8" shape="9" offset="0" size="9"/>
      <output><port id="0" precision="U8"><dim>9</dim></port></output>
    </layer>
    <layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
    <layer id="3" name="z" type="Result" version="opset1"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="3" to-port="0"/>
  </edges>
</net>
EOF
  printf '\1\2\3\4\5\6\7\10\0' >m.bin
  irrun --check-shapes -v m.xml
  ends 0
  says "
        = 1, 2, 3, 4, 5, 6, 7, 8
" "$output"
  says "
        = 1, 2, 3, 4, 5, 6, 7, 8, ...  min 0  mean 4  max 8
" "$output"
  rm m.bin
  irrun --check-shapes -v m.xml
  ends 0
  says_not " = 1" "$output"
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
  for i in 1 2 3; do pool_model bad$i.xml 2 2 3; done
  irrun --check-shapes -q --max-errors=2 bad1.xml bad2.xml bad3.xml
  ends 3
  [ "$(grep -c IR301 <<<"$stderr")" -eq 3 ] # two errors and the line about the rest
  says "1 more error not shown" "$stderr"
  says "3 errors" "$stderr"
  irrun --check-shapes -q --max-errors=0 bad1.xml bad2.xml bad3.xml
  [ "$(grep -c '\[IR301' <<<"$stderr")" -eq 3 ]
}

# warnings_model FILE N DECLARED: writes a chain of N layers. Each has a different unknown attribute. The last output
# declares the size DECLARED.
warnings_model() {
  awk -v n="$2" -v declared="$3" 'BEGIN {
    print "<net name=\"many\" version=\"11\"><layers>"
    print "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"8\" element_type=\"f32\"/>"
    print "<output><port id=\"0\" precision=\"FP32\"><dim>8</dim></port></output></layer>"
    for (i = 1; i <= n; i++) {
      printf "<layer id=\"%d\" name=\"r%d\" type=\"ReLU\" version=\"opset1\"><data foo%d=\"1\"/><input><port id=\"0\"/></input>", i, i, i
      printf "<output><port id=\"1\" precision=\"FP32\"><dim>%d</dim></port></output></layer>\n", i < n ? 8 : declared
    }
    print "<layer id=\"" n + 1 "\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>"
    print "</layers><edges>"
    for (i = 0; i <= n; i++)
      print "<edge from-layer=\"" i "\" from-port=\"" (i > 0) "\" to-layer=\"" i + 1 "\" to-port=\"0\"/>"
    print "</edges></net>"
  }' >"$1"
}

# ends_with STATUS ARGUMENT...: checks that the program ends with STATUS. Its long output goes to the files "out" and
# "err".
ends_with() {
  local expected=$1 status=0
  "$IRRUN" "${@:2}" >out 2>err || status=$?
  [ "$status" -eq "$expected" ]
}

@test "an error is shown behind more warnings than are kept" {
  local shown='error: output port 1 declares [9], expected [8] [IR301 declared-shape-differs]'
  warnings_model bad.xml 10002 9
  ends_with 3 --check-shapes -q bad.xml
  grep -F "$shown" err
  grep -x "3 more warnings not shown: no more are kept" err
  grep -x "1 error, 10002 warnings. 'irrun --explain=IR301' tells more." err
  ends_with 3 --check-shapes --json bad.xml
  grep '"rule":	"IR301"' out
  ends_with 3 -v bad.xml --fill 1
  grep -F "$shown" err
  ends_with 3 --check-shapes -q --strict --max-errors=2 bad.xml
  grep -x "10001 more errors not shown; --max-errors=0 shows 9998 of them, no more are kept" err
}

@test "an error of a later model is shown, though an earlier one filled what is kept" {
  warnings_model many.xml 10002 8
  warnings_model bad.xml 1 9
  ends_with 3 --check-shapes -q many.xml bad.xml
  grep -F "[9], expected [8] [IR301 declared-shape-differs]" err
  grep -x "3 more warnings not shown: no more are kept" err
  grep -x "1 error, 10003 warnings. 'irrun --explain=IR301' tells more." err
}

@test "the last line points to a rule that made the check fail" {
  pool_model bad.xml 2 2 3
  irrun --check-shapes -q bad.xml missing.xml
  ends 6
  says "2 errors. 'irrun --explain=IR701' tells more." "$stderr"
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

@test "a folder in place of a model" {
  mkdir models
  irrun models
  ends 6
  says "models: error: cannot read the model: Is a directory [IR701 file-not-readable]" "$stderr"
  says "hint: it is a folder; irrun --check-shapes FOLDER checks the models in it" "$stderr"
  irrun nowhere.xml
  ends 6
  says_not "hint: it is a folder" "$stderr"
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
  sed 's/"AvgPool"/"Relu"/' "$BATS_TEST_DIRNAME/../../models/ngraph/page_example.json" >relu.json
  irrun --check-shapes relu.json
  ends 4
  says "[IR210 not-runnable-here]" "$stderr"
  sed 's|type="AvgPool" version="opset1"|type="Warp" version="myops"|' "$BATS_TEST_DIRNAME/../../models/demo/pool.xml" >warp.xml
  irrun --check-shapes warp.xml
  ends 0
  says "believed" "$output"
  irrun --check-shapes relu.json
  says "relu.json: unsupported" "$output"
  says "missing: Relu-0 (1 layer)" "$output"
}

@test "--allow=IR210: nothing is said but what was not checked; a run says all the same why there is none" {
  sed 's/"AvgPool"/"Relu"/' "$BATS_TEST_DIRNAME/../../models/ngraph/page_example.json" >relu.json
  irrun --check-shapes --allow=IR210 -q relu.json
  ends 0
  [ -z "$stderr" ]
  [ "$output" = "relu.json: ok, 3 layers, 1 input, 1 output; not checked: Relu-0 (1 layer)" ]
  irrun --check-shapes --allow=IR210 --json relu.json
  ends 0
  says '"diagnostics":[]' "$(tr -d ' \n\t' <<<"$output")"
  irrun --allow=IR210 --fill 1 relu.json
  ends 4
  says "error: irrun does not have Relu-0" "$stderr"
  pool_model pre.xml
  sed -i 's|<layers>|<pre-process mean-precision="FP32"/><layers>|' pre.xml
  irrun --allow=IR210 --fill 1 pre.xml
  ends 4
  says "<pre-process> changes the inputs" "$stderr"
  pool_model u4.xml
  sed -i 's/f32/u4/; s/FP32/U4/' u4.xml
  irrun --allow=IR210 --fill 1 u4.xml
  ends 4
  says "irrun does not compute with elements of type u4" "$stderr"
  head -c 8 /dev/zero >x.raw
  irrun --allow=IR210 --input x.raw u4.xml
  ends 4
  says "irrun does not compute with elements of type u4" "$stderr"
}

@test "ops that irrun has not: the most frequent first, as many as fit into a line, all with -v" {
  relu() { # NAME OP INPUT: prints a node of an nGraph model
    echo ", {\"name\": \"$1\", \"op\": \"$2\", \"inputs\": [\"$3\"], \"outputs\": [\"$1_0\"]}"
  }
  {
    echo '[{"name": "many", "parameters": ["x"], "result": ["y"], "ops": ['
    echo '{"name": "x", "op": "Parameter", "inputs": [], "outputs": ["x_0"], "element_type": "f32", "shape": [1, 1, 4, 4]}'
    relu a Relu x
    relu b Abs a
    relu c Cos b
    relu d Relu c
    relu e Erf d
    relu y Result e
    echo ']}]'
  } >many.json
  irrun --check-shapes -q many.json
  ends 4
  [ "$output" = "many.json: unsupported, 7 layers, 1 input, 1 output, 4 errors; missing: Relu-0 (2 layers) and 3 more types" ]
  irrun --check-shapes -v many.json
  says "; missing: Relu-0 (2 layers), Abs-0 (1 layer), Cos-0 (1 layer), Erf-0 (1 layer)" "${lines[-1]}"
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

# reshaped FILE: writes a pool and a Reshape whose target is in the .bin. The file declares 2x8.
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

@test "without its .bin the declared shape is believed of an op for which a constant is a size, too" {
  cat >m.xml <<'EOF'
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,9" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="k" type="Const" version="opset1"><data element_type="i64" shape="" offset="0" size="8"/><output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="top" type="TopK" version="opset11"><data axis="1" mode="max" sort="value" index_element_type="i64" stable="false"/><input><port id="0"/><port id="1"/></input>
<output><port id="2" precision="FP32"><dim>2</dim><dim>4</dim></port><port id="3" precision="I64"><dim>2</dim><dim>4</dim></port></output></layer>
<layer id="3" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer></layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
EOF
  irrun --check-shapes m.xml
  ends 0
  grep -qE "top .* f32\[2,4\], i64\[2,4\] +believed, believed" <<<"$output"
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
  sed -i '/name="target"/ { s|Const|Tokens|; s|opset1|extension| }' m.xml
  irrun --check-shapes m.xml
  ends 0
  says "note: 1 layer of 1 extension op is believed: Tokens [IR210 not-runnable-here]" "$stderr"
  grep -qE "reshape .* f32\[2,8\] +believed" <<<"$output"
}

@test "ops of an extension are noted together in a check and named one by one in a run" {
  cp "$BATS_TEST_DIRNAME/../faults/by_hand/IR210_extensions.xml" m.xml
  irrun --check-shapes m.xml
  ends 0
  says "m.xml: ok, 6 layers, 1 input, 2 outputs" "$output"
  says "note: 3 layers of 3 extension ops are believed: AvgPool, Anything, Whatever [IR210 not-runnable-here]" "$stderr"
  irrun --check-shapes --deny=IR210 m.xml
  ends 4
  irrun m.xml --fill 1
  ends 4
  says "'Anything' is an op of the extension 'extension', which irrun does not have [IR210 not-runnable-here]" "$stderr"
  [ "$(grep -c '\[IR210' <<<"$stderr")" -eq 3 ]
  sed -i 's/custom_ops/ospet1/' m.xml
  irrun --check-shapes m.xml
  ends 3
  says "unknown opset 'ospet1'; there are opset1 to opset17 [IR202" "$stderr"
}

@test "what hits many layers in one way is said once, and all of it with -v and --json" {
  fault=$BATS_TEST_DIRNAME/../faults/by_hand/IR209_once.xml
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
  inner=$BATS_TEST_DIRNAME/../faults/by_hand/IR112_inner.xml # a port within the model has the name of an output
  irrun --check-shapes "$inner"
  says_not IR112 "$stderr"
  irrun --check-shapes -v "$inner"
  says "IR112_inner.xml:15:42: note: tensor name 'a' is already taken: OpenVINO renames it here [IR112" "$stderr"
  says "note: first by layer 's' (id 2)" "$stderr"
}

@test "a variable of which the file says nothing has what its first value has" {
  sed -E 's/ variable_(type|shape)="[^"]*"//g' "$BATS_TEST_DIRNAME/../faults/IR322_first_value.xml" >m.xml
  irrun --check-shapes m.xml
  ends 0
  says "ReadValue-6 needs the attributes 'variable_type' and 'variable_shape'; without both" "$stderr"
  irrun --check-shapes --allow=IR204 m.xml
  ends 0
  grep -qE "ReadValue-6 +f32\[[?],3\] +f32\[[?],3\] " <<<"$output"
}

@test "infinite constants are noted once, with their number; large ones are looked at when that is asked for" {
  # Writes two constants of -inf, and one constant of NaN whose size is 1 MiB and 2 bytes.
  large=524289
  printf '\x00\xfc' >m.bin
  head -c $((2 * large)) /dev/zero | tr '\0' '\377' >>m.bin
  constant() {
    echo "<layer id=\"$1\" name=\"c$1\" type=\"Const\" version=\"opset1\"><data element_type=\"f16\" shape=\"$2\" offset=\"$3\" size=\"$((2 * $2))\"/>"
    echo "<output><port id=\"0\" precision=\"FP16\"><dim>$2</dim></port></output></layer>"
  }
  {
    echo '<net name="m" version="11"><layers>'
    constant 0 1 0
    constant 1 1 0
    constant 2 $large 2
    for i in 0 1 2; do
      echo "<layer id=\"$((i + 3))\" name=\"y$i\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>"
    done
    echo '</layers><edges>'
    for i in 0 1 2; do
      echo "<edge from-layer=\"$i\" from-port=\"0\" to-layer=\"$((i + 3))\" to-port=\"0\"/>"
    done
    echo '</edges></net>'
  } >m.xml
  irrun --check-shapes m.xml
  ends 0
  [ "$(grep -c 'note: .*\[IR407' <<<"$stderr")" -eq 1 ]
  says "element 0 of the constant is -inf" "$stderr"
  says "the same in 1 more place" "$stderr"
  irrun --check-shapes -v m.xml
  ends 0
  [ "$(grep -c '\[IR407' <<<"$stderr")" -eq 3 ]
  irrun --check-shapes --deny=IR407 m.xml
  ends 3
  [ "$(grep -c 'error: .*\[IR407' <<<"$stderr")" -eq 3 ]
}

@test "a report in detail shows any refused layer" {
  cat >m.xml <<'END'
<net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data element_type="f32" shape="1,2,4,4"/><output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim><dim>4</dim></port></output></layer>
<layer id="1" name="c" type="Convolution" version="opset1"><data strides="1,1" dilations="1,1" pads_begin="0,0" pads_end="0,0"/><input><port id="0"/></input><output><port id="1" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim><dim>4</dim></port></output></layer>
<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
END
  irrun --check-shapes m.xml --json -v
  ends 3
  says '"name":	"c"' "$output"
  for model in "$BATS_TEST_DIRNAME"/../faults/*.xml "$BATS_TEST_DIRNAME"/../faults/*.json; do
    irrun --check-shapes "$model" --json -v --allow=IR301,IR302
    ((status < 128))
  done
}

@test "in an IR 10, a tensor name of an input and an output is that of the input" {
  local pool="$BATS_TEST_DIRNAME/../../models/demo/pool.xml"
  # name and tensor name of the input, of the layer behind it, and whether OpenVINO 2026.4 reads the model
  for given in "t t r t 0" "t - r t 3" "x t r t 0" "t t t t 3" "x r r r 3" "x r r - 3" "t a,t r r,t 0"; do
    read -r x x_names r r_names status <<<"$given"
    sed 's/version="11"/version="10"/; s/layer id="0" name="x"/layer id="0" name="'"$x"'"/; s/name="pool"/name="'"$r"'"/
      /<output>/{n; s/id="0"/& names="'"${x_names#-}"'"/; s/id="1"/& names="'"${r_names#-}"'"/}' "$pool" >m.xml
    irrun --check-shapes -q m.xml
    ends "$status"
  done
}
