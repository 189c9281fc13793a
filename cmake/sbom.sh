#!/bin/sh
# sbom.sh FILE...: prints a CycloneDX document of the shared libraries that these programs and libraries are linked
# with, directly or indirectly. It names the Debian package of each shared library.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' include/irrun.h)
homepage=$(sed -n 's/^ *HOMEPAGE_URL \([^ ]*\).*/\1/p' CMakeLists.txt)

linked=$(for file; do ldd "$file" || exit 1; done)
# /lib and /usr/lib are the same folder: ldd and dpkg can name a library by either path.
packages=$(echo "$linked" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u | while read -r library; do
  dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "/usr$library" 2>/dev/null || dpkg-query -S "${library#/usr}" 2>/dev/null || echo "$library: "
done | cut -d: -f1 | sort -u)

printf '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,\n'
printf '"metadata":{"component":{"type":"application","name":"irrun","version":"%s","licenses":[{"license":{"id":"Apache-2.0"}}],\n' "$version"
printf '"externalReferences":[{"type":"website","url":"%s"}]}},\n"components":[' "$homepage"
comma=
for package in $packages; do
  # shellcheck disable=SC2016 # dpkg-query expands these fields
  found=$(dpkg-query -W -f '${Version} ${Architecture}\n' "$package" 2>/dev/null | head -n 1)
  printf '%s\n{"type":"library","name":"%s"' "$comma" "$package"
  [ -z "$found" ] || printf ',"version":"%s","purl":"pkg:deb/debian/%s@%s?arch=%s"' "${found% *}" "$package" "$(echo "${found% *}" | sed 's/+/%2B/g')" "${found#* }"
  printf '}'
  comma=,
done
printf ']}\n'
