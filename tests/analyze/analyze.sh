#!/usr/bin/env bash
# analyze.sh BUILD [NAME...]: runs all static analyzers, or those of the names, on every source file, and prints their
# findings. The status is 1 if there is one. JOBS is how many processes run at once, PYTHON makes the environment of
# mypy and ruff.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1/analyze
shift
[ $# -gt 0 ] || set -- shellcheck ruff mypy clang-tidy cppcheck gcc
jobs=${JOBS:-$(nproc)}

# files PATTERN...: lists files by name. Those of tests/lint/bad have faults on purpose.
files() {
  local names=()
  for pattern in "$@"; do names+=(-o -name "$pattern"); done
  find .ci cmake models python src tests tools -path tests/lint/bad -prune -o -type f \( "${names[@]:1}" \) -print
}

# mypy FOLDERS CONFIG FILE...: checks scripts that import modules from FOLDERS.
mypy() {
  MYPYPATH=$1 "$build/venv/bin/mypy" --config-file="$2" --explicit-package-bases --cache-dir="$build/mypy" \
    --no-error-summary "${@:3}"
}

# Each folder of scripts has modules of its own; some have the same name as one of another folder.
check_types() {
  local folder failed=0
  local -a scripts
  for folder in models python/examples src tests/*/ tools; do
    mapfile -t scripts < <(find "$folder" -name '*.py')
    case $folder:${#scripts[@]} in
    *:0 | tests/python/:*) ;;
    tests/oracle/:*) mypy tests tests/analyze/mypy.ini "${scripts[@]}" || failed=1 ;; # a package
    *) mypy "$folder:tests:tests/bench:tests/golden:python" tests/analyze/mypy.ini "${scripts[@]}" || failed=1 ;;
    esac
  done
  mypy python:tests/python pyproject.toml python/irrun/*.py tests/python/*.py python/examples/first_steps.py || failed=1
  return "$failed"
}

analyze() {
  case $1 in
  # Left out for bats: each test is a subshell (SC2030, SC2031); bats or helpers.bash set $stderr (SC2154); programs of
  # sh and sed are in single quotes (SC2016); tests read and write one file on purpose (SC2094).
  shellcheck)
    { echo .ci/run && files '*.sh'; } | xargs shellcheck &&
      files '*.bats' '*.bash' | xargs shellcheck -s bats -e SC2016,SC2030,SC2031,SC2094,SC2154
    ;;
  ruff) "$build/venv/bin/ruff" check --quiet --output-format=concise --cache-dir="$build/ruff" . ;;
  mypy) check_types ;;
  clang-tidy) # without an option that clang lacks; -w leaves only the checks, no warnings of clang
    mkdir -p "$build/clang"
    sed 's/ -mmemset-strategy=[^ ]*//' "$build/compile_commands.json" >"$build/clang/compile_commands.json"
    files '*.c' | xargs -P "$jobs" -n 8 clang-tidy-14 -p "$build/clang" --quiet --extra-arg=-w \
      --extra-arg="-I$PWD/include" 2>"$build/clang/log"
    ;;
  cppcheck)
    cppcheck --project="$build/compile_commands.json" -i tests/lint/bad --cppcheck-build-dir="$build/cppcheck" \
      -j "$jobs" -q --enable=warning,performance,portability --library=posix --template=gcc --error-exitcode=1 \
      --suppressions-list=tests/analyze/cppcheck.txt
    ;;
  # -Werror of the Debug build makes each finding an error; gcc.log has the path to it. Left out: structs whose members
  # GCC 12 takes for uninitialized if they come from a condition, shifts of vectors, what -O2 knows better, and the
  # vector kernels of the pools, for which it takes more than 3 GB.
  gcc)
    sed -n 's/^  "command": "\(.*\.c\)",$/\1/p' "$build/compile_commands.json" |
      sed -e '/tests\/lint\/bad/d' -e '/pool_kernels_/d' -e 's/\\\(.\)/\1/g' |
      xargs -P "$jobs" -d '\n' -I COMMAND sh -c 'COMMAND -O1 -g0 -fanalyzer -Wno-maybe-uninitialized \
        -Wno-analyzer-use-of-uninitialized-value -Wno-analyzer-shift-count-overflow -o /dev/null' 2>"$build/gcc.log" || true
    ! grep ' error: ' "$build/gcc.log" | grep -vf <(sed '/^#/d' tests/analyze/gcc.txt) | sort -u | grep .
    ;;
  *)
    echo "analyze.sh: no analyzer '$1'" >&2
    false
    ;;
  esac
}

mkdir -p "$build/cppcheck"
case " $* " in
*' ruff '* | *' mypy '*) tests/venv.sh "$build/venv" ruff==0.17.6 mypy==2.4.1 pytest==9.2.0 >/dev/null ;;
esac
case " $* " in
*' clang-tidy '* | *' cppcheck '* | *' gcc '*)
  cmake -S . -B "$build" -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=ON \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$build/log"
  cmake --build "$build" --target generated_headers >>"$build/log"
  ;;
esac
status=0
for name in "$@"; do
  begin=$SECONDS
  analyze "$name" || status=1
  echo "$name: $((SECONDS - begin)) s" >&2
done
exit "$status"
