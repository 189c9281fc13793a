#!/bin/sh
# venv.sh DIR [PACKAGE...]: makes a Python environment in DIR with the reference runtime and the packages, and prints
# its interpreter. If DIR has these packages, it is used again.
set -eu
dir=$1
shift
packages="openvino==2026.4.1 numpy==2.4.6 ml_dtypes==0.6.0 onnx==1.23.2${*:+ $*}"

if [ "$(cat "$dir/packages" 2>/dev/null)" != "$packages" ]; then
  echo "making $dir with $packages" >&2
  "${PYTHON:-python3}" -m venv "$dir" >&2 || {
    echo "python3 -m venv failed; on Debian: apt-get install python3-venv" >&2
    exit 1
  }
  # shellcheck disable=SC2086 # one word for each package
  "$dir/bin/pip" install --quiet --disable-pip-version-check $packages >&2
  echo "$packages" >"$dir/packages"
fi
echo "$dir/bin/python"
