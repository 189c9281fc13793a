# Tests the command line: refused arguments, and hints for them. Every fault is IR801 with status 2.
load helpers

@test "no arguments: no MODEL, and where help is" {
  irrun
  ends 2
  [ -z "$output" ]
  says "irrun: error: no MODEL is given [IR801 command-line]" "$stderr"
  says "Try 'irrun --help'." "$stderr"
}

@test "unknown options get a guess" {
  irrun --chek-shapes m.xml
  ends 2
  says "unknown option '--chek-shapes'" "$stderr"
  says "hint: did you mean '--check-shapes'?" "$stderr"
}

@test "abbreviations are unknown, with the whole name as the guess" {
  irrun --check m.xml
  ends 2
  says "unknown option '--check'" "$stderr"
  says "did you mean '--check-shapes'?" "$stderr"
  irrun --exp y.npy m.xml
  ends 2
  says "'--explain' or '--expect'?" "$stderr"
}

@test "a long name behind one dash is no cluster of letters" {
  irrun m.xml -input x.npy
  ends 2
  says "unknown option '-input'" "$stderr"
  says "did you mean '--input'?" "$stderr"
}

@test "a word for what to do gets the option of that name" {
  for word in check:--check-shapes help:--help version:--version versoin:--version bench:--bench list:--list-ops; do
    irrun "${word%:*}" m.xml
    ends 2
    says "'${word%:*}' is no file; what to do is said by an option [IR801" "$stderr"
    says "did you mean '${word#*:}'" "$stderr"
    [ "$(grep -c IR801 <<<"$stderr")" -eq 1 ]
  done
  irrun run m.xml
  ends 2
  says "leave it out: 'irrun MODEL' runs the model" "$stderr"
  irrun --check-shapes check # with an option for what to do, the word is a MODEL
  ends 6
  pool_model check
  irrun check --fill 1
  ends 0
}

@test "-V is --version, --quiet is -q, --verbose is -v" {
  pool_model pool.xml
  [ "$("$IRRUN" -V)" = "$("$IRRUN" --version)" ]
  [ "$("$IRRUN" --check-shapes --quiet pool.xml)" = "$("$IRRUN" --check-shapes -q pool.xml)" ]
  [ "$("$IRRUN" --check-shapes --verbose pool.xml)" = "$("$IRRUN" --check-shapes -v pool.xml)" ]
}

@test "unknown options" {
  irrun -x
  ends 2
  says "unknown option '-x'" "$stderr"
}

@test "an option whose letter has several bytes is one fault" {
  irrun m.xml -é
  ends 2
  says "unknown option '-é'" "$stderr"
  [ "$(grep -c IR801 <<<"$stderr")" -eq 1 ]
  irrun m.xml $'-\xa9'
  ends 2
}

@test "letters in one word, as often as one likes" {
  pool_model pool.xml
  irrun --check-shapes -vvvvvvvvvvvvvvvv pool.xml
  ends 0
  irrun -hhhhhhhhhhhhhhhh
  ends 0
  irrun -qqqqqqqqqqqqqqqqv pool.xml
  ends 2
  says "'-q' and '-v' contradict each other" "$stderr"
}

@test "a NAME, a FILE or both that are empty" {
  tensors
  for word in '' = == =- x= y=; do
    for option in --input --fill --output --expect --shape --atol --rtol --ulp --convert --profile; do
      [[ $option=$word != --shape=?(x=) ]] || continue # an empty shape is allowed: that of a scalar
      irrun pool.xml "$option=$word"
      [ "$status" -eq 2 ] || [ "$status" -eq 5 ]
      grep -E 'error: .* \[(IR801|IR502) ' <<<"$stderr"
    done
  done
  for word in = =-; do
    irrun pool.xml --input x.npy --output "$word"
    says "$([ "$word" = = ] && echo "does not say which form" || echo "the model has no output ''")" "$stderr"
  done
  irrun pool.xml --weights ''
  ends 2
  says "the file of '--weights' is an empty text" "$stderr"
}

@test "an empty MODEL and an empty list of rules" {
  irrun ''
  ends 2
  says "MODEL is an empty text" "$stderr"
  irrun --check-shapes m.xml --allow=
  ends 2
  irrun --check-shapes m.xml --deny IR102,
  ends 2
}

