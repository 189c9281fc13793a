# Tests streams: results on stdout, diagnostics on stderr, a single JSON document, and failing streams.
load helpers

@test "--json: one document and nothing on stderr, also when things fail" {
  tensors
  pool_model bad.xml 2 2 3
  irrun --json pool.xml --input x.npy --expect y.npy
  ends 0
  [ -z "$stderr" ]
  [ "${lines[0]}" = "{" ]
  [ "${lines[-1]}" = "}" ]
  [ "$(grep -c '^{' <<<"$output")" -eq 1 ]
  says $'"exit":\t0' "$output"
  says $'"match":\ttrue' "$output"
  irrun --json --check-shapes bad.xml missing.xml
  ends 6
  [ -z "$stderr" ]
  says $'"rule":\t"IR301"' "$output"
  says $'"rule":\t"IR701"' "$output"
  says $'"verdict":\t"invalid"' "$output"
  says $'"verdict":\t"unreadable"' "$output"
  irrun --bogus --json
  ends 2
  [ -z "$stderr" ]
  says $'"rule":\t"IR801"' "$output"
  irrun pool.xml --json --input
  ends 2
  [ -z "$stderr" ]
  says $'"exit":\t2' "$output"
}

@test "--json: shapes, attributes, ports" {
  pool_model pool.xml
  irrun --json --check-shapes pool.xml
  ends 0
  compact=$(tr -d '\n\t ' <<<"$output")
  says '"kernel":[2,2]' "$compact"
  says '"exclude-pad":true' "$compact"
  says '"inputs":[{"name":"x","layer":"x","type":"f32","shape":[1,1,4,4]}]' "$compact"
  says '"from":"0:0","type":"f32","shape":[1,1,4,4]' "$compact"
  sed -i -e 's/shape="1,1,4,4"/shape="?,1..3,4,4"/' -e 's:<dim>1</dim><dim>1</dim>:<dim>-1</dim><dim>-1</dim>:' pool.xml
  irrun --json --check-shapes pool.xml
  ends 0
  compact=$(tr -d '\n\t ' <<<"$output")
  says '"shape":[null,{"min":1,"max":3},4,4]' "$compact"
}

@test "--json in the other modes" {
  irrun --json --list-ops
  ends 0
  says $'"type":\t"AvgPool"' "$output"
  irrun --json --explain=IR304,IR301
  ends 0
  says $'"id":\t"IR301"' "$output"
  irrun --json --explain=IR999
  ends 2
  [ -z "$stderr" ]
  irrun --json --version
  ends 0
  says $'"libraries":' "$output"
}

@test "an unwritable stdout is status 6 with one line" {
  tensors
  for arguments in "pool.xml --input x.npy" "--check-shapes pool.xml" "--list-ops" "--help" "--json --list-ops" \
    "pool.xml --input x.npy --output -"; do
    # shellcheck disable=SC2086 # $arguments is several words
    run --separate-stderr sh -c '"$IRRUN" "$@" >/dev/full' sh $arguments
    ends 6
    [ "$(grep -c 'error:' <<<"$stderr")" -eq 1 ]
    # shellcheck disable=SC2086 # $arguments is several words
    run --separate-stderr sh -c '"$IRRUN" "$@" >&-' sh $arguments
    ends 6
  done
}

@test "a closed pipe is status 6, no signal and no message" {
  tensors
  for arguments in "--list-ops" "--help" "--json --list-ops" "--check-shapes pool.xml" "pool.xml --input x.npy --output -"; do
    # shellcheck disable=SC2086 # $arguments is several words
    run --separate-stderr bash -c '{ sleep 0.2; "$IRRUN" "$@"; echo "status $?" >&3; } 3>status | true' bash $arguments
    [ "$(cat status)" = "status 6" ]
    [ -z "$stderr" ]
  done
}

@test "another closed pipe is told" {
  tensors
  run --separate-stderr bash -c 'exec 3> >(exec true); sleep 0.2; "$IRRUN" pool.xml -q --input x.npy --output /dev/fd/3'
  ends 6
  says "IR702" "$stderr"
}

@test "a report that stderr does not take is status 6" {
  tensors
  pool_model bad.xml 2 2 3
  run bash -c '"$IRRUN" pool.xml --input x.npy --output - 2>/dev/full >y2.npy'
  [ "$status" -eq 6 ]
  cmp y.npy y2.npy
  run bash -c '"$IRRUN" --check-shapes bad.xml 2>/dev/full'
  [ "$status" -eq 6 ]
  run bash -c '"$IRRUN" --check-shapes pool.xml 2>/dev/full'
  [ "$status" -eq 0 ]
}

@test "the reason is told, whenever the write fails" {
  pool_model pool.xml
  "$IRRUN" --check-shapes pool.xml >/dev/full 2>err || [ $? -eq 6 ]
  says "cannot write to stdout: No space left on device" "$(cat err)"
}

@test "--json: a model's path is escaped as in its diagnostics" {
  irrun --json --check-shapes $'no\tsuch.xml'
  ends 6
  says $'"path":\t"no\\\\tsuch.xml"' "$output"
  says $'"file":\t"no\\\\tsuch.xml"' "$output"
}

