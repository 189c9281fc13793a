#!/bin/sh
# python.sh BUILD: installs the Python module from the build and runs its tests. PYTHON must have cffi, numpy and
# pytest.
set -eu
build=$1
python=$("$(dirname "$0")/../needs_python.sh" cffi numpy pytest)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component python --prefix "$work" >"$work/log"
[ "$("$work/bin/irrun" --version)" = "$("$build/irrun" --version)" ] # both name the module of oneDNN, or none
# glibc overwrites whatever is freed, so that a test sees a pointer into a temporary buffer.
export MALLOC_PERTURB_=165 GLIBC_TUNABLES=glibc.malloc.tcache_count=0 PYTHONMALLOC=malloc
PATH=$work/bin:$PATH PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest tests/python
