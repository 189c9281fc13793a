#!/bin/sh
# bench.sh BUILD: measures start-up and reading. Prints each as a ratio to the time of another program on the same
# machine.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")"
irrun=$build/irrun
stopwatch=$build/tests/bench/stopwatch

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An input of zeros for f32[1,3,32,32], as raw bytes.
head -c 12288 /dev/zero >"$work/x.raw"
./chain.sh 1 >"$work/pool.xml"
./chain.sh 50000 >"$work/chain.xml"

# The variables have the form "MILLISECONDS KIB".
single=$("$stopwatch" 30 "$irrun" "$work/pool.xml" --input "$work/x.raw")
nothing=$("$stopwatch" 30 /bin/true)
xmllint=$("$stopwatch" 5 xmllint --stream --noout "$work/chain.xml")
check=$("$stopwatch" 5 "$irrun" --check-shapes -q "$work/chain.xml")

bytes=$(wc -c <"$work/chain.xml")
awk -v single="$single" -v nothing="$nothing" -v xmllint="$xmllint" -v check="$check" -v bytes="$bytes" '
  function row(what, value, unit, goal) {
    printf "  %-34s %9.3f %-5s goal %6.1f   %.2f of it\n", what, value, unit, goal, value / goal
  }
  BEGIN {
    split(single, s); split(nothing, n); split(xmllint, x); split(check, c)
    printf "one AvgPool, 1x3x32x32, read, run and printed (best of 30; /bin/true takes %.3f ms, %.1f MiB)\n", n[1], n[2] / 1024
    row("time", s[1], "ms", 5)
    row("peak memory", s[2] / 1024, "MiB", 10)
    printf "--check-shapes -q, 50,000 AvgPool layers, %.1f MB (best of 5: %.1f ms)\n", bytes / 1e6, c[1]
    row("time : xmllint --stream --noout", c[1] / x[1], "x", 1)
    row("peak memory", c[2] / 1024, "MiB", 100)
  }'
