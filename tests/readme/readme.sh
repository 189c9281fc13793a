#!/bin/sh
# readme.sh --check|--update IRRUN [FILE...]: checks that irrun prints the blocks in README.md and docs/*.md, or in
# FILEs. The line before a block has its command:
#   <!-- run: COMMAND -->    the block has the command, its output, and its exit status if it is not 0
#   <!-- show: COMMAND -->   the block has the output, C code
#   <!-- mermaid: COMMAND -->  the block has the output, a Mermaid graph, which GitHub draws
#   <!-- picture: FILE COMMAND -->  no block: the command makes FILE, a picture in docs/
# Texts that contain irrun's address or version, for others to copy, must have those of CMakeLists.txt and irrun.h.
# --update overwrites blocks and pictures. --check fails if a block differs or a picture is missing. Commands run
# beside a copy of models/ and can write there.
set -eu
mode=$1
irrun=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tree"
ln -s "$irrun" "$work/bin/irrun"
cp -R models "$work/tree"
ln -s "$PWD/src" "$PWD/tests" "$work/tree"
PATH=$work/bin:$PATH

homepage=$(sed -n 's/^ *HOMEPAGE_URL \([^ ]*\).*/\1/p' CMakeLists.txt)
version=$(sed -n 's/^#define IRRUN_VERSION *"\(.*\)"/\1/p' include/irrun.h)

fresh() { # FILE: prints its text with all blocks made anew
  TREE="$work/tree" awk -v homepage="$homepage" -v version="$version" '
    BEGIN { owner = homepage; sub(/.*[.][a-z]*\//, "", owner) }
    { gsub(/https:\/\/[a-z.]*\/[A-Za-z0-9_.-]*\/irrun/, homepage) }
    /uses: [^ ]*\/irrun@/ { sub(/uses: .*/, "uses: " owner "@v" version) }
    /rev: v[0-9.]*$/ { sub(/v[0-9.]*$/, "v" version) }
    old > 0 { if (/^```/) old--; next }
    { print }
    /^<!-- (run|show|mermaid): .* -->$/ {
      command = $0
      sub(/^<!-- [a-z]*: /, "", command)
      sub(/ -->$/, "", command)
      shown = /^<!-- run/
      print (shown ? "```console\n$ " command : /^<!-- show/ ? "```c" : "```mermaid")
      shell = "cd \"$TREE\"; { " command "; } " (/^<!-- mermaid/ ? "2>/dev/null" : "2>&1") " </dev/null" \
        (shown ? " || echo \"[exit status $?]\"" : "")
      while ((shell | getline line) > 0) print line
      close(shell)
      print "```"
      old = 2 # skips the old block and its two fences
    }' "$1"
}

pictures() { # FILE: makes the pictures that FILE names, or reports the missing ones
  sed -n 's/^<!-- picture: \([^ ]*\) \(.*\) -->$/\1 \2/p' "$1" >"$work/pictures"
  while read -r picture command; do
    if [ "$mode" = --update ]; then
      (cd "$work/tree" && { sh -c "$command" >/dev/null 2>&1 || true; })
      cp "$work/tree/$(basename "$picture")" "$picture"
    elif [ ! -s "$picture" ]; then
      echo "$1: no $picture; make readme" >&2
      status=1
    fi
  done <"$work/pictures"
}

status=0
[ $# -gt 0 ] || set -- README.md docs/*.md
for file; do
  if grep -q '^[^`]*(onednn)' "$file" && ! irrun --version | grep -q 'oneDNN [0-9]'; then
    echo "$file: not checked, it shows oneDNN's steps, and irrun-onednn.so is not there" >&2
    continue
  fi
  fresh "$file" >"$work/fresh"
  pictures "$file"
  if [ "$mode" = --update ]; then
    cmp -s "$file" "$work/fresh" || cp "$work/fresh" "$file"
  elif ! diff -u --label "$file" --label "$file, made anew: make readme" "$file" "$work/fresh"; then
    status=1
  fi
done
exit $status
