# Tests --heatmap: its pictures, output files and faults.
load helpers

# colors FILE: prints a picture as "WIDTH HEIGHT", then each row's runs of equal pixels, such as "4*ffffff 2*5a0014".
colors() {
  "$PNG_COLORS" "$1"
}

# map FILE ROWS: prints the first ROWS rows, those of the map above the legend.
map() {
  colors "$1" | sed -n "2,$(($2 + 1))p"
}

# wide DIMS: writes wide.xml, and same.npy with its output 0, 1, 2..
wide() {
  wide_model wide.xml "$1"
  "$IRRUN" wide.xml --fill iota -q -o same.npy
}

# change INDEX=BYTES...: writes other.npy, which is same.npy with these elements replaced.
change() {
  cp same.npy other.npy
  local place
  for place in "$@"; do
    printf '%b' "${place#*=}" | dd of=other.npy bs=1 seek=$((128 + 4 * ${place%%=*})) conv=notrunc status=none
  done
}

@test "equal tensors are white" {
  wide 2,3
  irrun wide.xml --fill iota -e same.npy --heatmap h.png
  ends 0
  says 'h.png: written' "$output"
  [ "$(colors h.png | head -1)" = "256 192" ]
  [ "$(map h.png 170 | uniq)" = "255*ffffff 1*aaaaaa" ]
}

