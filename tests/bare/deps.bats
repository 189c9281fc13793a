# Tests cmake/deps.sh on machines where something is missing. The commands that it calls are stand-ins in the test's
# folder.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  export TMPDIR=$PWD
  unset DEPS CC CXX
  for tool in cat echo grep mktemp rm sh tail; do
    ln -s "$(command -v $tool)" $tool
  done
  stand_in cmake 'exit 0'
  stand_in pkg-config 'exit 0'
  stand_in cc 'exit 0'
  stand_in c++ 'exit 0'
  stand_in bats 'exit 0'
  stand_in id 'echo 0'
  stand_in apt-get 'echo "$@" >>called; echo "Reading package lists..."'
}

stand_in() { # NAME COMMANDS: makes a command that runs COMMANDS
  rm -f "$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

deps() {
  run env PATH="$PWD" sh "$IRRUN_SOURCE/cmake/deps.sh" "$@"
}

@test "silent where all is there" {
  deps fast test
  [ "$status" -eq 0 ] && [ -z "$output" ] && [ ! -e called ]
}

@test "root: what is installed is named first, in one line, and apt-get is not heard" {
  rm cmake bats
  deps fast test
  [ "$status" -eq 0 ]
  [ "$output" = "missing: cmake, bats; installs the Debian packages cmake bats (DEPS=no does not)" ]
  [ "$(tail -n 1 called)" = "install -y --no-install-recommends cmake bats" ]
  [ "$(echo irrun-deps.*)" = 'irrun-deps.*' ]
}

@test "DEPS=no, a user who is not root, and a system without apt-get: one line, and nothing is installed" {
  rm cmake
  says="missing: cmake; as root on Debian: apt-get update && apt-get install -y --no-install-recommends cmake"
  DEPS=no deps fast
  [ "$status" -eq 1 ] && [ "$output" = "$says" ]
  stand_in id 'echo 1000'
  deps fast
  [ "$status" -eq 1 ] && [ "$output" = "$says" ]
  stand_in id 'echo 0'
  [ ! -e called ]
  rm apt-get
  deps fast
  [ "$status" -eq 1 ] && [ "$output" = "$says" ]
}

@test "apt-get fails: its first error, and where the rest is" {
  rm cmake
  stand_in apt-get 'echo "Reading package lists..."; for i in 1 2 3; do echo "E: no network $i"; done; exit 100'
  deps
  [ "$status" -eq 1 ]
  [ "${#lines[@]}" -eq 2 ]
  [[ "${lines[1]}" == "apt-get failed: E: no network 1; $PWD/irrun-deps."*" has all that it said" ]]
  [ "$(grep -c network "$(echo irrun-deps.*)")" -eq 3 ]
}

@test "oneDNN is a wish: the build goes on without" {
  stand_in cc 'exit 1'
  DEPS=no deps fast
  [ "$status" -eq 0 ] && [ "${#lines[@]}" -eq 1 ] && [ ! -e called ]
  [[ "$output" == "missing: the module of oneDNN (Debian packages libdnnl-dev"*"); without it networks run"* ]]
  stand_in apt-get 'exit 100'
  deps fast
  [ "$status" -eq 0 ] && [[ "${lines[-1]}" == "goes on without oneDNN"* ]]
}
