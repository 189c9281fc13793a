#!/bin/sh
# fuzz.sh BUILD [OPTION...]: compares irrun with the reference runtime and with itself on random models; options are
# those of fuzz.py. Uses irrun's Python module, from the build.
set -eu
here=$(dirname "$0")
build=$1
shift
module=$build/fuzz-diff/python
cmake --install "$build" --component python --prefix "$module" >/dev/null
python=$("$here/../venv.sh" "$here/../../build/venv_fuzz" cffi==2.1.1)
PYTHONPATH=$module exec "$python" -B "$here/fuzz.py" "$build/irrun" --keep "$build/fuzz-diff" "$@"
