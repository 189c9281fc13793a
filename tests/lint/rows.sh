#!/bin/sh
# rows.sh ROOT LIBRARY: the op list names each op's row that the library has, so that none is forgotten.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^IR_OP(\(.*\))$/\1/p' "$1/src/ops/op_list.inc" | sort >"$work/listed"
# A row ends in its op's version; the op that the program makes of a product has none.
nm -g --defined-only "$2" 2>/dev/null | sed -n 's/.* [BDR] ir_op_\([a-z0-9_]*_[0-9]*\)$/\1/p' | sort >"$work/rows"
[ -s "$work/rows" ]
diff -u --label src/ops/op_list.inc --label "rows of $2" "$work/listed" "$work/rows"
