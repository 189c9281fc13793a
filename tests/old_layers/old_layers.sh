#!/bin/sh
# old_layers.sh IRRUN FOLDER: checks that OpenVINO reads the conversions of the models of IR versions 2 to 7 in FOLDER,
# and computes the expected outputs. PYTHON names a Python with OpenVINO.
set -eu
here=$(dirname "$0")
python=$("$here/../needs_python.sh" numpy openvino)
exec "$python" -B "$here/openvino_conversions.py" "$1" "$2"
