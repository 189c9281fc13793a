#!/bin/sh
# language.sh FOLDER: checks that $IRRUN computes the language models in FOLDER, also without each pass. A state that is
# saved and continued by another process, with two threads, has to give the same bits.
set -eu
cd "$1"
for setting in --kernels=fast --kernels=plain --skip-pass=widen --skip-pass=fold --skip-pass=quantize --skip-pass=pack \
  --skip-pass=fuse --skip-pass=layout; do
  "$IRRUN" --test -q "$setting" . || {
    echo "with $setting" >&2
    exit 1
  }
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for model in *.xml; do
  steps=${model%.xml}/step_
  "$IRRUN" "$model" -q --threads=1 -i "${steps}1/io.npz" --step -i "${steps}2/io.npz" \
    --step -i "${steps}3/io.npz" --step -i "${steps}4/io.npz" -o "$out/whole.npz" >"$out/log"
  "$IRRUN" "$model" -q -i "${steps}1/io.npz" --step -i "${steps}2/io.npz" --save-state "$out/state.npz" >"$out/log"
  "$IRRUN" "$model" -q --threads=2 --load-state "$out/state.npz" -i "${steps}3/io.npz" \
    --step -i "${steps}4/io.npz" -o "$out/part.npz" >"$out/log"
  cmp "$out/whole.npz" "$out/part.npz"
done
