# Tests --test: folders of data sets, names of their files, and irrun-test.json.
load helpers

# pack_model FILE: writes a model whose outputs make an io.npz for two_model: inputs in/ax and in/bx, expected outputs
# out/ay and out/by.
pack_model() {
  {
    echo '<net name="pack" version="11"><layers>'
    chain_layers 0 a 1 4
    chain_layers 3 b 1 4
    chain_layers 6 c 2 2
    chain_layers 9 d 2 2
    echo '</layers><edges>'
    chain_edges 0
    chain_edges 3
    chain_edges 6
    chain_edges 9
    echo '</edges></net>'
  } | sed -e 's|name="ay"|name="in/ax"|' -e 's|name="by"|name="in/bx"|' -e 's|name="cy"|name="out/ay"|' -e 's|name="dy"|name="out/by"|' >"$1"
}

# archive FILE: writes this io.npz.
archive() {
  pack_model pack.xml
  "$IRRUN" pack.xml --fill iota -q --output "$1"
}

# two_set FOLDER: writes a data set for two_model, with a file for each input and output.
two_set() {
  tensors
  mkdir -p "$1"
  cp x.npy "$1/input_ax.npy"
  cp x.npy "$1/input_1.npy"
  cp y.npy "$1/expected_ay.npy"
  cp y.npy "$1/expected.by.npy"
}

# updates MODEL FILES: checks that --update makes these files for MODEL.xml, and that --test reads them as its outputs.
updates() {
  irrun --test "$1.xml" --update
  ends 0
  [ "$(cd "$1" && echo expected*)" = "$2" ]
  irrun --test "$1.xml"
  ends 0
}

