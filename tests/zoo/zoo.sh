#!/bin/sh
# zoo.sh BUILD [OPTION...]: checks, runs and times published architectures in irrun and OpenVINO. Options are those of
# zoo.py. The Python packages, 6 GB with CUDA's libraries, are installed once, in BUILD/zoo.
set -eu
build=$1
here=$(dirname "$0")
mkdir -p "$build/zoo"
python=$("$here/../venv.sh" "$build/zoo/venv" torch==2.15.0 torchvision==0.29.2 timm==1.0.31 transformers==5.23.0 nncf==3.4.0)
exec "$python" -B "$here/zoo.py" "$@"
