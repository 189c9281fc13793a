# Tests names of inputs and outputs: in .npz files, on the command line, and in hints that can be copied.
load helpers

# shared_model FILE: writes a model whose two outputs are both named t, and whose two inputs are both named s.
shared_model() {
  two_model "$1"
  sed -i -e 's/name="[ab]y"/name="t"/' -e 's/name="[ab]x"/name="s"/' "$1"
}

@test "outputs that share a name: what an .npz is written with, it is read back with" {
  shared_model t.xml
  irrun t.xml -q --fill iota --fill 0=zeros --output t.npz
  ends 0
  irrun t.xml -q --fill iota --fill 0=zeros --expect t.npz
  ends 0
  irrun t.xml -q --fill iota --fill 0=zeros --output 1=one.npz
  ends 0
  irrun t.xml -q --fill iota --fill 0=zeros --expect 1=one.npz
  ends 0
}

@test "a name that another output has as a better one is not its key" {
  two_model b.xml
  # The first output's tensor has the same name as the second output's layer.
  sed -i -e 's/name="ay" type="Result"/name="ay" output_names="by" type="Result"/' b.xml
  irrun b.xml -q --fill iota --fill ax=zeros --output b.npz
  ends 0
  irrun b.xml -q --fill iota --fill ax=zeros --expect b.npz
  ends 0
}

@test "hints name the number where the name is shared, long or cannot be typed" {
  tensors
  shared_model t.xml
  irrun t.xml
  ends 5
  says "--input '0=FILE' --input '1=FILE' or --fill random" "$stderr"
  irrun t.xml --fill ones --output y.npy
  ends 2
  says "--output '0=FILE' --output '1=FILE'" "$stderr"
  two_model c.xml
  sed -i -e 's/name="ax"/name="a\&#9;x"/' -e "s/name=\"bx\"/name=\"$(printf 'b%.0s' {1..200})\"/" c.xml
  irrun c.xml --input x.npy
  ends 2
  says "--input '0=FILE' --input '1=FILE'" "$stderr"
}

@test "a single key of another name: the hint can be pasted" {
  tensors
  irrun same.xml -q --input x.npy --output "it's.npz"
  irrun pool.xml --input "it's.npz"
  ends 5
  hint=$(sed -n 's/^hint: .*: \(--input .*\)/\1/p' <<<"$stderr")
  eval "irrun pool.xml -q $hint"
  ends 0
}

@test "names that turn the direction of text are escaped, also in file names" {
  two_model bidi.xml
  sed -i 's/name="ay"/name="a\xe2\x80\xaey"/' bidi.xml
  irrun bidi.xml --fill ones --output d/
  ends 0
  says 'a\xe2\x80\xaey' "$output"
  [ -e d/a_y.npy ]
}

@test "a document has no byte of what a terminal obeys: names keep their meaning by numbers" {
  two_model bidi.xml
  sed -i 's/name="ay"/name="a\xe2\x80\xae\xc2\x9by\xe2\x80\x8f\xe2\x80\xa8"/' bidi.xml
  for words in "--fill ones --json" "--check-shapes --json" "--check-shapes --format=sarif --deny=IR405"; do
    # shellcheck disable=SC2086 # $words is several words
    irrun bidi.xml $words
    LC_ALL=C grep -q $'[\x80-\xff]' <<<"$output" && return 1
  done
  irrun bidi.xml --fill ones --json
  says 'a\u202e\u009by\u200f\u2028' "$output"
}

