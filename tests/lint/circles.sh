#!/bin/sh
# circles.sh ROOT: checks that no unit of src includes another that includes it, directly or indirectly. A unit is a
# header with the source of its name.
set -eu
cd "$1/src"

# Each line "A B" means that unit A includes unit B. A name in quotes is a path relative to the includer's folder or to
# src.
pairs=$(find . -name '*.[ch]' -o -name '*.inc' | sed 's|^\./||' | awk '
  function unit(file) {
    sub(/\.(c|h|inc)$/, "", file)
    return file
  }
  { files[$0] }
  END {
    for (file in files) {
      folder = file
      sub(/[^\/]*$/, "", folder)
      while ((getline line <file) > 0) {
        if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
          continue
        split(line, parts, "\"")
        name = (folder parts[2]) in files ? folder parts[2] : parts[2]
        if (name in files && unit(name) != unit(file))
          print unit(file), unit(name)
      }
      close(file)
    }
  }' | sort -u)

if ! echo "$pairs" | tsort >/dev/null; then
  echo "units that include each other: what both need belongs in a header of its own"
  exit 1
fi
