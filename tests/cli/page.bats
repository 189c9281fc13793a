# Tests --report: which pages are written, when, and that names cannot break them. tests/page tests them in a browser.
load helpers

models="$BATS_TEST_DIRNAME/../../models"

# data FILE: prints the JSON of a page.
data() {
  sed -n 's|^<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$1"
}

# rows FILE COLUMN: prints the rows of the table of a page that begins with these columns, a line each.
rows() {
  data "$1" | sed "s/.*{\"columns\":\[$2[^]]*\],\"rows\":\[\[//; s/\]\]}.*//; s/\],\[\([0-9]*,\)/\n\1/g"
}

# a_model NAME...: prints a model with a chain of ReLU layers of these names, which are escaped for XML.
a_model() {
  local i=0 name last=$#
  local port='<port id="0" precision="FP32"><dim>1</dim><dim>8</dim></port>'
  echo '<net name="m" version="11"><layers>'
  echo '<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,8" element_type="f32"/><output><port id="0" precision="FP32" names="picture"><dim>1</dim><dim>8</dim></port></output></layer>'
  for name in "$@"; do
    i=$((i + 1))
    echo "<layer id=\"$i\" name=\"$name\" type=\"ReLU\" version=\"opset1\"><input>$port</input><output><port id=\"1\" precision=\"FP32\"><dim>1</dim><dim>8</dim></port></output></layer>"
  done
  echo "<layer id=\"$((last + 1))\" name=\"y\" type=\"Result\" version=\"opset1\"><input>$port</input></layer></layers><edges>"
  for ((i = 0; i <= last; i++)); do
    echo "<edge from-layer=\"$i\" from-port=\"$((i > 0))\" to-layer=\"$((i + 1))\" to-port=\"0\"/>"
  done
  echo '</edges></net>'
}

@test "a page of a model alone is that of a check" {
  irrun "$models/networks/digits.xml" --report=p.html
  ends 0
  says 'p.html: written' "$output"
  says '"mode":"check-shapes","exit":0' "$(data p.html)"
  says '"probabilities"' "$(data p.html)"
  says_not '"times"' "$(data p.html)"
  says '"odd","bins","first"],"rows":[[' "$(data p.html)"
}

@test "one file, without the network" {
  irrun "$models/networks/digits.xml" --report=p.html -q
  ends 0
  run grep -oE '(src|href)="[^"]*"|@import|url\(|fetch\(|XMLHttp|import ' p.html
  [ "$output" = "" ]
  says "default-src 'none'" "$(<p.html)"
}

@test "a broken model gets its page, with the line of the fault, and the status of the check" {
  irrun "$models/spec/P1.xml" --report=p.html
  ends 3
  says '"rule":"IR301"' "$(data p.html)"
  says '"excerpt":"        \u003cport id=\"1\"' "$(data p.html)"
  says '"rules":[{"id":"IR209"' "$(data p.html)"
  irrun --check-shapes none.xml --report=p.html
  ends 6
  says '"rule":"IR701"' "$(data p.html)"
}

@test "a run that cannot start gets its page" {
  irrun "$models/demo/pool.xml" --fill bad --report=p.html
  ends 2
  irrun "$models/demo/pool.xml" --cast --report=p.html
  ends 5
  says '"rule":"IR501"' "$(data p.html)"
  irrun "$models/spec/P1.xml" --fill ones --report=p.html
  ends 3
  says '"rule":"IR301"' "$(data p.html)"
  irrun none.xml --fill ones --report=p.html
  ends 6
  says '"rule":"IR701"' "$(data p.html)"
  irrun "$models/networks/digits.xml" --fill ones --json --report=p.html
  ends 0
  says '"mode":"run"' "$(data p.html)"
}

@test "an option of a run makes it a run: times, kernels, memory and ranges" {
  irrun "$models/networks/pool_mixer.xml" --fill random --report=p.html
  ends 0
  says '"mode":"run"' "$(data p.html)"
  says '"times":{"columns":["layer","kernel","isa","depth","duration_ns","calls","read_bytes","written_bytes","floor_ns"],"rows":[[' "$(data p.html)"
  [ "$(rows p.html '"layer","kernel"' | wc -l)" -ge 10 ]
  says_not null "$(rows p.html '"layer","kernel"')" # each step has a floor
  says '"plan":{"reasons":["' "$(data p.html)"
  [ "$(rows p.html '"number","layer"' | wc -l)" -ge 10 ]
  says '"tensors":{"columns":["layer","port",' "$(data p.html)"
  says_not ' time ' "$output" # --profile would print a table
}

