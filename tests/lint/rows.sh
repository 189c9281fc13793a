#!/bin/sh
# rows.sh ROOT LIBRARY: checks that the op list names each op row in the library, so that none is forgotten.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^IR_OP(\(.*\))$/\1/p' "$1/src/ops/op_list.inc" | sort >"$work/listed"
# The name of a row ends in the op's version, or begins with legacy_. Internal ops, which the program makes of contractions, have no version and
# are not listed.
nm -g --defined-only "$2" 2>/dev/null | sed -n 's/.* [BDR] ir_op_\([a-z0-9_]*_[0-9]*\|legacy_[a-z0-9_]*\)$/\1/p' | sort >"$work/rows"
[ -s "$work/rows" ]
diff -u --label src/ops/op_list.inc --label "rows of $2" "$work/listed" "$work/rows"
