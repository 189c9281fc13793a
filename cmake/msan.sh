#!/bin/sh
# msan.sh FOLDER: builds zlib, cJSON and libxml2 for MemorySanitizer in FOLDER/static, from Debian's sources. The
# sanitizer reports memory as uninitialised if a library without it wrote there.
set -eu
mkdir -p "$1/apt/lists/partial" "$1/apt/sources"
folder=$(realpath "$1")
[ ! -e "$folder/static/done" ] || exit 0

# apt ARGUMENT...: apt-get with the sources of the installed system, and a package list of its own.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  [ ! -e "$list" ] || sed 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' "$list" >"$folder/apt/sources/${list##*/}"
done
apt() {
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/apt/sources" -o "Dir::State::Lists=$folder/apt/lists" "$@"
}
apt update
cd "$folder"
rm -rf zlib-* cjson-* libxml2-* build-*
apt source zlib cjson libxml2

export CC=clang CFLAGS="-fsanitize=memory -fno-omit-frame-pointer -O1 -g" JOBS="${JOBS:-$(nproc)}"
(cd zlib-*/ && ./configure --static --prefix="$folder/static" && make -j "$JOBS" install)

# static NAME OPTION...: builds a static library from the source of a package, and installs it in FOLDER/static.
static() {
  name=$1
  shift
  cmake -S "$folder/$name"-*/ -B "$folder/build-$name" -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_INSTALL_PREFIX="$folder/static" -DCMAKE_INSTALL_LIBDIR=lib "$@"
  cmake --build "$folder/build-$name" -j "$JOBS"
  cmake --install "$folder/build-$name"
}
static cjson -DENABLE_CJSON_TEST=OFF
# shellcheck disable=SC2046 # a list of options
static libxml2 $(for part in FTP HTTP ICONV ICU LZMA PROGRAMS PYTHON TESTS ZLIB; do echo "-DLIBXML2_WITH_$part=OFF"; done)
touch "$folder/static/done"
