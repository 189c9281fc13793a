# Tests --convert, which writes an IR with corrected shapes and types: output files, faults and reports.
load helpers
load bodies

models="$BATS_TEST_DIRNAME/../../models"

# differs_in OLD NEW <<LINES: checks that diff prints exactly LINES.
differs_in() {
  diff <(cat) <(diff "$1" "$2")
}

# wrong_pool [FILE]: writes a model whose pool and Result declare 4x4 instead of 2x2.
wrong_pool() {
  pool_model "${1:-pool.xml}" 2 4
}

# sigmoid_model FILE: writes pool -> Warp -> y. The pool and the unknown op Warp declare 4x4.
sigmoid_model() {
  wrong_pool "$1"
  sed -i 's:    <layer id="2":    <layer id="3" name="sigmoid" type="Warp" version="myops">\
      <input><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></input>\
      <output><port id="1" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></output>\
    </layer>\
&:; s:from-layer="1" from-port="1" to-layer="2":from-layer="1" from-port="1" to-layer="3":
    s:  </edges>:    <edge from-layer="3" from-port="1" to-layer="2" to-port="0"/>\n&:' "$1"
}

# constant_model: writes m.xml, which declares [1] instead of [1,1]. Its axis is in m.bin.
constant_model() {
  printf '\1\0\0\0\0\0\0\0' >m.bin
  cat >m.xml <<EOF
<net name="m" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,2" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim></port></output>
    </layer>
    <layer id="1" name="axis" type="Const" version="opset1">
      <data element_type="i64" shape="1" offset="0" size="8"/>
      <output><port id="0" precision="I64"><dim>1</dim></port></output>
    </layer>
    <layer id="2" name="max" type="ReduceMax" version="opset1">
      <data keep_dims="true"/>
      <input><port id="0"><dim>1</dim><dim>2</dim></port><port id="1"><dim>1</dim></port></input>
      <output><port id="2" precision="FP32"><dim>1</dim></port></output>
    </layer>
    <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"><dim>1</dim></port></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
EOF
}

# ---- a corrected IR ----

@test "ports in bodies, of layers that an output needs" {
  local edge='<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>'
  if_model model.xml
  sed '/name="cube"/,/<output>/s|\(<port id="2" precision="FP32"\)/>|\1><dim>3</dim></port>|' model.xml >right.xml
  sed 's|<dim>3</dim>|<dim>4</dim>|' right.xml >wrong.xml
  converts "out.xml: written, 1 port of 1 layer corrected" out.xml wrong.xml
  cmp right.xml out.xml
  sed "0,\\|$edge|s||${edge/2/1}|" wrong.xml >unneeded.xml # the cube's body hands out the square
  converts "out.xml: written, nothing to correct" out.xml unneeded.xml
}

@test "a Parameter declares its 'shape', and -1 for sizes that it leaves open" {
  local pool='<dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim>' sizes dims
  pool_model pool.xml
  sed "s/shape=\"1,1,4,4\"/shape=\"?,1,4..8,4\"/; 0,\\|$pool|s||<dim>-1</dim><dim>1</dim><dim>-1</dim><dim>4</dim>|" \
    pool.xml >right.xml
  converts "out.xml: written, nothing to correct" out.xml right.xml
  for sizes in "2 1 4 4" "-1 1 5 4" "-1 -1 -1 -1" "-1 1 -1" "-1 1 9 4"; do
    read -ra dims <<<"$sizes"
    sed "0,\\|<dim>-1.*</port>|s||$(printf '<dim>%s</dim>' "${dims[@]}")</port>|" right.xml >wrong.xml
    converts "out.xml: written, 1 port of 1 layer corrected" out.xml wrong.xml
    cmp right.xml out.xml
    irrun --check-shapes wrong.xml
    grep -E '^ *0 .* differs$' <<<"$output"
  done
}

