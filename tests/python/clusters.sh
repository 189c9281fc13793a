#!/bin/sh
# clusters.sh BUILD [N]: checks that the recipes for Dask and Ray give the same results as irrun, for N tensors of a
# model with one input and one output, and for some of a model with several; and that they name the file of a bad
# tensor. Makes a Python environment with both in BUILD/clusters.
set -eu
build=$(realpath "$1")
n=${2:-10000}
cd "$(dirname "$0")/../.."
packages="cffi numpy dask distributed ray"
if [ "$(cat "$build/clusters/packages" 2>/dev/null)" != "$packages" ]; then
  "${PYTHON:-python3}" -m venv "$build/clusters"
  # shellcheck disable=SC2086 # one word for each package
  "$build/clusters/bin/pip" install --quiet --disable-pip-version-check $packages
  echo "$packages" >"$build/clusters/packages"
fi
python=$build/clusters/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component python --prefix "$work/module" >"$work/log"
export PATH="$work/module/bin:$PATH" PYTHONPATH="$work/module" PYTHONDONTWRITEBYTECODE=1

# compare NAME MODEL N SUFFIX: runs both recipes on N tensors, and compares the first and the last with irrun's.
compare() {
  "$python" python/examples/tensors.py "$2" "$work/$1/in" "$3"
  for cluster in dask ray; do
    echo "$cluster: $("$python" "python/examples/with_$cluster.py" "$2" "$work/$1/in" "$work/$1/$cluster")"
    [ "$(find "$work/$1/$cluster" -name "*.$4" | wc -l)" = "$3" ]
    for file in x00000 "$(printf x%05d $(($3 - 1)))"; do
      irrun "$2" --input "$(ls "$work/$1/in/$file".*)" --expect "$work/$1/$cluster/$file.$4" --atol 0 --rtol 0 -q
    done
  done
}
compare one models/demo/pool.xml "$n" npy
compare several models/avg_pool/two_branches.xml 300 npz

cp "$work/several/in/x00007.npz" "$work/one/in/x00003.npy"
for cluster in dask ray; do
  if "$python" "python/examples/with_$cluster.py" models/demo/pool.xml "$work/one/in" "$work/bad" 2>"$work/said"; then
    echo "$cluster: a bad tensor was taken" && exit 1
  fi
  grep -o "RuntimeError: .*/in/x00003.npy: .*" "$work/said" | tail -1 | cut -c1-150
done
