#!/bin/sh
# readme.sh --check|--update IRRUN: what README.md and docs/*.md show is what irrun prints. Behind a line
#   <!-- run: COMMAND -->    stands a block with the command, its output, and its exit status when that is not 0
#   <!-- show: COMMAND -->   stands a block with the output alone
# --update writes the blocks anew, --check fails on a difference. Commands run beside a copy of models/ and may write there.
set -eu
mode=$1
irrun=$(realpath "$2")
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tree"
ln -s "$irrun" "$work/bin/irrun"
cp -R models "$work/tree"
ln -s "$PWD/src" "$PWD/tests" "$work/tree"
PATH=$work/bin:$PATH

fresh() { # FILE: its text with every block made anew
  TREE="$work/tree" awk '
    old > 0 { if (/^```/) old--; next }
    { print }
    /^<!-- (run|show): .* -->$/ {
      command = $0
      sub(/^<!-- [a-z]*: /, "", command)
      sub(/ -->$/, "", command)
      shown = /^<!-- run/
      print (shown ? "```console\n$ " command : "```c")
      shell = "cd \"$TREE\"; { " command "; } 2>&1 </dev/null" (shown ? " || echo \"[exit status $?]\"" : "")
      while ((shell | getline line) > 0) print line
      close(shell)
      print "```"
      old = 2 # the fences of the block that was there
    }' "$1"
}

status=0
for file in README.md docs/*.md; do
  fresh "$file" >"$work/fresh"
  if [ "$mode" = --update ]; then
    cmp -s "$file" "$work/fresh" || cp "$work/fresh" "$file"
  elif ! diff -u --label "$file" --label "$file, made anew: make readme" "$file" "$work/fresh"; then
    status=1
  fi
done
exit $status
