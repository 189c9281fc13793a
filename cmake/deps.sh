#!/bin/sh
# deps.sh [fast] [test] [bench] [clang] [coverage] [msan] [ci] [analyze] [arm] [deb]: checks that the packages for a
# build are installed. Each word adds packages: for the module of oneDNN, the tests, the benchmark, clang, make coverage,
# MemorySanitizer, .ci/run, the static analyzers, a build for 64-bit ARM, Debian packages.
# If packages are missing, names them. As root on Debian, installs them; otherwise, or with DEPS=no, prints the
# command that installs them, and fails. If only the packages of `fast` are missing, does not fail.
set -eu

missing=""  # names for people
packages="" # their Debian packages
wished=""
need() { # NAME PACKAGE: records a missing dependency
  missing="$missing${missing:+, }$1"
  packages="$packages $2"
}

wish() { # PACKAGE: only makes irrun fast
  wished="${wished:+$wished }$1"
}

tool() { # COMMAND PACKAGE: records the package if the command is missing
  command -v "$1" >/dev/null || need "$1" "$2"
}

library() { # PKG-CONFIG-NAME PACKAGE: records the package if the library is missing
  if command -v pkg-config >/dev/null; then
    pkg-config --exists "$1" || need "$1" "$2"
  else
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ] || need "$1" "$2"
  fi
}

header() { # HEADER: succeeds if the C preprocessor finds the header
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
    header dnnl.h || wish libdnnl-dev
    command -v "${CXX:-c++}" >/dev/null || wish g++
    ;;
  test)
    library cmocka libcmocka-dev
    library libpng libpng-dev
    tool bats bats
    ;;
  bench) tool xmllint libxml2-utils ;;
  clang) tool clang clang ;;
  coverage) tool gcovr gcovr ;;
  ci)
    tool clang-format-14 clang-format-14
    tool fish fish
    tool man man-db
    tool zsh zsh
    ;;
  analyze)
    tool clang-tidy-14 clang-tidy-14
    tool cppcheck cppcheck
    tool shellcheck shellcheck
    "${PYTHON:-python3}" -c "import ensurepip" 2>/dev/null || need venv python3-venv
    ;;
  msan) tool dpkg-source dpkg-dev ;;
  arm)
    tool aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    tool qemu-aarch64 qemu-user
    tool debootstrap debootstrap
    ;;
  deb)
    header dnnl.h || need dnnl libdnnl-dev
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

install="apt-get install -y --no-install-recommends"
may_install() {
  [ "${DEPS:-}" != no ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]
}

# apt PACKAGE...: installs packages. If apt-get fails, shows its first error; otherwise shows nothing of its output.
apt() {
  log=$(mktemp -t irrun-deps.XXXXXX)
  # shellcheck disable=SC2086 # $install is several words
  if { apt-get update && $install "$@"; } </dev/null >"$log" 2>&1; then
    rm "$log"
  else
    echo "apt-get failed: $(grep -m 1 -E '^(E:|W: Failed)' "$log" || tail -n 1 "$log"); $log has all that it said" >&2
    return 1
  fi
}
export DEBIAN_FRONTEND=noninteractive

if [ -n "$packages" ]; then
  may_install || {
    echo "missing: $missing; as root on Debian: apt-get update && $install$packages${wished:+ $wished}" >&2
    exit 1
  }
  echo "missing: $missing; installs the Debian packages$packages (DEPS=no does not)" >&2
  # shellcheck disable=SC2086 # $packages is several words
  apt $packages
fi
if [ -n "$wished" ]; then
  slow="without it networks run by irrun's own kernels, which are slow"
  if may_install; then
    echo "missing: the module of oneDNN; installs the Debian packages $wished (DEPS=no does not)" >&2
    # shellcheck disable=SC2086 # $wished is several words
    apt $wished || echo "goes on without oneDNN: $slow" >&2
  else
    echo "missing: the module of oneDNN (Debian packages $wished); $slow" >&2
  fi
fi
