# A front for CMake. "make help" lists the targets; V=1 shows the commands, BUILD=DIR builds elsewhere, DEPS=no installs nothing.

BUILD  ?= build
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
PYTHON ?= python3
# Models that people published: a folder of .xml files, or one whose unpack.sh makes it.
REALIR ?= ../shared/realir
# What "make bare" lays out.
SUITES ?= bookworm trixie
# Outside of CI and Debug builds a new compiler's new warning stops nobody.
WERROR ?= $(if $(CI),ON,OFF)

# CMake's progress is not what one waits for, and of a build's a line a library or program is enough; errors are on stderr.
quiet     := $(if $(V),,>/dev/null)
Q         := $(if $(V),,@)
configure  = cmake -S . -DCMAKE_RULE_MESSAGES=$(if $(V),ON,OFF)
# The inner make gets its own -j and nothing of this one's.
build      = env -u MAKEFLAGS -u MAKELEVEL cmake --build $(1) -j $(JOBS) $(if $(V),-v)
release    = $(configure) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR)
irrun     := $(BUILD)/irrun

## all: the program and the library, build/irrun, build/libirrun.so and build/libirrun.a (default)
.PHONY: all
all: deps
	$(Q)$(release) -DBUILD_TESTING=OFF $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program irrun

## deps: what a build needs; what is missing is named and, as root on Debian, installed (DEPS=no does not)
.PHONY: deps
deps:
	$(Q)cmake/deps.sh fast

## demo: builds irrun, checks a shipped model and runs it on a shipped input
.PHONY: demo
demo: all
	$(Q)cmake/demo.sh $(irrun)

## test: builds and runs every test
.PHONY: test
test:
	$(Q)cmake/deps.sh fast test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD))
	$(Q)ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

## bare: "make demo" and "make test" on a bare Debian 12 and 13, as root and as a user without a network (needs root, a network, debootstrap)
.PHONY: bare
bare:
	$(Q)tests/bare/bare.sh $(BUILD)/bare $(SUITES)

## asan: every test again, with the address and undefined-behaviour sanitizers
.PHONY: asan
asan:
	$(Q)cmake/deps.sh test
	$(Q)$(configure) -B $(BUILD)/asan -DCMAKE_BUILD_TYPE=Debug -DIRRUN_SANITIZE=address,undefined -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/asan)
	$(Q)ctest --test-dir $(BUILD)/asan -j $(JOBS) --output-on-failure

## asan-unit: the unit tests with the sanitizers, but for the pools' kernels, in a few minutes
.PHONY: asan-unit
asan-unit:
	$(Q)cmake/deps.sh test
	$(Q)$(configure) -B $(BUILD)/asan-unit -DCMAKE_BUILD_TYPE=Debug -DIRRUN_SANITIZE=address,undefined \
	  -DIRRUN_SANITIZE_KERNELS=OFF -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/asan-unit) --target unit_tests
	$(Q)ctest --test-dir $(BUILD)/asan-unit -j $(JOBS) -R '^unit\.' --output-on-failure

## clang: builds all with clang, and compares the bits of its kernels with those of GCC's
.PHONY: clang
clang:
	$(Q)cmake/deps.sh test clang
	$(Q)$(configure) -B $(BUILD)/clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR) \
	  -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/clang)
	$(Q)ctest --test-dir $(BUILD)/clang -j $(JOBS) -R '^bits\.' --output-on-failure

## test-aarch64: the program for 64-bit ARM, cross-compiled, and goldens, bad models and bits by qemu; the first time needs root and a network for ARM's libraries
.PHONY: test-aarch64
test-aarch64:
	$(Q)cmake/deps.sh test arm
	$(Q)mkdir -p $(BUILD)
	$(Q)cmake/sysroot.sh arm64 $(BUILD)/arm64
	$(Q)$(configure) -B $(BUILD)/aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DCMAKE_SYSROOT=$(abspath $(BUILD)/arm64) \
	  -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/aarch64) --target irrun_program pool_bits pool_bits_doubled
	$(Q)ctest --test-dir $(BUILD)/aarch64 -j $(JOBS) -R '^(bits|golden|faults$$|models$$)' --no-tests=error --output-on-failure

## test-avx512: do the kernels give the same bits with AVX-512 as with AVX2, on a machine without it? Run by Bochs, half an hour
.PHONY: test-avx512
test-avx512:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target pool_bits
	$(Q)tests/bits/emulated.sh $(BUILD)/tests/bits/pool_bits avx2 --cases >$(BUILD)/emulated_avx2.txt
	$(Q)tests/bits/bits.sh $(BUILD)/emulated_avx2.txt tests/bits/emulated.sh $(BUILD)/tests/bits/pool_bits avx512 --cases

## lint: only the tests that read the sources: include direction and circles, exported names, layout
.PHONY: lint
lint:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun
	$(Q)ctest --test-dir $(BUILD) -L lint --output-on-failure

## format: lays out the C files with clang-format 14
.PHONY: format
format:
	$(Q)tests/lint/format.sh --fix

## format-check: says which C files "make format" would change
.PHONY: format-check
format-check:
	$(Q)tests/lint/format.sh

