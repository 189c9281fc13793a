#!/bin/sh
# hardening.sh PROGRAM LIBRARY [MODULE]: checks that each is position-independent, write-protects its relocations, and
# checks for buffer overflows.
set -eu
faults=0

# expect FILE OPTION PATTERN: checks that the output of readelf has PATTERN.
expect() {
  if ! readelf -W "$2" "$1" | grep -qE -e "$3"; then
    echo "$1: readelf $2 has no $3"
    faults=$((faults + 1))
  fi
}

for file; do
  expect "$file" -h 'Type: +DYN'
  expect "$file" -l 'GNU_RELRO'
  expect "$file" -l 'GNU_STACK.* RW '
  expect "$file" -d 'BIND_NOW|FLAGS.* NOW'
  expect "$file" --dyn-syms '__stack_chk_fail'
  expect "$file" --dyn-syms '__(memcpy|memset|snprintf|vsnprintf)_chk'
done
expect "$1" -d 'FLAGS_1.* PIE'
[ "$faults" = 0 ]
