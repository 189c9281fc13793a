#!/bin/sh
# install.sh BUILD CC SANITIZERS: an installed irrun is found and used, by CMake and by pkg-config, wherever the tree was moved to.
set -eu
unset MAKEFLAGS MAKELEVEL
build=$1
cc=$2
sanitizers=${3:+-fsanitize=$3}
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
model=$(cd "$(dirname "$0")/../../models/demo" && pwd)/pool.xml

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/moved"
root=$work/moved

library=$(dirname "$(find "$root" -name libirrun.so)")
export LD_LIBRARY_PATH="$library"
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' "$root/include/irrun.h")

echo "the program runs and needs no libirrun.so"
(unset LD_LIBRARY_PATH && "$root/bin/irrun" --version) | grep -qF "$version"

echo "man page and completions are those that the program prints"
for made in man:man/man1/irrun.1 bash:bash-completion/completions/irrun zsh:zsh/site-functions/_irrun \
  fish:fish/vendor_completions.d/irrun.fish; do
  "$root/bin/irrun" --generate="${made%%:*}" | cmp - "$root/share/${made#*:}"
done

echo "find_package(irrun)"
cmake -S "$consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$root" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$sanitizers" \
  -DIRRUN_WANTED="$version" >"$work/log"
cmake --build "$work/consumer" >"$work/log"
[ "$("$work/consumer/consumer" "$model")" = "y: [1,1,3,3]" ]

echo "pkg-config irrun"
export PKG_CONFIG_PATH="$library/pkgconfig"
[ "$(pkg-config --modversion irrun)" = "$version" ]
# shellcheck disable=SC2046,SC2086 # lists of options
"$cc" $sanitizers "$consumer/consumer.c" -o "$work/by_pkg_config" $(pkg-config --cflags --libs irrun)
[ "$("$work/by_pkg_config" "$model")" = "y: [1,1,3,3]" ]
