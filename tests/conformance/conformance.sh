#!/bin/sh
# conformance.sh IRRUN [OPTION...]: compares irrun with the reference runtime on random models; options as in run.py. Then, without
# options, what is inferred for every op (shapes.py), and conversions of constants of narrow types.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
"$python" -B "$here/run.py" "$@"
[ $# -gt 1 ] || {
  "$python" -B "$here/shapes.py" "$1"
  "$python" -B "$here/narrow_conversions.py" "$1"
}
