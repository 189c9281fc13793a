#!/bin/sh
# count_cases.sh MINIMUM: fails when fewer golden cases than that are there, or when one has not all it needs.
set -eu
cd "$(dirname "$0")"
if grep -v -e --expect -- */commands; then
  echo "expect nothing" >&2
  exit 1
fi
n=$(cat -- */commands | wc -l)
echo "$n golden cases"
[ "$n" -ge "$1" ]
