# Tests targets of --output: two outputs in one place, tensors among reports on stdout, and overwriting an expected file
# are refused.
load helpers

# one_place A B: checks that A and B are refused as two targets before anything is written.
one_place() {
  irrun two.xml --fill ones --output "ay=$1" --output "by=$2"
  ends 2
  says "'--output $1' and '--output $2' lead to one place" "$stderr"
}

@test "two spellings of one file are one file" {
  two_model two.xml
  mkdir there
  ln -s there also
  one_place y.npy ./y.npy
  one_place y.npy "$PWD/y.npy"
  one_place there/y.npy also/y.npy
  one_place there/../y.npy y.npy
  [ -z "$(find . -name '*.npy')" ]
  touch y.npy
  one_place y.npy also/../y.npy
  [ ! -s y.npy ]
}

@test "links to one file, which need not be there yet" {
  two_model two.xml
  ln -s y.npy a.npy
  ln -s ./y.npy b.npy
  one_place a.npy b.npy
  one_place a.npy y.npy
  [ ! -e y.npy ]
}

@test "a hard link is a name of its own: files are replaced" {
  two_model two.xml
  touch a.npy
  ln a.npy b.npy
  irrun two.xml -q --fill ones --fill ax=zeros --output ay=a.npy --output by=b.npy
  ends 0
  run ! cmp -s a.npy b.npy
}

@test "a file in a folder that is asked for elsewhere gets a number" {
  two_model two.xml
  mkdir d
  irrun two.xml -q --fill iota --fill bx=zeros --output ay=./d/by.npy --output d/
  ends 0
  [ "$(find d -type f | sort | tr '\n' ' ')" = "d/ay.npy d/by.npy d/by_2.npy " ]
  cmp d/ay.npy d/by.npy
  run ! cmp -s d/by.npy d/by_2.npy
}

@test "a link in a folder that leads elsewhere is refused before the run, with and without the sandbox" {
  two_model two.xml
  mkdir d far d/in
  ln -s ../far/y.npy d/ay.npy # to no file
  ln -s /dev/null d/by.npy
  for more in "" --no-sandbox; do
    irrun two.xml --fill ones --output d/ $more
    ends 6
    says "d/ay.npy: error: cannot write: the link leads to no file [IR702" "$stderr"
    says "d/by.npy: error: cannot write: a link leads to '/dev/null', outside of the folders that the command line names" "$stderr"
    says "hint: remove the link, or name the file: --output FILE" "$stderr"
    [ -z "$(find far -type f)" ]
  done
  touch far/y.npy
  for more in "" --no-sandbox; do
    irrun two.xml --fill ones --output ay=d/ $more
    ends 6
    says "d/ay.npy: error: cannot write: a link leads to '$PWD/far/y.npy'" "$stderr"
    [ ! -s far/y.npy ]
  done
  ln -sf in/y.npy d/ay.npy
  touch d/in/y.npy
  ln -s d way
  irrun two.xml -q --fill ones --output ay=way/
  ends 0
  [ -s d/in/y.npy ]
  [ -L d/ay.npy ]
}

@test "a folder that this run makes: paths through it are seen too" {
  two_model two.xml
  irrun two.xml -q --fill ones --output new/ --output ay=./new/by.npy
  ends 0
  [ "$(find new -type f | sort | tr '\n' ' ')" = "new/ay.npy new/by.npy new/by_2.npy " ]
  irrun two.xml --fill ones --output made/ --output ay=made/../y.npy --output by=y.npy
  ends 2
  [ -z "$(find made -type f)" ]
}

@test "options of a check that write one file" {
  two_model two.xml
  ln -s a.npz b.npz
  irrun --check-shapes two.xml --save-all=a.npz --write-baseline=./b.npz
  ends 2
  says "'--save-all a.npz' and '--write-baseline ./b.npz' lead to one place [IR801" "$stderr"
  irrun --check-shapes two.xml --report=r.html --write-baseline=r.html
  ends 2
  says "'--report r.html' and '--write-baseline r.html' lead to one place [IR801" "$stderr"
  [ ! -e a.npz ]
  [ ! -e r.html ]
}

@test "a folder takes an output once" {
  two_model two.xml
  mkdir d
  irrun two.xml --fill ones --output d --output ./d/
  ends 2
  irrun two.xml --fill ones --output ay=d --output d
  ends 2
  irrun two.xml -q --fill ones --output ay=d --output by=d/
  ends 0
}

