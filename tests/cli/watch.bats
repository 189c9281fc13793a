# Tests --watch: a check after each change, its end, its refusals.
load helpers

# watches ARGUMENT...: starts irrun --check-shapes --watch, and waits for its first verdict.
watches() {
  "$IRRUN" --check-shapes --watch "$@" >out 2>err &
  watcher=$!
  prints 1 '.xml: \|models: '
}

# prints N PATTERN: waits until N lines of out match.
prints() {
  for _ in $(seq 100); do
    [ "$(grep -c "$2" out)" -ge "$1" ] && return 0
    sleep 0.1
  done
  echo "not printed $1 times: $2" && cat out err
  kill -KILL "$watcher"
  return 1
}

# stops SIGNAL STATUS: ends irrun by SIGNAL, and checks its exit status.
stops() {
  kill "-$1" "$watcher"
  wait "$watcher" && status=0 || status=$?
  [ "$status" -eq "$2" ]
}

@test "a model is checked again when it changes; Ctrl-C ends with the status of the last check" {
  pool_model m.xml
  watches -q m.xml
  [ "$(<out)" = "m.xml: ok, 3 layers, 1 input, 1 output" ]
  pool_model m.xml 2 2 3
  prints 1 "m.xml: invalid"
  [ "$(sed -n 3p out)" = "m.xml has changed" ]
  says "IR301" "$(<err)"
  stops INT 3
  watches -q m.xml
  pool_model new.xml
  mv new.xml m.xml # as editors save
  prints 1 "m.xml: ok"
  rm m.xml
  prints 1 "m.xml: unreadable"
  pool_model m.xml
  prints 2 "m.xml: ok"
  stops TERM 0
}

@test "weights, and models that come into a folder, are changes; other files are none" {
  mkdir -p d/sub
  pool_model d/a.xml
  watches d
  echo >d/notes.txt
  pool_model d/sub/b.xml 2 2 3
  prints 1 "d/sub/b.xml: invalid"
  prints 2 "d/a.xml: ok"
  says "d/sub/b.xml has changed" "$(<out)"
  echo >d/a.bin
  prints 3 "d/a.xml: ok"
  says "d/a.bin has changed" "$(<out)"
  says_not "notes.txt" "$(<out)"
  stops INT 3
}

@test "a file behind a link is looked at without events" {
  mkdir d
  pool_model d/m.xml
  ln -s d/m.xml m.xml
  watches m.xml
  pool_model d/m.xml 2 2 3
  prints 1 "m.xml: invalid"
  stops INT 3
}

@test "nothing but errors: no word of the change" {
  pool_model m.xml
  "$IRRUN" --check-shapes --watch -qq m.xml >out 2>err &
  watcher=$!
  sleep 0.3
  pool_model m.xml 2 2 3
  for _ in $(seq 100); do grep -q IR301 err && break || sleep 0.1; done
  stops INT 3
  [ ! -s out ]
}

@test "--watch is refused where it cannot report again" {
  pool_model m.xml
  for words in "--json m.xml" "--format=sarif m.xml" "-"; do
    # shellcheck disable=SC2086 # $words is several words
    irrun --check-shapes --watch $words <m.xml
    ends 2
    says "IR801" "$output$stderr"
  done
  irrun --watch m.xml
  ends 2
  says "'--watch' has no effect without '--check-shapes'" "$stderr"
}

@test "a baseline that each check writes is no change" {
  mkdir d
  pool_model d/m.xml
  "$IRRUN" --check-shapes -q d --write-baseline d/known.json >/dev/null
  watches -q d --baseline d/known.json --write-baseline d/known.json
  sleep 0.5
  says_not "has changed" "$(<out)"
  pool_model d/m.xml 2 2 3
  prints 2 "known.json: written"
  sleep 0.5
  [ "$(grep -c "has changed" out)" = 1 ]
  stops INT 0
}

@test "a file that is written in pieces, cut, gone or a folder is checked as it is, then again when it is whole" {
  pool_model whole.xml
  watches -q whole.xml
  stops INT 0
  head -c 200 whole.xml >m.xml
  watches -q m.xml
  prints 1 "m.xml: invalid"
  (head -c 300 whole.xml && sleep 0.3 && tail -c +301 whole.xml) >m.xml
  prints 1 "m.xml: ok"
  rm m.xml
  prints 1 "m.xml: unreadable"
  mkdir m.xml
  for _ in $(seq 100); do grep -q "the folder 'm.xml' has no model" err && break || sleep 0.1; done
  rmdir m.xml
  prints 2 "m.xml: unreadable"
  cp whole.xml m.xml
  prints 2 "m.xml: ok"
  mkdir d
  cp whole.xml d/m.xml
  stops INT 0
  watches -q d
  mv d away # the folder itself
  prints 1 "d: unreadable"
  mv away d
  prints 2 "d/m.xml: ok"
  stops TERM 0
}

@test "a folder that is removed and made again is watched on, in the sandbox too" {
  mkdir -p build/models
  pool_model build/models/m.xml
  watches -q build/models build/models/m.xml
  rm -r build
  for _ in $(seq 100); do grep -q IR701 err && break || sleep 0.1; done
  mkdir -p build/models
  pool_model build/models/m.xml 2 2 3
  for _ in $(seq 100); do grep -q IR301 err && break || sleep 0.1; done
  grep -q IR301 err
  stops TERM 3
}

@test "a check that cannot write ends the program" {
  pool_model m.xml
  "$IRRUN" --check-shapes --watch -q m.xml >/dev/full 2>err && status=0 || status=$?
  [ "$status" -eq 6 ]
  says "cannot write to stdout" "$(<err)"
}

@test "a check that waits for a stream ends with the program" {
  pool_model m.xml
  watches -q m.xml
  rm m.xml
  mkfifo m.xml
  for _ in $(seq 100); do grep -q "m.xml has changed" out && break || sleep 0.1; done
  sleep 0.2 # the check opens the FIFO, and waits
  local check
  check=$(<"/proc/$watcher/task/$watcher/children")
  check=${check% }
  kill -TERM "$watcher"
  wait "$watcher" || true
  for _ in $(seq 100); do [ -d "/proc/$check" ] && sleep 0.1 || break; done
  [ ! -d "/proc/$check" ]
}

@test "a caller that ignores the end of its children is no matter" {
  pool_model m.xml
  env --ignore-signal=CHLD "$IRRUN" --check-shapes --watch -q m.xml >out 2>err &
  watcher=$!
  prints 1 "m.xml: ok"
  stops INT 0
}
