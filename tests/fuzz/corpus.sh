#!/usr/bin/env bash
# Minimises corpora, and packs them as tests/fuzz/corpus.tar.xz.
#   corpus.sh BUILD SEEDS
# SEEDS has a folder for each target: seeds of MAKE_CORPUS.py, or what fuzzing learned. Keeps inputs of at most 3,000
# bytes that together reach all that the others reach, and the archive's folders TARGET/found: inputs that showed faults.
set -euo pipefail
source=$(realpath "$(dirname "$0")")
build=$(realpath "$1") seeds=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xJf "$source/corpus.tar.xz" -C "$work" --wildcards '*/found'
cd "$seeds"
for target in *; do
  mkdir -p "$work/$target" "$work/small/$target"
  find "$seeds/$target" -type f -size -3000c -exec cp -t "$work/small/$target" {} +
  "$build/tests/fuzz/fuzz_$target" -merge=1 -close_fd_mask=3 -timeout=5 "$work/$target" "$work/small/$target"
done
rm -r "$work/small"
tar --sort=name --owner=0 --group=0 --mtime=@0 -C "$work" -cJf "$source/corpus.tar.xz" .
