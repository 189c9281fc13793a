#!/bin/sh
# fuzz_openvino.sh BUILD: compares irrun with OpenVINO, and with itself, on a few random models, so that fuzz.py does not
# break unseen. PYTHON names a Python with OpenVINO.
set -eu
here=$(dirname "$0")
python=$("$here/../needs_python.sh" cffi ml_dtypes numpy onnx openvino)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --component python --prefix "$work/python" >/dev/null
for number in 1 2 3; do
  PYTHONPATH=$work/python "$python" -B "$here/fuzz.py" "$1/irrun" --keep "$work/kept" --seed 1 --only "$number"
done
