#!/bin/sh
# edit.sh IRRUN: compares models that irrun edits with what OpenVINO makes of the same models. PYTHON names a Python with
# OpenVINO; MODELS more models.
set -eu
here=$(dirname "$0")
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy, openvino' 2>/dev/null; then
  echo "skipped: $python has no OpenVINO to compare with; PYTHON=PROGRAM names one that has"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
models=$here/../../models/networks
# shellcheck disable=SC2086 # one word for each model
"$python" -B "$here/openvino_edits.py" "$1" "$work" "$models/digits.xml" "$models/pool_mixer.xml" "$models/residual.xml" \
  ${MODELS:-}