@test "what differs is coloured where it stands" {
  wide 2,2
  # element 1 is 0 instead of 1, element 2 is NaN, element 3 differs within the tolerance
  change '1=\0\0\0\0' '2=\0\0\xc0\x7f' '3=\1\0\x40\x40'
  irrun wide.xml --fill iota -e other.npy --heatmap h.png
  ends 1
  [ "$(map h.png 256 | uniq)" = "128*ffffff 128*be141e
128*c800c8 128*b4d2f0" ]
}

@test "panels have frames" {
  wide 2,1,1
  change '1=\0\0\0\0'
  irrun wide.xml --fill iota -e other.npy --heatmap h.png
  ends 1
  says '*ffffff' "$(colors h.png)"
  says '*be141e' "$(colors h.png)"
  says '*aaaaaa' "$(colors h.png)"
}

@test "a large tensor is shrunk, and one element that differs stays visible" {
  wide 5000,3
  change '7000=\0\0\0\0'
  irrun wide.xml --fill iota -e other.npy --heatmap h.png
  ends 1
  [ "$(colors h.png | sed -n 1p)" = "256 1709" ]
  [ "$(colors h.png | grep -c '1\*be141e')" -eq 1 ]
}

@test "a scalar, and a tensor without elements" {
  wide ''
  irrun wide.xml --fill iota -e same.npy --heatmap h.png
  ends 0
  [ "$(colors h.png | sed -n 1p)" = "256 278" ]
  wide 2,0
  irrun wide.xml --fill iota -e same.npy --heatmap h.png
  ends 0
  [ "$(map h.png 256 | uniq)" = "128*ffffff 128*aaaaaa" ]
}

@test "several outputs need a name" {
  local model=$BATS_TEST_DIRNAME/../../models/max_pool/indices_in_plane.xml
  "$IRRUN" "$model" --fill random -q -o all.npz
  irrun "$model" --fill random -e all.npz --heatmap h.png
  ends 2
  says "--heatmap 'y=FILE'" "$stderr"
  irrun "$model" --fill random -e all.npz --heatmap y=h.png --heatmap indices=h.png
  ends 2
  says "'--heatmap=h.png' would overwrite 'h.png'" "$stderr"
  irrun --json "$model" --fill random -e all.npz --heatmap y=h.png --heatmap indices=i.png
  ends 0
  says $'"heatmap":\t"h.png"' "$output"
  says $'"heatmap":\t"i.png"' "$output"
}

@test "faults of the option" {
  tensors
  irrun pool.xml -i x.npy --heatmap h.png
  ends 2
  says "'--heatmap' has no effect without '--expect'" "$stderr"
  irrun pool.xml -i x.npy -e y.npy --heatmap h.jpg
  ends 2
  says 'the name does not end in .png' "$stderr"
  irrun pool.xml -i x.npy -e y.npy --heatmap missing/h.png
  ends 6
  says '[IR702 file-not-writable]' "$stderr"
  cp y.npy y.png
  irrun pool.xml -i x.npy -e y.png --heatmap y.png
  ends 2
  says "'--heatmap y.png' would overwrite what '--expect y.png' compares with" "$stderr"
}

@test "shapes that differ leave no picture" {
  tensors
  irrun pool.xml -i x.npy -e x.npy --heatmap h.png
  ends 1
  [ ! -e h.png ]
}

@test "an output that is compared along with layers, also behind the first that diverges" {
  wide 2,2
  irrun wide.xml --fill iota -q --save-all all.npz
  irrun wide.xml --fill iota -e all.npz --heatmap h.png
  ends 0
  says 'h.png: written' "$output"
  [ "$(map h.png 256 | uniq)" = "256*ffffff" ]
  irrun wide.xml --fill 7 -e all.npz --heatmap differs.png
  ends 1
  says "'x' is the first that diverges" "$output"
  says 'differs.png: written' "$output"
  says_not "ffffff" "$(map differs.png 256)"
}

@test "the legend: a row for each colour that the map has, and the range of differences" {
  # swatches FILE: prints the colours at the left of the legend's rows, from the middle of each row
  swatches() {
    colors "$1" | sed 1,257d | awk '/^8\*ffffff 1\*787878 [0-9]+\*[^ ]* 1\*787878/ { print $3 }' | sort | uniq -c | awk '{ print $1, $2 }'
  }
  wide 2,2
  irrun wide.xml --fill iota -e same.npy --heatmap equal.png
  [ "$(swatches equal.png)" = "12 22*ffffff" ]
  change '1=\0\0\0\0' '2=\0\0\xc0\x7f' '3=\1\0\x40\x40'
  irrun wide.xml --fill iota -e other.npy --heatmap all.png
  [ "$(swatches all.png)" = "12 22*b4d2f0
12 22*be141e
12 22*c800c8
12 22*ffffff" ]
  # two rows of equal texts are drawn alike, and the text of another range otherwise
  text() { colors "$1" | sed 1,257d | sed 's/^.* 1\*787878//' | md5sum; }
  change '1=\0\0\0\0'
  irrun wide.xml --fill iota -e other.npy --heatmap one.png
  cp other.npy again.npy
  irrun wide.xml --fill iota -e again.npy --heatmap same.png
  [ "$(text one.png)" = "$(text same.png)" ]
  change '3=\0\0\0\0'
  irrun wide.xml --fill iota -e other.npy --heatmap three.png
  [ "$(text one.png)" != "$(text three.png)" ]
}

@test "a layer that is compared with a key has a heat map by its name" {
  local networks=$BATS_TEST_DIRNAME/../../models/networks
  cp "$networks/pool_mixer.xml" "$networks/pool_mixer.bin" .
  sed '388s/exclude-pad="true"/exclude-pad="false"/' pool_mixer.xml >bad.xml
  cp pool_mixer.bin bad.bin
  "$IRRUN" pool_mixer.xml --fill random -q --save-all all.npz
  layer=stages.2/blocks.0/token_mixer/pool
  irrun bad.xml --fill random -e all.npz --heatmap $layer=pool.png --heatmap stages.1/downsample=before.png
  ends 1
  says "pool.png: written" "$output"
  says "before.png: written" "$output"
  [ "$(colors pool.png | grep -oE '[0-9a-f]{6}' | sort -u | wc -l)" -gt 5 ]
  [ "$(colors before.png | grep -c 5a0014)" -eq 0 ]
  irrun bad.xml --fill random -e all.npz --json --heatmap $layer=pool.png
  says $'"heatmap":\t"pool.png"' "$output"
  irrun bad.xml --fill random -e all.npz --isolate --heatmap $layer=alone.png
  says "alone.png: written" "$output"
  irrun bad.xml --fill random -e all.npz --heatmap $layer=pool.png --heatmap stages.1/downsample=pool.png
  ends 2
  says "would overwrite 'pool.png'" "$stderr"
  irrun bad.xml --fill random -e all.npz --heatmap nowhere=pool.png
  ends 2
  says "'--heatmap nowhere=pool.png': no output and no layer has the name 'nowhere' [IR801" "$stderr"
}

@test "a wrong name, and a layer that is not compared" {
  tensors
  irrun pool.xml -i x.npy -e y.npy --heatmap pol=h.png
  ends 2
  says "'--heatmap pol=h.png': no output and no layer has the name 'pol' [IR801" "$stderr"
  says "hint: did you mean 'pool'?" "$stderr"
  irrun pool.xml -i x.npy -e y.npy --heatmap x=h.png
  ends 2
  says "'--heatmap x=h.png': this layer is not compared [IR801" "$stderr"
  says "--expect FILE.npz" "$stderr"
  irrun pool.xml -i x.npy --against pool.xml --heatmap x=h.png -q
  ends 0
  [ -s h.png ]
  PYTHON=/nowhere/python irrun pool.xml -i x.npy --against openvino --heatmap nowhere=h.png # before the peer is asked
  ends 2
}