@test "beside the only model of a folder, or in the folder of its name; folders in folders" {
  tensors
  mkdir -p t/one/test_data_set_0 t/several/pool/test_data_set_1 t/several/same
  cp pool.xml t/one
  cp x.npy t/one/input.npy
  cp y.npy t/one/expected.npy
  cp x.npy t/one/test_data_set_0/input_0.npy
  cp y.npy t/one/test_data_set_0/output_0.npy
  cp pool.xml same.xml t/several
  cp pool.xml t/several/idle.xml
  cp t/one/*.npy t/several/pool
  cp t/one/*.npy t/several/pool/test_data_set_1
  cp x.npy t/several/same/input.npy
  cp x.npy t/several/same/expected.npy
  echo '<?xml version="1.0"?><!-- <net> --><testsuites/>' >t/one/results.xml
  irrun --test t
  ends 0
  diff - <(echo "$output") <<'TEXT'
ok       t/one/pool
ok       t/one/pool/test_data_set_0
ok       t/several/pool
ok       t/several/pool/test_data_set_1
ok       t/several/same
5 cases: 5 ok; 1 model without a data set
TEXT
  cd t/one
  irrun --test .
  ends 0
  [ "${lines[0]}" = "ok       pool" ]
  irrun --test pool.xml
  ends 0
  [ "${lines[1]}" = "ok       pool/test_data_set_0" ]
}

@test "files are named like inputs and outputs, or numbered; what names none is a fault" {
  two_model two.xml
  two_set two
  irrun --test two.xml
  ends 0
  mv two/input_ax.npy two/input_az.npy
  irrun --test two.xml
  ends 5
  says "ERROR    two  two/input_az.npy: " "$output"
  says "[IR502 name-unknown]" "$output"
  mv two/input_az.npy two/input.npy
  irrun --test two.xml
  ends 5
  says "two/input.npy: " "$output"
  mv two/input.npy two/input_0.npy
  cp x.npy two/input_bx.npy
  irrun --test two.xml
  ends 2
  says "input 'bx' is given twice: 'two/input_1.npy' and 'two/input_bx.npy'" "$output"
}

@test "names that are no file's: as --output DIR/ writes them" {
  two_set two
  two_model two.xml
  sed -i -e 's|name="ax"|name="in:a/x"|' -e 's|name="ay"|name="out:a/y"|' two.xml
  mv two/input_ax.npy two/input_in:a_x.npy
  mv two/expected_ay.npy two/expected_out:a_y.npy
  irrun --test two.xml
  ends 0
  rm two/expected*
  updates two "expected_by.npy expected_out:a_y.npy"
}

@test "only what is expected is compared, and no other input is needed" {
  two_set two
  two_model two.xml
  rm two/expected.by.npy two/input_1.npy
  irrun --test two.xml
  ends 0
}

@test "io.npz: in/NAME and out/NAME" {
  two_model two.xml
  mkdir two
  archive two/io.npz
  irrun --test two.xml
  ends 0
  irrun two.xml --input two/io.npz --expect two/io.npz
  ends 0
  says "2 of 2 outputs match" "$output"
  sed -i 's/name="by"/name="bz"/' two.xml
  irrun --test two.xml
  ends 5
  says "two/io.npz: 1 key names no tensor of the model: 'out/by' [IR510" "$output"
}

@test "--update of io.npz keeps the inputs, and writes all outputs" {
  two_model two.xml
  mkdir two
  archive two/io.npz
  # The pool of output ay gets pads, which its average counts, and so another shape.
  sed -i '0,/pads_begin="0,0" pads_end="0,0" exclude-pad="true"/s//pads_begin="1,1" pads_end="1,1" exclude-pad="false"/' two.xml
  sed -i '0,/<dim>1<\/dim><dim>1<\/dim><dim>2<\/dim><dim>2<\/dim>/s//<dim>1<\/dim><dim>1<\/dim><dim>3<\/dim><dim>3<\/dim>/' two.xml
  irrun --test two.xml
  ends 1
  says "DIFFERS  two  two/io.npz:out/ay: " "$output"
  irrun --test two.xml --update
  ends 0
  [ "${lines[0]}" = "UPDATED  two  two/io.npz: output 'ay', another shape or type: f32[1,1,3,3]" ]
  [ "${lines[1]}" = "1 case: 1 updated" ]
  irrun --test two.xml
  ends 0
  archive fresh.npz
  irrun two.xml --input fresh.npz --expect two/io.npz
  ends 0
}

@test "--update of an io.npz without outputs" {
  two_model two.xml
  mkdir two
  pack_model pack.xml
  # The model has no outputs out/ay and out/by, so the io.npz has only in/ax and in/bx.
  { echo '<net name="pack" version="11"><layers>'; chain_layers 0 a 1 4; chain_layers 3 b 1 4; echo '</layers><edges>'
    chain_edges 0; chain_edges 3; echo '</edges></net>'; } |
    sed -e 's|name="ay"|name="in/ax"|' -e 's|name="by"|name="in/bx"|' >pack.xml
  "$IRRUN" pack.xml --fill iota -q --output two/io.npz
  irrun --test two.xml
  ends 1
  irrun --test two.xml --update
  ends 0
  [ "${lines[0]}" = "UPDATED  two  two/io.npz: output 'ay', new: f32[1,1,2,2]" ]
  irrun --test two.xml
  ends 0
}

# named_outputs FILE NAME...: writes a model with an output of each name.
named_outputs() {
  local file=$1 at=0 name
  shift
  {
    echo '<net name="named" version="11"><layers>'
    for name in "$@"; do
      chain_layers $at "c$at" 2 2 | sed "s|name=\"c${at}y\"|name=\"$name\"|"
      at=$((at + 3))
    done
    echo '</layers><edges>'
    for ((at = 0; at < 3 * $#; at += 3)); do
      chain_edges $at
    done
    echo '</edges></net>'
  } >"$file"
}

@test "--update gives each output a file that --test reads as that output, or none" {
  tensors
  mkdir -p m/test_data_set_0 n
  named_outputs m.xml 1 2 0
  for i in 0 1 2; do cp x.npy "m/test_data_set_0/input_$i.npy"; done
  irrun --test m.xml --update
  ends 0
  says "m/test_data_set_0/output_0.npy: output '1', new" "$output"
  says "m/test_data_set_0/output_2.npy: output '0', new" "$output"
  irrun --test m.xml
  ends 0
  named_outputs n.xml a/b a_b 0
  for i in 0 1 2; do cp x.npy "n/input_$i.npy"; done
  irrun --test n.xml --update
  ends 2
  says "n: no file name means output 'a/b' alone: other outputs have its name and its number [IR801" "$output"
  [ -z "$(find n -name 'expected*')" ]
  named_outputs n.xml a/b a_b c
  updates n "expected_0.npy expected_a_b.npy expected_c.npy"
}

@test "--update keeps inputs of 8-bit floats in an io.npz" {
  mkdir f8
  for type in f8e4m3 f8e5m2; do
    sed -e "s/f32/$type/g" -e "s/FP32/${type^^}/g" <<'END' >f8.xml
<net name="f8" version="11"><layers>
<layer id="0" name="in/x" type="Parameter" version="opset1"><data shape="3" element_type="f32"/><output><port id="0" precision="FP32"><dim>3</dim></port></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>
END
    irrun f8.xml --fill 1.5 -q --save-all f8/io.npz
    ends 0
    sed -i 's|in/x|x|' f8.xml
    irrun --test f8.xml --update
    ends 0
    irrun f8.xml --input f8/io.npz --expect f8/io.npz
    says "1 of 1 output matches" "$output"
  done
}

# near FOLDER: changes one element of each expected tensor, by 0.25 and by 0.5.
near() {
  printf '\x4c\x41' | dd of="$1/expected_ay.npy" bs=1 seek="$(($(wc -c <"$1/expected_ay.npy") - 2))" conv=notrunc 2>.dd
  printf '\x50\x41' | dd of="$1/expected.by.npy" bs=1 seek="$(($(wc -c <"$1/expected.by.npy") - 2))" conv=notrunc 2>.dd
}

@test "irrun-test.json: tolerances of all, of an output, of a case; the nearer file counts" {
  two_set two
  near two
  two_model two.xml
  irrun --test two.xml
  ends 1
  says "got 12.5, expected 12.75 [IR601 output-differs], and 1 more" "$output"
  passes() {
    echo "$1" >irrun-test.json
    irrun --test -v two.xml
    ends 0
  }
  differs() {
    echo "$1" >irrun-test.json
    irrun --test -v two.xml
    ends 1
    says "$2" "$output"
  }
  passes '{"atol": 0.5}'
  passes '{"rtol": 0.04}'
  passes '{"ulp": 524288}'
  differs '{"atol": 0.25}' "output 'by' differs"
  passes '{"atol": 0.25, "outputs": {"by": {"atol": 0.5}}}'
  differs '{"outputs": {"by": {"atol": 0.5}}}' "output 'ay' differs"
  passes '{"cases": {"t*": {"atol": 0.5}}}'
  differs '{"cases": {"x*": {"atol": 0.5}}}' "output 'ay' differs"
  local model
  echo '{"cases": {"two": {"atol": 0.5}}}' >irrun-test.json
  for model in ./two.xml .//two.xml "../${PWD##*/}/two.xml" "../${PWD##*/}//two.xml" "../${PWD##*/}/./two.xml" \
    "$PWD//two.xml" .; do # the same folder, spelled in other ways
    irrun --test "$model"
    ends 0
  done
  passes '{"atol": 0, "cases": {"two": {"atol": 0.25, "outputs": {"by": {"atol": 0.5}}}}}'
  differs '{"atol": 0.5, "cases": {"two": {"outputs": {"by": {"atol": 0.25}}}}}' "output 'by' differs"
  echo '{"ulp": 524288}' >two/irrun-test.json
  passes '{"atol": 0}'
}

