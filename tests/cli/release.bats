# Tests --for: what a release of OpenVINO does not know.
load helpers

@test "--for: what a release of OpenVINO does not know" {
  pool_model a.xml
  irrun --check-shapes -q --for=openvino-2023.0 a.xml
  ends 0
  irrun --check-shapes -q --for 2021.4.2 a.xml
  ends 3
  says "a.xml:1:" "$stderr"
  says "error: OpenVINO 2021.4.2 does not read IR version 11 [IR215 newer-than-release]" "$stderr"
  says "hint: the first release that does is 2022.1" "$stderr"
  sed 's/"AvgPool" version="opset1"/"AvgPool" version="opset14"/; s/element_type="f32"/element_type="nf4"/' a.xml >new.xml
  irrun --check-shapes -q --for 2023.1 new.xml
  ends 3
  says "error: OpenVINO 2023.1 has no element type nf4 [IR215" "$stderr"
  says "hint: the first release with it is 2023.2" "$stderr"
  says "error: OpenVINO 2023.1 has no 'AvgPool' of opset14, here in 1 layer: its last is opset12 [IR215" "$stderr"
  says "hint: the first release with opset14 is 2024.0" "$stderr"
  for no in 2019.3 2023 2023.0x openvino 2023-0 2023.9 2023.0. openvino-2030.0 ""; do
    irrun --check-shapes -q --for "$no" a.xml
    ends 2
    says "error: '$no' is no release of OpenVINO that irrun knows [IR801" "$stderr"
    says "hint: give one of 2020.1 to 2020.4, 2021.1 to 2021.4, " "$stderr"
  done
  irrun --check-shapes -q --for 2030.0 a.xml a.xml a.xml
  ends 2
  [ "$output" = "" ]
  [ "$(grep -c IR801 <<<"$stderr")" = 1 ]
  irrun --check-shapes -q --for 2024.6.0 a.xml
  ends 0
  irrun a.xml --for 2023.0
  ends 2
}
