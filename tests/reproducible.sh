#!/usr/bin/env bash
# reproducible.sh FOLDER [LIBXML2 CJSON]: builds the installed tree, the Python module and the Debian packages twice
# below FOLDER, without ccache: in folders of other depth, with another umask, time zone, locale, user and number of
# jobs. With the source trees LIBXML2 and CJSON also builds the wheel. Fails if a file differs in a byte.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf "$1"
mkdir -p "$1"
folder=$(realpath "$1")
libraries=("${@:2}")
export CCACHE_DISABLE=1 SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1000000000}
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER

build() { # TREE RESULTS JOBS: copies the sources to TREE, builds there, and keeps the files in RESULTS
  mkdir -p "$1" "$2"
  tar -c CMakeLists.txt README.md CHANGELOG.md LICENSE pyproject.toml cmake docs include python src tests/bench tools | tar -x -C "$1"
  cmake -S "$1" -B "$1/out" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
  cmake --build "$1/out" -j "$3" --target irrun_program irrun
  DESTDIR=$2/installed cmake --install "$1/out"
  cmake --install "$1/out" --component python --prefix "$2/python"
  DEB_BUILD_OPTIONS=parallel=$3 "$1/cmake/deb.sh" "$1/deb"
  cp "$1"/deb/*.deb "$2"
  if [ "${#libraries[@]}" -gt 0 ]; then
    "$1/cmake/wheel.sh" "$1/wheel" "${libraries[@]}"
    cp "$1"/wheel/*.whl "$2"
  fi
}
jobs=${JOBS:-$(nproc)}
umask 022
TZ=UTC LC_ALL=C build "$folder/tree" "$folder/first" "$jobs" >"$folder/log"
umask 027
TZ=Asia/Tokyo LC_ALL=C.UTF-8 USER=other LOGNAME=other build "$folder/a/deeper/tree" "$folder/second" $((jobs + 1)) >>"$folder/log"
diff -rq "$folder/first" "$folder/second"
echo "$(find "$folder/first" -type f | wc -l) files have the same bytes"
