#!/bin/sh
# sysroot.sh ARCHITECTURE FOLDER: unpacks into FOLDER the libraries that irrun needs, from Debian 12 for ARCHITECTURE.
set -eu
[ ! -e "$2/ready" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  echo "sysroot.sh needs root, a network and the Debian package debootstrap, to get libraries for $1" >&2
  exit 1
fi
rm -rf "$2"
mkdir -p "$2/usr/lib"
ln -s usr/lib "$2/lib"
debootstrap --arch="$1" --variant=minbase --download-only --include=libxml2-dev,libcjson-dev,zlib1g-dev,libpng-dev,libcmocka-dev,libdnnl-dev,libgomp1 \
  bookworm "$2" >"$2.log" 2>&1 || {
  tail -n 3 "$2.log" >&2
  echo "debootstrap failed: it needs a network; $2.log has all that it said" >&2
  exit 1
}
for package in "$2"/var/cache/apt/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$2" --keep-directory-symlink --no-same-owner
done
rm -r "${2:?}/var"
touch "$2/ready"
