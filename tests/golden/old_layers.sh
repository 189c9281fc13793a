#!/bin/sh
# old_layers.sh FOLDER: checks that $IRRUN computes the models of IR versions 2 to 7 in FOLDER, and that their
# conversions to IR 11 give the same.
set -eu
cd "$1"
for kernels in fast plain; do
  "$IRRUN" --test -q --kernels=$kernels .
done
rm -rf converted
mkdir converted
for model in *.xml; do
  name=${model%.xml}
  "$IRRUN" --convert "converted/$model" "$model" -qq >/dev/null
  ln -s "../$name" "converted/$name"
done
"$IRRUN" --test -q converted
