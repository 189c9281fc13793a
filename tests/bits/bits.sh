#!/bin/sh
# bits.sh [--update] HASHES COMMAND...: runs COMMAND (pool_bits) and compares its lines with the file HASHES. Prints the
# first difference for each operation and element type. With --update, overwrites HASHES.
set -eu
update=
[ "$1" = --update ] && update=1 && shift
hashes=$1
shift
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
status=0
"$@" >"$lines" || status=$?
if [ $status != 0 ]; then
  cat "$lines"
  exit $status
fi

awk -v recorded="$hashes" '
  function say(text) { print text; faults++ }
  { what = $1 " " $2; place = $3 == "case" ? " in case " $4 : "" }
  FILENAME == recorded { of[what, place] = $NF; n++; next }
  { n_found += (what, place) in of }
  of[what, place] != $NF && !(what in said) { said[what] = 1; say(what ": other bits than in " recorded (place == "" ? "" : ", first" place)) }
  END {
    if (n_found != n && !faults) say("other operations, element types or cases than in " recorded)
    exit faults > 0
  }' "$hashes" "$lines" || status=1
if [ -n "$update" ]; then
  cat "$lines" >"$hashes"
  exit 0
fi
exit $status
