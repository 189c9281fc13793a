# The file of the constants, when it cannot be had.
load helpers

@test "--weights that cannot be mapped: one error, at the command line" {
  model=$BATS_TEST_DIRNAME/../../models/adaptive_avg_pool/divides
  for weights in - /dev/null <(cat "$model.bin"); do
    irrun "$model.xml" --fill ones --weights "$weights" <"$model.bin"
    ends 6
    says "error: --weights $weights: the constants have to be in a regular file" "$stderr"
    says "1 error." "$stderr"
  done
  irrun "$model.xml" --fill ones --weights nowhere.bin
  ends 6
  says "error: --weights nowhere.bin: No such file or directory" "$stderr"
  says "1 error." "$stderr"
}

@test "an endless stream is read as far as an input goes" {
  pool_model pool.xml
  irrun pool.xml --input /dev/zero
  ends 5
  says "a raw file of at least 65 bytes; f32[1,1,4,4] has 64" "$stderr"
}
