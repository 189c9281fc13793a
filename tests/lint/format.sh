#!/bin/sh
# format.sh [--fix]: checks that clang-format 14 would not change the C files. Other versions format differently. Rule
# texts are left out, because clang-format would indent these initializers further and further and split their texts.
set -eu
cd "$(dirname "$0")/../.."

for tool in clang-format-14 clang-format; do
  if command -v $tool >/dev/null && $tool --version | grep -q 'version 14\.'; then
    find src include tests \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.inc' ! -name 'rule_texts_*' \) -print0 |
      if [ "${1:-}" = --fix ]; then xargs -0 $tool -i; else xargs -0 $tool --dry-run -Werror; fi
    exit
  fi
done
echo "skipped: no clang-format 14 (Debian package clang-format-14)"
exit 77
