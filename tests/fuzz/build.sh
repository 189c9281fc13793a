#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz does: the environment has CC, CXX, CFLAGS with sanitizers and coverage,
# LIB_FUZZING_ENGINE, and OUT, the folder for the targets and their seed corpora.
set -euo pipefail
source=$(realpath "$(dirname "$0")/../..")
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=None \
  -DIRRUN_FUZZ=ON -DIRRUN_DNNL_LIBRARY=OFF -DBUILD_TESTING=OFF -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build" -j "$(nproc)" --target fuzz_targets
mkdir -p "$build/corpus"
tar -xJf "$source/tests/fuzz/corpus.tar.xz" -C "$build/corpus"
cd "$build/corpus" # it has a folder for each target
for target in *; do
  cp "$build/tests/fuzz/fuzz_$target" "$OUT/"
  (cd "$build/corpus/$target" && zip -qr "$OUT/fuzz_${target}_seed_corpus.zip" .)
done
