#!/bin/sh
# conformance.sh IRRUN [OPTION...]: compares irrun with the reference runtime on random models; options as in run.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
exec "$python" -B "$here/run.py" "$@"
