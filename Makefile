# The front door. CMake does the work; `make help` lists what can be asked for.
#
#: make               build the library and the commands into build/
#: make demo          build, then run an application on 4 PEs (PES=n for another number)
#: make check         build, then run the tests, in under twelve minutes on two processors; TESTS=regex for those whose
#:                    name matches
#: make check-all     the rest: other sizes, launchers, networks, models, and builds with sanitizers and clang
#:                    (make check-quick)
#: make install       install into PREFIX (/usr/local); PREFIX=/some/where make install; COMPAT=1 also puts the
#:                    linker's names of other libraries (libsma, liboshmem, libpmi_simple) beside libsheaf; NETWORK=bundled
#:                    a UCX for machines that have none
#: make docs          the book as files of HTML and a PDF, in build/book
#: make uninstall     remove what the last make install of this folder put where it did
#: make wheel         build the Python wheels sheafshmem and sheaftorch into build/wheel/dist, for glibc 2.28 and later
#: make dist          the source archive of the last commit, notes and checksums in build/dist; versions must agree
#: make packages      Debian's packages of the last commit in build/packages, on Debian 12 or Ubuntu 24.04
#: make release       all files of a release in build/dist: what make dist, wheel and packages make, and their checksums
#: make soak          the long tests, SOAK_SECONDS (600) each, check-asan and fresh
#: make fresh         make demo, check, install and uninstall on a bare Debian 12 and a bare Ubuntu 24.04, in folders of
#:                    FRESH (build/fresh), as root and as a plain user, and make packages, whose packages another bare
#:                    one installs; as root; ONLY=debian for one of them, ONLY=debian:packages for a part, ONLY=debian:personas
#:                    for newcomers who type the lines of the book (docs/contribute/newcomers.md)
#: scripts/test NAME  one test by itself, as `ctest --test-dir build -N` names it; -b builds first what it runs
#: make check-asan    all tests with address and undefined-behaviour checks (gcc)
#: make check-tsan    all tests with data-race checks (gcc)
#: make check-clang   all tests built with clang
#: make check-inline  the tests that run PEs, compiled with the inline forms of shmemx_inline.h
#: make machines      run on virtual machines with other hardware; ONLY="numa small/512-mib" for some;
#:                    PATIENCE=3 makes every limit three times as long, on a machine that others use too
#: make bench         measure Sheaf, Open MPI and this machine's limits; QUICK=1 for two minutes
#: make bench-net     the same across hosts made on this machine, as root; QUICK=1 for three minutes
#:                    BASE=commit compares with that commit instead, in turns, and says what changed
#: make bench-python  what a call from Python costs, beside C, shmem4py and mpi4py
#: make bench-fortran  what a call from Fortran costs, beside C
#: make scale         what start, collectives and deaths take with up to 100,000 PEs, by a model: docs/measured/scale.md (under ten minutes)
#: make figures-net   make bench-net, and write docs/measured/network.md and its pictures
#: make figures       make bench and oshtune, and write docs/measured/speed.md, docs/measured/algorithms.md's figures and
#:                    docs/measured/figures/ from what they measured (about 12 minutes; less with ROUNDS=3
#:                    TUNE_SECONDS=60); refuses where the machine is not quiet, unless ANYWAY=1
#: make study-diposh  put, get and a matrix product against MPI, on one host and between two, as root:
#:                    docs/measured/diposh.md and its pictures (under ten minutes; QUICK=1 for a look)
#: make study         the applications of the papers' studies against OpenMP and MPI, each answer checked; QUICK=1 for
#:                    under five minutes, ONLY=heat for a part, PES=1,2,4; STUDY=folder is where it goes on when it was stopped
#: make conform       which routines and statements of OpenSHMEM 1.6 each library has and which of them hold: Sheaf's, Open
#:                    MPI's where it is installed; PEERS="name:compiler:command; ..." for others
#: make clean         remove what was built
#: make help          this list

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
# Tests across hosts wait for launchers half of their time: one more than there are processors.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
PES    ?= 4
SOAK_SECONDS ?= 600
TUNE_SECONDS ?= 120
TUNE_PES     ?= 2,4,8,16
TESTS  ?= .
FRESH  ?= build/fresh

