# Tests formats for continuous integration, a folder as MODEL, and baselines.
load helpers

# faulty_models NUMBER: writes m1.xml, m2.xml .. with one error each (IR301, line 9) in layer 'pool'.
faulty_models() {
  for ((i = 1; i <= $1; i++)); do
    pool_model "m$i.xml" 2 2 3
  done
}

# fingerprints: prints the fingerprints of the SARIF document in $output.
fingerprints() {
  grep -o '"irrun/v1":.*' <<<"$output"
}

@test "--format: text is the default, json is --json, others are refused" {
  pool_model m.xml
  irrun --check-shapes m.xml
  ends 0
  text=$output
  irrun --check-shapes --format text m.xml
  [ "$output" = "$text" ]
  irrun --check-shapes --json m.xml
  json=$output
  irrun --check-shapes --format=json m.xml
  [ "$output" = "$json" ]
  irrun --check-shapes --json --format=json m.xml
  [ "$output" = "$json" ]
  irrun --check-shapes --format=xml m.xml
  ends 2
  says "'--format xml': needs text, json, sarif or github [IR801 command-line]" "$stderr"
  irrun --check-shapes --json --format=github m.xml
  ends 2
  says "'--json' and '--format=github' contradict each other" "$output"
  irrun --list-ops --format=github
  ends 2
  says "::error title=IR801 command-line::'--format=github' has no effect with '--list-ops'" "$output"
}

@test "sarif: place, layer, rule and text of a finding" {
  pool_model 'a b.xml' 2 2 3
  irrun --check-shapes --format=sarif 'a b.xml'
  ends 3
  [ -z "$stderr" ]
  for text in '"version":	"2.1.0"' '"uri":	"a%20b.xml"' '"startLine":	10' '"ruleId":	"IR301"' '"name":	"pool"' \
    '"level":	"error"' '"columnKind":	"unicodeCodePoints"' '"name":	"declared-shape-differs"' '"exitCode":	3'; do
    says "$text" "$output"
  done
  irrun --check-shapes --format=sarif "$PWD/a b.xml"
  says "\"uri\":	\"file:///" "$output"
}

@test "sarif: a URI has the bytes of the name, also if they are not UTF-8" {
  uri_of() {
    pool_model "$1" 2 2 3
    irrun --check-shapes --format=sarif "$1"
    ends 3
    grep -oE '"uri":.*"' <<<"$output" | sort -u | cut -f2
  }
  [ "$(uri_of $'\xff b.xml')" = '"%FF%20b.xml"' ]
  [ "$(uri_of $'\xc3\xa4\xc3.xml')" = '"%C3%A4%C3.xml"' ]
  [ "$(uri_of $'line\nand\ttab\x1b.xml')" = '"line%0Aand%09tab%1B.xml"' ]
  [ "$(uri_of '\xff\n.xml')" = '"%5Cxff%5Cn.xml"' ]
}

@test "sarif: what is wrong with the command line stands in the document too" {
  irrun --check-shapes --format=sarif --no-such
  ends 2
  [ -z "$stderr" ]
  says '"executionSuccessful":	false' "$output"
  says "unknown option '--no-such'" "$output"
  pool_model m.xml
  irrun m.xml --format=sarif --fill=zeros --output -
  ends 2
  says "'--output -' and '--format=sarif' both write to stdout" "$output"
}

@test "sarif: all errors, however many" {
  faulty_models 60
  irrun --check-shapes --format=sarif m*.xml
  ends 3
  [ "$(fingerprints | wc -l)" -eq 60 ]
  irrun --check-shapes --format=sarif --max-errors=7 m*.xml
  [ "$(fingerprints | wc -l)" -eq 7 ]
}

@test "fingerprints survive moved lines, new ids and other sizes, and differ by layer" {
  pool_model m.xml 2 2 3
  irrun --check-shapes --format=sarif m.xml
  before=$(fingerprints)
  sed -i 's/<layers>/<layers>\n\n/; s/<dim>3</<dim>  7</; s/id="1" name/id="9" name/; s/to-layer="1"/to-layer="9"/
    s/from-layer="1"/from-layer="9"/' m.xml
  irrun --check-shapes --format=sarif m.xml
  ends 3
  says '"startLine":	12' "$output"
  [ "$(fingerprints)" = "$before" ]
  sed -i 's/name="pool" type/name="other" type/' m.xml
  irrun --check-shapes --format=sarif m.xml
  [ "$(fingerprints)" != "$before" ]
}

