#!/bin/sh
# paths.sh SOURCE BUILD FILE...: checks that no file names the folder of the sources or of the build. The prefix of the
# installation may be below either.
set -eu
export LC_ALL=C # any byte is a character
source=$1
build=$2
shift 2
for file; do
  [ -s "$file" ]
  # a letter before the folder: the end of a relative path, such as ../lib/irrun/ for the folder /irrun
  ! grep -aoE "(^|[^a-z])($source|$build)/[ -~]*" "$file" | grep -av '/irrun$' | sed "s|^|$file: |" | grep -a . || exit 1
done
