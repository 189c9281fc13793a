#!/bin/sh
# count_cases.sh MINIMUM: fails if there are fewer golden cases than MINIMUM, or if a case has no --expect.
set -eu
cd "$(dirname "$0")"
if grep -v -e --expect -- */commands; then
  echo "expect nothing" >&2
  exit 1
fi
n=$(cat -- */commands | wc -l)
echo "$n golden cases"
[ "$n" -ge "$1" ]
