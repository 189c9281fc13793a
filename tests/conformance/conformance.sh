#!/bin/sh
# conformance.sh IRRUN [OPTION...]: compares irrun with the reference runtime on random models; options are those of
# run.py. Without options, also compares inference of every op (shapes.py), results (values.py), conversions of low-bit
# constants, and refusals (faults.py).
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
"$python" -B "$here/run.py" "$@"
[ $# -eq 1 ] || exit 0
"$python" -B "$here/shapes.py" "$1"
"$python" -B "$here/values.py" "$1"
"$python" -B "$here/narrow_conversions.py" "$1"
exec "$python" -B "$here/faults.py" "$1"