@test "two findings of a kind have two fingerprints" {
  pool_model m.xml
  sed -i 's,</edges>,<edge from-layer="0" from-port="0" to-layer="77" to-port="0"/>\n&,; s,</edges>,<edge from-layer="0" from-port="0" to-layer="77" to-port="1"/>\n&,' m.xml
  irrun --check-shapes --format=sarif m.xml
  ends 3
  [ "$(grep -c '"ruleId":	"IR103"' <<<"$output")" -eq 2 ]
  [ "$(fingerprints | sed 's/.*:\([0-9]*\)"/\1/' | xargs)" = "1 2" ]
}

@test "github: a line an annotation, with %, line ends, ':' and ',' escaped" {
  pool_model 'a,b:c%.xml' 2 2 3
  irrun --check-shapes -q --format=github './a,b:c%.xml'
  ends 3
  says "::error file=a%2Cb%3Ac%25.xml,line=10,col=" "${lines[0]}"
  says ",title=IR301 declared-shape-differs::output port 1 declares 3x3, expected 2x2: " "${lines[0]}"
  says "%0Alayer 'pool', AvgPool-1%0A" "${lines[0]}"
  [ "${lines[1]}" = "./a,b:c%.xml: invalid, 3 layers, 1 input, 1 output, 1 error" ]
}

@test "github: ten errors, then the log alone, and a sum" {
  faulty_models 13
  irrun --check-shapes -q --format=github m*.xml
  ends 3
  [ "$(grep -c '^::error ' <<<"$output")" -eq 10 ]
  [ "$(grep -c ': error: ' <<<"$stderr")" -eq 3 ]
  says "::notice title=irrun::3 more errors: GitHub shows 10 of a kind a step, the log has all" "${lines[-1]}"
  rm m10.xml m11.xml m12.xml
  irrun --check-shapes -q --format=github m*.xml
  [ "$(grep -c '^::error ' <<<"$output")" -eq 10 ]
  says_not "::notice" "$output"
}

# commands PREFIX: makes loud.xml, whose names begin with PREFIX.
commands() {
  pool_model quiet.xml 2 2 3
  sed "s|<net name=\"|&$1|; s|<layer id=\"\([0-9]*\)\" name=\"|&$1|
    s|</layer>|<rt_info><attribute name=\"$1a\" version=\"0\" value=\"$1b\"/></rt_info>&|" quiet.xml >loud.xml
}

@test "a name in a model is no command to the log of a workflow" {
  cp "$IRRUN_SOURCE/models/networks/digits".* .
  for prefix in '::error file=a.c::' ' \xc2\xa0::stop-commands::' '##[error]' 'a ##vso[task.complete]'; do
    prefix=$(printf %b "$prefix")
    commands "$prefix"
    for words in "loud.xml --allow IR301 --fill ones" "loud.xml --allow IR301 --fill ones --stats" \
      "--rt-info -v loud.xml" "--check-shapes loud.xml" "--check-shapes -v --format=github loud.xml" \
      "--show-plan loud.xml --allow IR301 --fill ones" "--profile loud.xml --allow IR301 --fill ones" \
      "--graph=mermaid loud.xml" "--check-shapes --json loud.xml" "--diff quiet.xml loud.xml"; do
      # shellcheck disable=SC2086 # $words is several words
      irrun $words
      says_not "##[" "$output$stderr"
      says_not "##vso[" "$output$stderr"
      if grep -aP '^(\s|\xc2\xa0)*::(?!(error|notice) file=loud.xml)' <<<"$output"$'\n'"$stderr"; then
        return 1
      fi
    done
  done
  commands '::a::'
  irrun loud.xml --allow IR301 --fill ones -q
  says '\x3a:a::y  f32[' "$output"
  commands 'aten::'
  irrun loud.xml --allow IR301 --fill ones -q
  says 'aten::y  f32[' "$output"
}

@test "the file of a fault in an archive is the archive" {
  tensors
  "$IRRUN" same.xml --fill iota -q --output 'a:b.npz'
  irrun pool.xml --input 'a:b.npz' --format=github
  ends 5
  says "::error file=a%3Ab.npz,title=IR508 npz-key-unmatched::" "$output"
  "$IRRUN" same.xml --fill nan -q --output 'a:b.npz'
  irrun same.xml --fill iota --expect 'a:b.npz' --format=github
  ends 1
  says "::error file=a%3Ab.npz,title=" "$output"
  says "%0Akey 'y'" "$output"
  irrun same.xml --fill iota --expect 'a:b.npz' --format=sarif
  ends 1
  says '"uri":"a%3Ab.npz"' "$(tr -d '\t\n' <<<"$output")"
  says '"key":"y"' "$(tr -d '\t\n' <<<"$output")"
}

@test "github: results of a run are printed as ever" {
  pool_model m.xml
  irrun m.xml --fill=zeros --format=github
  ends 0
  says "f32[1,1,2,2]" "$output"
}

@test "a folder: nGraph's models in it, and no other JSON" {
  mkdir d
  cp "$BATS_TEST_DIRNAME"/../../models/ngraph/*.json d
  echo '{"atol": 1}' >d/irrun-test.json
  echo '[{"name": "a", "ops": []}]' >d/without_op.json
  echo '[{"title": "a", "ops": [{"op": "b"}]}]' >d/without_name.json
  echo '[ { "name" : "a", "ops" : [ { "op" : 7' >d/short.json
  irrun --check-shapes d
  ends 3
  [ "${lines[*]%%:*}" = "d/old_spelling.json d/page_example.json d/page_example_include.json d/short.json d/six_axes.json" ]
}

@test "a folder: the .xml files in it whose root is <net>, sorted, in subfolders too" {
  mkdir -p d/sub/deep d/.git
  pool_model d/b.xml
  pool_model d/sub/a.xml
  pool_model d/sub/deep/c.xml
  pool_model d/.git/hidden.xml
  pool_model d/no.txt
  { printf '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <net> -->\n' && cat d/b.xml; } >d/prolog.xml
  echo '<!-- <net version="11"> --><network/>' >d/other.xml
  echo '<nets/>' >d/nets.xml
  : >d/empty.xml
  ln -s . d/circle
  irrun --check-shapes d
  ends 0
  [ "${lines[*]%%:*}" = "d/b.xml d/prolog.xml d/sub/a.xml d/sub/deep/c.xml" ]
  (cd d && irrun --check-shapes . && [ "${lines[0]%%:*} ${lines[3]%%:*}" = "b.xml sub/deep/c.xml" ])
  pool_model x.xml 2 2 3
  irrun --check-shapes x.xml d/
  ends 3
  [ "${lines[0]%%:*} ${lines[1]%%:*} ${#lines[@]}" = "x.xml d/b.xml 5" ]
}

@test "a model that is named twice is checked once" {
  mkdir d
  pool_model d/a.xml
  pool_model d/b.xml
  irrun --check-shapes d/b.xml ./d/b.xml d ./d
  ends 0
  [ "${lines[*]%%:*}" = "d/b.xml d/a.xml" ]
}

@test "a folder without a model, one beside --weights" {
  mkdir d
  echo '<html/>' >d/a.xml
  irrun --check-shapes d
  ends 2
  says "the folder 'd' has no model: no .xml file whose root is <net>, no .json file of nGraph [IR801 command-line]" "$stderr"
  pool_model d/m.xml
  irrun --check-shapes d --weights m.bin
  ends 2
  says "'--weights' belongs to one MODEL, and 'd' is a folder" "$stderr"
}

@test "a baseline: what is known does not fail, what is new does, what is gone is named" {
  faulty_models 2
  irrun --check-shapes m1.xml m2.xml --write-baseline known
  ends 0
  says "known: written, 2 findings" "$output"
  says_not "error" "$output"
  diff known - <<EOF
# known to irrun: model, rule, layer, fingerprint
$(sed -n 2,3p known)
EOF
  grep -P '^m1\.xml\tIR301\tpool\t[0-9a-f]{16}:1$' known

  tail -1 known >>known # repeats a line, as a merge of two branches can
  irrun --check-shapes ./m1.xml m2.xml --baseline known
  ends 0
  says "m1.xml: ok, 3 layers, 1 input, 1 output, 1 known finding" "$output"
  [ "$stderr" = "2 known findings not shown" ]

  pool_model m1.xml 9
  pool_model m2.xml
  irrun --check-shapes m1.xml m2.xml --baseline known
  ends 3
  says "IR304" "$stderr"
  says "m1.xml: invalid, 3 layers" "$output"
  says "m2.xml: ok, 3 layers" "$output"
  says "m2.xml: gone: IR301 in layer 'pool'" "$stderr"
  says "hint: --write-baseline FILE writes the baseline without what is gone" "$stderr"

  irrun --check-shapes m1.xml m2.xml --baseline known --write-baseline known
  ends 0
  irrun --check-shapes m1.xml m2.xml --baseline known
  ends 0
  says_not "gone" "$stderr"
}

@test "a baseline: of a model that is not checked nothing is gone, unless it is there no more" {
  faulty_models 2
  irrun --check-shapes m1.xml m2.xml --write-baseline known
  irrun --check-shapes m1.xml --baseline known
  ends 0
  says_not "gone" "$stderr"
  rm m2.xml
  irrun --check-shapes m1.xml --baseline known
  ends 0
  says "m2.xml: gone: IR301 in layer 'pool'" "$stderr"
}

@test "a baseline: a model whose name begins like a comment, and files that are no text" {
  pool_model '#m.xml' 2 3
  irrun --check-shapes '#m.xml' --write-baseline known
  ends 0
  grep -q "^./#m.xml" known
  irrun --check-shapes './#m.xml' --baseline known
  ends 0
  printf '\0' >>known
  irrun --check-shapes '#m.xml' --baseline known
  ends 2
  says "known: error: the baseline is no text: it has a zero byte, or more than 256 MiB [IR801" "$stderr"
  irrun --check-shapes '#m.xml' --baseline /dev/zero
  ends 2
}

@test "a baseline: with --strict, in SARIF, in JSON, on GitHub" {
  faulty_models 1
  irrun --check-shapes m1.xml --write-baseline known
  sed 's/m1\.xml/m1.xml/; s/IR301/IR305/; s/.:1$/0:1/' known | tail -1 >>known
  irrun --check-shapes m1.xml --strict --baseline known --format=sarif
  ends 0
  says '"baselineState":	"unchanged"' "$output"
  says '"baselineState":	"absent"' "$output"
  says '"exitCode":	0' "$output"
  irrun --check-shapes m1.xml --baseline known --json
  ends 0
  says '"known":	true' "$output"
  says '"gone":	[{' "$output"
  says '"exit":	0' "$output"
  irrun --check-shapes m1.xml --baseline known --format=github
  ends 0
  says_not "::error" "$output"
}

@test "a baseline never hides that a file was not checked" {
  faulty_models 1
  irrun --check-shapes m1.xml --write-baseline known
  ends 0
  cp known before
  mv m1.xml m2.xml
  irrun --check-shapes m1.xml --baseline known
  ends 6
  says_not "gone" "$stderr"
  irrun --check-shapes m1.xml m2.xml --write-baseline known
  ends 6
  cmp before known
}

@test "a baseline of 50,000 findings for 500 models takes no time" {
  [ -z "$IRRUN_SANITIZE" ] || skip "sanitizers take time of their own"
  mkdir models
  pool_model models/0.xml
  for ((i = 1; i < 500; i++)); do ln models/0.xml models/$i.xml; done
  awk 'BEGIN { for (i = 0; i < 50000; i++) printf "gone%d.xml\tIR301\tpool\t%016x:1\n", i, i }' >known
  output=$(ulimit -t 2 && "$IRRUN" --check-shapes -q models --baseline known 2>&1)
  says "gone49999.xml: gone: IR301" "$output"
}

@test "a baseline that is not there, is none, or would be written over a model" {
  pool_model m.xml
  irrun --check-shapes m.xml --baseline none
  ends 6
  says "none: error: cannot read the baseline: No such file or directory [IR701 file-not-readable]" "$stderr"
  says "hint: --write-baseline makes one" "$stderr"
  printf '# head\nm.xml\tIR301\n' >bad
  irrun --check-shapes m.xml --baseline bad
  ends 2
  says "bad: error: line 2 of the baseline is none: needs 4 fields with tabs between them" "$stderr"
  printf 'gone.xml\tIR301\tpo\033[2Jol\t0123456789abcdef:1\n' >bad
  irrun --check-shapes m.xml --baseline bad
  ends 2
  says "bad: error: line 1 of the baseline is none: needs 4 fields with tabs between them, without control" "$stderr"
  pool_model n.xml
  cp n.xml kept.xml
  irrun --check-shapes m.xml --write-baseline n.xml
  ends 2
  says "'--write-baseline n.xml': the file is no baseline" "$stderr"
  cmp n.xml kept.xml
  irrun --check-shapes m.xml --write-baseline no/known
  ends 6
  irrun m.xml --baseline known
  ends 2
  says "'--baseline' has no effect" "$stderr"
}

@test "a baseline whose lines end as on Windows" {
  pool_model m.xml 2 2 3
  irrun --check-shapes m.xml --write-baseline known
  ends 0
  sed -i 's/$/\r/' known
  irrun --check-shapes m.xml --baseline known
  ends 0
  says_not "gone" "$stderr"
}

@test "what is taken all the same is in no list that is compared, unless it is asked for" {
  faults=$BATS_TEST_DIRNAME/../faults
  for of in IR404_misaligned IR306_reshape_booleans; do
    id=${of%%_*}
    printf -v found '"ruleId":\t"%s"' "$id"
    irrun --check-shapes "$faults/$of.xml" --format=sarif
    ends 0
    says_not "$found" "$output"
    irrun --check-shapes "$faults/$of.xml" --write-baseline known
    says_not "$id" "$(cat known)"
    irrun --check-shapes -v "$faults/$of.xml" --format=sarif
    says "$found" "$output"
    irrun --check-shapes "$faults/$of.xml" --format=sarif "--deny=$id"
    ends 3
    says "$found" "$output"
    rm known
  done
  irrun --check-shapes "$faults/IR306_reshape_booleans.xml"
  says "[IR306" "$stderr"
}
