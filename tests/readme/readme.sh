#!/bin/sh
# readme.sh --check|--update IRRUN: the output that README.md and docs/*.md show is what irrun prints. Behind a line
#   <!-- run: COMMAND -->
# stands a code block with the command and its output; --update writes it anew, --check fails on a difference.
set -eu
mode=$1
irrun=$(realpath "$2")
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$irrun" "$work/bin/irrun"
export PATH="$work/bin:$PATH" NO_COLOR=1

# The text with every block made anew. $OUT is a folder for what commands write.
fresh() {
  mkdir -p "$work/out"
  OUT="$work/out" awk '
    /^<!-- run: .* -->$/ {
      print
      command = $0
      sub(/^<!-- run: /, "", command)
      sub(/ -->$/, "", command)
      print "```console"
      print "$ " command
      while (("{ " command "; } 2>&1 </dev/null || echo \"[exit status $?]\"" | getline line) > 0) print line
      close("{ " command "; } 2>&1 </dev/null || echo \"[exit status $?]\"")
      print "```"
      old = 2 # the fences of the old block
      next
    }
    old > 0 { if (/^```/) old--; next }
    { print }' "$1"
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