@test "NaN and infinities are counted" {
  a_model a >m.xml
  irrun m.xml --input x=nan,inf,-inf,1,2,3,4,5 --report=p.html -q
  ends 0
  says '0,0,5,1,1,1,1,3,5,1.414214,' "$(rows p.html '"layer","port"')"
  says ',"1 nan, 1 inf, 1 -inf",[1,' "$(rows p.html '"layer","port"')"
}

@test "tensors have the numbers and the order of --stats, also in bodies" {
  irrun "$BATS_TEST_DIRNAME/../golden/families/condition.xml" --fill random:1 --report=p.html -q
  ends 0
  numbers='"finite":[0-9]*,"nan":[0-9]*,"inf":[0-9]*,"negative_inf":[0-9]*'
  rows p.html '"layer","port"' | cut -d, -f3-6 | sort >page.txt
  irrun "$BATS_TEST_DIRNAME/../golden/families/condition.xml" --fill random:1 --stats --json
  tr -d '\n\t ' <<<"$output" | sed 's/.*"stats"://' | grep -o "$numbers" | sed 's/[^0-9,]//g' | sort >stats.txt
  [ -s page.txt ]
  cmp page.txt stats.txt
  irrun "$models/networks/lp_pool.xml" --fill 3e38 --report=p.html -q
  says '"50 inf"' "$(rows p.html '"layer","port"' | head -n 1)"
  says '"50 overflow f16, all equal"' "$(rows p.html '"layer","port"' | tail -n 1)"
}

@test "a model with variables has no ranges, which would change its state" {
  irrun "$models/networks/repeater.xml" --llm -i input_ids=1,2 --report=p.html --save-state with.npz -q
  ends 0
  says '"tensors":{"columns":[],"rows":[]}' "$(data p.html)"
  irrun "$models/networks/repeater.xml" --llm -i input_ids=1,2 --save-state without.npz -q
  cmp with.npz without.npz
  irrun "$models/networks/repeater.xml" --llm -i input_ids=1,2 --stats --report=p.html --save-state with.npz -q
  [ "$(rows p.html '"layer","port"' | wc -l)" -ge 2 ]
  cmp with.npz without.npz
}

@test "a page changes no output" {
  irrun "$models/networks/pool_mixer.xml" --fill random --output plain.npz
  irrun "$models/networks/pool_mixer.xml" --fill random --output paged.npz --report=p.html
  ends 0
  cmp plain.npz paged.npz
}

@test "a comparison has pairs and a map of what differs, and status 1" {
  irrun "$models/demo/pool.xml" --input "$models/demo/x.npy" --output y.npy -q
  sed 's/exclude-pad="true"/exclude-pad="false"/' "$models/demo/pool.xml" >other.xml
  irrun other.xml --input "$models/demo/x.npy" --expect y.npy --report=p.html
  ends 1
  says '"differing":[{"layer":1,"port":0,"pairs":[[0,0],[0.75,1.5]' "$(data p.html)"
  says '"map":{"columns":3,"rows":[".' "$(data p.html)"
}

@test "--diff has both models and their differences, each change of type by itself" {
  sed 's/exclude-pad="true"/exclude-pad="false"/' "$models/demo/pool.xml" >other.xml
  irrun other.xml --diff "$models/demo/pool.xml" --report=p.html -q
  ends 1
  says '"differences":[{"layer":"pool","what":"exclude-pad","old":"true","new":"false"}' "$(data p.html)"
  [ "$(data p.html | grep -o '"verdict"' | wc -l)" -eq 2 ]
}

@test "names cannot end the script, nor start a comment" {
  a_model '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;' '&lt;!--' 'a&quot;b\c' '&#x5e9;&#x5dc;&#x202e;evil' "$(printf 'long%.0s' {1..100})" >m.xml
  irrun m.xml --report=p.html -q
  ends 0
  [ "$(grep -c '</script>' p.html)" -eq 2 ]
  [ "$(grep -o '</script>' p.html | wc -l)" -eq 2 ]
  run grep -o '<!--' p.html
  [ "$output" = "" ]
  says '"\u003c/script>\u003cscript>' "$(data p.html)"
  says '\u202e' "$(data p.html)"
  says "$(printf 'long%.0s' {1..100})" "$(data p.html)"
}