@test "irrun-test.json: what is wrong in it is said before anything is run" {
  two_set two
  two_model two.xml
  wrong() {
    echo "$1" >irrun-test.json
    irrun --test two.xml
    ends 2
    [ -z "$output" ]
    says "irrun-test.json: error: $2 [IR802 test-settings]" "$stderr"
  }
  wrong '{"atoll": 1}' "'atoll' is no setting here"
  wrong '{"atol": "1"}' "'atol' is no number of at least 0"
  wrong '{"rtol": -1}' "'rtol' is no number of at least 0"
  wrong '{"ulp": 1.5}' "'ulp' is no whole number of at least 0"
  wrong '{"outputs": 1}' "'outputs' is no object"
  wrong '{"cases": {"two": 1}}' "what 'two' has is no object"
  wrong '{"cases": {"two": {"cases": {}}}}' "'cases' is no setting here"
  wrong '{"outputs": {"ay": {"outputs": {}}}}' "'outputs' is no setting here"
  wrong $'{"atol": 1,\n "rtol" 2}' "it is no JSON object: line 2, column 9"
  wrong '{"atol": 1, "rtol": 0, "atol": 2}' "'atol' is there twice"
  wrong '{"cases": {"two": {"ulp": 1}, "t*": {}, "two": {}}}' "'two' is there twice"
  wrong '{"outputs": {"ay": {"ulp": 1, "ulp": 1}}}' "'ulp' is there twice"
  wrong '{"cases": {"t\u0000": {}}}' "it is no JSON object: line 1, column 14"
  wrong '[]' "it is no JSON object: line 1, column 1"
  echo '{"outputs": {"1": {"atol": 1}, "by": {}}}' >irrun-test.json
  irrun --test two.xml
  ends 2
  says "ERROR    two  irrun-test.json: '1' and 'by' are names of one output [IR802" "$output"
  echo '{"outputs": {"cy": {"atol": 1}}}' >irrun-test.json
  irrun --test two.xml
  ends 5
  says "ERROR    two  irrun-test.json: " "$output"
  says "[IR502 name-unknown]" "$output"
}

