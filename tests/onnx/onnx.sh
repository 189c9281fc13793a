#!/bin/sh
# onnx.sh IRRUN [OPTION...]: runs ONNX's node tests, converted by OpenVINO, in irrun; options as in run.py.
set -eu
here=$(dirname "$0")
python=$("$here/../venv.sh" "$here/../../build/venv")
exec "$python" -B "$here/run.py" "$@"
