#!/bin/sh
# realir.sh IRRUN DIR: checks every .xml in DIR, or in the files that DIR/unpack.sh unpacks. Prints a line for each
# model that is not ok, then how many models ended with each exit status, and how often each rule was raised.
# If PYTHON has OpenVINO, compares layers with OpenVINO's inference and outputs with its results, for models with a
# .bin. If any differs, the status is 1.
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
