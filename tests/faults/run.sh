#!/bin/sh
# run.sh [--update]: checks every faulty model of this folder and of by_hand with the program $IRRUN.
# The diagnostics (severity, place, rule) and the exit status must be those of the model's last comment, `<!--
# expected`. If a model cannot have comments, NAME.expected has them. The report must be the text in `texts`, which
# --update writes.
# For speed, starts one process for each model, and few others.
cd "$(dirname "$0")" || exit 1
irrun=${IRRUN:?set IRRUN to the program}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
found=$scratch/found
mkdir -p "$found/by_hand" "$scratch/expected/by_hand" || exit 1

n=0
for model in *.xml *.json by_hand/*.xml by_hand/*.json; do
  name=${model%.*}
  n=$((n + 1))
  (cd "$(dirname "$model")" && "$irrun" --check-shapes --color never "${model##*/}") >/dev/null 2>"$found/$name.stderr"
  echo "$name $?"
done >"$scratch/statuses"

# The format of a diagnostic is "file:line:col: severity: message [IRxxx slug]". A diagnostic without a place lacks line
# and column.
LC_ALL=C awk -v found="$found" '
  FILENAME ~ /\.stderr$/ && $2 ~ /^(error|warning|note):$/ && /\[IR[0-9]+ [a-z0-9-]+\]$/ {
    name = substr(FILENAME, length(found) + 2)
    sub(/\.stderr$/, "", name)
    place = match($1, /:[0-9]+:[0-9]+:$/) ? substr($1, RSTART + 1, RLENGTH - 2) : "-"
    line = substr($2, 1, length($2) - 1) " " place " " substr($(NF - 1), 2)
    for (i = ++lines[name]; i > 1 && diagnostics[name, i - 1] > line; i--)
      diagnostics[name, i] = diagnostics[name, i - 1]
    diagnostics[name, i] = line
  }
  FILENAME ~ /statuses$/ {
    path = found "/" $1 ".expected"
    for (i = 1; i <= lines[$1]; i++)
      print diagnostics[$1, i] >path
    print "exit " $2 >path
    close(path)
  }' "$found"/*.stderr "$found"/by_hand/*.stderr "$scratch/statuses" || exit 1
if [ "$1" = --update ]; then
  cut -d ' ' -f 1 "$scratch/statuses" | while read -r name; do
    echo "== $name"
    cat "$found/$name.stderr"
  done >texts
fi

cp ./*.expected "$scratch/expected"
cp by_hand/*.expected "$scratch/expected/by_hand"
LC_ALL=C awk -v expected="$scratch/expected/" '
  FILENAME == "texts" && /^== / {
    close(path)
    path = expected $2 ".stderr"
    printf "" >path
    next
  }
  FILENAME != "texts" && /^(<!-- expected|-->)$/ {
    close(path)
    path = ""
    if (/^<!--/) {
      path = expected FILENAME
      sub(/[^.]*$/, "expected", path)
    }
    next
  }
  FILENAME != "texts" && FNR == 1 { path = "" }
  path != "" { print >path }' texts ./*.xml by_hand/*.xml || exit 1
(cd "$scratch" && diff -arN expected found >differences)
[ $? -le 1 ] || exit 1
# If the diagnostics of a model differ, the difference of the text is not shown too.
awk -v n="$n" -v self="$0" '
  /^diff / {
    name = $NF
    sub(/^found\//, "", name)
    is_text = sub(/\.stderr$/, "", name)
    sub(/\.expected$/, "", name)
    shown = !(name in failed)
    if (shown)
      print name (is_text ? ": the text has changed (\047" self " --update\047 takes it over):" : ": expected (<), found (>):")
    n_failed += shown
    failed[name]
    next
  }
  shown
  END {
    print n - n_failed " passed, " n_failed + 0 " failed"
    exit n_failed > 0 || n < 400
  }' "$scratch/differences"
