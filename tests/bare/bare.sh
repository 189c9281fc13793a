#!/bin/sh
# bare.sh FOLDER SUITE...: "make demo" and "make test" on a bare Debian of each suite (bookworm, trixie), which debootstrap lays into FOLDER/SUITE:
# as root, who gets the packages installed, and then as a user without a network.
set -eu
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || {
  echo "bare.sh needs root, a network and the Debian package debootstrap, to lay a Debian into $1" >&2
  exit 1
}
cd "$(dirname "$0")/../.."
mkdir -p "$1"
folder=$(realpath "$1")
shift

# inside SUITE ARGUMENT...: runs setpriv with these arguments in the bare system, with a /proc of its own.
inside() {
  root=$folder/$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEPS="${DEPS:-}" JOBS="${JOBS:-$(nproc)}" CI="${CI:-}" \
    unshare --mount --pid --fork $network sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" setpriv "$@"' "$root" "$@" </dev/null
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
