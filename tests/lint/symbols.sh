#!/bin/sh
# symbols.sh LIBRARY HEADER...: checks that the library exports exactly the functions that the headers declare.
set -eu
library=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$library" | awk '{ print $NF }' | sort >"$work/exported"
# The name of a declared function is the last irrun_ word before the first bracket.
sed -n 's/^\(IRRUN_NODISCARD \)\?IRRUN_API [^(]*\b\(irrun_[a-z0-9_]*\)(.*/\2/p' "$@" | sort >"$work/declared"
[ -s "$work/declared" ]
diff -u --label "declared in $*" --label "exported by $library" "$work/declared" "$work/exported"
