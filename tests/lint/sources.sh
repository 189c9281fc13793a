#!/bin/sh
# sources.sh ROOT: checks the sources. Names of files and guards of headers are unique. A source or script has at most
# 500 lines. Each source is built, and is once in its list. No marks of unfinished work are left.
set -eu
cd "$1"
faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}

list() {
  find src tests include -name bad -prune -o \( "$@" \) -print | sort
}
sources=$(list -name '*.c' -o -name '*.cpp' -o -name '*.h')
scripts=$(list -name '*.py' -o -name '*.sh' -o -name '*.bats' -o -name '*.bash')

for name in $(echo "$sources" | sed 's|.*/||' | sort | uniq -d); do
  fault "two files have the name $name"
done

# shellcheck disable=SC2086 # one word for each file, also below
long=$(wc -l $sources $scripts | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines; a file holds one thing and at most 500" }')
[ -z "$long" ] || fault "$long"

guards=$(find include src -name '*.h' -exec grep -h -m 1 '^#ifndef' {} + | sort | uniq -d)
[ -z "$guards" ] || fault "two headers have the guard: $guards"

# A list of sources ends with a bracket. A file can be in several lists.
twice=$(find src tests -name CMakeLists.txt -exec awk '
  /\($/ || /\)$/ { delete listed }
  /^ +[a-z0-9_\/]+\.c$/ && listed[$1]++ { print FILENAME ": lists " $1 " twice" }' {} +)
[ -z "$twice" ] || fault "$twice"

# A source must be a word of the CMakeLists.txt in its folder or in the folder above.
unbuilt=$({ find src tests -name CMakeLists.txt; echo "$sources"; } | awk '
  { folder = $0; sub(/\/[^\/]*$/, "", folder) }
  /\/CMakeLists\.txt$/ {
    while ((getline line <$0) > 0) {
      n = split(line, words, /[^A-Za-z0-9_]+/)
      for (i = 1; i <= n; i++)
        built[folder, words[i]]
    }
  }
  /\.c(pp)?$/ {
    name = $0
    gsub(/.*\/|\.c(pp)?$/, "", name)
    above = folder
    sub(/\/[^\/]*$/, "", above)
    if (!((folder, name) in built) && !((above, name) in built))
      print $0 ": in no CMakeLists.txt"
  }')
[ -z "$unbuilt" ] || fault "$unbuilt"

# Loops for each instruction set are vectorized only with the options of kernels, which the list `any` gives.
slow=$(grep -lE 'IR_EACH_ISA\(|IR_ELEMENTWISE_[1-3]\(' -r src/ops --include='*.c' | while read -r file; do
  sed -n '/^set(any/,/^)/p' src/ops/CMakeLists.txt | grep -qx "  ${file#src/ops/}" || echo "$file: is not in the list any of src/ops/CMakeLists.txt"
done)
[ -z "$slow" ] || fault "$slow"

# An account counts the memory of a run (src/diag/account.h), so kernels and stages must allocate by ir_memory. oneDNN's
# module is excepted, because it reports how much its primitives take.
uncounted=$(grep -rnE '\<(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|strdup)\(' src/ops src/runtime/run --include='*.c' --include='*.h' |
  grep -v '^src/ops/fast/fast_[dm]' || true)
[ -z "$uncounted" ] || fault "memory that no account counts:
$uncounted"

# The words are split, so that this line does not match.
marks=$(grep -rnwE "TO""DO|FIX""ME|XX""X|not ""implemented" CMakeLists.txt Makefile README.md cmake docs include models src tests \
  --include='*.c' --include='*.cpp' --include='*.h' --include='*.inc' --include='*.md' --include='*.sh' --include='*.py' --include='*.bats' \
  --include='*.cmake' --include='CMakeLists.txt' --include=Makefile || true)
[ -z "$marks" ] || fault "marks left behind:
$marks"

[ "$faults" = 0 ]