@test "the page's 32x32 becomes 16x16, and nothing else changes" {
  converts "out.xml: written, 2 ports of 2 layers corrected" out.xml "$models/spec/P1.xml"
  differs_in "$models/spec/P1.xml" out.xml <<'EOF'
17c17
<         <port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
---
>         <port id="1" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>
22c22
<         <port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>32</dim><dim>32</dim></port>
---
>         <port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>16</dim><dim>16</dim></port>
EOF
  says "P1.xml:17:68: note: output port 1 declares 32x32, expected 16x16" "$stderr"
  says "IR301" "$stderr"
  says_not error "$stderr"
  [ ! -e out.bin ]
  irrun --check-shapes out.xml
  ends 0
}

@test "types are corrected as well" {
  pool_model pool.xml
  sed -i '8,$s/FP32/FP16/' pool.xml
  converts "out.xml: written, 3 ports of 2 layers corrected" out.xml pool.xml
  says "IR302" "$stderr"
  pool_model right.xml
  cmp right.xml out.xml
}

@test "a model without a fault is copied, byte for byte" {
  for name in avg_pool/dynamic avg_pool/any_order demo/pool; do
    converts "out.xml: written, nothing to correct" out.xml "$models/$name.xml"
    cmp out.xml "$models/$name.xml"
  done
}

@test "converting again changes nothing" {
  wrong_pool
  irrun --convert one.xml pool.xml
  ends 0
  converts "two.xml: written, nothing to correct" two.xml one.xml
  [ -z "$stderr" ]
  cmp one.xml two.xml
  irrun --convert one.xml "$models/ngraph/old_spelling.json"
  ends 0
  converts "two.xml: written, nothing to correct; two.bin, 16 bytes" two.xml one.xml
  cmp one.xml two.xml
  cmp one.bin two.bin
}

@test "an op that irrun lacks: its input is corrected, its output and what follows stay" {
  sigmoid_model s.xml
  converts "out.xml: written, 2 ports of 2 layers corrected" out.xml s.xml
  differs_in s.xml out.xml <<'EOF'
10c10
<       <output><port id="1" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></output>
---
>       <output><port id="1" precision="FP32"><dim>1</dim><dim>1</dim><dim>2</dim><dim>2</dim></port></output>
13c13
<       <input><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>4</dim><dim>4</dim></port></input>
---
>       <input><port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>2</dim><dim>2</dim></port></input>
EOF
  says "s.xml:12:40: warning: irrun does not have Warp: its inputs are corrected, its outputs stay as they are declared [IR210 not-runnable-here]" "$stderr"
  cp out.xml before.xml
  irrun --convert out.xml s.xml --strict
  ends 4
  cmp out.xml before.xml
  # The corrected input causes no warning.
  converts "again.xml: written, nothing to correct" again.xml out.xml
  says_not warning "$stderr"
}

# ---- the .bin ----

@test "the .bin is copied, whatever it is called" {
  constant_model
  mkdir there
  converts "there/out.xml: written, 2 ports of 2 layers corrected; there/out.bin, 8 bytes" there/out.xml m.xml
  cmp m.bin there/out.bin
  irrun --check-shapes there/out.xml
  ends 0
  mv m.bin other
  converts "m2.xml: written, 2 ports of 2 layers corrected; m2.bin, 8 bytes" m2.xml m.xml --weights other
  cmp other m2.bin
  same_run m2.xml there/out.xml --fill iota
}

@test "no .bin: shapes that need none are corrected, and none is made" {
  constant_model
  rm m.bin
  irrun --convert out.xml m.xml
  ends 6
  says "IR401" "$stderr"
  folder_holds m.xml
  sed -i 's/ReduceMax/ConvertLike/; /keep_dims/d' m.xml # ConvertLike needs no constant for its shape
  converts "out.xml: written, 2 ports of 2 layers corrected" out.xml m.xml
  says "m.xml: warning: 1 constant was not copied, for there is no m.bin [IR401 bin-missing]" "$stderr"
  differs_in m.xml out.xml <<'EOF'
13c13
<       <output><port id="2" precision="FP32"><dim>1</dim></port></output>
---
>       <output><port id="2" precision="I64"><dim>1</dim><dim>2</dim></port></output>
15c15
<     <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"><dim>1</dim></port></input></layer>
---
>     <layer id="3" name="y" type="Result" version="opset1"><input><port id="0"><dim>1</dim><dim>2</dim></port></input></layer>
EOF
  folder_holds m.xml out.xml
}