@test "stdout is known by what it is, not by its name" {
  tensors
  ln -s /dev/stdout st
  ln -s /dev/stdout s.npy
  for name in st s.npy //dev/stdout /dev/./stdout /dev/fd/1 /proc/self/fd/1 /proc/thread-self/fd/1; do
    irrun pool.xml --input x.npy --output "$name" --json
    ends 2
    says "'--output $name' and '--json' both write to stdout" "$output"
    "$IRRUN" pool.xml --input x.npy --output "$name" 2>report | cat >out.npy
    cmp out.npy y.npy
    says "-> <stdout>" "$(cat report)"
  done
  ln -s /dev/stdout s.raw
  "$IRRUN" pool.xml --input x.npy --output s.raw 2>/dev/null >out.raw
  irrun pool.xml -q --input x.npy --expect out.raw
  ends 0
}

@test "the file or FIFO that stdout is" {
  tensors
  "$IRRUN" pool.xml --input x.npy --output out.npy >out.npy 2>report
  cmp out.npy y.npy
  says "y  f32[1,1,2,2]" "$(cat report)"
  mkfifo pipe
  cat pipe >out.npy &
  "$IRRUN" pool.xml --input x.npy --output pipe 2>report >pipe
  wait $!
  cmp out.npy y.npy
  two_model two.xml
  irrun two.xml --fill ones --output ay=- --output by=/dev/stdout
  ends 2
}

@test "/dev/null is no stream, also when stdout is it" {
  tensors
  "$IRRUN" pool.xml --input x.npy --output /dev/null --json >/dev/null
  "$IRRUN" pool.xml --input x.npy --output /dev/null >/dev/null 2>report
  [ ! -s report ]
}

@test "stderr takes no tensor while diagnostics go there" {
  tensors
  ln -s /dev/stderr err.npy
  for name in /dev/stderr /dev/fd/2 err.npy; do
    irrun pool.xml --input x.npy --output "$name"
    ends 2
    says "'--output $name': diagnostics go to stderr" "$stderr"
    "$IRRUN" pool.xml --input x.npy --output "$name" --json >report 2>out.npy
    cmp out.npy y.npy
  done
  status=0
  "$IRRUN" pool.xml --input x.npy --output log.npy 2>log.npy || status=$?
  [ "$status" -eq 2 ]
  says IR801 "$(cat log.npy)"
}

@test "another open descriptor gets .npy, also when it is a plain file" {
  tensors
  "$IRRUN" pool.xml --input x.npy --output /dev/fd/5 5>out
  cmp out y.npy
  irrun pool.xml --input x.npy --output /dev/fd/77
  ends 6
}

@test "an expected file is not overwritten" {
  tensors
  two_model two.xml
  cp x.npy golden.npy
  for name in golden.npy ./golden.npy; do
    irrun pool.xml --input x.npy --expect golden.npy --output "$name"
    ends 2
    says "'--output $name' would overwrite what '--expect golden.npy' compares with" "$stderr"
    cmp golden.npy x.npy
  done
  mkdir d
  cp y.npy d/ay.npy
  irrun two.xml --fill iota --expect ay=d/ay.npy --output d/
  ends 2
  [ "$(ls d)" = ay.npy ]
}

@test "a model's constants are not overwritten" {
  cp "$BATS_TEST_DIRNAME"/../../models/adaptive_avg_pool/divides.xml "$BATS_TEST_DIRNAME"/../../models/adaptive_avg_pool/divides.bin .
  irrun divides.xml --fill ones --output ./divides.bin
  ends 2
  says "'--output ./divides.bin' would overwrite 'divides.bin', a file of the model" "$stderr"
  cmp divides.bin "$BATS_TEST_DIRNAME"/../../models/adaptive_avg_pool/divides.bin
  irrun divides.xml --fill ones --output other.bin
  ends 0
}

@test "what a message repeats is cut between characters, and \"...\" says so" {
  local long
  long=$(printf '日本語%.0s' {1..40})
  pool_model m.xml
  for part in 'kernel="2,2"' 'exclude-pad="true"' 'element_type="f32"' 'shape="1,1,4,4"' 'precision="FP32"' '<layer id="1"' '<port id="1"' \
    'from-layer="0"' 'version="11"' '<edges' '<net' '<dim>2'; do
    for before in "" a ab; do
      case $part in
      *\"*) sed "s|${part%\"*\"}\"[^\"]*\"|${part%\"*\"}\"$before$long\"|" m.xml >cut.xml ;;
      '<dim>2') sed "0,/$part/s//<dim>$before$long/" m.xml >cut.xml ;;
      *) sed "s|$part|<$before$long/>&|; s|^<[^>]*/><net|<$before$long|" m.xml >cut.xml ;;
      esac
      irrun --check-shapes -q cut.xml
      says "..." "$stderr"
      says_not '\x' "$(grep error: <<<"$stderr")"
      says_not "$long" "$(grep error: <<<"$stderr")"
    done
  done
  irrun --check-shapes m.xml --allow "$long"
  ends 2
  says "there is no rule '日本語日本語日本語日本語日本語日本語日本...'" "$stderr"
}

