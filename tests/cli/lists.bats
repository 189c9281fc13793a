# Tests --list-ops, --list-rules and --explain.
load helpers

@test "--list-ops: every op with its opsets, ports and attributes" {
  irrun --list-ops
  ends 0
  [ -z "$stderr" ]
  for op in AdaptiveAvgPool-8 AvgPool-1 Const-1 Parameter-1 Result-1; do
    grep -E "^ $op " <<<"$output"
  done
  grep -E '^ +attribute +rounding_type +enum: floor, ceil +floor$' <<<"$output"
  grep -E '^ +attribute +kernel +int list: >= 1 +required$' <<<"$output"
  grep -E '^ AvgPool-1 +openvino +1-13 +run +input +data ' <<<"$output"
  grep -E '^ AvgPool-1 +ngraph +run +input +arg +any; rank 3 to 16$' <<<"$output"
  grep -E '^ +attribute +window_movement_strides +int list: >= 1 +required$' <<<"$output"
  grep -E '^ +attribute +pad_type +enum: EXPLICIT .0., SAME_UPPER .2., SAME_LOWER .1., VALID .3. +0$' <<<"$output"
}

@test "help, man page and documents say how many opsets the op table has" {
  last=$("$IRRUN" --list-ops --json | grep -o '"opset_last":[^,}]*' | tr -dc '0-9\n' | sort -n | tail -1)
  "$IRRUN" --help >./help
  "$IRRUN" --generate=man >./man
  sources=$BATS_TEST_DIRNAME/../..
  for file in help man "$sources/README.md" "$sources/docs/running.md" "$sources/docs/checking.md"; do
    [ "$(grep -o 'opsets 1 to [0-9]*' "$file" | head -1)" = "opsets 1 to $last" ]
  done
}

@test "--list-ops PATTERN: ops with it in their name, or that match it, in any case" {
  ops() { grep -oE '^ [A-Z][^ ]*' <<<"$output" | sort -u | xargs; }
  irrun --list-ops avgpool
  ends 0
  [ "$(ops)" = "AdaptiveAvgPool-8 AvgPool-0 AvgPool-1 AvgPool-14 AvgPool-16" ]
  irrun --list-ops='Avg*'
  [ "$(ops)" = "AvgPool-0 AvgPool-1 AvgPool-14 AvgPool-16" ]
  irrun --list-ops=Clamp 'If-?'
  [ "$(ops)" = "Clamp-1 If-8" ]
  irrun --list-ops Clamp --json
  [ "$(grep -c '"type":' <<<"$output")" -ge 1 ]
  says '"Clamp"' "$output"
  says_not '"AvgPool"' "$output"
  irrun --list-ops AvgPol
  ends 2
  [ -z "$output" ]
  says "no op's name fits 'AvgPol'" "$stderr"
  says "did you mean 'AvgPool'?" "$stderr"
}

@test "--explain: an op's page, by type, by version, with what differs from the version before" {
  irrun --explain=AvgPool-16
  ends 0
  [ "${lines[0]}" = "AvgPool-16  openvino" ]
  grep -E '^  opsets +16' <<<"$output"
  grep -E '^  here +checked and run$' <<<"$output"
  grep -E '^  spec +https://.*avg-pool-16' <<<"$output"
  grep -E '^  input +data +f32, ' <<<"$output"
  grep -E '^  attributes +kernel +int list: >= 1; required$' <<<"$output"
  grep -E '^ +rounding_type +enum: floor, ceil, ceil_torch; default: floor$' <<<"$output"
  grep -A1 -x '  since AvgPool-14' <<<"$output" | grep -x '    attribute dilations is new'
  irrun --explain=avgpool,IR304
  [ "$(grep -E '^[A-Z]' <<<"$output" | cut -d' ' -f1 | xargs)" = "AvgPool-1 AvgPool-14 AvgPool-16 AvgPool-0 AvgPool-1 IR304" ]
  irrun --explain=TopK-3
  grep -A1 -x '  since TopK-1' <<<"$output" | grep -x '    input k was: i8, i32 or i64; rank 0'
  irrun --explain=MaxPool-14 --json
  ends 0
  says '"MaxPool"' "$output"
}

@test "--explain: no page of an op has a line of more than 80 columns, except addresses" {
  irrun --explain="$("$IRRUN" --list-ops | grep -oE '^ [A-Z][^ ]*' | sort -u | paste -sd, | tr -d ' ')"
  ends 0
  [ "$(grep -c '^  spec ' <<<"$output")" -ge 200 ]
  says_not "81 columns" "$(grep -vE '^ *(spec +)?https://[^ ]*$' <<<"$output" | grep -E '^.{81}' | sed 's/^/81 columns: /')"
  says_not "blank at the end" "$(grep -E ' $' <<<"$output" | sed 's/^/blank at the end: /')"
}

