#!/bin/sh
# networks.sh BUILD DIR [--check] [OPTION...]: measures whole networks in OpenVINO and irrun; options are those of
# networks.py. With --check, compares the results instead; options are those of networks_check.py.
# Published IRs are read from DIR, or from the files that DIR/unpack.sh unpacks. Without DIR, only models of this
# repository are used.
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