@test "bytes that are not UTF-8 and control characters are escaped" {
  sed "s/name=\"pool\"/name=\"po\&#10;ol\"/" "$models/demo/pool.xml" >m.xml
  irrun m.xml --report=p.html -q
  ends 0
  says '"po\nol"' "$(data p.html)"
  mkdir d
  cp "$models/demo/pool.xml" $'d/p\xff.xml'
  irrun $'d/p\xff.xml' --report=p.html -q
  ends 0
  says '"path":"d/p\\xff.xml"' "$(data p.html)"
}

@test "scopes of names, shared modules and repeated blocks become groups" {
  local names=(enc/in) i
  for i in {0..5}; do
    names+=("enc/layer.$i/abs" "act/r_$i" "enc/layer.$i/out")
  done
  a_model "${names[@]}" >m.xml
  irrun m.xml --report=p.html -q
  ends 0
  says '"title":"layer","path":"enc/layer","place":"1 80 1","repeats":6,"layers":18' "$(data p.html)"
  says_not '"path":"act"' "$(data p.html)"
  a_model a_1 b_2 c_3 d_4 >m.xml
  irrun m.xml --report=p.html -q
  says '"repeats":4' "$(data p.html)"
}

@test "1,000 layers take less than a megabyte, also with a run" {
  local names=() i
  for i in {1..330}; do
    names+=("network/stage.$((i / 50))/block.$i/first" "network/stage.$((i / 50))/block.$i/second" "network/stage.$((i / 50))/block.$i/third")
  done
  a_model "${names[@]}" >m.xml
  irrun m.xml --report=p.html
  ends 0
  says '992 layers' "$output"
  [ "$(wc -c <p.html)" -lt 600000 ]
  irrun m.xml --fill random --report=p.html -q
  ends 0
  [ "$(wc -c <p.html)" -lt 1000000 ]
}

@test "a constant without contents says why" {
  irrun "$models/networks/digits.xml" --report=p.html -q
  says_not '"why"' "$(data p.html)"
  cp "$models/networks/digits.xml" m.xml
  irrun --check-shapes m.xml --report=p.html -q
  says '"constants":{"columns":["layer","why"],"rows":[[1,"not read: a fault, or the .bin or memory for it is lacking"]' "$(data p.html)"
}

@test "wrong names and places" {
  irrun "$models/demo/pool.xml" --report=p.txt
  ends 2
  says "the name does not end in .html" "$stderr"
  cp "$models/demo/pool.xml" m.html
  irrun m.html --report=m.html
  ends 2
  says "'--report m.html' would overwrite 'm.html', a file of the model" "$stderr"
  irrun m.html --fill ones --report=m.html
  ends 2
  says "would overwrite 'm.html'" "$stderr"
  irrun "$models/demo/pool.xml" --diff m.html --report=m.html
  ends 2
  cmp "$models/demo/pool.xml" m.html
  echo '<net' >broken.html
  irrun broken.html --report=broken.html
  ends 2
  irrun broken.html --fill ones --report=broken.html
  ends 2
  [ "$(<broken.html)" = '<net' ]
  irrun "$models/demo/pool.xml" --report=none/p.html
  ends 6
  says IR702 "$stderr"
  irrun --check-shapes "$models/demo/pool.xml" "$models/spec/P1.xml" --report=p.html
  ends 2
  says "'--report' shows one MODEL, and here are 2" "$stderr"
  irrun "$models/demo/pool.xml" --fill ones --step --fill zeros --report=p.html
  ends 2
  says "'--report' writes one file, and here are 2 steps" "$stderr"
  irrun --graph=dot "$models/demo/pool.xml" --report=p.html
  ends 2
  [ ! -e p.html ]
}

@test "the tensor names of outputs can be found" {
  a_model a >m.xml
  irrun m.xml --report=p.html -q
  says '"names":"picture"' "$(data p.html)"
}

@test "a page that cannot be written is found before any work" {
  local wrong
  for wrong in nowhere/p.html p.txt; do
    for mode in --check-shapes "--diff $models/demo/pool.xml" "--fill ones"; do
      # shellcheck disable=SC2086 # $mode is several words
      irrun $mode "$models/demo/pool.xml" --report=$wrong
      [ "$status" -eq 2 ] || ends 6
      [ "$output" = "" ]
      says "$wrong" "$stderr"
    done
  done
  irrun --check-shapes "$models/demo/pool.xml" --write-baseline nowhere/known
  ends 6
  [ "$output" = "" ]
  irrun --check-shapes "$models/demo/pool.xml" --save-all nowhere/c.npz
  ends 6
  [ "$output" = "" ]
  irrun --graph=dot "$models/demo/none.xml" -o nowhere/p.dot
  ends 6
  says "there is no folder 'nowhere'" "$stderr"
}
