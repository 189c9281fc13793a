#!/bin/sh
# clusters.sh FOLDER [N]: checks that the recipes for Dask and Ray give the same results as irrun for N tensors. PYTHON
# must have irrun, dask and ray.
set -eu
work=$1
n=${2:-10000}
python=${PYTHON:-python3}
examples=$(dirname "$0")/../../python/examples
model=$(dirname "$0")/../../models/demo/pool.xml
"$python" "$examples/tensors.py" "$work/in" "$n"
for cluster in dask ray; do
  echo "$cluster: $("$python" "$examples/with_$cluster.py" "$model" "$work/in" "$work/$cluster")"
done
diff -r "$work/dask" "$work/ray"
[ "$(find "$work/ray" -name '*.npy' | wc -l)" = "$n" ]
for file in x00000.npy "x$(printf %05d $((n - 1))).npy"; do
  irrun "$model" --input "$work/in/$file" --expect "$work/ray/$file" --atol 0 --rtol 0 -q
done
