#!/bin/sh
# onnx.sh IRRUN [OPTION...]: runs ONNX's node tests, converted by OpenVINO, in irrun. Options are those of run.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
exec "$python" -B "$here/run.py" "$@"