CTEST   = ctest --output-on-failure --no-tests=error -j $(TEST_JOBS)
# One preset configured and built, its tests too: $(call build,release)
build   = cmake --preset $(1) >/dev/null && cmake --build --preset $(1)

BUILD_ARM64 = if command -v aarch64-linux-gnu-g++ >/dev/null; then $(call build,arm64) && \
    $(call build,arm64-lse) --target product programs-litmus programs-atomics programs-threads programs-inline; fi

all: setup
	@$(call build,release) --target product

setup:
	@scripts/setup

setup-clang:
	@scripts/setup --clang

setup-tests:
	@scripts/setup --tests

demo: all
	@scripts/demo build $(PES)

check:
	@scripts/check '$(TESTS)'

check-all:
	@scripts/check --rest

check-quick: setup-tests
	@scripts/check-quick $(JOBS)

soak: setup-tests
	@$(call build,release)
	@SHEAF_SOAK_SECONDS=$(SOAK_SECONDS) $(CTEST) --test-dir build --label-regex soak
	@$(MAKE) --no-print-directory check-asan
	@[ "$$(id -u)" != 0 ] || $(MAKE) --no-print-directory fresh

setup-fresh:
	@scripts/setup --fresh

fresh: setup-fresh
	@scripts/fresh $(FRESH) $(ONLY)

check-asan: setup-tests
	@$(call build,asan)
	@$(CTEST) -R '$(TESTS)' --test-dir build-asan --label-exclude 'soak|wide|no-sanitizer'

check-tsan: setup-tests
	@$(call build,tsan)
	@$(CTEST) -R '$(TESTS)' --test-dir build-tsan --label-exclude 'soak|wide|no-sanitizer'

check-clang: setup-clang
	@$(call build,clang-release)
	@$(CTEST) -R '$(TESTS)' --test-dir build-clang-release --label-exclude soak

setup-machines:
	@scripts/setup --machines

# The builds for AArch64 are for one kind alone, and take the longest: the second only what that kind runs.
machines: setup-tests setup-machines
	@$(call build,release)
	@$(if $(ONLY),$(if $(findstring arm64,$(ONLY)),$(BUILD_ARM64)),$(BUILD_ARM64))
	@tests/machines/run build $(if $(PATIENCE),--patience $(PATIENCE)) $(ONLY)

# Excluded is what needs the calls themselves (label no-inline, with its reason) or none.
check-inline: setup-tests
	@$(call build,inline)
	@$(CTEST) -R '$(TESTS)' --test-dir build-inline --label-exclude 'soak|no-inline'

prefix:
	@[ "$$(realpath -m -- '$(PREFIX)')" != "$$(realpath .)" ] || \
	    { echo "install: $(PREFIX) is the source tree: give another PREFIX, such as install" >&2; exit 1; }

# NETWORK=bundled: the library has a UCX of its own beside it, for machines that have none.
network:
	@scripts/network build/network
	@cmake --preset release -DSHEAF_NETWORK=$(CURDIR)/build/network >/dev/null