# kept ARGUMENT...: checks that irrun refuses to write, names a file that it reads, and leaves all files as they were.
kept() {
  local before
  before=$(sha256sum ./*.*)
  irrun "$@"
  ends 2
  says "would overwrite" "$stderr"
  says "[IR801" "$stderr"
  diff - <(sha256sum ./*.*) <<<"$before"
}

@test "no output of any mode takes the place of a file that the command reads" {
  local networks=$IRRUN_SOURCE/models/networks name
  for name in digits l2; do
    cp "$networks/digits.xml" $name.xml
    cp "$networks/digits.bin" $name.bin
  done
  cp digits.bin ww.bin
  "$IRRUN" digits.xml --fill iota -q -o all.npz
  "$IRRUN" digits.xml --fill iota -q --save-all in.npz
  "$IRRUN" --check-shapes digits.xml -q --write-baseline known.json >/dev/null
  ln -s ww.bin link.bin
  ln -s l2.bin peer.npz
  ln -s l2.bin constants.npz
  ln -s digits.bin page.html
  ln -s l2.xml other.html
  ln -s all.npz heat.png
  ln -s in.npz trace.json
  ln -s digits.bin picture.svg
  ln -s ww.bin cut.npz
  local run=(digits.xml --fill iota)
  # the peer of --against, and its constants
  kept "${run[@]}" --against l2.xml -o probability=l2.bin
  kept "${run[@]}" --against l2.xml --save-all peer.npz
  kept "${run[@]}" --against l2.xml --report other.html
  # --weights and the constants beside the model
  kept "${run[@]}" --weights ww.bin -o probability=ww.bin
  kept "${run[@]}" --weights ww.bin -o probability=link.bin
  kept "${run[@]}" -o probability=./digits.bin
  kept "${run[@]}" --report page.html
  kept --check-shapes digits.xml --report page.html
  kept --check-shapes l2.xml --save-all constants.npz
  kept --graph=dot digits.xml -o digits.bin
  kept --graph=dot digits.xml --weights ww.bin -o link.bin
  kept --show-plan=picture.svg "${run[@]}"
  kept --diff l2.xml digits.xml --report other.html
  kept --diff digits.xml l2.xml --report page.html
  kept --cut=..probability digits.xml --weights ww.bin --fill iota -o cut.xml
  kept --edit 'input 0: mean=1' digits.xml --weights ww.bin -o ww.xml
  kept --edit 'input 0: mean=1' digits.xml -o l2.xml --weights l2.bin
  # inputs and expected values
  kept digits.xml --input in.npz --save-all ./in.npz
  kept digits.xml --input in.npz --profile=trace.json
  kept digits.xml --input in.npz --expect all.npz -o all.npz
  kept digits.xml --input in.npz --expect all.npz --heatmap probability=heat.png
  kept --bench=1 digits.xml --input in.npz --profile=trace.json
  kept --cut=..probability digits.xml --input in.npz -o in.xml
}

@test "what takes the place of the file that it was made from: a model, a baseline; and a hard link stays" {
  cp "$IRRUN_SOURCE/models/networks/digits.xml" "$IRRUN_SOURCE/models/networks/digits.bin" .
  cp digits.bin old.bin
  irrun --edit 'input 0: mean=1' digits.xml -o digits.xml
  ends 0
  run ! cmp -s digits.bin old.bin
  irrun --check-shapes digits.xml --write-baseline known
  irrun --check-shapes digits.xml --baseline known --write-baseline known
  ends 0
  cp digits.bin ww.bin
  irrun digits.xml --weights ww.bin --convert ww.xml # a conversion changes no constant, and writes no .bin over itself
  ends 0
  cmp digits.bin ww.bin
  ln digits.bin hard.bin
  irrun digits.xml --fill ones -q -o probability=hard.bin
  ends 0
  cmp digits.bin ww.bin
}
