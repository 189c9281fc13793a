#!/bin/sh
# sbom.sh ROOT FILE...: prints an SPDX 2.3 document of irrun's programs and libraries FILE below ROOT, and of the
# packages that they are linked with, directly or indirectly. Debian's packages are named with their versions.
# SOURCE_DATE_EPOCH is the document's time. STATIC lists the pkg-config names of libraries that are a part of FILE.
# LINKED is a tree whose program and libraries are looked at for packages instead: without auditwheel's copies.
set -eu
export LC_ALL=C
cmake=$(dirname "$0")
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' "$cmake/../include/irrun.h")
homepage=$(sed -n 's/^ *HOMEPAGE_URL \([^ ]*\).*/\1/p' "$cmake/../CMakeLists.txt")
system=$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null || true)
root=$1
shift
cd "$root"

# license NAME: the SPDX licence of a package, as its upstream states it.
license() {
  case $1 in
  libxml* | libcjson*) echo MIT ;;
  zlib*) echo Zlib ;;
  libpng*) echo libpng-2.0 ;;
  libdnnl*) echo Apache-2.0 ;;
  ocl-icd*) echo BSD-2-Clause ;;
  libc6) echo LGPL-2.1-or-later ;;
  libgcc* | libgomp* | libstdc++*) echo GPL-3.0-or-later WITH GCC-exception-3.1 ;;
  *) echo NOASSERTION ;;
  esac
}

# id TEXT: an identifier of SPDX, which has letters, digits, dots and dashes.
id() {
  printf 'SPDXRef-%s' "$(printf %s "$1" | sed 's/+/x/g; s/[^A-Za-z0-9.-]/-/g')"
}

# package NAME VERSION RELATIONSHIP [PURL]: adds a package that irrun has this relationship to.
package() {
  id=$(id "package-$1")
  references=${4:+,\"externalRefs\":[{\"referenceCategory\":\"PACKAGE-MANAGER\",\"referenceType\":\"purl\",\"referenceLocator\":\"$4\"\}]}
  packages="$packages,
{\"SPDXID\":\"$id\",\"name\":\"$1\"${2:+,\"versionInfo\":\"$2\"},\"downloadLocation\":\"NOASSERTION\",\"filesAnalyzed\":false,\
\"licenseConcluded\":\"NOASSERTION\",\"licenseDeclared\":\"$(license "$1")\",\"copyrightText\":\"NOASSERTION\"$references}"
  relationships="$relationships,
{\"spdxElementId\":\"SPDXRef-irrun\",\"relationshipType\":\"$3\",\"relatedSpdxElement\":\"$id\"}"
}

files='' packages='' relationships=''
for file; do
  id=$(id "file-$file")
  files="$files,
{\"SPDXID\":\"$id\",\"fileName\":\"./$file\",\"fileTypes\":[\"BINARY\"],\"checksums\":[\
{\"algorithm\":\"SHA1\",\"checksumValue\":\"$(sha1sum "$file" | cut -d' ' -f1)\"},\
{\"algorithm\":\"SHA256\",\"checksumValue\":\"$(sha256sum "$file" | cut -d' ' -f1)\"}],\
\"licenseConcluded\":\"NOASSERTION\",\"licenseInfoInFiles\":[\"NOASSERTION\"],\"copyrightText\":\"NOASSERTION\"}"
  relationships="$relationships,
{\"spdxElementId\":\"SPDXRef-irrun\",\"relationshipType\":\"CONTAINS\",\"relatedSpdxElement\":\"$id\"}"
done

# ldd and dpkg can name a library by either path: /lib and /usr/lib are the same folder.
linked=$(if [ -n "${LINKED:-}" ]; then
  find "$LINKED" -type f \( -name irrun -o -name '*.so' \) -exec ldd {} +
else
  for file; do
    case $file in *.a) ;; *) ldd "$file" || exit 1 ;; esac
  done
fi)
libraries=$(echo "$linked" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u)
# shellcheck disable=SC2086,SC2046 # lists of paths
owners=$(dpkg-query -S $libraries $(for path in $libraries; do echo "/usr$path ${path#/usr}"; done) 2>/dev/null || true)
names=$(for path in $libraries; do
  echo "$owners" | awk -v path="${path#/usr}" '
    { file = $2; sub(/^\/usr/, "", file) }
    file == path { sub(/:.*/, "", $1); print $1; found = 1; exit }
    END { if (!found) { sub(/.*\//, "", path); print path } }'
done | sort -u)
for name in $names; do
  # shellcheck disable=SC2016 # dpkg-query expands these fields
  found=$(dpkg-query -W -f '${Version} ${Architecture}\n' "$name" 2>/dev/null | head -n 1)
  package "$name" "${found% *}" DYNAMIC_LINK \
    "${found:+pkg:deb/$system/$(echo "$name@${found% *}" | sed 's/+/%2B/g')?arch=${found#* }}"
done
for name in ${STATIC:-}; do
  package "$name" "$(pkg-config --modversion "$name")" STATIC_LINK
done

code=$(sha1sum "$@" | cut -d' ' -f1 | sort | tr -d '\n' | sha1sum | cut -d' ' -f1)
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)
content=$(echo "$created$files$packages" | sha256sum | cut -d' ' -f1)
cat <<EOF
{"spdxVersion":"SPDX-2.3","dataLicense":"CC0-1.0","SPDXID":"SPDXRef-DOCUMENT","name":"irrun-$version",
"documentNamespace":"$homepage/spdx/irrun-$version-$content",
"creationInfo":{"created":"$created","creators":["Tool: irrun-sbom.sh-$version"]},
"packages":[
{"SPDXID":"SPDXRef-irrun","name":"irrun","versionInfo":"$version","downloadLocation":"git+$homepage","homepage":"$homepage",\
"filesAnalyzed":true,"packageVerificationCode":{"packageVerificationCodeValue":"$code"},"licenseConcluded":"Apache-2.0",\
"licenseDeclared":"Apache-2.0","licenseInfoFromFiles":["NOASSERTION"],"copyrightText":"NOASSERTION",\
"externalRefs":[{"referenceCategory":"PACKAGE-MANAGER","referenceType":"purl","referenceLocator":"pkg:generic/irrun@$version"}]}$packages],
"files":[${files#,}],
"relationships":[
{"spdxElementId":"SPDXRef-DOCUMENT","relationshipType":"DESCRIBES","relatedSpdxElement":"SPDXRef-irrun"}$relationships]}
EOF