@test "two keys for one input or output are IR508, named both" {
  tensors
  two_model two.xml
  # Writes an .npz with the keys x and 0: a model has outputs with these names.
  two_model xs.xml
  sed -i -e 's/name="ay"/name="x"/' -e 's/name="by"/name="0"/' -e 's/kernel="2,2" strides="2,2"/kernel="1,1" strides="1,1"/' \
    -e 's:<dim>2</dim>:<dim>4</dim>:g' xs.xml
  irrun xs.xml -q --fill iota --output both.npz
  ends 0
  irrun pool.xml --input both.npz
  ends 5
  says "both.npz: error: keys 'x' and '0' both name input 'x' [IR508 npz-key-unmatched]" "$stderr"
  [ "$(grep -c ' error: ' <<<"$stderr")" -eq 1 ]
  irrun pool.xml --input x=both.npz
  ends 5
  says "keys 'x' and '0' both name input 'x'" "$stderr"
  sed 's/name="y"/name="x"/' same.xml >out.xml
  sed -i 's/type="Parameter"/&/; 0,/name="x"/s//name="in"/' out.xml
  # If both keys name one output, both tensors are compared with it.
  irrun out.xml --fill iota --expect both.npz
  ends 0
  says "2 of 2 tensors match" "$output"
  irrun xs.xml -q --fill iota --fill bx=zeros --output both.npz
  irrun out.xml --fill iota --expect both.npz
  ends 1
  says "of 'both.npz:0' [IR608" "$stderr"
}

@test "a name that two inputs have chooses neither: the candidates are listed" {
  two_model twins.xml
  sed -i 's/name="bx"/name="ax"/' twins.xml
  irrun --check-shapes twins.xml
  ends 0
  says "warning: another input is named 'ax' as well: none of them can be chosen by that name [IR102" "$stderr"
  pool_model same.xml 1 4
  irrun same.xml --fill iota -q --output x.npy
  irrun twins.xml --input ax=x.npy --fill ones
  ends 2
  says "'ax' is the name of 2 inputs: number 0, layer 'ax'; number 1, layer 'ax' [IR801" "$stderr"
  says "hint: choose by number: 0=... or 1=..." "$stderr"
  irrun twins.xml --input 1=x.npy --fill ones
  ends 0
}

# rows FILE N INPUT OUTPUT: writes a model of N inputs INPUT0, INPUT1.., each of which is an output OUTPUT0, OUTPUT1..
rows() {
  local i
  {
    echo '<net name="rows" version="11"><layers>'
    for ((i = 0; i < $2; i++)); do
      echo "<layer id=\"$((2 * i))\" name=\"$3$i\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/>"
      echo '<output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>'
      echo "<layer id=\"$((2 * i + 1))\" name=\"$4$i\" type=\"Result\" version=\"opset1\">"
      echo '<input><port id="0" precision="FP32"><dim>1</dim></port></input></layer>'
    done
    echo '</layers><edges>'
    for ((i = 0; i < $2; i++)); do
      echo "<edge from-layer=\"$((2 * i))\" from-port=\"0\" to-layer=\"$((2 * i + 1))\" to-port=\"0\"/>"
    done
    echo '</edges></net>'
  } >"$1"
}

@test "keys that name nothing are one fault where no other names something, and else one warning" {
  rows from.xml 60 x key_name
  rows to.xml 60 keys_name y
  irrun from.xml -q --fill ones --output keys.npz
  ends 0
  irrun to.xml --input keys.npz
  ends 5
  [ "$(grep -c 'name no input of the model \[IR508' <<<"$stderr")" -eq 1 ]
  says "keys 'key_name0', 'key_name1', " "$stderr"
  says "hint: did you mean 'keys_name0'?" "$stderr"
  sed 's/"keys_name7"/"key_name7"/' to.xml >near.xml
  irrun near.xml --input keys.npz --fill ones -v
  ends 0
  says "59 keys name no input of the model: 'key_name0', " "$stderr"
  says "hint: did you mean 'keys_name0' by 'key_name0'?" "$stderr"
  [ "$(grep -c "^only in keys.npz: 'key_name" <<<"$output")" -eq 59 ]
}

@test "in/NAME is an input and out/NAME an output, so that one .npz may have both" {
  tensors
  for key in in/x out/y; do
    sed "s|name=\"y\"|name=\"$key\"|" same.xml >maker.xml
    irrun maker.xml -q --input x.npy --output "${key%/*}.npz"
  done
  irrun pool.xml --input in.npz --expect y.npy
  ends 0
  irrun same.xml --input x.npy --expect out.npz
  ends 0
  irrun pool.xml --input out.npz
  ends 5
  says "[IR501 input-missing]" "$stderr"
  irrun same.xml --input x.npy --expect in.npz
  ends 1
  says "[IR605 expected-missing]" "$stderr"
}
