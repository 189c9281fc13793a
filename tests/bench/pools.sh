#!/bin/sh
# pools.sh BUILD [SECONDS]: measures single pools for SECONDS each (default 0.3). Prints the times as ratios to the
# machine's floor, the time that the same memory traffic takes.
set -eu
irrun=$(realpath "$1")/irrun
seconds=${2:-0.3}
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# section TITLE TABLE: measures each row of a table.
section() {
  mkdir "$work/models"
  awk -v folder="$work/models" -f models.awk "$2"
  printf '\n%s\n  %-18s %-52s %9s %11s %8s %11s %8s\n' "$1" layer '' bytes time GB/s floor ratio
  grep -v '^#' "$2" | while read -r name op type shape kernel strides pads sizes; do
    if [ "$sizes" = - ]; then
      text="$op $type $shape k$kernel s$strides p$pads"
    else
      text="$op $type $shape to $sizes"
    fi
    "$irrun" "--bench=${seconds}s" --json "$work/models/$name.xml" >"$work/report"
    awk -F '[ \t,:]+' -v name="$name" -v text="$text" '
      { key = $2; gsub(/"/, "", key); value[key] = $3 }
      END {
        time = value["min_ns"]; floor = value["floor_ns"]; bytes = value["bytes"]
        printf "  %-18s %-52s %6.1f MB %8.1f us %8.2f %8.1f us %8.2f\n", name, text, bytes / 1e6, time / 1e3, bytes / time, floor / 1e3, time / floor
      }' "$work/report"
  done
  rm -r "$work/models"
}

threads=$("$irrun" --bench=1 --json ../../models/demo/pool.xml | sed -n 's/.*"threads":[^0-9]*\([0-9]*\).*/\1/p')
echo "pools, best time of ${seconds} s each, threads: $threads; ratio: time : floor, which is to read and write the same bytes"
section "as networks have them" workloads.txt
section "small planes and strides of 3 and more" small.txt
section "stride 1, the window growing" windows.txt
section "element types, and indices" types.txt
