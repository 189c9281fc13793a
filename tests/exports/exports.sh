#!/bin/sh
# exports.sh IRRUN [OPTION...]: compares language models that optimum-intel exports with OpenVINO. Options are those of
# exports.py. The Python packages, 6 GB with CUDA's libraries, and the models are kept in build/exports.
set -eu
irrun=$1
shift
here=$(dirname "$0")
kept=$here/../../build/exports
mkdir -p "$kept"
python=$("$here/../venv.sh" "$kept/venv" torch==2.15.0 torchvision==0.29.2 transformers==5.5.4 optimum==2.3.0 \
  optimum-intel==2.2.0 nncf==3.4.0)

# Some architectures are exported with an older transformers only. Its files replace those of the environment.
older=$kept/transformers4
packages="transformers==4.57.6 huggingface-hub==0.36.0"
if [ "$(cat "$older/packages" 2>/dev/null)" != "$packages" ]; then
  # shellcheck disable=SC2086 # one word for each package
  "$python" -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target "$older" $packages >&2
  echo "$packages" >"$older/packages"
fi
exec "$python" -B "$here/exports.py" "$irrun" "$kept" "$older" "$@"
