#!/bin/sh
# Checks every bad model of this folder: run.sh [--update]. The diagnostics (severity, place, rule) have to be those of NAME.expected,
# the exit status too, and the text that of NAME.stderr, which --update writes. IRRUN names the program.
cd "$(dirname "$0")" || exit 1
irrun=${IRRUN:?set IRRUN to the program}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0
n=0
for expected in *.expected; do
  name=${expected%.expected}
  n=$((n + 1))
  "$irrun" --check-shapes --color never "$name.xml" >/dev/null 2>"$scratch/stderr"
  status=$?
  {
    # file:line:col: severity: message [IRxxx slug]; without a place the line and column are missing
    sed -n -E 's/^[^ ]+:([0-9]+:[0-9]+): (error|warning|note): .*\[(IR[0-9]+) [a-z0-9-]+\]$/\2 \1 \3/p; t
      s/^.*: (error|warning|note): .*\[(IR[0-9]+) [a-z0-9-]+\]$/\1 - \2/p' "$scratch/stderr" | LC_ALL=C sort
    echo "exit $status"
  } >"$scratch/found"
  [ "$1" = --update ] && cp "$scratch/stderr" "$name.stderr"
  if ! diff "$expected" "$scratch/found" >"$scratch/diff"; then
    echo "$name: expected (<), found (>):"
    cat "$scratch/diff"
    failed=$((failed + 1))
  elif ! diff "$name.stderr" "$scratch/stderr" >"$scratch/diff"; then
    echo "$name: the text has changed ('$0 --update' takes it over):"
    cat "$scratch/diff"
    failed=$((failed + 1))
  fi
done
echo "$((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$n" -ge 90 ]
