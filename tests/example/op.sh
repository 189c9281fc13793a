#!/bin/sh
# op.sh --check|--update BUILD CC FLAGS: tests the example of CONTRIBUTING.md literally. Runs its "sh" blocks in a
# copy of the sources, and compiles the changes. The new program has to print the "console" blocks.
set -eu
mode=$1
build=$(realpath "$2")
cc=$3
flags=${4:-}
cd "$(dirname "$0")/../.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R src include "$work"
mkdir "$work/tests"
cp -R tests/example tests/spec "$work/tests"

cd "$work"
awk '/^ *```sh$/ { inside = 1; next } /^ *```$/ { inside = 0 } inside' "$source/CONTRIBUTING.md" >steps
grep -q . steps
sh -eu steps
diff -rq "$source/src" src >changed && exit 1
for list in CMakeLists.txt op_list.inc opset_table.inc; do # the op was added to each list, and nothing was removed
  diff "$source/src/ops/$list" "src/ops/$list" >lines && exit 1
  grep -q '^>.*[Cc]ube' lines
  [ "$(grep -c '^<' lines)" = 0 ]
done

# registry.c includes the changed lists. All other objects are taken from the build.
# shellcheck disable=SC2046,SC2086 # lists of options
"$cc" $flags -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fno-lto -ffp-contract=off -O1 -Isrc src/ops/registry.c \
  $(sed -n 's/^Only in src\/\(.*\): \(.*\.c\)$/src\/\1\/\2/p' changed) "$build"/src/cli/CMakeFiles/irrun_*.dir/*.o "$build"/src/libirrun_static.a \
  -o irrun $(pkg-config --libs libxml-2.0 libcjson zlib libpng) -lm -pthread
./irrun --list-ops | awk '$1 == "Cube-1" && $4 == "run" { found = 1 } END { exit !found }'
"$source/tests/readme/readme.sh" "$mode" irrun CONTRIBUTING.md
