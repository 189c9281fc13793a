# Tests -q and -qq: less of a report.
load helpers

@test "-q: of several models those that are not ok, and a count" {
  pool_model good.xml
  pool_model fine.xml
  pool_model bad.xml 2 2 3
  irrun --check-shapes -q good.xml bad.xml fine.xml missing.xml
  ends 6
  [ "$output" = "bad.xml: invalid, 3 layers, 1 input, 1 output, 1 error
missing.xml: unreadable
4 models: 2 ok, 1 invalid, 1 unreadable" ]
  irrun --check-shapes -q good.xml fine.xml
  ends 0
  [ "$output" = "2 models: 2 ok" ]
}

@test "-qq prints nothing but errors" {
  pool_model good.xml
  pool_model bad.xml 2 2 3
  sed 's/exclude-pad/unknown="1" exclude-pad/' good.xml >warned.xml
  irrun --check-shapes warned.xml
  says "warning:" "$stderr"
  for words in "--check-shapes warned.xml good.xml" "warned.xml --fill 1" "--bench=1 good.xml" "--show-plan good.xml" \
    "--graph=dot good.xml -o good.dot" "--convert out.xml good.xml"; do
    # shellcheck disable=SC2086 # $words is several words
    irrun -qq $words
    ends 0
    [ -z "$output$stderr" ]
  done
  irrun --check-shapes -qq good.xml bad.xml bad.xml --max-errors=1
  ends 3
  [ -z "$output" ]
  grep -E '^(bad.xml:.*: error: .*|.*\||note: .*|1 more error not shown.*)' <<<"$stderr"
  says_not "tells more" "$stderr"
  irrun --graph=dot -qq good.xml # the picture is no report
  says "digraph" "$output"
  irrun --diff=good.xml -qq warned.xml
  ends 1
  [ -z "$output" ]
}
