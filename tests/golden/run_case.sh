#!/bin/sh
# run_case.sh FAMILY NAME FOLDER: runs $IRRUN in FOLDER with the arguments in line NAME of FAMILY/commands. The exit
# status has to be that of the line.
set -eu
line=$(grep "^$2 " "$(dirname "$0")/$1/commands")
cd "$3"
read -r _ expected arguments <<line
$line
line

eval "set -- $arguments"
status=0
output=$("$IRRUN" "$@" 2>&1) || status=$?
if [ "$status" -ne "$expected" ]; then
  printf '%s\n' "exit status $status, expected $expected, in $PWD: irrun $arguments" "$output" >&2
  exit 1
fi
