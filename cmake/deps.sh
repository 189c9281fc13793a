#!/bin/sh
# deps.sh [fast] [test] [bench] [ci] [deb]: is everything there that a build (and the module of oneDNN, the tests, the benchmark, .ci/run,
# packages) needs? Silent when it is. Otherwise says what is missing and, as root on Debian, installs it; elsewhere prints the line that
# would, and fails, but not for what only makes irrun fast.
set -eu

missing=""
wished=""
need() { # PACKAGE WHAT: that Debian package has it
  echo "missing: $2 (Debian package $1)" >&2
  missing="$missing $1"
}

tool() { # COMMAND PACKAGE
  command -v "$1" >/dev/null || need "$2" "program $1"
}

library() { # PKG-CONFIG-NAME PACKAGE
  if command -v pkg-config >/dev/null; then
    pkg-config --exists "$1" || need "$2" "library $1"
  else
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ] || need "$2" "library $1"
  fi
}

header() { # HEADER
  echo "#include <$1>" | "${CC:-cc}" -E - >/dev/null 2>&1
}

tool cmake cmake
tool "${CC:-cc}" gcc
tool pkg-config pkg-config
library libxml-2.0 libxml2-dev
library libcjson libcjson-dev
library zlib zlib1g-dev
for group in "$@"; do
  case $group in
  fast)
    header dnnl.h || {
      echo "not there: library dnnl (Debian package libdnnl-dev); without it networks run by irrun's own kernels, which are slow" >&2
      wished=libdnnl-dev
    }
    command -v "${CXX:-c++}" >/dev/null || {
      echo "not there: program ${CXX:-c++} (Debian package g++), which the module of library dnnl is built with" >&2
      wished="$wished g++"
    }
    ;;
  test)
    library cmocka libcmocka-dev
    library libpng libpng-dev
    tool bats bats
    ;;
  bench) tool xmllint libxml2-utils ;;
  ci)
    tool clang clang
    tool clang-format-14 clang-format-14
    tool fish fish
    tool man man-db
    tool zsh zsh
    ;;
  deb)
    header dnnl.h || need libdnnl-dev "library dnnl"
    tool dh debhelper
    tool dpkg-buildpackage dpkg-dev
    tool lintian lintian
    ;;
  *)
    echo "deps.sh: no group '$group'" >&2
    exit 2
    ;;
  esac
done
[ -n "$missing$wished" ] || exit 0

if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  install() {
    (set -x && apt-get update && apt-get install -y --no-install-recommends "$@")
  }
  # shellcheck disable=SC2086 # a list of names
  [ -z "$missing" ] || install $missing
  # shellcheck disable=SC2086
  [ -z "$wished" ] || install $wished || echo "goes on without $wished" >&2
elif [ -n "$missing" ]; then
  echo "As root on Debian:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends$missing $wished" >&2
  exit 1
fi
