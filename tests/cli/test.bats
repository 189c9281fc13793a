# Tests --test: which cases run, the report, and the files that --update writes.
load helpers

# cases: writes a model and three data sets, which expect what the model computes.
cases() {
  tensors
  for i in 0 2 10; do
    mkdir -p "m/pool/test_data_set_$i"
    cp x.npy "m/pool/test_data_set_$i/input_0.npy"
    cp y.npy "m/pool/test_data_set_$i/output_0.npy"
  done
  cp pool.xml m
}

# change FILE: changes the last expected number from 12.5 to 12.75, so that the case fails.
change() {
  printf '\x4c\x41' | dd of="$1" bs=1 seek="$(($(wc -c <"$1") - 2))" conv=notrunc 2>.dd
}

@test "one line a case, in the order in which people count, and a summary" {
  cases
  irrun --test m
  ends 0
  [ -z "$stderr" ]
  diff - <(echo "$output") <<'TEXT'
ok       m/pool/test_data_set_0
ok       m/pool/test_data_set_2
ok       m/pool/test_data_set_10
3 cases: 3 ok
TEXT
  irrun --test -q m/pool.xml
  ends 0
  [ "$output" = "3 cases: 3 ok" ]
  irrun --test -qq m
  ends 0
  [ -z "$output" ]
  change m/pool/test_data_set_2/output_0.npy
  irrun --test -qq m
  ends 1
  [ "${output%%  *} ${#lines[@]}" = "DIFFERS 1" ]
}

@test "a case that differs: status 1, the worst element; -v shows all that --expect shows, and how to do it again" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  irrun --test m
  ends 1
  [ "${lines[0]}" = "ok       m/pool/test_data_set_0" ]
  says "DIFFERS  m/pool/test_data_set_2  m/pool/test_data_set_2/output_0.npy: output 'y' differs in 1 of 4 elements" "${lines[1]}"
  says "the worst at [0,0,1,1]: got 12.5, expected 12.75 [IR601 output-differs]" "${lines[1]}"
  [ "${lines[3]}" = "3 cases: 2 ok, 1 differs" ]
  irrun --test -v m
  ends 1
  says "   y  f32[1,1,2,2]  DIFFERS  1 of 4 (25 %)" "$output"
  eval "irrun $(sed -n 's/^   \$ irrun //p' <<<"$output") -q"
  ends 1
  [ "$output" = "m/pool.xml: 1 of 1 output differs" ]
}

@test "a case that cannot be run: rule, place and the status of the cause; the others run all the same" {
  cases
  mkdir n
  cp x.npy n/input.npy
  pool_model n/wrong.xml 5 1
  irrun --test m n
  ends 3
  says "ERROR    n/wrong  n/wrong.xml:8:21: kernel 5 exceeds the padded input 4 on spatial axis 0" "${lines[3]}"
  says "[IR304 kernel-exceeds-input]" "${lines[3]}"
  [ "${lines[4]}" = "4 cases: 3 ok, 1 error" ]
  pool_model n/wrong.xml
  irrun --test n
  ends 1
  says "ERROR    n/wrong  n: no expected outputs are beside the inputs; --update writes what the model gives now [IR605" "$output"
}

@test "--update writes what differs or is missing, says so of that alone, and touches nothing else" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  rm m/pool/test_data_set_10/output_0.npy
  touch -d 2020-01-01 m/pool/test_data_set_0/output_0.npy
  irrun --test --update m
  ends 0
  diff - <(echo "$output") <<'TEXT'
UPDATED  m/pool/test_data_set_2  m/pool/test_data_set_2/output_0.npy: output 'y', 1 of 4 elements, the worst at [0,0,1,1]: 12.75 -> 12.5
UPDATED  m/pool/test_data_set_10  m/pool/test_data_set_10/output_0.npy: output 'y', new: f32[1,1,2,2]
3 cases: 1 ok, 2 updated
TEXT
  [ "$(date -r m/pool/test_data_set_0/output_0.npy +%Y)" = 2020 ]
  cmp m/pool/test_data_set_2/output_0.npy y.npy
  cmp m/pool/test_data_set_10/output_0.npy y.npy
  irrun --test --update m
  ends 0
  [ "$output" = "3 cases: 3 ok" ]
}

