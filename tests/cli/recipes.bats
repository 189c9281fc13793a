# Tests that the examples of docs/ci.md and of the repository run unchanged: the action, the hook, and the problem
# matcher.
load helpers

# step: writes step.sh, the commands of the action's checking step.
step() {
  awk '/^ *- id: check/ { found = 1 }
    inside && match($0, /[^ ]/) && RSTART <= indent { exit }
    inside { print }
    found && /^ *run: [|]$/ { inside = 1; indent = match($0, /[^ ]/) }' "$IRRUN_SOURCE/action.yml" >step.sh
  [ -s step.sh ]
}

# act NAME=INPUT...: runs step.sh in the environment of a GitHub runner, with these inputs.
act() {
  output=$(env MODELS=. OPTIONS= BASELINE= SARIF= IRRUN="$IRRUN" "$@" bash --noprofile --norc -eo pipefail step.sh 2>stderr) &&
    status=0 || status=$?
  stderr=$(<stderr)
}

@test "the action: annotates, passes with a baseline, writes SARIF" {
  step
  mkdir 'my models'
  pool_model 'my models/m.xml' 2 2 3
  pool_model good.xml
  act
  ends 3
  says "::error file=my models/m.xml,line=10," "$output"
  act MODELS=good.xml
  ends 0
  act MODELS=$'my models\ngood.xml\n' OPTIONS="--strict --max-errors=3" SARIF=out.sarif
  ends 3
  says '"uri":	"my%20models/m.xml"' "$(<out.sarif)"
  irrun --check-shapes . --write-baseline known.txt
  act BASELINE=known.txt SARIF=out.sarif
  ends 0
  says_not "::error" "$output"
  says '"baselineState":	"unchanged"' "$(<out.sarif)"
}

@test "the action: every input is used, and no text of an input is run" {
  for input in models options baseline sarif irrun; do
    grep -q "^  $input:$" "$IRRUN_SOURCE/action.yml"
    grep -q "\${{ inputs\.$input " "$IRRUN_SOURCE/action.yml"
  done
  step
  says_not '${{' "$(<step.sh)"
}

@test "the hook for pre-commit runs its entry with its args" {
  hook=$IRRUN_SOURCE/.pre-commit-hooks.yaml
  read -ra entry < <(sed -n 's/^  entry: //p' "$hook")
  args=$(sed -n 's/^  args: \[\(.*\)\]$/\1/p' "$hook")
  [ "$args" = . ]
  grep -q '^  pass_filenames: false$' "$hook"
  PATH=$(dirname "$IRRUN"):$PATH
  pool_model m.xml
  echo '<project/>' >pom.xml
  env "${entry[@]}" "$args"
  pool_model m.xml 2 2 3
  run -3 env "${entry[@]}" "$args"
  files=$(sed -n 's/^  files: //p' "$hook")
  grep -E "$files" <<<models/m.xml
  run -1 grep -E "$files" <<<m.xml.txt
}

@test "the problem matcher fits the first line of each diagnostic that has a line, and no other line" {
  regexp=$(sed -n 's/^ *"regexp": "\(.*\)",$/\1/p' "$IRRUN_SOURCE/docs/ci.md" | sed 's/\\\\/\\/g')
  irrun --check-shapes --max-errors=0 "$IRRUN_SOURCE"/tests/faults/*.xml
  grep -P "$regexp" <<<"$stderr" >matched
  diff matched <(grep -E '^[^ ].*:[0-9]+:[0-9]+: (error|warning|note): ' <<<"$stderr")
  [ "$(wc -l <matched)" -gt 200 ]
  pool_model 'a:b 7.xml' 2 2 3
  irrun --check-shapes 'a:b 7.xml'
  [ "$(sed -nE 's/^(.+):([0-9]+):([0-9]+): (error): .*\[(IR[0-9]{3}) .*$/\1|\2|\4|\5/p' <<<"$stderr")" = "a:b 7.xml|10|error|IR301" ]
  [ "$(grep -cP "$regexp" <<<"$stderr")" -eq 1 ]
}