@test "a file at its size limit is status 6 and no signal" {
  tensors
  run --separate-stderr bash -c 'ulimit -f 0; "$IRRUN" --list-ops >list'
  ends 6
  [ ! -s list ]
  run --separate-stderr bash -c 'ulimit -f 0; "$IRRUN" pool.xml --input x.npy --output z.npy'
  ends 6
  [ ! -e z.npy ]
}

@test "only a file that was written is said to be written" {
  tensors
  mkdir -p m/pool/test_data_set_0
  cp pool.xml m
  cp x.npy m/pool/test_data_set_0/input_0.npy
  cp "$IRRUN_SOURCE/models/networks/repeater".* .
  while read -r file arguments; do
    run --separate-stderr bash -c "ulimit -f 0; \"$IRRUN\" $arguments"
    [ "$status" -eq 6 ] || ends "of $arguments"
    says_not ": written" "$output"
    says_not "> $file" "$output"
    [ ! -e "$file" ]
  done <<'TEXT'
z.npy pool.xml -i x.npy -o z.npy
z.npz pool.xml -i x.npy --save-all z.npz
z.npz repeater.xml --fill ones --save-state z.npz
z.html pool.xml -i x.npy --report=z.html
z.json pool.xml -i x.npy --profile=z.json
z.html --check-shapes pool.xml --report=z.html
z.txt --check-shapes pool.xml --write-baseline z.txt
z.npz --check-shapes repeater.xml --save-all z.npz
z.xml pool.xml --convert z.xml
z.xml pool.xml --edit 'x: shape=?,1,4,4' -o z.xml
z.xml pool.xml --cut pool -o z.xml
z.dot pool.xml --graph=dot -o z.dot
z.svg pool.xml --show-plan=z.svg
z.xml --test m --junit=z.xml
m/pool/test_data_set_0/output_0.npy --test m --update
TEXT
}

@test "closed stdin and stderr do no harm" {
  tensors
  run --separate-stderr sh -c '"$IRRUN" pool.xml -q --input x.npy <&- 2>&-'
  ends 0
  run --separate-stderr sh -c '"$IRRUN" pool.xml -q --input x.npy --output out.npy >&- 2>&-'
  cmp out.npy y.npy
}

@test "numbers do not follow the locale" {
  tensors
  LC_ALL=de_DE.UTF-8 irrun pool.xml -q --input x.npy
  says "mean 7.5" "$output"
}

@test "a full disk is said in one line" {
  tensors
  for place in - /dev/full; do
    run --separate-stderr bash -c '"$IRRUN" pool.xml --input x.npy -q --output "$0" >/dev/full' "$place"
    ends 6
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
  done
}

@test "a stream without an end is no model, or one that is too long" {
  # If a stream is not a model, only its first bytes are copied.
  run --separate-stderr bash -c 'ulimit -f 16; "$IRRUN" --check-shapes /dev/zero'
  ends 3
  says "/dev/zero is binary data, such as the weights beside a model, not an OpenVINO IR" "$stderr"
  for text in '<net>' '[{"name":"f","ops":['; do
    run --separate-stderr bash -c 'yes "$0" | "$IRRUN" --check-shapes -' "$text"
    ends 6
    says "<stdin>: error: a stream of more than 67108864 bytes [IR004 limit-exceeded]" "$stderr"
  done
  run --separate-stderr bash -c 'yes "" | "$IRRUN" --check-shapes -'
  ends 3
  says "<stdin> is a file of nothing but blanks" "$stderr"
}

@test "a model may come from a stream, behind many blanks" {
  pool_model pool.xml
  run --separate-stderr bash -c '{ yes "" | head -n 20000; cat pool.xml; } | "$IRRUN" --check-shapes -'
  ends 0
}

@test "--read-as decides the format of inputs and expected files, whatever they begin with" {
  tensors
  irrun pool.xml -q --input x.npy --output y.raw
  { printf '\x93NUMPY'; head -c 58 /dev/zero; } >x.raw
  irrun pool.xml -q --input x.raw
  ends 5
  says "IR505" "$stderr"
  irrun pool.xml -q --input x.raw --read-as raw
  ends 0
  irrun pool.xml -q --input - --read-as=raw <x.raw
  ends 0
  cp x.raw raw.npy
  irrun pool.xml -q --fill ones --expect y.raw --input x=raw.npy --read-as raw
  ends 1
  says "IR601" "$stderr"
  irrun pool.xml --input x.npy --expect y.raw --read-as npy
  ends 5
  says "y.raw: error: read as .npy, but it does not begin as one [IR505" "$stderr"
  irrun pool.xml --input x.npy --read-as npz
  ends 5
  says "x.npy: error: read as .npz, but it " "$stderr"
  irrun pool.xml -q --input x.npy --expect y.npy --read-as npy
  ends 0
  irrun pool.xml -q --input x.npy --expect y.raw --read-as auto
  ends 0
  irrun pool.xml --input x.npy --read-as text
  ends 2
  says "'--read-as text': needs one of auto npy npz raw" "$stderr"
}