# Under DESTDIR it leaves alone what make uninstall goes by.
install: prefix $(if $(filter bundled,$(NETWORK)),network) all
	@prefix=$$(realpath -m -- '$(PREFIX)') && mkdir -p build/manifests && \
	if [ -n "$$DESTDIR" ]; then mv -f build/install_manifest*.txt build/manifests 2>/dev/null || :; fi && \
	cmake --install build --prefix "$$prefix" >/dev/null && \
	$(if $(COMPAT),cmake --install build --prefix "$$prefix" --component compat >/dev/null &&) \
	if [ -n "$$DESTDIR" ]; then rm -f build/install_manifest*.txt; mv build/manifests/* build 2>/dev/null || :; \
	    echo "put into $$DESTDIR$$prefix, to be used as $$prefix; remove $$DESTDIR to undo it"; \
	else echo "installed in $$prefix; add $$prefix/bin to PATH"; fi

uninstall:
	@[ -e build/install_manifest.txt ] || { echo "uninstall: this folder has installed nothing" >&2; exit 1; }
	@awk 1 build/install_manifest*.txt | xargs -d '\n' rm -f
	@awk -F/ '{ p = ""; for (i = 2; i < NF; i++) { p = p "/" $$i; if (p ~ /\/sheaf/) print p } }' \
	    build/install_manifest*.txt | sort -ru | xargs -d '\n' rmdir --ignore-fail-on-non-empty
	@rm build/install_manifest*.txt && echo "removed"

# Without the other library the benchmarks measure Sheaf and the limits alone, and say so.
bench: setup
	-@scripts/setup --bench
	@$(call build,release) --target product
	@bench/run build

# Without a compiler or a measurement: bench/figures alone, from the data that bench/data keeps.
figures: quiet bench
	@build/bin/oshtune -s $(TUNE_SECONDS) -p $(TUNE_PES) -o build/bench/sheaf.tune -m build/bench/collectives.tsv
	@bench/figures build/bench
	@echo "written: docs/measured/speed.md docs/measured/algorithms.md docs/measured/figures/"

quiet: setup
	@bench/quiet build/bench

# Hosts are network namespaces: root only, and it says so.
bench-net: setup
	-@scripts/setup --bench
	@$(call build,release) --target product
	@bench/net/$(if $(BASE)$(VARIANTS),compare,run) build

scale: setup
	@$(call build,release) --target test-scale-model --target test-scale-start --target test-scale-storm --target test-scale-log
	@python3 tests/scale/scale.py build/tests docs

figures-net: bench-net
	@bench/figures build/bench-net
	@echo "written: docs/measured/network.md docs/measured/figures/"

# A look leaves the documents as they are.
study-diposh: setup
	-@scripts/setup --bench
	@$(call build,release) --target product
	@bench/diposh/run build
	@$(if $(QUICK),:,bench/figures build/diposh && echo "written: docs/measured/diposh.md docs/measured/figures/")

conform: setup
	-@scripts/setup --bench
	@$(call build,release) --target product
	@bench/conform/run build

study: setup
	-@scripts/setup --bench
	@$(call build,release) --target product
	@bench/study/run build $(STUDY)
	@$(if $(QUICK)$(ONLY),:,bench/figures $(or $(STUDY),build/study) && echo "written: docs/measured/studies.md")

wheel: setup
	@scripts/wheel

docs: all
	@scripts/book

dist:
	@scripts/dist build/dist

setup-packages:
	@scripts/setup --packages

packages: setup-packages
	@scripts/packages build/packages

release:
	@rm -rf build/dist
	@scripts/dist build/dist
	@$(MAKE) --no-print-directory wheel packages
	@cp build/wheel/dist/*.whl build/packages/*.deb build/packages/*.dsc build/packages/*.orig.tar.gz \
	    build/packages/*.debian.tar.xz build/dist/
	@cd build/dist && sha256sum $$(ls | grep -v SHA256SUMS) >SHA256SUMS && ls

bench-python: setup-tests
	@$(call build,release) --target product
	@bench/python/run build

bench-fortran: setup-tests
	@$(call build,release) --target product
	@bench/fortran/run build

clean:
	rm -rf build build-*

help:
	@sed -n 's/^#: //p' $(firstword $(MAKEFILE_LIST))

.PHONY: scale network dist packages setup-packages release check-all conform docs wheel bench-python bench-fortran quiet all setup setup-clang setup-tests setup-machines demo check soak machines check-quick check-asan check-tsan check-clang check-inline install uninstall prefix fresh setup-fresh bench bench-net figures figures-net study-diposh study clean help
.NOTPARALLEL:
