#!/bin/sh
# realir.sh IRRUN DIR: checks every .xml of DIR, or of what DIR/unpack.sh lays out. Prints one line for each model that is not ok, then
# how many models ended with which status, and how often each rule was raised. Where PYTHON has OpenVINO, the layers of those that have a
# .bin are compared with what it infers, and the outputs of these models: the status is 1 where one differs.
set -eu
irrun=$(realpath "$1")
folder=$2
here=$(realpath "$(dirname "$0")")
python=${PYTHON:-python3}
[ -d "$folder" ] || {
  echo "skipped: there is no folder $folder with real models; REALIR=DIR names one"
  exit 0
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -e "$folder/unpack.sh" ]; then
  sh "$folder/unpack.sh" "$scratch/models"
  folder=$scratch/models
fi

cd "$folder"
for model in *.xml; do
  status=0
  "$irrun" --check-shapes -q --color never "$model" >"$scratch/verdict" 2>>"$scratch/diagnostics" || status=$?
  echo "$status" >>"$scratch/statuses"
  [ "$status" = 0 ] || cat "$scratch/verdict"
done
echo
sort -n "$scratch/statuses" | uniq -c | awk '{ print "exit status " $2 ": " $1 " models" }'
sed -nE 's/.*: (error|warning): .*\[(IR[0-9]+ [a-z0-9-]+)\]$/\2 \1/p' "$scratch/diagnostics" | sort | uniq -c |
  awk '{ print $2 " " $3 ": " $1 " " $4 ($1 == 1 ? "" : "s") }'

"$python" -c 'import ml_dtypes, numpy, openvino' 2>/dev/null || {
  echo "skipped: $python has no OpenVINO and ml_dtypes to compare with; PYTHON=PROGRAM names one that has"
  exit 0
}
status=0
"$python" -B "$here/layers.py" "$irrun" . || status=1
"$python" -B "$here/run_models.py" "$irrun" . || status=1
exit $status
