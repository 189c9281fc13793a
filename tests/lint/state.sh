#!/bin/sh
# state.sh ROOT LIBRARY [MODULE]: the variables that are the process's are those that docs/architecture.md lists.
set -eu
root=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Variables in sections that can be written to, but for the compiler's own.
objdump -t "$@" | awk -F '\t' '
  {
    n = split($1, left, " ")
    split($2, right, " ")
    name = $2
    sub(/.* /, "", name)
    sub(/\.[0-9]+$/, "", name) # a local one has a number behind it
    if (left[n] ~ /^\.(data|bss|tdata|tbss)/ && left[n] !~ /rel\.ro/ && right[1] !~ /^0*$/ && name !~ /^(completed|DW\.ref\..*)$/)
      print name
  }' | sort -u >"$work/found"
awk -F ' [|] ' -v has_module=$(($# > 1)) '
  /^## / { here = /State of the process/ }
  here && /^[|] `/ && (has_module || !/fast_module/) { print $1 }' "$root/docs/architecture.md" | tr -d '`,|' | tr ' ' '\n' | sed '/^$/d' | sort >"$work/listed"
[ -s "$work/found" ]
diff -u --label "listed in docs/architecture.md" --label "found in $*" "$work/listed" "$work/found"
