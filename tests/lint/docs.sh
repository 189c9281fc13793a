#!/bin/sh
# docs.sh ROOT: checks names in README.md, CONTRIBUTING.md, SECURITY.md, docs and workflows. Each path between
# backticks, link, heading of a link, and target of make must exist. A path can be the end of a path ("fast/fast.h"),
# and * in it is any text.
# Documents that sources name must exist. Workflows and action.yml name actions of others by a full commit hash, because
# a tag can be moved, and by version in a comment. Lines outside of tables, blocks and tags have at most 120 columns.
set -eu
cd "$1"
# shellcheck disable=SC2035 # no name begins with -
documents=$(find *.md *.yml docs .github -name '*.md' ! -name CHANGELOG.md -o -name '*.yml')
# CHANGELOG.md is not checked, because it can name deleted files.
targets=$(sed -n 's/^\([a-z0-9-]*\):.*/\1/p' Makefile)
faults=0

sources=$(find src include cmake python tools tests -path tests/lint -prune -o -type f -print 2>/dev/null || true)
# shellcheck disable=SC2013,SC2086 # one word for each file
for named in $(grep -hoIE '\<docs/[a-z_]+\.(md|json|svg|png)\>' $sources | sort -u); do
  [ -e "$named" ] || {
    echo "$(grep -lF "$named" $sources): there is no $named"
    faults=1
  }
done

# shellcheck disable=SC2086 # one word for each document
find . \( -path ./build -o -path ./.git \) -prune -o -print | TARGETS=$targets awk '
  function fault(what) {
    print document ":" FNR ": " what
    faults++
  }
  function is_there(path) { # compares with the end of each path
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
      if (words[i] ~ /^([.]ci|[.]github|cmake|docs|include|models|python|src|tests|tools)\// || words[i] ~ /^[a-z]+_[a-z0-9_]*[.](c|cpp|h|inc)$/ ||
          (n == 1 || words[i] ~ /\//) && words[i] ~ /\.(c|cpp|h|inc|sh|bats|cmake|py|md|yml)$/)
        if (!is_there(words[i]))
          fault("there is no " words[i])
      if (i > 1 && words[i - 1] == "make" && words[i] ~ /^[a-z]/ && !(words[i] in targets))
        fault("the Makefile has no target " words[i])
    }
  }
  function anchor(heading) { # the anchor that GitHub makes
    heading = tolower(heading)
    sub(/^#+ +/, "", heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
  }
  function has_heading(file, name, line, in_block, found) {
    while (!found && (getline line <file) > 0) {
      if (line ~ /^ *```/)
        in_block = !in_block
      found = !in_block && line ~ /^#/ && anchor(line) == name
    }
    close(file)
    return found
  }
  BEGIN {
    n = split(ENVIRON["TARGETS"], names)
    for (i = 1; i <= n; i++)
      targets[names[i]]
  }
  FILENAME == "-" { list = list $0 "\n"; next }
  FNR == 1 { document = FILENAME; in_block = 0 }
  document ~ /yml$/ {
    if (/make /)
      check_words($0)
    if (/uses:/ && !(match($0, /@[0-9a-f]+ # v[0-9]/) && RLENGTH == 46))
      fault("an action without its commit hash of 40 digits and its version")
    next
  }
  /^ *```/ { in_block = !in_block }
  in_block { next }
  length > 120 && !/^ *[|<]/ { fault(length " columns, more than 120") }
  {
    n = split($0, parts, "`")
    for (i = 2; i < n; i += 2)
      check_words(parts[i])
    folder = document
    sub(/[^\/]*$/, "", folder)
    rest = $0
    while (match(rest, /\]\([^):]+\)/)) {
      link = substr(rest, RSTART + 2, RLENGTH - 3)
      rest = substr(rest, RSTART + RLENGTH)
      heading = link ~ /#/ ? link : ""
      sub(/.*#/, "", heading)
      sub(/#.*/, "", link)
      link = link == "" ? document : folder link
      sub(/^docs\/\.\.\//, "", link)
      if (!is_there(link))
        fault("a link to " link ", which is not there")
      else if (heading != "" && !has_heading(link, heading))
        fault("a link to the heading " heading " of " link ", which is not there")
    }
  }
  END { exit faults > 0 }' - $documents || faults=1
exit $faults
