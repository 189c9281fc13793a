#!/bin/sh
# old_layers.sh IRRUN FOLDER: checks that OpenVINO reads the conversions of the models of IR versions 2 to 7 in FOLDER,
# and computes the expected outputs. PYTHON names a Python with OpenVINO.
set -eu
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy, openvino' 2>/dev/null; then
  echo "skipped: $python has no OpenVINO to read the conversions; PYTHON=PROGRAM names one that has"
  exit 77
fi
exec "$python" -B "$(dirname "$0")/openvino_conversions.py" "$1" "$2"
