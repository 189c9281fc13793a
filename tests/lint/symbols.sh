#!/bin/sh
# symbols.sh LIBRARY HEADER: the library exports what the header declares and nothing else.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$1" | awk '{ print $NF }' | sort >"$work/exported"
# A declaration's name is the last irrun_ word before its first bracket.
sed -n 's/^IRRUN_API [^(]*\b\(irrun_[a-z0-9_]*\)(.*/\1/p' "$2" | sort >"$work/declared"
[ -s "$work/declared" ]
diff -u --label "declared in $2" --label "exported by $1" "$work/declared" "$work/exported"
