#!/bin/sh
# words.sh ROOT [FOLDER...]: checks that no comment and no paragraph of a document begins with a word that hides its
# subject. "Of inputs alone" says less than "Checks inputs only". Without FOLDER, checks the folders in `rewritten`.
# words.sh --count ROOT: prints the number of such beginnings in each folder.
set -eu

# Folders whose comments were rewritten, with all folders in them. The list grows until it is "docs include src tests".
rewritten="README.md CONTRIBUTING.md SECURITY.md docs include src tests/bare tests/bits tests/cli tests/conformance
  tests/data tests/example tests/faults tests/install tests/lint tests/python tests/readme tests/spec tests/unit"

count=
if [ "$1" = --count ]; then
  count=yes
  shift
fi
cd "$1"
shift
# shellcheck disable=SC2086 # one word for each folder
if [ -n "$count" ]; then
  set -- docs include src tests
elif [ $# = 0 ]; then
  set -- $rewritten
fi

# shellcheck disable=SC2016 # a program for awk
find "$@" -name bad -prune -o -type f -print | grep -E '\.(c|cpp|h|inc|py|sh|bats|bash|cmake|md)$|/CMakeLists\.txt$' |
  sort | COUNT=$count xargs awk '
  function check(text) {
    if (text !~ /^(Of|What|That of|Where|By|Likewise)([^A-Za-z]|$)/ || text ~ /^By default/)
      return
    faults++
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    hits[folder]++
    if (!ENVIRON["COUNT"])
      print FILENAME ":" FNR ": " substr(text, 1, 60)
  }
  FNR == 1 {
    language = FILENAME ~ /\.(c|cpp|h|inc)$/ ? "c" : FILENAME ~ /\.md$/ ? "text" : "script"
    begins = language == "text" # whether a paragraph begins on this line, or a comment whose first line has no text
    was_comment = in_block = 0
  }
  language == "c" {
    if (begins) {
      text = $0
      sub(/^ *\*+ */, "", text)
      check(text)
    }
    rest = $0
    while (match(rest, /\/\*+ */)) {
      rest = substr(rest, RSTART + RLENGTH)
      check(rest)
    }
    begins = $0 ~ /\/\*+$/
    is_comment = match($0, /\/\/ */)
    if (is_comment && !was_comment)
      check(substr($0, RSTART + RLENGTH))
    was_comment = is_comment
  }
  language == "script" {
    is_comment = $0 ~ /^ *#/
    if (!(is_comment && was_comment) && match($0, /(^|[ \t])#+ +/))
      check(substr($0, RSTART + RLENGTH))
    else if (match($0, /"""/))
      check(substr($0, RSTART + RLENGTH))
    was_comment = is_comment
  }
  language == "text" {
    if ($0 ~ /^ *```/)
      in_block = !in_block
    text = $0
    is_item = sub(/^ *([*-]|[0-9]+\.) +/, "", text)
    if (!in_block && (begins || is_item))
      check(text)
    begins = $0 == ""
  }
  END {
    if (ENVIRON["COUNT"])
      for (folder in hits)
        printf "%4d %s\n", hits[folder], folder
    else if (faults) {
      print faults " beginnings without a subject: begin with it, or with a verb; docs/glossary.md has the nouns"
      exit 1
    }
  }'
