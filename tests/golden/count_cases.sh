#!/bin/sh
# count_cases.sh MINIMUM: fails when fewer golden cases than that are there, or when one has not all it needs.
set -eu
cd "$(dirname "$0")"
n=0
for cmd in */cmd; do
  case $(cat "$cmd") in
  *--expect*) n=$((n + 1)) ;;
  *)
    echo "$cmd expects nothing" >&2
    exit 1
    ;;
  esac
done
echo "$n golden cases"
[ "$n" -ge "$1" ]
