#!/usr/bin/env bash
# schema.sh CHECK_SCHEMA: checks every kind of output against its schema: --json against docs/report.schema.json,
# --format=sarif against tests/schema/sarif.schema.json and, if SARIF_SCHEMA names a copy, against the published schema.
# schema.sh CHECK_SCHEMA published: checks against the published schema only. Skipped without SARIF_SCHEMA.
set -euo pipefail
check=$1
what=${2:-own}
if [ "$what" = published ] && [ ! -e "${SARIF_SCHEMA:-}" ]; then
  echo "skipped: SARIF_SCHEMA names no copy of sarif-schema-2.1.0.json; docs/testing.md says where it is published"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

obeys() { # STATUS ARGUMENT...: checks irrun's exit status, and its document against each of "${schemas[@]}"
  local status=0 expected=$1 schema
  shift
  "$IRRUN" "$format" "$@" >"$work/document" 2>"$work/stderr" </dev/null || status=$?
  if [ "$status" != "$expected" ] || [ -s "$work/stderr" ]; then
    echo "irrun $format $*: status $status, not $expected: $(cat "$work/stderr")"
    failed=1
  fi
  for schema in "${schemas[@]}"; do
    "$check" "$schema" "$work/document" || { echo "by $schema: irrun $format $*" && failed=1; }
  done
}

refused() { # SED: checks that the last document, changed by SED, violates its schema
  sed "$1" "$work/document" >"$work/changed"
  if "$check" "${schemas[0]}" "$work/changed" >/dev/null; then
    echo "passes nevertheless: $1" && failed=1
  fi
}

page() { # STATUS ARGUMENT...: checks the document in the page of --report
  local status=0 expected=$1
  shift
  "$IRRUN" "$@" --report="$work/page.html" >"$work/stdout" 2>&1 </dev/null || status=$?
  if [ "$status" != "$expected" ]; then
    echo "irrun $*: status $status, not $expected: $(cat "$work/stdout")"
    failed=1
  fi
  sed -n 's|^<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$work/page.html" >"$work/document"
  "$check" docs/report.schema.json "$work/document" || { echo "the page of irrun $*" && failed=1; }
}

about_models() { # documents that both formats have
  obeys 6 --check-shapes --max-errors=0 -v models tests/faults/*.xml tests/faults/*.json
  obeys 6 --check-shapes --max-errors=3 tests/faults
  obeys 6 --check-shapes "$work/none.xml"
  obeys 2 --check-shapes --no-such-option
  obeys 0 --check-shapes models/spec --write-baseline "$work/known"
  echo "models/spec/P1.xml	IR999	gone	0123456789abcdef:1" >>"$work/known"
  obeys 0 --check-shapes models/spec --baseline "$work/known"
  obeys 0 models/demo/pool.xml --input models/demo/x.npy --output "$work/y.npy" --profile
  obeys 0 models/demo/pool.xml --fill=random --expect "$work/y.npy" --atol=100
  obeys 1 models/demo/pool.xml --fill=zeros --expect "$work/y.npy"
  obeys 0 models/demo/pool.xml --fill=random --output "$work/y.npz"
  obeys 1 models/demo/pool.xml --fill=zeros --expect "$work/y.npz"
  obeys 5 models/demo/pool.xml --input models/demo/pool.xml
  obeys 5 models/demo/pool.xml
  obeys 0 models/max_pool/indices.xml --fill=nan
  obeys 3 models/spec/P1.xml --fill=iota
  obeys 0 --bench=2 --profile models/demo/pool.xml
  obeys 0 --convert "$work/out.xml" models/ngraph/page_example.json
}

if [ "$what" = own ]; then
  format=--json schemas=(docs/report.schema.json)
  about_models
  obeys 0 --show-plan models/networks/residual.xml
  obeys 0 --show-plan=after:fuse models/max_pool/indices.xml
  obeys 0 --show-plan="$work/memory.svg" models/networks/digits.xml
  refused 's/"awaited":.*/"awaited": 3,/'
  obeys 5 --show-plan models/avg_pool/dynamic.xml
  obeys 0 models/demo/pool.xml --fill ones -o "$work/y.npy" --step --fill zeros
  refused 's/"steps":.*/"steps": 3,/'
  obeys 1 models/demo/pool.xml --fill ones --profile --step --fill zeros -e "$work/y.npy" --step --fill iota
  obeys 5 models/demo/pool.xml --fill ones --step
  obeys 0 models/networks/repeater.xml --llm -i input_ids=1,2 --step -i input_ids=1
  obeys 0 --bench=1 --llm --profile models/networks/repeater.xml
  refused 's/"weight_bytes":.*/"weight_bytes": -1,/'
  obeys 0 --check-shapes models/networks/repeater.xml
  refused 's/"scales":.*/"scales": "row",/'
  obeys 0 models/networks/repeater.xml --greedy 2 -i input_ids=1,2 -e 0,0
  obeys 1 models/networks/repeater.xml --greedy 2 -i input_ids=1,2 -e 0,1
  refused 's/"ids":.*/"ids": 3,/'
  page 0 models/networks/digits.xml
  page 3 models/spec/P1.xml
  page 6 "$work/none.xml"
  page 0 models/networks/pool_mixer.xml --fill random
  page 0 models/networks/repeater.xml --llm -i input_ids=1,2
  page 1 models/demo/pool.xml --fill=zeros --expect "$work/y.npy"
  page 1 models/demo/pool.xml --diff models/networks/digits.xml
  refused 's/"places":\[[^]]*\]/"places":[3]/'
  obeys 0 --edit 'model: weights=int8_sym rt_info/a=b' models/networks/residual.xml -o "$work/edited.xml"
  refused 's/"error":.*/"error": "none",/'
  obeys 0 --edit 'x: rename=image' --edit 'model: rt_info/a=b' --dry-run models/demo/pool.xml
  obeys 0 --rt-info "$work/edited.xml"
  obeys 0 --list-ops
  obeys 0 --list-rules
  obeys 0 --explain=IR304,IR801
  obeys 2 --explain=IR999
  obeys 0 --test tests/cli/cases
  obeys 0 --test --list-cases tests/cli/cases
  cp -R tests/cli/cases "$work/cases"
  sed -i 's/exclude-pad="true"/exclude-pad="false"/' "$work/cases/pool.xml"
  obeys 1 --test "$work/cases"
  refused 's/"result":.*/"result": "bad",/'
  obeys 0 --test --update "$work/cases"
  sed -i 's/kernel="[^"]*"/kernel="99,99"/' "$work/cases/pool.xml"
  obeys 3 --test "$work/cases"
  obeys 0 --version
  refused 's/"exit":/"end":/'
  refused 's/"version":.*/"version": 7/'
  refused 's/"mode":.*/"mode": "verion",/'
  schemas=(tests/schema/sarif.schema.json)
else
  schemas=("$SARIF_SCHEMA")
fi
format=--format=sarif
about_models
obeys 3 --check-shapes models/spec/P1.xml
refused 's/"startLine":.*/"startLine": 0,/'
refused 's/"columnKind":.*/"columnKind": "bytes",/'
refused 's/"level":.*"error",/"level": "fatal",/'
exit $failed