@test "a rule that is both allowed and denied" {
  irrun --check-shapes m.xml --allow IR102 --deny duplicate-layer-name
  ends 2
  says "IR102 (duplicate-layer-name) is both allowed and denied" "$stderr"
}

@test "a missing and a surplus argument" {
  irrun m.xml --input
  ends 2
  says "option '--input' needs an argument: [NAME=]FILE" "$stderr"
  irrun m.xml -o
  ends 2
  says "option '--output' needs an argument" "$stderr"
  irrun --check-shapes=yes m.xml
  ends 2
  says "option '--check-shapes' takes no argument" "$stderr"
}

@test "all faults of the command line come in one run" {
  irrun --bogus -x --input
  ends 2
  [ "$(grep -c IR801 <<<"$stderr")" -eq 3 ]
}

@test "modes contradict each other" {
  irrun --check-shapes --list-ops
  ends 2
  says "'--check-shapes' and '--list-ops'" "$stderr"
  [ "$(grep -c IR801 <<<"$stderr")" -eq 1 ]
}

@test "options that the mode has no use for" {
  irrun --check-shapes m.xml --input x.npy
  ends 2
  says "'--input' has no effect with '--check-shapes'" "$stderr"
  irrun --list-ops --strict
  ends 2
  says "'--strict' has no effect with '--list-ops'" "$stderr"
  irrun --check-shapes m.xml --threads 2
  ends 2
  says "'--threads' has no effect with '--check-shapes'" "$stderr"
  irrun --list-rules m.xml
  ends 2
  says "'--list-rules' takes no MODEL" "$stderr"
}

@test "--deny of a rule that the mode cannot find broken" {
  pool_model m.xml
  irrun --check-shapes m.xml --deny=IR310,input-type-differs --deny=IR321
  ends 2
  says "'--deny=input-type-differs' has no effect with '--check-shapes': it is found only in a run" "$stderr"
  says "'--deny=IR321' has no effect with '--check-shapes': it is found only in a run that is not measured" "$stderr"
  says "2 errors" "$(grep -c 'error:' <<<"$stderr") errors"
  irrun --bench=1 m.xml --deny=IR504,IR321
  ends 2
  says "'--deny=IR321' has no effect with '--bench'" "$stderr"
  says_not IR504 "$stderr"
  irrun m.xml --fill ones -q --deny=IR407,IR321
  ends 0
  irrun m.xml --fill ones -q --deny=IR214
  ends 2
  says "'--deny=IR214' has no effect in a run: it is found only in a conversion" "$stderr"
  irrun --check-shapes m.xml -q --allow=IR407 --deny=IR310
  ends 0
}

@test "a run takes one MODEL" {
  irrun a.xml b.xml
  ends 2
  says "a run takes one MODEL" "$stderr"
  irrun --convert out.xml a.xml b.xml
  ends 2
  says "a conversion takes one MODEL" "$stderr"
  irrun --convert model.json
  ends 2
  says "no MODEL is given" "$stderr"
  says "the file behind '--convert' is the one to write" "$stderr"
}

@test "single-valued options are given once" {
  irrun --weights a.bin --weights b.bin m.xml
  ends 2
  says "'--weights' is given twice" "$stderr"
  irrun --max-errors=1 --max-errors=2 m.xml
  ends 2
  says "'--max-errors' is given twice" "$stderr"
  irrun --threads=1 --threads=2 m.xml
  ends 2
  says "'--threads' is given twice" "$stderr"
}

@test "one .bin for several models" {
  irrun --check-shapes a.xml b.xml --weights w.bin
  ends 2
  says "'--weights' belongs to one MODEL" "$stderr"
}

