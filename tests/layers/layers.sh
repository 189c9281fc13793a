#!/bin/sh
# layers.sh IRRUN: the scripts of tools/ save what every layer computes in OpenVINO and onnxruntime, and irrun must
# agree. In a model with a planted error, irrun must name the layer.
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

PYTHON=$python "$irrun" pool_mixer.xml --fill random --against openvino

cp pool_mixer.bin planted.bin
sed '388s/exclude-pad="true"/exclude-pad="false"/' pool_mixer.xml >planted.xml
for isolate in "" --isolate; do
  # shellcheck disable=SC2086 # an empty $isolate is no word
  "$irrun" planted.xml --fill random --expect openvino.npz $isolate >report 2>errors && exit 1
  grep -q "^planted.xml:387:5: error: layer 'stages.2/blocks.0/token_mixer/pool' diverges" errors
  [ "$(grep -c '\[IR608' errors)" -eq 1 ]
  tail -1 report
done
grep -q ": 1 of 64 tensors differ" report

# A tensor that only onnxruntime has gives one warning. A key is looked up among layers first, then among tensor names.
"$python" -B "$here/onnx_model.py" model.onnx model.xml
"$irrun" model.xml --fill random -q --save-all inputs.npz
"$python" -B "$root/tools/onnx_tensors.py" model.onnx inputs.npz onnx.npz
"$irrun" model.xml --fill random --expect onnx.npz --atol 1e-4 -v 2>errors
grep -q "warning: 1 key names no tensor of the model: 'conv'" errors
PYTHON=$python "$irrun" model.xml --fill random --against model.onnx 2>/dev/null
"$irrun" model.xml --fill random --expect onnx.npz --atol 1e-4 --strict -q 2>/dev/null && exit 1

# OpenVINO reads IR version 10 differently: inputs and outputs of f16 become f32, and layers are added.
sed 's/f32/f16/g; s/FP32/FP16/g; s/version="11"/version="10"/' "$root/models/demo/pool.xml" >half.xml
"$irrun" half.xml --fill iota -q --save-all inputs.npz
"$python" -B "$root/tools/openvino_tensors.py" half.xml inputs.npz half.npz
"$irrun" half.xml --input inputs.npz --expect half.npz

# With published models, both scripts must succeed. Differences are only printed.
models=$root/../shared/realir
if [ -d "$models" ]; then
  "$models/unpack.sh" models
  for bin in models/*.bin; do
    model=${bin%.bin}.xml
    for shape in "" --shape=1,1 --shape=1,28,28,1 --shape=1,3,128,128 --shape=1,3,192,192; do
      # shellcheck disable=SC2086 # an empty $shape is no word
      "$irrun" "$model" --fill random $shape -q --save-all inputs.npz >/dev/null 2>&1 && break
    done || { echo "$model: not run"; continue; }
    "$python" -B "$root/tools/openvino_tensors.py" "$model" inputs.npz tensors.npz >/dev/null
    "$irrun" "$model" --input inputs.npz --expect tensors.npz -q 2>errors | tail -1
    grep -q '\[IR508' errors && exit 1
    rm inputs.npz
  done
else
  echo "skipped: models of ../shared/realir, which are not there"
fi
