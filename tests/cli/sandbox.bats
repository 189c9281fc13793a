# Tests the sandbox: what a reader cannot do that a model has taken over (escape.c), and that every file that the
# command line names can still be read and written.
load helpers

TRIES=29 # of escape.c, by the reader and by a thread each
if printf '6.13\n%s\n' "$(uname -r)" | sort -VC; then
  export IRRUN_NEWER=yes
  TRIES=$((TRIES + 1))
fi

setup() {
  mkdir "$BATS_TEST_TMPDIR/work"
  cd "$BATS_TEST_TMPDIR/work" || return 1
  export TERM=dumb
  secrets=$(mktemp -d "${ESCAPE%/*}/secrets.XXXXXX") # not in /tmp, where --graph=svg writes a temporary file
  echo secret >"$secrets/file"
}

teardown() {
  rm -r "$secrets"
}

# needs_sandbox: skips the test if this build or kernel lacks a part of the sandbox.
needs_sandbox() {
  local sandbox
  sandbox=$("$IRRUN" --version | grep '^Sandbox')
  [[ "$sandbox" == *"Landlock "[0-9]*", seccomp" ]] || skip "$sandbox"
  grep -q '^Seccomp:' /proc/self/status || skip "no seccomp in this kernel"
}

# try ARGUMENT...: runs irrun with a reader that tries to escape. Sets $tried to what it says of its tries.
try() {
  status=0
  output=$(IRRUN_SECRET=$secrets/file IRRUN_FOLDER=$secrets LD_PRELOAD="$ESCAPE" "$IRRUN" "$@" 2>../errors) || status=$?
  stderr=$(<../errors)
  tried=$(grep -E '^(reader|thread): ' ../errors)
  [ "$(wc -l <<<"$tried")" -eq $((2 * TRIES)) ]
}

# refused N ARGUMENT...: checks that irrun refuses all tries but N, and ends well.
refused() {
  try "${@:2}"
  ends 0
  [ "$(grep -cE ': (Permission denied|Operation not permitted|Function not.*)$' <<<"$tried")" -eq $((2 * (TRIES - $1))) ] || {
    printf '%s\n' "$*" "$tried"
    return 1
  }
  [ ! -e "$secrets/made" ]
}

# same ARGUMENT...: checks that irrun says the same, and writes the same to new/, with the sandbox and without.
same() {
  rm -rf new old
  mkdir new
  irrun --no-sandbox "$@"
  local expected="$status|$output|$stderr"
  mv new old
  mkdir new
  irrun "$@"
  [ "$status|$output|$stderr" = "$expected" ] || {
    printf '%s\nwithout: %s\nwith: %s\n' "$*" "$expected" "$status|$output|$stderr"
    return 1
  }
  diff -r old new
}

# beside: makes pool.xml, x.npy and y.npy, and a data set in one/.
beside() {
  tensors
  mkdir one
  cp pool.xml one/
  cp x.npy one/input.npy
  cp y.npy one/expected.npy
}

@test "a reader that was taken over opens no file and no socket, and starts no program" {
  needs_sandbox
  beside
  refused 0 --check-shapes pool.xml
  refused 0 --check-shapes one
  refused 0 pool.xml --input x.npy
  refused 0 pool.xml --input x.npy --output y.npz --expect y.npy --threads 2
  refused 0 --bench=2 pool.xml
  refused 0 --test one
  refused 0 --convert new.xml pool.xml
  refused 0 --diff pool.xml pool.xml
  refused 0 --cut pool --output cut.xml pool.xml
  refused 0 --edit 'pool: rename=p' --output edited.xml pool.xml
  refused 0 --rt-info pool.xml
  refused 0 --show-plan pool.xml
  refused 0 --graph dot pool.xml
}

@test "the same reader does all of it with --no-sandbox" {
  tensors
  try --no-sandbox --check-shapes pool.xml
  ends 0
  [ "$(grep -c ': done$' <<<"$tried")" -eq $((2 * TRIES)) ]
  [ -e "$secrets/made" ]
}

@test "another program gets all files to read, and no network" {
  needs_sandbox
  tensors
  mkdir bin
  printf '#!/bin/sh\ncat >/dev/null\necho "<svg/>"\n' >bin/dot
  chmod +x bin/dot
  PATH=$PWD/bin:$PATH refused 6 --graph svg pool.xml # reads files and an attribute, looks into a folder
  [ "$output" = "<svg/>" ]
  says "make a file: Permission denied" "$tried"
  says "open a socket: Operation not permitted" "$tried"
}

@test "every file that is named can be read: links, streams, descriptors, other folders" {
  beside
  mkdir far links
  "$IRRUN" --edit 'model: weights=f16' "$IRRUN_SOURCE/models/networks/digits.xml" --output far/net.xml
  ln -s ../far/net.xml links/net.xml
  ln -s ../far/net.bin links/net.bin
  ln -s "$PWD/x.npy" links/x.npy
  ln -s "$PWD/one" links/one
  mkfifo pipe
  same --check-shapes links/net.xml
  same links/net.xml --fill ones
  same far/net.xml --weights links/net.bin --fill ones
  same --diff links/net.xml far/../far/net.xml
  same pool.xml --input x=links/x.npy --expect y=../work/y.npy
  same pool.xml --input /dev/stdin <x.npy
  same --check-shapes - <pool.xml
  exec 5<x.npy
  same pool.xml --input /proc/self/fd/5
  same pool.xml --input /dev/fd/5
  exec 5<&-
  cat x.npy >pipe &
  irrun pool.xml --input pipe --expect <(cat y.npy)
  ends 0
  same pool.xml --input x.npy --output y=links/y.npy --step --input links/y.npy
  ln -s ../far/step.npy links/step.npy
  same pool.xml --input x.npy --output links/step.npy --step --input links/step.npy
  same pool.xml --input x.npy --output new/made/ --step --input new/made/y.npy
  same --check-shapes links far one
  same --check-shapes links/one/
  same --test one links/one
  same --check-shapes far
  same --check-shapes missing.xml
  same pool.xml --input x=1,2,3
  "$IRRUN" --check-shapes -q --save-all constants.npz far/net.xml
  mv constants.npz "far/a b.npz"
  same --edit 'model: read="far/a b.npz"' far/net.xml --output new/net.xml
}

@test "every file that is named can be written: links, new folders, devices, descriptors" {
  beside
  same pool.xml --input x.npy --output new/y.npy
  same pool.xml --input x.npy --output y=new/folder/ --save-all new/all.npz
  same pool.xml --input x.npy --output new/../new/a=b.npy
  irrun pool.xml --input x.npy --report new/page.html --profile=new/profile.json
  ends 0
  [ -s new/page.html ] && [ -s new/profile.json ]
  same pool.xml --input x.npy --output new/folder/y.npy
  same pool.xml --input x.npy --output /dev/full
  same pool.xml --input x.npy --output /dev/null
  same pool.xml --input x.npy --output -
  same pool.xml --input x.npy --output /dev/stdout
  same --convert new/pool.xml pool.xml
  same --graph dot pool.xml --output new/pool.dot
  same --show-plan=new/plan.svg pool.xml
  same --check-shapes pool.xml --write-baseline new/baseline --save-all new/constants.npz
  mkdir ../elsewhere
  ln -s ../elsewhere/new.npy link.npy # leads to a file that is not there yet
  irrun pool.xml --input x.npy --output link.npy
  ends 0
  cmp ../elsewhere/new.npy y.npy
  mkfifo pipe
  cat pipe >piped.npy &
  irrun pool.xml --input x.npy --output pipe
  ends 0
  wait $!
  cmp piped.npy y.npy
}

@test "a model of a folder and the data sets of --test may be links, also with --update" {
  beside
  mkdir models far
  mv one/pool.xml far/
  mv one/expected.npy far/
  ln -s ../far/expected.npy one/expected.npy
  ln -s ../far/pool.xml models/pool.xml
  ln -s ../one models/pool
  irrun --test models
  ends 0
  cp x.npy far/expected.npy
  irrun --test --update --filter 'models/*' .
  ends 0
  [ -L one/expected.npy ]
  cmp far/expected.npy y.npy
}

