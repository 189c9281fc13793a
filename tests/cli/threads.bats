# Tests --threads: every number of threads gives the same bytes.
load helpers

@test "--threads: the same bytes for any number, and without one" {
  wide_model wide.xml 1000,1001 # enough elements for several threads
  irrun wide.xml -q --fill=-1..1:3 --output y.npy
  ends 0
  for threads in 1 2 7 256; do
    irrun wide.xml -q --fill=-1..1:3 --threads "$threads" --output other.npy
    ends 0
    cmp y.npy other.npy
  done
}

@test "--threads: a small model, and one that is at fault" {
  tensors
  irrun pool.xml -q --input x.npy --threads 4 --expect y.npy
  ends 0
  irrun nowhere.xml --threads 4
  ends 6
}