@test "irrun-test.json: a key that names no case, and text after a zero byte" {
  mkdir -p m/sub
  two_model m/two.xml
  two_set m/two
  two_model m/sub/in.xml
  two_set m/sub/in
  echo '{"cases": {"tw": {}, "two": {}, "t[w]*": {}, "sub/in": {"ulp": 9}, "in": {}}}' >m/irrun-test.json
  irrun --test m
  ends 2
  [ -z "$output" ]
  for key in tw sub/in in; do
    says "m/irrun-test.json: error: no case has the name '$key' [IR802 test-settings]" "$stderr"
  done
  irrun --test m --max-errors=1
  ends 2
  says "2 more errors not shown; --max-errors=0 shows all" "$stderr"
  irrun --test m
  says "hint: --list-cases shows all names; a key has the name relative to the folder of the file" "$stderr"
  says "3 errors" "$stderr"
  irrun --test m/two.xml # the other keys can name cases of other models
  ends 0
  echo '{"cases": {"in": {"atol": 1}}}' >m/sub/irrun-test.json
  echo '{"cases": {"two": {"atol": 1}}}' >m/irrun-test.json
  irrun --test m --filter 'm/sub/*' # --filter drops cases, but they are there
  ends 0
  irrun --test m
  ends 0
  printf '{"atol": 1,\n "rtol": 2}\0{"atol": 0}' >m/irrun-test.json
  irrun --test m
  ends 2
  says "m/irrun-test.json: error: it is no JSON object: line 2, column 12 [IR802" "$stderr"
}

@test "models of one folder as operands: the folder is listed once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  tensors
  mkdir m
  for i in {1..1500}; do
    ln pool.xml "m/$i.xml"
    mkdir "m/$i"
    ln x.npy "m/$i/input.npy"
  done
  output=$(ulimit -t 5 && "$IRRUN" --test --list-cases m/*.xml m/7.xml m)
  [ "$(wc -l <<<"$output")" = 1500 ]
}

@test "irrun-test.json with 50,000 cases is read at once" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  tensors
  mkdir case
  cp pool.xml case/
  cp x.npy case/input.npy
  cp y.npy case/expected.npy
  awk 'BEGIN { printf "{\"cases\":{"; for (i = 0; i < 50000; i++) printf "\"[p%x]ool\":{},", i; print "\"pool\":{}}}" }' \
    >case/irrun-test.json
  output=$(ulimit -t 2 && "$IRRUN" --test case)
  says "1 case: 1 ok" "$output"
}

@test "a FIFO that lies in a folder is not read, because nobody named it" {
  irrun() {
    status=0
    output=$(timeout 5 "$IRRUN" "$@" 2>"$BATS_TEST_TMPDIR/.stderr") || status=$?
    stderr=$(<"$BATS_TEST_TMPDIR/.stderr")
  }
  tensors
  mkdir case settings inputs
  cp pool.xml case/
  cp pool.xml settings/
  cp x.npy settings/input.npy
  mkfifo case/fifo settings/irrun-test.json
  ln -s fifo case/input.npy
  ln -s "$PWD/case/fifo" inputs/x.npy
  irrun --test --update case
  ends 2
  says "'case' has no data set to test with" "$stderr"
  irrun --test settings
  ends 6
  says "settings/irrun-test.json: error: cannot read: it is no regular file [IR701" "$stderr"
  irrun pool.xml --input inputs
  ends 6
  says "inputs: error: the folder has no files [IR701" "$stderr"
}
