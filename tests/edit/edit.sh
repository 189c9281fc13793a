#!/bin/sh
# edit.sh IRRUN: compares models that irrun edits with what OpenVINO makes of the same models. PYTHON names a Python with
# OpenVINO; MODELS more models.
set -eu
here=$(dirname "$0")
python=$("$here/../needs_python.sh" numpy openvino)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
models=$here/../../models/networks
# shellcheck disable=SC2086 # one word for each model
"$python" -B "$here/openvino_edits.py" "$1" "$work" "$models/digits.xml" "$models/pool_mixer.xml" "$models/residual.xml" \
  ${MODELS:-}