@test "in place: the model is replaced, its .bin is left alone" {
  constant_model
  touch -d 2001-01-01 m.bin
  ln m.bin same.bin
  converts "m.xml: written, 2 ports of 2 layers corrected; m.bin, 8 bytes" m.xml m.xml
  [ m.bin -ef same.bin ]
  [ m.bin -ot m.xml ]
  converts "./m.xml: written, nothing to correct; ./m.bin, 8 bytes" ./m.xml m.xml
  [ m.bin -ef same.bin ]
  irrun --check-shapes m.xml
  ends 0
  folder_holds m.bin m.xml same.bin
}

@test "an .xml that is a link is written through, and stays one" {
  wrong_pool real.xml
  ln -s real.xml pool.xml
  irrun --convert pool.xml pool.xml
  ends 0
  [ -L pool.xml ]
  pool_model right.xml
  cmp right.xml real.xml
}

@test "a link to another model is refused: the constants would lie beside the link" {
  constant_model
  cp m.xml old.xml
  mkdir other
  cp m.xml m.bin other
  ln -s ../m.xml other/link.xml
  irrun --convert other/link.xml other/m.xml
  ends 2
  says "'other/link.xml' would overwrite the file that this link leads to, but not its .bin" "$stderr"
  irrun --cut max --output other/link.xml other/m.xml
  ends 2
  says "'other/link.xml' would overwrite the file that this link leads to, but not its .bin" "$stderr"
  cmp m.xml old.xml
  [ ! -e other/link.bin ]
  ln -s ../m.bin other/link.bin # both are links: both files are replaced
  irrun --convert other/link.xml other/m.xml
  ends 0
}

@test "constants are not written where a link that lies in the folder leads away" {
  constant_model
  mkdir other far
  cp m.xml m.bin far
  cp m.bin far/precious
  ln -s ../far/precious other/out.bin
  ln -s ../far/in.npz other/out.npz
  leads_away() {
    irrun "$@"
    ends 6
    says "'other/out.bin': the link leads to 'other/../far/precious', outside of the folder of 'other/out.xml'" "$stderr"
  }
  leads_away --convert other/out.xml far/m.xml
  leads_away --cut max far/m.xml --output other/out.xml
  leads_away --edit 'match: rename=conv' "$IRRUN_SOURCE/models/networks/digits.xml" --output other/out.xml
  rm other/out.bin
  irrun --cut max --fill ones --output other/out.xml far/m.xml
  ends 6
  says "other/out.npz: error: cannot write: the link leads to no file" "$stderr"
  cmp far/precious m.bin
  [ -z "$(find other -type f)" ]
  ln -s ../far/m.xml other/out.xml # the user names it; what it leads to has a .bin of its own
  ln -s ../far/precious other/out.bin
  irrun --convert other/out.xml m.xml
  ends 6
  says "'other/out.bin': the link leads to 'other/../far/precious'" "$stderr"
  rm far/m.xml # a link to a file that is not there yet
  irrun --convert other/out.xml m.xml
  ends 6
  irrun --cut max --fill ones --output other/out.xml m.xml
  ends 6
  ln -sf ../far/m.bin other/out.bin
  irrun --convert other/out.xml m.xml
  ends 0
  cmp far/m.bin m.bin
  ln -sf precious far/m.bin # that .bin is a link itself
  irrun --convert other/out.xml m.xml
  ends 6
  cmp far/precious m.bin
  mkdir other/below
  ln -s below/m.bin other/m.bin
  irrun --convert other/m.xml m.xml
  ends 0
  cmp other/below/m.bin m.bin
}

# ---- output files ----