@test "numbers are whole texts" {
  for bad in -1 nan inf 1x "" 0x1 " 1" 1e999; do
    irrun m.xml -e y.npy --atol "$bad"
    ends 2
    says "'--atol $bad': needs a number of at least 0" "$stderr"
    irrun m.xml -e y.npy --rtol "y=$bad"
    ends 2
  done
  for bad in -1 1.5 "" x 99999999999999999999; do
    irrun m.xml -e y.npy --ulp "$bad"
    ends 2
    says "needs a whole number of at least 0" "$stderr"
    irrun m.xml --max-errors "$bad"
    ends 2
  done
  for bad in 0 -1 1.5 257 "" x 99999999999999999999; do
    irrun m.xml --threads "$bad"
    ends 2
    says "'--threads $bad': needs a whole number from 1 to 256" "$stderr"
  done
  for bad in 0 -1 1.5 1T 1GB "" G " 1" 1k 99999999999999999999 99999999999G; do
    irrun m.xml --max-memory "$bad"
    ends 2
    says "'--max-memory $bad': needs a size of at least 1 byte" "$stderr"
  done
  for bad in 0 -1 0s 1h "" s " 1" 1..5 1e3 999999999999999; do
    irrun m.xml --max-time "$bad"
    ends 2
    says "'--max-time $bad': needs seconds above 0, as 60 or 0.5, or a time, as 300ms" "$stderr"
  done
  irrun m.xml --color sometimes
  ends 2
  says "needs one of auto always never" "$stderr"
}

@test "tolerances need --expect" {
  irrun m.xml --atol 1
  ends 2
  says "'--atol' has no effect without '--expect'" "$stderr"
}

@test "-q and -v contradict each other" {
  irrun -q -v m.xml
  ends 2
}

@test "stdin is read once" {
  irrun --check-shapes - -
  ends 2
  pool_model pool.xml
  irrun - --input - <pool.xml
  ends 2
  says "both read stdin" "$stderr"
}

@test "rules that are not there, or cannot be allowed" {
  irrun --allow=IR999 m.xml
  ends 2
  irrun --allow=IR304 m.xml
  ends 2
  says "cannot be allowed" "$stderr"
  irrun --deny=no-such-rule m.xml
  ends 2
}

@test "options and operands come in any order, also with POSIXLY_CORRECT" {
  tensors
  POSIXLY_CORRECT=1 irrun pool.xml --input x.npy -q
  ends 0
  irrun -q --input x.npy pool.xml
  ends 0
  irrun -q --input x.npy -- pool.xml
  ends 0
}

@test "--help: examples first, every option, exit statuses" {
  irrun --help
  ends 0
  [ -z "$stderr" ]
  says "Usage: irrun" "$output"
  [ "$(grep -n Examples: <<<"$output" | cut -d: -f1)" -lt "$(grep -n -- --input <<<"$output" | tail -1 | cut -d: -f1)" ]
  [ "$(sed -n '/^Examples:/,/^$/p' <<<"$output" | grep -c '^  irrun ')" -eq 5 ]
  for option in --input --fill --output --expect --atol --rtol --ulp --shape --weights --cast --allow --deny --strict \
    --max-errors --threads --max-memory --max-time -q -v '--profile[=FILE.json]' --color --json --check-shapes '--bench[=N|Ns]' --list-ops --list-rules --explain --generate --help --version --test --update --filter --list-cases --junit; do
    says "$option" "$output"
  done
  says "Exit status: 0" "$output"
  says_not "81 columns" "$(grep -E '^.{81}' <<<"$output" | sed 's/^/81 columns: /')"
  for said in '--list-ops shows which ops are checked' 'all layers, no name cut'; do
    says "$said" "$output"
  done
  irrun m.xml -h
  ends 0
  says "Usage: irrun" "$output"
}

@test "--version: version, libraries, licence" {
  irrun --version
  ends 0
  says "irrun 0." "${lines[0]}"
  says "libxml2" "$output"
  says "oneDNN" "$output" # followed by its version, or by a note that it is missing
  says "Apache-2.0" "$output"
}

@test "an option of another mode, beside none" {
  for option in --filter=a --junit=a.xml --update --list-cases; do
    irrun m.xml "$option"
    ends 2
    says "'${option%=*}' has no effect without '--test'" "$stderr"
  done
  irrun m.xml --parallel=2
  says "'--parallel' has no effect without '--bench'" "$stderr"
}

@test "a file that is an empty text, and stdin for two" {
  for option in --weights --baseline --write-baseline; do
    irrun --check-shapes m.xml "$option="
    ends 2
    says "the file of '$option' is an empty text" "$stderr"
  done
  irrun --diff= m.xml
  ends 2
  says "the file of '--diff' is an empty text" "$stderr"
  irrun --diff=- -
  ends 2
  says "'-' stands twice" "$stderr"
  irrun --test -
  ends 2
  says "'-' is stdin" "$stderr"
}
