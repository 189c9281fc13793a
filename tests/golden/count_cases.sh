#!/bin/sh
# count_cases.sh MINIMUM: fails when fewer golden cases than that are there, or when one has not all it needs.
set -eu
cd "$(dirname "$0")"
if grep -L -e --expect -- */cmd | grep .; then
  echo "expect nothing" >&2
  exit 1
fi
n=$(ls -d -- */cmd | wc -l)
echo "$n golden cases"
[ "$n" -ge "$1" ]
