#!/bin/sh
# sources.sh ROOT: file names are unique, no source is over 500 lines, every one is in the build, no marks are left behind.
set -eu
cd "$1"
faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}

sources=$(find src tests include -name bad -prune -o \( -name '*.c' -o -name '*.h' \) -print | sort)

for name in $(for file in $sources; do basename "$file"; done | sort | uniq -d); do
  fault "two files have the name $name"
done

for file in $sources; do
  lines=$(wc -l <"$file")
  [ "$lines" -le 500 ] || fault "$file: $lines lines; a file holds one thing and at most 500"
done

for file in $(echo "$sources" | grep '\.c$'); do
  name=$(basename "$file" .c)
  directory=$(dirname "$file")
  cat "$directory/CMakeLists.txt" "$directory/../CMakeLists.txt" 2>/dev/null | grep -qw -- "$name" ||
    fault "$file: in no CMakeLists.txt"
done

# Split, so that this line is not one of them.
marks=$(grep -rnwE "TO""DO|FIX""ME|XX""X|not ""implemented" CMakeLists.txt Makefile README.md cmake docs include models src tests \
  --include='*.c' --include='*.h' --include='*.inc' --include='*.md' --include='*.sh' --include='*.py' --include='*.bats' \
  --include='*.cmake' --include='CMakeLists.txt' --include=Makefile || true)
[ -z "$marks" ] || fault "marks left behind:
$marks"

[ "$faults" = 0 ]
