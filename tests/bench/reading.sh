#!/bin/sh
# reading.sh BUILD DIR: measures how irrun and OpenVINO read the models of DIR, or those that DIR/unpack.sh unpacks.
# OpenVINO is measured if PYTHON has it.
set -eu
build=$(realpath "$1")
folder=$2
here=$(dirname "$0")
python=${PYTHON:-python3}
[ -d "$folder" ] || {
  echo "skipped: there is no folder $folder with real models; REALIR=DIR names one"
  exit 0
}
"$python" -c 'import openvino' 2>/dev/null || {
  echo "skipped: $python has no OpenVINO to read real models; PYTHON=PROGRAM names one that has"
  exit 0
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -e "$folder/unpack.sh" ]; then
  sh "$folder/unpack.sh" "$scratch/models"
  folder=$scratch/models
fi
"$python" -B "$here/reading.py" "$build" "$folder"