@test "names that are none for an IR" {
  wrong_pool
  for name in out out.bin out.XML.txt .xml; do
    irrun --convert "$name" pool.xml
    ends 2
    says "cannot write an IR to '$name': expected NAME.xml" "$stderr"
  done
  for name in - /dev/stdout; do
    irrun --convert "$name" pool.xml
    ends 2
    says "cannot write an IR to '$name': it is two files, and this is a stream" "$stderr"
  done
  mkfifo fifo.bin fifo.xml other.bin
  for name in fifo.xml other.xml; do
    irrun --convert "$name" pool.xml
    ends 2
    says ": it is two files, and this is a stream" "$stderr"
  done
  rm fifo.bin fifo.xml other.bin
  irrun --convert out.xml
  ends 2
  says "no MODEL is given" "$stderr"
  irrun --convert out.xml pool.xml pool.xml
  ends 2
  says "a conversion takes one MODEL" "$stderr"
  folder_holds pool.xml
}

@test "no file of the model becomes another one" {
  constant_model
  cp m.xml old.xml
  cp m.bin old.bin
  # The .bin of the new IR would overwrite the nGraph model.
  cp "$models/ngraph/old_spelling.json" ng.bin
  irrun --convert ng.xml ng.bin
  ends 2
  says "'ng.bin' would overwrite the model" "$stderr"
  # The new .xml would overwrite the nGraph model, or the constants.
  cp "$models/ngraph/old_spelling.json" ng.xml
  irrun --convert ./ng.xml ng.xml
  ends 2
  says "'./ng.xml' would overwrite the model" "$stderr"
  cp m.bin weights.xml
  irrun --convert weights.xml m.xml --weights weights.xml
  ends 2
  says "'weights.xml' would overwrite its constants" "$stderr"
  # Both output names are links to one file.
  ln -s both.bin both.xml
  irrun --convert both.xml m.xml
  ends 2
  says "'both.xml' would overwrite the constants that are written" "$stderr"
  [ ! -e both.bin ]
  cmp weights.xml old.bin
  cmp m.xml old.xml
  cmp ng.xml "$models/ngraph/old_spelling.json"
  cmp ng.bin "$models/ngraph/old_spelling.json"
}

@test "a folder that is not there, or cannot be written to, is status 6" {
  wrong_pool
  irrun --convert nowhere/out.xml pool.xml
  ends 6
  says "nowhere/out.xml: error: cannot write: there is no folder 'nowhere' [IR702 file-not-writable]" "$stderr"
  mkdir out.xml
  irrun --convert out.xml pool.xml
  ends 6
  irrun --convert nowhere.xml nofile.xml
  ends 6
  says "nofile.xml: error: cannot read the model" "$stderr"
  folder_holds out.xml pool.xml
}

@test "a .bin that cannot be written is status 6, and the old .xml stays" {
  constant_model
  converts "out.xml: written, 2 ports of 2 layers corrected; out.bin, 8 bytes" out.xml m.xml
  rm out.bin
  mkdir out.bin # no file can replace this folder
  cp out.xml before.xml
  irrun --convert out.xml m.xml
  ends 6
  cmp out.xml before.xml
  [ -z "$(ls out.bin)" ]
}

@test "an .xml that cannot be written is status 6, and the old .bin stays" {
  constant_model
  ln -s /dev/full full.xml
  echo old >full.bin
  irrun --convert full.xml m.xml
  ends 6
  [ "$output" = "full.xml: not written" ]
  [ "$(cat full.bin)" = old ]
}

@test "a .bin of another model that would be taken for the one that is missing" {
  constant_model
  rm m.bin
  sed -i 's/ReduceMax/ConvertLike/; /keep_dims/d' m.xml # ConvertLike needs no constant for its shape
  echo other >out.bin
  irrun --convert out.xml m.xml
  ends 0
  says "m.xml: warning: 1 constant was not copied, for there is no m.bin [IR401 bin-missing]" "$stderr"
  says "note: 'out.bin' is there, of whatever model, and will be taken for them" "$stderr"
  irrun --convert new.xml - <m.xml
  ends 0
  says "1 constant was not copied, for there is no .bin: name it with --weights FILE" "$stderr"
  says_not "is there" "$stderr"
}

