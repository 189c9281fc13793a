#!/bin/sh
# deb.sh FOLDER: makes the Debian packages in FOLDER from cmake/debian, CHANGELOG.md and the version in irrun.h. Then
# runs lintian, and fails on its errors and warnings.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' include/irrun.h)
folder=$1
tree=$folder/irrun-$version
rm -rf "$folder"
mkdir -p "$tree/tests" "$tree/debian/source"
cp -R CMakeLists.txt README.md CHANGELOG.md LICENSE docs include src cmake tools "$tree"
cp -R tests/bench "$tree/tests"
cp cmake/debian/* "$tree/debian"

# The maintainer of a package is whoever publishes it.
maintainer="${DEBFULLNAME:-irrun maintainers} <${DEBEMAIL:-irrun@example.org}>"
soversion=${version%.*}
homepage=$(sed -n 's/^ *HOMEPAGE_URL \([^ ]*\).*/\1/p' CMakeLists.txt)
sed "s/@SOVERSION@/$soversion/; s|@HOMEPAGE@|$homepage|; s/@MAINTAINER@/$maintainer/" cmake/debian/control >"$tree/debian/control"
mv "$tree/debian/libirrun.install" "$tree/debian/libirrun$soversion.install"
echo "3.0 (native)" >"$tree/debian/source/format"

# Makes a Debian changelog entry of each "## VERSION (DATE)" in CHANGELOG.md. Unreleased changes get no entry. A change
# is one line in CHANGELOG.md, and is indented and folded for Debian.
awk -v maintainer="$maintainer" '
  function sign() {
    if (date == "") return
    command = "date -R -u -d " date
    command | getline date
    close(command)
    printf "\n -- %s  %s\n\n", maintainer, date
  }
  /^## / && $3 == "" { next }
  /^## / { sign(); date = substr($3, 2, 10); printf "irrun (%s) unstable; urgency=medium\n\n", $2; next }
  date != "" && NF > 0 { gsub(/`/, ""); print "  " $0 }
  END { sign() }' CHANGELOG.md | fold -s -w 76 | sed 's/^\([^ ]\)/    \1/; s/^    irrun (/irrun (/; s/ *$//' >"$tree/debian/changelog"

(cd "$tree" && DEB_BUILD_OPTIONS="noautodbgsym ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -b -us -uc)
lintian --fail-on error,warning --allow-root "$folder"/*.changes