## readme: runs the commands that README.md, CONTRIBUTING.md and docs/ show, and puts their output there
.PHONY: readme
readme: all
	$(Q)tests/readme/readme.sh --update $(irrun)
	$(Q)tests/example/op.sh --update $(BUILD) $(CC)

## pages: writes a page of each op and of each rule into build/pages
.PHONY: pages
pages: all
	$(Q)cmake/pages.sh $(irrun) $(BUILD)/pages
	$(Q)echo "$(BUILD)/pages/index.md"

## bits: records which bits the kernels give, and says where they are others than before
.PHONY: bits
bits:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target pool_bits
	$(Q)tests/bits/bits.sh --update tests/bits/hashes.txt $(BUILD)/tests/bits/pool_bits any

## golden: makes the golden files anew from the reference runtime and says what changed (needs Python and network)
.PHONY: golden
golden: all
	$(Q)PYTHON=$(PYTHON) tests/golden/golden.sh $(irrun)

## conformance: compares 5,000 random models with the reference runtime (needs Python and network)
.PHONY: conformance
conformance: all
	$(Q)PYTHON=$(PYTHON) tests/conformance/conformance.sh $(irrun)

## newest: does the newest OpenVINO have ops or inputs that irrun has not? (needs Python and network)
.PHONY: newest
newest: all
	$(Q)PYTHON=$(PYTHON) tests/conformance/newest.sh $(irrun)

## layers: compares what every layer computes with OpenVINO and onnxruntime (needs Python and network)
.PHONY: layers
layers: all
	$(Q)PYTHON=$(PYTHON) tests/layers/layers.sh $(irrun)

## onnx: runs ONNX's node tests, converted by OpenVINO, and lists what stands in the way (needs Python and network)
.PHONY: onnx
onnx: all
	$(Q)PYTHON=$(PYTHON) tests/onnx/onnx.sh $(irrun)

## realir: checks and runs real models, REALIR=DIR: lists those that are not ok, and where OpenVINO, if PYTHON has it, does otherwise
.PHONY: realir
realir: all
	$(Q)PYTHON=$(PYTHON) tests/realir/realir.sh $(irrun) $(REALIR)

## bench: start-up time, reading speed, with OpenVINO's where PYTHON has it, peak memory, and the pools against what the machine can do
.PHONY: bench
bench:
	$(Q)cmake/deps.sh bench
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)tests/bench/bench.sh $(BUILD)
	$(Q)PYTHON=$(PYTHON) tests/bench/reading.sh $(BUILD) $(REALIR)
	$(Q)tests/bench/pools.sh $(BUILD)

## bench-peers: OpenVINO, onnxruntime and irrun side by side on the same pools (needs Python and network)
.PHONY: bench-peers
bench-peers:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program peer_timers
	$(Q)PYTHON=$(PYTHON) tests/bench/peers.sh $(BUILD)

## bench-networks: whole networks in OpenVINO and irrun: a run on 1 and 2 threads, a cold process, its memory (needs Python and network)
.PHONY: bench-networks
bench-networks:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)PYTHON=$(PYTHON) tests/bench/networks.sh $(BUILD) $(REALIR)

## networks: compares what whole networks compute with OpenVINO (needs Python and network)
.PHONY: networks
networks: all
	$(Q)PYTHON=$(PYTHON) tests/bench/networks.sh $(BUILD) $(REALIR) --check

## deb: Debian packages of program, library and header, in build/deb; lintian has to find nothing
.PHONY: deb
deb:
	$(Q)cmake/deps.sh deb
	$(Q)DEB_BUILD_OPTIONS=parallel=$(JOBS) cmake/deb.sh $(BUILD)/deb $(quiet)
	$(Q)ls $(BUILD)/deb/*.deb

## wheel: a Python wheel for other distributions, in build/wheel; LIBXML2=DIR CJSON=DIR name the sources of both (needs pip, auditwheel, patchelf)
.PHONY: wheel
wheel: deps
	$(Q)PYTHON=$(PYTHON) cmake/wheel.sh $(BUILD)/wheel $(or $(LIBXML2),$(error LIBXML2=DIR CJSON=DIR have to name source trees)) $(CJSON) $(quiet)
	$(Q)ls $(BUILD)/wheel/*.whl

## sbom: what program, library and module are linked with, as CycloneDX, in build/sbom.json
.PHONY: sbom
sbom: all
	$(Q)cmake/sbom.sh $(irrun) $(BUILD)/libirrun.so $(wildcard $(BUILD)/irrun-onednn.so) >$(BUILD)/sbom.json
	$(Q)echo $(BUILD)/sbom.json

## install: program, libraries, headers, irrun.pc and CMake package under PREFIX (/usr/local); DESTDIR is honoured
.PHONY: install
install: deps
	$(Q)$(release) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program irrun
	$(Q)cmake --install $(BUILD)

## clean: removes the build directory
.PHONY: clean
clean:
	$(Q)rm -rf $(BUILD)

## help: this list
.PHONY: help
help:
	@awk -F ': ' '/^## /{ sub(/^## /, ""); name = $$1; sub(/^[^:]*: /, ""); printf "  %-14s %s\n", name, $$0 }' $(MAKEFILE_LIST)
