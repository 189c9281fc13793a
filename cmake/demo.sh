#!/bin/sh
# demo.sh IRRUN: checks a shipped model and runs it on a shipped input; "make demo" calls this script.
set -eu
irrun=$1

show() {
  echo "\$ irrun $*"
  "$irrun" "$@"
}

show --check-shapes models/demo/pool.xml
echo
show models/demo/pool.xml --input models/demo/x.npy
