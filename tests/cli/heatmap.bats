# Tests --heatmap: its pictures, output files and faults.
load helpers

# colors FILE: prints a picture as "WIDTH HEIGHT", then each row's runs of equal pixels, such as "4*ffffff 2*5a0014".
colors() {
  "$PNG_COLORS" "$1"
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
  [ "$(colors h.png | sort -u)" = "255 170
255*ffffff" ]
}

@test "what differs is coloured where it stands" {
  wide 2,2
  # element 1 is 0 instead of 1, element 2 is NaN, element 3 differs within the tolerance
  change '1=\0\0\0\0' '2=\0\0\xc0\x7f' '3=\1\0\x40\x40'
  irrun wide.xml --fill iota -e other.npy --heatmap h.png
  ends 1
  [ "$(colors h.png | uniq)" = "256 256
128*ffffff 128*be141e
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
  [ "$(colors h.png | sed -n 1p)" = "1 1667" ]
  [ "$(colors h.png | grep -c '1\*be141e')" -eq 1 ]
}

@test "a scalar, and a tensor without elements" {
  wide ''
  irrun wide.xml --fill iota -e same.npy --heatmap h.png
  ends 0
  [ "$(colors h.png | sed -n 1p)" = "256 256" ]
  wide 2,0
  irrun wide.xml --fill iota -e same.npy --heatmap h.png
  ends 0
  [ "$(colors h.png | sort -u | grep -v ffffff)" = "128 256" ]
}

@test "several outputs need a name" {
  local model=$BATS_TEST_DIRNAME/../../models/max_pool/indices_in_plane.xml
  "$IRRUN" "$model" --fill random -q -o all.npz
  irrun "$model" --fill random -e all.npz --heatmap h.png
  ends 2
  says "--heatmap 'y=FILE'" "$stderr"
  irrun "$model" --fill random -e all.npz --heatmap y=h.png --heatmap indices=h.png
  ends 2
  says 'another heat map is written there' "$stderr"
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
  says "would overwrite 'y.png'" "$stderr"
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
  [ "$(colors h.png | uniq | tail -1)" = "256*ffffff" ]
  irrun wide.xml --fill 7 -e all.npz --heatmap differs.png
  ends 1
  says "'x' is the first that diverges" "$output"
  says 'differs.png: written' "$output"
  says_not "ffffff" "$(colors differs.png)"
}