# ---- faults ----

@test "other faults than declarations: their status, and old files are untouched" {
  pool_model pool.xml 5 4
  sed 's/"window_shape": \[2, 2\]/"window_shape": [2, 9]/' "$models/ngraph/page_example.json" >bad.json
  echo old >out.xml
  echo older >out.bin
  irrun --convert out.xml pool.xml
  ends 3
  says "IR304" "$stderr"
  says "pool.xml: invalid" "$output"
  irrun --convert out.xml bad.json
  ends 3
  says "IR304" "$stderr"
  echo '<net version="11">' >cut.xml
  irrun --convert out.xml cut.xml
  ends 3
  [ "$(cat out.xml)" = old ]
  [ "$(cat out.bin)" = older ]
  folder_holds bad.json cut.xml out.bin out.xml pool.xml
}

@test "an nGraph op that irrun lacks" {
  sed 's/"AvgPool"/"Tanh"/' "$models/ngraph/page_example.json" >tanh.json
  irrun --convert out.xml tanh.json
  ends 4
  says IR210 "$stderr"
  folder_holds tanh.json
}

@test "--deny=IR301 refuses what is corrected without it, also with --allow and --strict" {
  wrong_pool
  irrun --convert out.xml pool.xml --deny=IR301
  ends 3
  says ": error: output port 1 declares 4x4, expected 2x2" "$stderr"
  folder_holds pool.xml
  converts "out.xml: written, 2 ports of 2 layers corrected" out.xml pool.xml --allow=IR301
  says_not error "$stderr"
  pool_model right.xml
  cmp right.xml out.xml
  irrun --convert strict.xml pool.xml --strict
  ends 0
  cmp right.xml strict.xml
}

# ---- reports ----

@test "-q: the one line and no notes; -v: the same line, with the notes" {
  wrong_pool
  irrun -q --convert out.xml pool.xml
  ends 0
  [ "$output" = "out.xml: written, 2 ports of 2 layers corrected" ]
  says_not "note: output port" "$stderr"
  irrun -v --convert out.xml pool.xml
  ends 0
  says "out.xml: written, 2 ports of 2 layers corrected" "$output"
  says "pool.xml:10:74: note: output port 1 declares 4x4" "$stderr"
}

# converted TEXT: checks that the report contains TEXT, if blanks in the report are ignored.
converted() {
  says "$1" "$(tr -d '\n\t' <<<"$output")"
}

@test "--json: one document with what was written" {
  constant_model
  irrun --json --convert out.xml m.xml
  ends 0
  converted '"converted":{"path":"out.xml","weights":"out.bin","weight_bytes":8,"layers":2,"ports":2,"left_out":0}'
  converted '"mode":"convert","exit":0'
  irrun --json --convert two.xml "$models/spec/P3.xml"
  ends 0
  converted '"converted":{"path":"two.xml","weights":null,"weight_bytes":0,"layers":0,"ports":0,"left_out":0}'
  irrun --json --convert three.xml "$models/ngraph/old_spelling.json"
  ends 0
  converted '"converted":{"path":"three.xml","weights":"three.bin","weight_bytes":16,"layers":3,"ports":0,"left_out":0}'
  irrun --json --convert out.txt m.xml
  ends 2
  says_not '"converted"' "$output"
}

@test "a model from stdin" {
  wrong_pool
  pool_model right.xml
  irrun --convert out.xml - <pool.xml
  ends 0
  [ "$output" = "out.xml: written, 2 ports of 2 layers corrected" ]
  cmp right.xml out.xml
  irrun --convert ng.xml - <"$models/ngraph/old_spelling.json"
  ends 0
  same_run "$models/ngraph/old_spelling.json" ng.xml
  irrun --convert piped.xml <(cat pool.xml)
  ends 0
  cmp right.xml piped.xml
}
