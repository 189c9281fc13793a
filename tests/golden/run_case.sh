#!/bin/sh
# run_case.sh CASE_DIR: runs $IRRUN with the arguments in CASE_DIR/cmd, in CASE_DIR. The exit status has to be that in `exit`
# (0 when there is no such file), stdout and stderr what stdout.exact and stderr.exact hold, where those exist.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

eval "set -- $(cat cmd)"
status=0
"$IRRUN" "$@" >"$work/stdout" 2>"$work/stderr" || status=$?

failed=0
expected=0
[ ! -e exit ] || expected=$(cat exit)
if [ "$status" -ne "$expected" ]; then
  echo "exit status $status, expected $expected: irrun $(cat cmd)" >&2
  cat "$work/stdout" "$work/stderr" >&2
  failed=1
fi
for stream in stdout stderr; do
  [ ! -e "$stream.exact" ] || diff -u "$stream.exact" "$work/$stream" >&2 || failed=1
done
exit $failed
