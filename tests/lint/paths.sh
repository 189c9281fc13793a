#!/bin/sh
# paths.sh SOURCE BUILD FILE...: checks that no file names the folder of the sources or of the build. The prefix of the
# installation may be below either.
set -eu
source=$1
build=$2
shift 2
for file; do
  [ -s "$file" ]
  ! grep -aoE "($source|$build)/[ -~]*" "$file" | grep -v '/irrun$' | sed "s|^|$file: |" | grep . || exit 1
done
