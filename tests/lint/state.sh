#!/bin/sh
# state.sh ROOT LIBRARY [MODULE]: checks that docs/architecture.md lists exactly the variables that all contexts of a
# process share.
set -eu
root=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Finds variables in writable sections, without the compiler's own.
objdump -t "$@" | awk -F '\t' '
  {
    n = split($1, left, " ")
    split($2, right, " ")
    name = $2
    sub(/.* /, "", name)
    sub(/\.[0-9]+$/, "", name) # the compiler adds a number to a static local variable
    if (left[n] ~ /^\.(data|bss|tdata|tbss)/ && left[n] !~ /rel\.ro/ && right[1] !~ /^0*$/ && name !~ /^(completed|DW\.ref\..*)$/)
      print name
  }' | sort -u >"$work/found"
awk -F ' [|] ' -v has_module=$(($# > 1)) '
  /^## / { here = /State of the process/ }
  here && /^[|] `/ && (has_module || !/fast_module/) { print $1 }' "$root/docs/architecture.md" | tr -d '`,|' | tr ' ' '\n' | sed '/^$/d' | sort >"$work/listed"
[ -s "$work/found" ]
diff -u --label "listed in docs/architecture.md" --label "found in $*" "$work/listed" "$work/found"
