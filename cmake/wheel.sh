#!/bin/sh
# wheel.sh FOLDER LIBXML2 CJSON: makes a wheel for other distributions in FOLDER, with PYTHON, which needs pip,
# auditwheel and wheel. Builds libxml2 and cJSON from the sources in the folders LIBXML2 and CJSON, and links them in. Debian's
# libxml2 would add ICU, 30 MB of encoding tables, but irrun reads only UTF-8.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder=$(realpath "$1")
python=${PYTHON:-python3}

# static NAME SOURCE OPTION...: builds a static library from SOURCE, and installs it in FOLDER/static.
static() {
  name=$1 source=$2
  shift 2
  cmake -S "$source" -B "$folder/$name" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_INSTALL_PREFIX="$folder/static" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@"
  cmake --build "$folder/$name" -j "${JOBS:-$(nproc)}"
  cmake --install "$folder/$name"
}
without=$(for part in FTP HTTP ICONV ICU LZMA PROGRAMS PYTHON TESTS ZLIB; do echo "-DLIBXML2_WITH_$part=OFF"; done)
# shellcheck disable=SC2086 # $without is several options
static libxml2 "$2" $without
static cjson "$3" -DENABLE_CJSON_TEST=OFF

rm -rf "$folder/plain" "$folder/repaired" "$folder"/*.whl
export PKG_CONFIG_PATH="$folder/static/lib/pkgconfig"
"$python" -m pip wheel --no-deps --wheel-dir "$folder/plain" .
"$python" -m auditwheel repair --wheel-dir "$folder/repaired" "$folder"/plain/*.whl

# Adds the bill of materials, where PEP 770 wants it. The packages are those of the libraries before auditwheel copied
# them, the files those of the wheel.
"$python" -m wheel unpack --dest "$folder/plain" "$folder"/plain/*.whl
"$python" -m wheel unpack --dest "$folder/repaired" "$folder"/repaired/*.whl
tree=$(echo "$folder"/repaired/irrun-*/)
bill=$(echo "$tree"*.dist-info)/sboms/irrun.spdx.json
mkdir -p "${bill%/*}"
(cd "$tree" && find . -type f \( -path '*scripts/*' -o -name '*.so*' \) | sed 's|^./||' | sort) |
  STATIC="libxml-2.0 libcjson" LINKED=$(echo "$folder"/plain/irrun-*/) xargs cmake/sbom.sh "$tree" >"$bill"
"$python" -m wheel pack --dest-dir "$folder" "$tree"
