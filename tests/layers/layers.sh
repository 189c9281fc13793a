#!/bin/sh
# layers.sh IRRUN: the scripts of tools/ get what every layer computes from OpenVINO and onnxruntime, and irrun agrees; of a model
# with a planted error it names the layer.
set -eu
irrun=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
root=$here/../..
python=$("$here/../venv.sh" "$root/build/venv_peers" onnxruntime==1.31.1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cp "$root/models/networks/pool_mixer.xml" "$root/models/networks/pool_mixer.bin" .
"$irrun" pool_mixer.xml --fill random -q --save-all inputs.npz
"$python" -B "$root/tools/openvino_tensors.py" pool_mixer.xml inputs.npz openvino.npz
"$irrun" pool_mixer.xml --fill random --expect openvino.npz

cp pool_mixer.bin planted.bin
sed '388s/exclude-pad="true"/exclude-pad="false"/' pool_mixer.xml >planted.xml
for isolate in "" --isolate; do
  # shellcheck disable=SC2086 # no word when it is empty
  "$irrun" planted.xml --fill random --expect openvino.npz $isolate >report 2>errors && exit 1
  grep -q "^planted.xml:387:5: error: layer 'stages.2/blocks.0/token_mixer/pool' diverges" errors
  [ "$(grep -c '\[IR608' errors)" -eq 1 ]
  tail -1 report
done
grep -q ": 1 of 64 tensors differ" report

"$python" -B "$here/onnx_model.py" model.onnx model.xml
"$irrun" model.xml --fill random -q --save-all inputs.npz
"$python" -B "$root/tools/onnx_tensors.py" model.onnx inputs.npz onnx.npz
"$irrun" model.xml --fill random --expect onnx.npz -v
