#!/bin/sh
# install.sh BUILD CC FLAGS: tests that CMake and pkg-config find and use an installed irrun, even if its folder
# was moved.
set -eu
unset MAKEFLAGS MAKELEVEL
build=$1
cc=$2
flags=${3:-}
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
demo=$(cd "$(dirname "$0")/../../models/demo" && pwd)
model=$demo/pool.xml
faulty=$demo/../spec/P1.xml

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=1000000000 cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/moved"
root=$work/moved

library=$(dirname "$(find "$root" -name libirrun.so)")
export LD_LIBRARY_PATH="$library"
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' "$root/include/irrun.h")

echo "the program runs and needs no libirrun.so"
(unset LD_LIBRARY_PATH && "$root/bin/irrun" --version) | grep -qF "$version"

echo "it finds the module of oneDNN, where one was built"
[ "$("$root/bin/irrun" --version)" = "$("$build/irrun" --version)" ]

echo "man page and completions are those that the program prints"
for made in man:man/man1/irrun.1 bash:bash-completion/completions/irrun zsh:zsh/site-functions/_irrun \
  fish:fish/vendor_completions.d/irrun.fish; do
  "$root/bin/irrun" --generate="${made%%:*}" | cmp - "$root/share/${made#*:}"
done

echo "documents that the program names are there, and what goes with them"
documents=$root/share/doc/irrun
for named in $(grep -aoE 'docs/[a-z.]+\.(md|json)' "$root/bin/irrun" | sort -u) LICENSE README.md docs/report.schema.json tools/openvino_tensors.py; do
  [ -s "$documents/$named" ]
done

echo "the bill of materials obeys its schema, names the linked libraries, and has the hashes of the installed files"
bill=$documents/irrun.spdx.json
"$build/tests/schema/check_schema" tests/schema/spdx.schema.json "$bill"
grep -q '"name":"libxml2.*"versionInfo":"[0-9]' "$bill"
grep -q 'irrun","relationshipType":"DYNAMIC_LINK","relatedSpdxElement":"SPDXRef-package-libxml2' "$bill"
sed -n 's|.*"fileName":"\([^"]*\)".*"SHA256","checksumValue":"\([0-9a-f]*\)".*|\2  \1|p' "$bill" >"$work/hashes"
[ "$(cut -d' ' -f3 "$work/hashes" | sort)" = "$(cd "$root" && find . -type f \( -path ./bin/irrun -o -name '*.so*' -o -name '*.a' \) | sort)" ]
(cd "$root" && sha256sum --quiet --check "$work/hashes")
sed -n 's|.*"relatedSpdxElement":"\([^"]*\)".*|"SPDXID":"\1"|p' "$bill" | while read -r id; do
  grep -qF "$id" "$bill"
done

echo "another prefix compiles one file anew: no option of the compiler names it"
# shellcheck disable=SC2143 # set -e passes over "! grep"
[ -z "$(grep -rl IRRUN_MODULE_DIR --include=flags.make "$build/src")" ]

echo "find_package(irrun)"
project=$work/project
cp -R "$consumer" "$project"
cmake -S "$project" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$root" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$flags" \
  -DIRRUN_WANTED="$version" >"$work/log"
cmake --build "$work/consumer" >"$work/log"
ran=$(printf '%s\n' 0 1.5 3 6 7.5 9 12 13.5 15)
[ "$("$work/consumer/consumer" "$model")" = "$ran" ]
status=0
"$work/consumer/consumer" "$faulty" >"$work/log" || status=$?
[ $status = 3 ]
grep -q ': error: .* \[IR301 ' "$work/log"

echo "irrun_add_tests: a test for each case, also for one that was added after cmake"
mkdir -p "$project/cases/pool/test_data_set_0" "$project/cases/pool/test_data_set_[1]"
cp "$model" "$project/cases"
for set in "$project"/cases/pool/*; do
  cp "$demo/x.npy" "$set/input_0.npy"
done
"$root/bin/irrun" --test --update "$project/cases" >"$work/log"
ctest --test-dir "$work/consumer" >"$work/log"
grep -qF '100% tests passed, 0 tests failed out of 2' "$work/log"
cp "$demo/x.npy" "$project/cases/pool/test_data_set_[1]/output_0.npy"
mkdir "$project/cases/pool/test_data_set_2"
cp "$project"/cases/pool/test_data_set_0/* "$project/cases/pool/test_data_set_2"
ctest --test-dir "$work/consumer" --output-on-failure >"$work/log" 2>&1 && exit 1
grep -qF '67% tests passed, 1 tests failed out of 3' "$work/log"
grep -qF 'cases/pool/test_data_set_[1] (Failed)' "$work/log"
grep -qF 'DIFFERS  pool/test_data_set_[1]' "$work/log"
rm -r "$project/cases"
mkdir "$project/cases"
ctest --test-dir "$work/consumer" >"$work/log" 2>&1 && exit 1
grep -qF "cases (Failed)" "$work/log"

echo "pkg-config irrun"
export PKG_CONFIG_PATH="$library/pkgconfig"
[ "$(pkg-config --modversion irrun)" = "$version" ]
# shellcheck disable=SC2046,SC2086 # lists of options
"$cc" $flags "$consumer/consumer.c" -o "$work/by_pkg_config" $(pkg-config --cflags --libs irrun)
[ "$("$work/by_pkg_config" "$model")" = "$ran" ]

echo "each header compiles alone, in C and C++, and a status that a program does not look at is a warning"
call='void call(irrun_run *run); void call(irrun_run *run)'
for language in "c -std=c11" "c -std=c2x" "c++ -std=c++11" "c++ -std=c++17"; do
  # shellcheck disable=SC2086 # a list of options
  compiles() { "$cc" -x $language -Wall -Wextra -Wpedantic -Wundef -Werror -I"$root/include" -S -o "$work/discarded" - 2>"$work/log"; }
  echo "int x;" | compiles || continue # gcc without a C++ compiler: skip C++
  for header in "$root"/include/irrun*.h; do
    echo "#include \"$header\"" | compiles || { cat "$work/log" && exit 1; }
  done
  echo "#include <irrun.h>
    $call { if (irrun_run_execute(run) != IRRUN_OK) irrun_run_free(run); }" | compiles
  echo "#include <irrun.h>
    $call { irrun_run_execute(run); }" | compiles && exit 1
  grep -q 'warning: .*irrun_run_execute\|error: .*irrun_run_execute' "$work/log"
done

echo "libirrun.a is linked within two seconds of the processor and without a warning"
# shellcheck disable=SC2046,SC2086,SC3045 # lists of options; the shells of Debian have ulimit -t
(ulimit -t 2 && "$cc" $flags -O2 -Wall -Wextra "$consumer/consumer.c" -o "$work/by_archive" \
  $(pkg-config --static --cflags --libs irrun | sed 's/-lirrun/-l:libirrun.a/')) 2>"$work/log"
[ ! -s "$work/log" ]
[ "$(env -u LD_LIBRARY_PATH "$work/by_archive" "$model")" = "$ran" ]
