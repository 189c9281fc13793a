#!/usr/bin/env bash
# Fuzzes each target in turn, for an equal part of TIME, with clang's libFuzzer and the sanitizers.
#   fuzz.sh BUILD TIME [TARGET...]
# TIME is 30s, 10m or 2h. The corpus of this project is the start; what a target learns stays in BUILD/corpus. Prints
# the executions of each target. Inputs with findings stay in BUILD/findings; the exit status is then 1.
set -euo pipefail
source=$(realpath "$(dirname "$0")")
build=$(realpath "$1") time=$2
shift 2
case $time in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*) seconds=${time%s} ;;
esac
export FUZZ_STATS=1
mkdir -p "$build/corpus" "$build/findings"
tar -xJf "$source/corpus.tar.xz" -C "$build/corpus" --skip-old-files
if [ $# -eq 0 ]; then # the corpus has a folder for each target
  cd "$build/corpus"
  set -- *
fi
found=0
for target in "$@"; do
  log=$build/fuzz_$target.log
  closed=1 # stdout
  [ "$target" != modes ] || closed=3 # and stderr, where the program reports faults of models
  "$build/tests/fuzz/fuzz_$target" -max_total_time=$((seconds / $#)) -max_len=20000 -timeout=30 -rss_limit_mb=3000 \
    -close_fd_mask=$closed -print_final_stats=1 -artifact_prefix="$build/findings/$target-" "$build/corpus/$target" \
    >"$log" 2>&1 || {
    found=1
    grep -aE '^fuzz: |ERROR|SUMMARY|Test unit written' "$log" || true
  }
  printf '%s: %s executions%s\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(sed -n 's/^fuzz: [0-9]* inputs\(, [0-9]* of them run\)/\1/p' "$log")"
done
exit $found
