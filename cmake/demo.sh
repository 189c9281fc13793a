#!/bin/sh
# demo.sh IRRUN: runs the commands of "make demo".
set -eu
irrun=$1

show() {
  echo "\$ irrun $*"
  "$irrun" "$@"
}

show --check-shapes models/demo/pool.xml
echo
show models/demo/pool.xml --input models/demo/x.npy
