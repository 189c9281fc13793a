#!/bin/sh
# pages.sh IRRUN FOLDER: writes a page of each op and each rule, such as ops/DIALECT/AvgPool-1.md and rules/IR304.md,
# and an index.
set -eu
irrun=$(realpath "$1")
folder=$2
rm -rf "$folder"
mkdir -p "$folder/rules"

# split ops|rules: reads a document on stdin, writes the text under each heading to a file, and the index to stdout.
split() {
  awk -v folder="$folder" -v kind="$1" '
    /^```/ { code = !code }
    !code && /^# / {
      if (page != "") close(page)
      path = kind "/" $2 ".md"
      if (kind == "ops") {
        dialect = substr($3, 2, length($3) - 2)
        path = kind "/" dialect "/" $2 ".md"
        if (!(dialect in made)) { made[dialect] = 1; system("mkdir -p \"" folder "/ops/" dialect "\"") }
      }
      page = folder "/" path
      printf "* [%s](%s)\n", substr($0, 3), path
    }
    { print >page }'
}

{
  echo "# Ops"
  echo
  "$irrun" --generate=ops | split ops
  echo
  echo "# Rules"
  echo
  "$irrun" --generate=rules | split rules
} >"$folder/index.md"