@test "--explain: by id, by name, several" {
  irrun --explain=IR304
  ends 0
  says "IR304 kernel-exceeds-input  error, exit status 3" "$output"
  for label in rule reason spec --allow wrong right; do
    grep -E "^  $label +" <<<"$output"
  done
  irrun --explain kernel-exceeds-input,ir301
  ends 0
  says "IR304 kernel-exceeds-input" "$output"
  says "IR301 declared-shape-differs" "$output"
}

@test "--explain of a rule or an op that is not there" {
  irrun --explain=AvgPol
  ends 2
  says "there is no such rule or op" "$stderr"
  says "did you mean 'AvgPool'?" "$stderr"
  irrun --explain=kernel-exceed-input
  ends 2
  says "did you mean 'kernel-exceeds-input'?" "$stderr"
  irrun --explain=IR304,
  ends 2
  says "--list-rules lists all rules" "$stderr"
  irrun --explain
  ends 2
  says "--list-rules lists all rules" "$stderr"
}

@test "the severities of --list-rules are all that the bad models show" {
  irrun --list-rules
  sed 1d <<<"$output" | awk '{ for (i = 3; i <= NF; i++) if ($i ~ /^(error|warning|note),?$/) { sub(",", "", $i); print $i " " $1 } }' |
    sort >listed
  sed -nE 's/^(error|warning|note) [-0-9:]+ (IR[0-9]+)$/\1 \2/p' "$BATS_TEST_DIRNAME"/../faults/{,by_hand/}* | sort -u >shown
  [ -s shown ]
  diff /dev/null <(comm -13 listed shown)
}

@test "--allow does to the cases of a rule what --explain says" {
  irrun --explain=IR112,IR201,IR210,IR405
  says "IR112 tensor-name-repeated  warning or error or note, exit status 3 when it is an error" "$output"
  says "IR201 unknown-op  error or warning, exit status 3 when it is an error" "$output"
  says "IR405 bin-unused-bytes  note or warning, exit status 3 when it is made an error" "$output"
  [ "$(grep -c -- "--allow  the warning is not shown; the error cannot be allowed" <<<"$output")" -eq 2 ]
  says "--allow  the warning is not shown; of the error: the declared outputs are" "$output"
  says "--allow  it is not shown" "$output"
  pool_model m.xml
  sed 's/AvgPool/avgpool/' m.xml >spelled.xml
  irrun --check-shapes -q spelled.xml --allow=IR201
  ends 0
  [ -z "$stderr" ]
  sed 's/AvgPool/Avgpol/' m.xml >unknown.xml
  irrun --check-shapes -q unknown.xml --allow=IR201
  ends 3
  says "note: --allow=IR201 lets other cases pass, not this one" "$stderr"
}

@test "--list-rules: every rule, a line each, in text and in JSON" {
  irrun --list-rules
  ends 0
  [ -z "$stderr" ]
  grep -E '^ IR304 +kernel-exceeds-input +error +3 *$' <<<"$output"
  grep -E '^ IR321 +window-of-nan +warning +5 +a run that is not measured$' <<<"$output"
  grep -E '^ IR505 +npy-malformed +error +5 +a run$' <<<"$output"
  local ids
  ids=$(sed 1d <<<"$output" | awk '{ print $1 }')
  irrun --explain="$(paste -sd, <<<"$ids")"
  ends 0
  diff - <(grep -oE '^IR[0-9]{3}' <<<"$output") <<<"$ids"
  irrun --list-rules --json
  ends 0
  diff - <(grep -oE '"id":.*' <<<"$output" | grep -oE 'IR[0-9]{3}') <<<"$ids"
  says '"mode":	"list-rules"' "$output"
}

@test "--explain says where alone a rule is found" {
  irrun --explain=IR505,IR214
  ends 0
  grep -E '^  only in +a run$' <<<"$output"
  grep -E '^  only in +a conversion$' <<<"$output"
  irrun --explain=IR304
  says_not "only in" "$output"
}

@test "--explain says each thing once" {
  local list
  for list in "," ",," "xx,xx" "IR301,,"; do
    irrun --explain=$list
    ends 2
    [ "$(grep -c "there is no such rule or op" <<<"$stderr")" = 1 ]
  done
  irrun --explain=IR301,IR301
  ends 0
  [ "$output" = "$("$IRRUN" --explain=IR301)" ]
}
