#!/bin/sh
# bare.sh FOLDER SUITE...: runs "make demo" and "make test" on a bare Debian of each suite (bookworm, trixie).
# debootstrap unpacks the Debian into FOLDER/SUITE. The first run is as root, who installs packages, the second as a
# user without a network.
# shellcheck disable=SC2015,SC2016,SC2086 # a condition of two parts; variables of another shell; $command is words
set -eu
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || {
  echo "bare.sh needs root, a network and the Debian package debootstrap, to lay a Debian into $1" >&2
  exit 1
}
cd "$(dirname "$0")/../.."
mkdir -p "$1"
folder=$(realpath "$1")
shift

# inside SUITE ARGUMENT...: runs setpriv with the arguments in the bare Debian, which has its own processes and
# terminals.
inside() {
  root=$folder/$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEPS="${DEPS:-}" JOBS="${JOBS:-$(nproc)}" CI="${CI:-}" \
    unshare --mount --pid --fork $network sh -euc '
      mount -t proc proc "$0/proc"
      mount -t devpts -o ptmxmode=666 devpts "$0/dev/pts"
      mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx"
      exec chroot "$0" setpriv "$@"' "$root" "$@" </dev/null
}

for suite; do
  rm -rf "${folder:?}/$suite"
  echo "== $suite: debootstrap"
  debootstrap --variant=minbase "$suite" "$folder/$suite" >"$folder/$suite.log" 2>&1 || {
    tail -n 3 "$folder/$suite.log" >&2
    echo "debootstrap failed: it needs a network; $folder/$suite.log has all that it said" >&2
    exit 1
  }
  mkdir "$folder/$suite/irrun"
  tar -c --exclude=./build --exclude=./.git . | tar -x -C "$folder/$suite/irrun" --no-same-owner

  network=
  for command in "apt-get install -qq make" "make -C irrun demo" "make -C irrun test"; do
    echo "== $suite, root: $command"
    inside "$suite" --reuid=0 $command
  done

  chown -R 1000:1000 "$folder/$suite/irrun"
  network=--net
  for command in "make -C irrun demo" "make -C irrun test"; do
    echo "== $suite, a user without a network: $command"
    inside "$suite" --reuid=1000 --regid=1000 --clear-groups $command
  done
done
echo "bare: ok"