@test "a link that comes with a model opens no folder" {
  needs_sandbox
  beside
  ln -s / pool.bin
  refused 0 --check-shapes pool.xml
  ln -s / one/pool.bin
  ln -s / one/notes
  mkdir far
  mv one/input.npy one/expected.npy far/
  mkdir "$secrets/set"
  cp far/* "$secrets/set/"
  ln -s "$secrets/set" one/test_data_set_0
  rm one/pool.bin
  refused 0 --test one # the files of the step are read, and the secret beside its folder is not
  says "1 case: 1 ok" "$output"
}

@test "links named as a .bin, an input of steps or an OUT.xml open no folder, and --output - neither" {
  needs_sandbox
  tensors
  ln -s "$secrets/other" pool.bin
  touch "$secrets/other"
  refused 0 pool.xml --fill ones --step --fill ones
  rm pool.bin
  mkdir inputs
  cp x.npy "$secrets/"
  cp x.npy inputs/a.npy
  ln -s "$secrets/x.npy" inputs/b.npy
  refused 0 pool.xml --input inputs/b.npy --step --input inputs/b.npy
  refused 0 pool.xml --input inputs
  ln -s "$secrets" out.xml
  try --convert out.xml pool.xml
  [ ! -e "$secrets/made" ]
  cd "$secrets"
  cp "$OLDPWD/pool.xml" "$OLDPWD/x.npy" ..
  refused 0 ../pool.xml --fill ones --output -
  rm ../pool.xml ../x.npy ../errors
}

@test "an empty .bin opens no folder for temporary files" {
  needs_sandbox
  tensors
  touch pool.bin
  TMPDIR=$secrets refused 0 --check-shapes pool.xml
  mkdir models
  cp pool.xml pool.bin models
  TMPDIR=$secrets refused 0 --check-shapes models
}

@test "a link above the data sets of a model, and steps behind a link, open no more than their files" {
  needs_sandbox
  beside
  mkdir -p "$secrets/set/test_data_set_0/below"
  mv one/*.npy "$secrets/set/test_data_set_0"
  mv "$secrets/file" "$secrets/set/test_data_set_0/below"
  ln -s set/test_data_set_0/below/file "$secrets/file"
  ln -s "$secrets/set" one/pool
  refused 0 --test one
  says "1 case: 1 ok" "$output"
  rm one/pool
  mv "$secrets/set/test_data_set_0" "$secrets/set/step_1"
  ln -sf set/step_1/below/file "$secrets/file"
  ln -s "$secrets/set" one/test_data_set_0
  refused 0 --test one
  says "1 case: 1 ok" "$output"
}

@test "the settings of a folder are read without a network, and nothing is written meanwhile" {
  needs_sandbox
  beside
  echo '{"atol": 1e-4}' >one/irrun-test.json
  try --test one
  ends 0
  [ "$(grep -c '^settings: ' ../errors)" -ge "$TRIES" ]
  [ "$(grep '^settings: .*: done$' ../errors | sort -u | cut -d: -f2 | tr '\n' ,)" = \
    " list a folder, read /etc/passwd, read a file," ]
}

@test "--test --update writes nothing where a link leads out of the folders of the command line" {
  beside
  mkdir far cases sets
  cp pool.xml cases/
  cp pool.xml sets/
  cp x.npy far/expected.npy
  cp far/expected.npy far/before
  cp x.npy cases/input.npy
  ln -s ../far/expected.npy cases/expected.npy
  mkdir far/set
  cp x.npy far/set/input.npy
  ln -s ../far/set sets/test_data_set_0
  for sandbox in "" --no-sandbox; do
    irrun $sandbox --test --update cases sets
    ends 6
    says "cases/expected.npy: cannot write: a link leads to '$PWD/far/expected.npy', outside of the folders" "$output"
    says "sets/test_data_set_0/output_0.npy: cannot write: a link leads to '$PWD/far/set', outside" "$output"
    cmp far/expected.npy far/before
    [ ! -e far/set/output_0.npy ]
  done
  irrun --test --update --filter 'sets/*' .
  cmp far/set/output_0.npy y.npy
}

@test "without descriptors for its rules there is no sandbox, and the command works" {
  tensors
  (
    ulimit -n 4
    irrun --check-shapes pool.xml
    ends 0
  )
}
