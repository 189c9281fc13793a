# Tests --generate: the man page, completions (in their shells), and pages of ops and rules.
load helpers

# option_names: prints the names of all options in --help.
option_names() {
  "$IRRUN" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+|^ +-[a-z] ' | grep -oE -- '-[a-zA-Z-]+' | sort -u
}

@test "--generate takes one of its kinds, and no MODEL" {
  irrun --generate=bsh
  ends 2
  says "'--generate=bsh': needs one of man bash zsh fish ops rules edits [IR801" "$stderr"
  irrun --generate=man pool.xml
  ends 2
  says "'--generate' takes no MODEL, and here is 'pool.xml'" "$stderr"
}

@test "the man page has every option, and man has nothing to say of it" {
  command -v man >/dev/null && man --version >/dev/null 2>&1 || skip "no man"
  irrun --generate=man
  ends 0
  [ -z "$stderr" ]
  echo "$output" >irrun.1
  MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 irrun.1 2>warnings | sed 's/.\x08//g' >page
  [ ! -s warnings ]
  for option in $(option_names); do
    grep -qE -- "^ +([^ ]+, )?$option\b" page || { echo "not in the page: $option" && return 1; }
  done
  for heading in NAME SYNOPSIS DESCRIPTION OPTIONS FILES "EXIT STATUS" EXAMPLES; do
    grep -qx "$heading" page
  done
}

# bash_completes WORD...: prints the completions of the last word in bash.
bash_completes() {
  PATH="$(dirname "$IRRUN"):$PATH" bash -c 'source ./irrun.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _irrun
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

@test "bash completes options, words, rules and files" {
  "$IRRUN" --generate=bash >irrun.bash
  touch x.npy
  diff <(bash_completes irrun - | sort -u) <(option_names)
  [ "$(bash_completes irrun --col)" = "--color" ]
  [ "$(bash_completes irrun --color al)" = "always" ]
  [ "$(bash_completes irrun --color = ne)" = "never" ]
  [ "$(bash_completes irrun --color = | wc -l)" -eq 3 ]
  [ "$(bash_completes irrun --explain IR304)" = "IR304" ]
  [ "$(bash_completes irrun --explain AvgPool-14)" = "AvgPool-14" ]
  [ -z "$(bash_completes irrun --allow AvgPool-14)" ]
  touch other.xml
  for option in --diff --convert --weights --baseline; do
    [ "$(bash_completes irrun $option oth)" = "other.xml" ]
    [ "$(bash_completes irrun $option = oth)" = "other.xml" ]
  done
  [ "$(bash_completes irrun --allow = kernel-)" = "kernel-exceeds-input" ]
  [ "$(bash_completes irrun --input x = x.)" = "x.npy" ]
  [ "$(bash_completes irrun -i x.)" = "x.npy" ]
  [ "$(bash_completes irrun --bench x.)" = "x.npy" ]
  [ -z "$(bash_completes irrun --threads x.)" ]
}

@test "fish completes options, words, rules and files" {
  command -v fish >/dev/null || skip "no fish"
  "$IRRUN" --generate=fish >irrun.fish
  touch x.npy
  fish_completes() {
    HOME=$PWD PATH="$(dirname "$IRRUN"):$PATH" fish -N -c "source irrun.fish; complete -C '$*'" | cut -f 1
  }
  diff <({ fish_completes irrun - && fish_completes irrun --; } | sed 's/=$//' | sort -u) <(option_names)
  [ "$(fish_completes irrun --color al)" = "always" ]
  [ "$(fish_completes irrun --explain IR304)" = "IR304" ]
  [ "$(fish_completes irrun --explain AvgPool-14)" = "AvgPool-14" ]
  touch other.xml
  [ "$(fish_completes irrun --diff oth)" = "other.xml" ]
  [ "$(fish_completes irrun --input x.)" = "x.npy" ]
}

@test "zsh completes options, words, rules and files" {
  command -v zsh >/dev/null || skip "no zsh"
  mkdir functions
  "$IRRUN" --generate=zsh >functions/_irrun
  touch x.npy other.xml
  PATH="$(dirname "$IRRUN"):$PATH" zsh -f "$BATS_TEST_DIRNAME/complete.zsh" \
    "irrun --gener" "irrun --generate=ma" "irrun --color al" "irrun --explain IR304" "irrun --explain AvgPool-14" "irrun --diff oth" "irrun --input x." >became
  diff - became <<'EOF'
irrun --generate=
irrun --generate=man 
irrun --color always 
irrun --explain IR304 
irrun --explain AvgPool-14 
irrun --diff other.xml 
irrun --input x.npy 
EOF
}

@test "a page of every op and of every rule" {
  "$BATS_TEST_DIRNAME/../../cmake/pages.sh" "$IRRUN" pages
  { "$IRRUN" --list-ops --json; "$IRRUN" --list-ops --dialect=legacy --json; } | tr -d '\n' | grep -oE '"dialect":\s*"[a-z]+",\s*"type":\s*"[^"]+",\s*"version":\s*[0-9]+' |
    sed -E 's/"dialect":\s*"([a-z]+)",\s*"type":\s*"([^"]+)",\s*"version":\s*/ops\/\1\/\2-/; s/$/.md/' >wanted
  "$IRRUN" --list-rules | sed 1d | awk '{ print "rules/" $1 ".md" }' >>wanted
  [ "$(wc -l <wanted)" -gt 300 ]
  diff <(sort wanted) <(cd pages && find ops rules -name '*.md' | sort)
  diff <(sort wanted) <(sed -n 's/.*](\(.*\))$/\1/p' pages/index.md | sort)
  grep -qx '| rounding_type | enum: floor, ceil | floor |' pages/ops/openvino/AvgPool-1.md
  grep -q '^Specification: https://.*avg-pool-1.html$' pages/ops/openvino/AvgPool-1.md
  for file in pages/rules/*.md; do
    for part in '\*\*Rule.\*\* .' '\*\*Reason.\*\* .' '\*\*Specification.\*\* .' 'Wrong:' 'Right:'; do
      grep -q "^$part" "$file" || { echo "$file: no $part" && return 1; }
    done
  done
}