@test "--update writes nothing for a case that has another fault" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  cp m/pool/test_data_set_2/output_0.npy before.npy
  echo "no tensor" >m/pool/test_data_set_2/input_0.npy
  irrun --test --update m
  ends 5
  says "ERROR    m/pool/test_data_set_2  m/pool/test_data_set_2/input_0.npy: " "$output"
  [ "${lines[1]}" = "3 cases: 2 ok, 1 error" ]
  cmp m/pool/test_data_set_2/output_0.npy before.npy
}

@test "--update where shape or type is another one" {
  cases
  cp x.npy m/pool/test_data_set_0/output_0.npy
  irrun --test --update m
  ends 0
  [ "${lines[0]}" = "UPDATED  m/pool/test_data_set_0  m/pool/test_data_set_0/output_0.npy: output 'y', another shape or type: f32[1,1,2,2]" ]
}

@test "--filter takes globs of names; --list-cases prints the names" {
  cases
  irrun --test --list-cases m --filter '*_2' --filter 'm/pool/*_10'
  ends 0
  diff - <(echo "$output") <<'TEXT'
m/pool/test_data_set_2
m/pool/test_data_set_10
TEXT
  irrun --test m --filter '*_2'
  ends 0
  [ "${lines[1]}" = "1 case: 1 ok" ]
  irrun --test m --filter 'pool*'
  ends 2
  says "no case has a name that '--filter' lets through" "$stderr"
  irrun --test m --list-cases --update --junit a.xml
  ends 2
  says "'--update' has no effect with '--list-cases'" "$stderr"
  says "'--junit' has no effect with '--list-cases'" "$stderr"
}

@test "a case that is named twice is run once" {
  cases
  irrun --test m/pool.xml m ./m
  ends 0
  [ "${lines[-1]}" = "3 cases: 3 ok" ]
  mkdir n
  pool_model n/a.xml
  irrun --test m n
  ends 2
  says "'n' has no data set to test with" "$stderr"
}

@test "--list-cases escapes what would not stand on a line, and cuts no name" {
  long=$(printf '%0200d' 0)
  mkdir -p $'m/a\nb' "m/$long/$long"
  tensors
  for folder in $'m/a\nb' "m/$long/$long"; do
    cp pool.xml "$folder"
    cp x.npy "$folder/input.npy"
  done
  irrun --test --list-cases m
  ends 0
  [ "${lines[0]}" = "m/$long/$long/pool" ]
  [ "${lines[1]}" = 'm/a\nb/pool' ]
}

@test "--json: a document of all cases" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  rm m/pool/test_data_set_10/output_0.npy
  irrun --test --json m
  ends 1
  [ -z "$stderr" ]
  [ "$(grep -o '"result":.*' <<<"$output" | tr -d '\t' | tr '\n' ' ')" = '"result":"ok", "result":"differs", "result":"error", ' ]
  says '"name":"m/pool/test_data_set_2"' "$(tr -d '\t' <<<"$output")"
  says 'no expected outputs are beside the inputs' "$output"
  says '"rule":"IR601"' "$(tr -d '\t' <<<"$output")"
  irrun --test --json --update m
  ends 0
  says '"updated":[{"output":"y","file":"m/pool/test_data_set_2/output_0.npy","new":false}]' "$(tr -d '\t\n' <<<"$output")"
  says '"new":true' "$(tr -d '\t\n' <<<"$output")"
  irrun --test --json --list-cases m
  ends 0
  says '"cases":[{"name":"m/pool/test_data_set_0","model":"m/pool.xml","folder":"m/pool/test_data_set_0"}' "$(tr -d '\t\n' <<<"$output")"
  irrun --test --format=sarif m
  ends 2
  says "'--format=sarif' has no place for what '--test' finds" "$(tr -d '\n' <<<"$output")"
}

@test "--junit: what a reader of JUnit finds in it" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  mkdir 'a&<"b>'
  cp x.npy 'a&<"b>/input.npy'
  pool_model 'a&<"b>/wrong.xml' 5 1
  irrun --test m 'a&<"b>' --junit results.xml
  ends 3
  "$JUNIT_READ" results.xml >read.txt
  diff - <(cut -c1-80 read.txt) <<'TEXT'
passed m/pool/test_data_set_0
failure IR601 m/pool/test_data_set_2: m/pool/test_data_set_2/output_0.npy: outpu
passed m/pool/test_data_set_10
error IR304 a&<"b>/wrong: a&<"b>/wrong.xml:8:21: kernel 5 exceeds the padded inp
TEXT
  irrun --test m --junit no/results.xml
  ends 6
  says "[IR702 file-not-writable]" "$stderr"
  irrun --test m --junit m/pool.xml
  ends 2
  says "would overwrite 'm/pool.xml', a file of the model" "$stderr"
  cp m/pool.xml m/idle.xml # without a data set
  irrun --test m --junit m/idle.xml
  ends 2
  cmp m/pool.xml m/idle.xml
  rm m/idle.xml
  irrun --test m --junit results.json
  ends 2
  says "does not end in .xml" "$stderr"
}

