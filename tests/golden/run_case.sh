#!/bin/sh
# run_case.sh CASE_DIR: runs $IRRUN with the arguments in CASE_DIR/cmd, in CASE_DIR. The exit status has to be that in `exit`
# (0 when there is no such file).
set -eu
cd "$1"
arguments=$(cat cmd)
expected=0
[ ! -e exit ] || read -r expected <exit

eval "set -- $arguments"
status=0
output=$("$IRRUN" "$@" 2>&1) || status=$?
if [ "$status" -ne "$expected" ]; then
  printf '%s\n' "exit status $status, expected $expected: irrun $arguments" "$output" >&2
  exit 1
fi
