#!/bin/sh
# docs.sh ROOT: what README.md, CONTRIBUTING.md, SECURITY.md, docs and workflows name is there: each path between backticks, whole or from the end of
# one ("fast/fast.h"), with * for any text; each link to a file; each target of make.
set -eu
cd "$1"
documents=$(find *.md docs .github -name '*.md' ! -name CHANGELOG.md -o -name '*.yml')
# CHANGELOG.md speaks of what was, too.
targets=$(sed -n 's/^\([a-z0-9-]*\):.*/\1/p' Makefile)

# shellcheck disable=SC2086 # one word for each document
find . \( -path ./build -o -path ./.git \) -prune -o -print | TARGETS=$targets awk '
  function fault(what) {
    print document ":" FNR ": " what
    faults++
  }
  function is_there(path) { # at the end of a file or folder
    gsub(/[.]/, "[.]", path)
    gsub(/[*]/, "[^/]*", path)
    return list ~ ("/" path "\n")
  }
  function check_words(text, n, words, i) {
    n = split(text, words, /[ ,;()]+/)
    for (i = 1; i <= n; i++) {
      if (words[i] !~ /^[A-Za-z0-9_.*\/-]+$/)
        continue
      sub(/\/$/, "", words[i])
      if (words[i] ~ /^(cmake|docs|include|models|python|src|tests|tools)\// || (n == 1 || words[i] ~ /\//) && words[i] ~ /\.(c|h|inc|sh|bats|cmake|py|md|yml)$/)
        if (!is_there(words[i]))
          fault("there is no " words[i])
      if (i > 1 && words[i - 1] == "make" && words[i] ~ /^[a-z]/ && !(words[i] in targets))
        fault("the Makefile has no target " words[i])
    }
  }
  BEGIN {
    n = split(ENVIRON["TARGETS"], names)
    for (i = 1; i <= n; i++)
      targets[names[i]]
  }
  FILENAME == "-" { list = list $0 "\n"; next }
  FNR == 1 { document = FILENAME; in_block = 0 }
  document ~ /yml$/ { if (/make /) check_words($0); next }
  /^ *```/ { in_block = !in_block }
  in_block { next }
  {
    n = split($0, parts, "`")
    for (i = 2; i < n; i += 2)
      check_words(parts[i])
    folder = document
    sub(/[^\/]*$/, "", folder)
    rest = $0
    while (match(rest, /\]\([^)#:]+[)#]/)) {
      link = folder substr(rest, RSTART + 2, RLENGTH - 3)
      sub(/^docs\/\.\.\//, "", link)
      if (!is_there(link))
        fault("a link to " link ", which is not there")
      rest = substr(rest, RSTART + RLENGTH)
    }
  }
  END { exit faults > 0 }' - $documents
