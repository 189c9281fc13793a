#!/bin/sh
# calls.sh FOLDERS OBJECTS: checks calls between units of src; a unit is a header with the source of its name. OBJECTS
# lists the objects of a build.
# No unit may call another that calls it, directly or indirectly, or that FOLDERS (folders.txt) does not allow. A unit
# calls another if its symbol table names a symbol of the other. Objects for link-time optimization have symbol tables
# too.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each line "A B NAME" means that unit A calls NAME of unit B. CMake's folders are removed from the objects' paths.
xargs readelf --syms --wide <"$2" | awk '
  /^File: / {
    unit = $2
    sub(/.*\/src\//, "", unit)
    sub(/CMakeFiles\/[^\/]*\.dir\//, "", unit)
    sub(/\.[a-z]*\.o$/, "", unit)
  }
  $5 == "GLOBAL" || $5 == "WEAK" {
    if ($7 == "UND")
      named[unit " " $8]
    else
      owner[$8] = unit
  }
  END {
    for (pair in named) {
      split(pair, parts, " ")
      if (parts[2] in owner && owner[parts[2]] != parts[1])
        print parts[1], owner[parts[2]], parts[2]
    }
  }' | sort >"$work/calls"
[ -s "$work/calls" ]

# A unit calls only units that FOLDERS allows. cli can also call the public functions.
awk '
  function folder_of(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
  }
  function may_use(unit, folder, path) {
    for (path = unit; path != ""; path = folder_of(path))
      if ((path != unit && folder == path) || (path, folder) in below || (path, folder_of(folder) "/*") in below)
        return 1
    return 0
  }
  NR == FNR {
    if (sub(/:$/, "", $1))
      for (i = 2; i <= NF; i++)
        below[$1, $i]
    next
  }
  !may_use($1, folder_of($2)) && !($1 ~ /^cli\// && $3 ~ /^irrun_/) {
    print "src/" $1 ": must not call " $3 " of src/" $2
    wrong = 1
  }
  END { exit wrong }' "$1" "$work/calls" || wrong=1

# If -> run -> If is allowed, because a body of an op is executed by a run of its own.
excused='runtime/run/run_bodies runtime/run/run'

cut -d ' ' -f 1,2 "$work/calls" | sort -u >"$work/pairs"
if ! grep -vxF "$excused" "$work/pairs" | tsort >/dev/null; then
  echo "units that call each other: what both need belongs in a unit below"
  wrong=1
fi
if grep -q '^runtime/run/' "$work/pairs" && ! grep -qxF "$excused" "$work/pairs"; then
  echo "excused, and called no more: $excused"
  wrong=1
fi
exit "${wrong:-0}"