@test "threads: the same lines for any number, more than there are cases too" {
  cases
  change m/pool/test_data_set_2/output_0.npy
  irrun --test m --threads 1
  ends 1
  one=$output
  for n in 2 3 16; do
    irrun --test m --threads $n
    ends 1
    [ "$output" = "$one" ]
  done
}

@test "progress: on a terminal alone" {
  cases
  irrun --test m
  [ -z "$stderr" ]
  TERM=xterm script -qec "$IRRUN --test m 2>&1 >lines.txt" terminal.txt >.script
  says "of 3 cases" "$(cat terminal.txt)"
  [ "$(tail -n 1 lines.txt)" = "3 cases: 3 ok" ]
}

@test "options of other modes, and operands without cases, are refused" {
  cases
  irrun --test m --input x.npy
  ends 2
  says "'--input' has no effect with '--test'" "$stderr"
  irrun --update pool.xml
  ends 2
  irrun --test
  ends 2
  says "no MODEL is given" "$stderr"
  irrun --test pool.xml
  ends 2
  says "'pool.xml' has no data set to test with" "$stderr"
  mkdir empty
  irrun --test empty m
  ends 2
  says "'empty' has no data set to test with" "$stderr"
  irrun --test none
  ends 6
  says "none: error: cannot read: No such file or directory [IR701" "$stderr"
}

@test "rules are allowed and denied in every case; --cast" {
  cases
  sed -e 's/f32/f64/' -e 's/FP32/FP64/g' pool.xml >m/pool.xml
  irrun --test m
  ends 5
  irrun --test m --cast
  ends 0
  sed -i 's/strides=/wrong="1" strides=/' m/pool.xml
  irrun --test m --cast
  ends 0
  irrun --test m --cast --deny IR205
  ends 3
  says "[IR205 unknown-attribute]" "${lines[0]}"
}

@test "the command of -v is for a shell, whatever the model is called" {
  tensors
  mkdir -p 'n/a b'
  cp pool.xml 'n/a b.xml'
  cp x.npy 'n/a b/input.npy'
  irrun pool.xml --fill 1 -q --output 'n/a b/expected.npy'
  irrun --test -v n
  ends 1
  eval "set -- $(sed -n 's/^ *\$ irrun //p' <<<"$output")"
  irrun "$@"
  ends 1
  says "[IR601 output-differs]" "$stderr"
}

@test "a case that fails while it runs: its fault is said, also in JUnit's file" {
  tensors
  mkdir f
  cp x.npy f/input.npy
  cp y.npy f/expected.npy
  # The model is valid, but its window is larger than the given input.
  pool_model f/open.xml 5 1
  sed -i 's/shape="1,1,4,4"/shape="1,1,?,?"/; s/<dim>4</<dim>-1</g; s/<dim>2</<dim>-1</g; s/<dim>0</<dim>-1</g' f/open.xml
  irrun --check-shapes f/open.xml
  ends 0
  irrun --test f --junit results.xml
  ends 5
  says "ERROR    f/open  f/open.xml:" "$output"
  says "kernel 5 exceeds the padded input 4" "$output"
  grep -q '<error type="IR3[0-9]*" message="f/open.xml:.*kernel 5 exceeds' results.xml
}

@test "names with characters that XML forbids are escaped in all that is XML or HTML" {
  cases
  sed -i 's/name="/&n\xef\xbf\xbe\xef\xbf\xbf\xc2\x85/g' m/pool.xml
  rm m/pool/test_data_set_10/output_0.npy
  change m/pool/test_data_set_2/output_0.npy
  irrun --test m --junit=results.xml
  ends 1
  "$JUNIT_READ" results.xml >read.txt
  says 'n\xef\xbf\xbe\xef\xbf\xbf\xc2\x85y' "$(<read.txt)"
  irrun m/pool.xml --fill ones --show-plan=plan.svg
  irrun m/pool.xml --fill ones --report=page.html
  ends 0
  for file in results.xml plan.svg page.html; do
    if grep -aP '\xef\xbf[\xbe\xbf]|\xc2[\x80-\x9f]' $file; then
      return 1
    fi
  done
}
