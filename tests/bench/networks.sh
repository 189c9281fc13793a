#!/bin/sh
# networks.sh BUILD DIR [OPTION...]: times whole networks in OpenVINO and irrun; options as in networks.py. With --check first: compares what they compute,
# options as in networks_check.py. Published IRs are those of DIR, or of what DIR/unpack.sh lays out; without the folder there are none.
set -eu
build=$1
folder=$2
shift 2
here=$(dirname "$0")
script=networks.py
[ "${1:-}" != --check ] || {
  script=networks_check.py
  shift
}
python=$("$here/../venv.sh" "$here/../../build/venv")
if [ -e "$folder/unpack.sh" ]; then
  [ -d "$build/networks/real" ] || sh "$folder/unpack.sh" "$build/networks/real"
  folder=$build/networks/real
fi
[ ! -d "$folder" ] || set -- --real "$folder" "$@"
exec "$python" -B "$here/$script" "$build" "$@"
