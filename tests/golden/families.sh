#!/bin/sh
# families.sh [OPTION...]: checks that $IRRUN with these options computes each family's expected outputs. Also checks
# that every op that irrun runs is in a family or in families/left_out.
set -eu
cd "$(dirname "$0")/families"
known=$(sed -n 's/^<layer id="[0-9]*" name="\([A-Za-z0-9]*-[0-9]*\)\..*/\1/p' -- *.xml && sed 's/:.*//' left_out)
runs=$("$IRRUN" --list-ops | awk '$2 == "openvino" && $4 == "run" { print $1 }')
if printf '%s\n' "$runs" | grep -vxF -e "$known"; then
  echo "no family has these ops: make golden" >&2
  exit 1
fi
exec "$IRRUN" --test "$@" .
