# ecube: `make demo` runs the main job, `make check` the tests, `make check-all` all that the tests can do, `make fuzz`
# tries the parsers on what nobody would write, `make bench` is the speed measurements. `make V=1` shows every command.

BUILD := build
V := 0
quiet = $(if $(filter 0,$(V)),@echo "  $(1)" &&)

# All cores, unless a command line says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=$(shell nproc)
endif

.DELETE_ON_ERROR:
.SUFFIXES:

# --- what there is to build ---

MODELS := $(wildcard models/*.c)
GROUND := $(wildcard sim/text/*.c sim/cube/*.c sim/machine/*.c)
MPI := $(wildcard sim/mpi/*.c)
PRELOAD := $(wildcard sim/preload/*.c)
SHARED := $(wildcard sim/lib/*.c) $(MODELS) $(GROUND)
SIM := $(filter-out $(MPI) $(PRELOAD),$(wildcard sim/*.c sim/*/*.c sim/*/*/*.c))
LIBRARY := $(filter-out sim/main.c sim/commands/%,$(MODELS) $(SIM))
PROGRAM := $(filter-out $(LIBRARY),$(SIM))
TESTS := $(filter-out tests/fuzz/% tests/mpi/%,$(wildcard tests/*/*.c))
FUZZER := tests/fuzz/fuzz.c
RECIPES := $(BUILD)/recipes/algorithm.o $(BUILD)/recipes/pattern.o

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

# What is linked into the program beside code: the parts of the page of `ecube report`, and scripts for gnuplot.
PAGE := $(wildcard sim/show/page/* sim/show/figures/*)
LINKED := $(BUILD)/page.o

CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wformat=2 -Wundef
# glibc's checks take optimisation, and would hide errors from the sanitizers
FORTIFY = $(if $(SANITIZE),,$(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDENING = $(FORTIFY) -fstack-protector-strong $(POSITION)
POSITION := -fPIE
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -iquote . $(WARNINGS) $(HARDENING) $(CFLAGS) $(SANITIZE) $(call system,$(GIO_CFLAGS) $(SIMGRID_CFLAGS)) \
    -MMD -MP
ALL_LDFLAGS = -pie -Wl,-z,relro,-z,now $(LDFLAGS)
system = $(patsubst -I%,-isystem %,$(1))    # other people's headers: no warnings about them
LIBS = $(GIO_LIBS) -lm

NAMES := all demo check check-all check-cluster check-mpi check-peers unit lint transcripts valgrind sanitize browser frames \
    estimates fuzz bench figures mpi install uninstall clean
.PHONY: $(NAMES) FORCE
UNKNOWN := $(filter-out $(NAMES) ecube ecube-mpi libecube-mpi.so run.% build/% $(BUILD)/%,$(MAKECMDGOALS))
$(if $(UNKNOWN),$(error there is no goal '$(firstword $(UNKNOWN))'; the goals: $(NAMES)))

all: ecube $(BUILD)/libecube.so.0 build/draws.mk

# Flags, once the packages are there; the script installs what is missing. Only tests take those of Check.
GOALS := $(filter-out clean uninstall,$(or $(MAKECMDGOALS),all))
CONFIG := build/$(if $(filter-out mpi ecube-mpi libecube-mpi.so,$(GOALS)),config,mpi).mk    # mpi needs no SimGrid
TESTED := check% unit lint transcripts valgrind sanitize browser fuzz run.% $(BUILD)/tests/%
CONFIGS := $(if $(GOALS),$(CONFIG) $(if $(filter $(TESTED),$(GOALS)),build/tests.mk))
ifneq ($(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),)
$(foreach file,$(CONFIGS),$(eval $(file <$(file))))     # make -n: make would make what is included
else
include $(CONFIGS)
endif
build/config.mk: scripts/dependencies.sh
	@CC='$(CC)' scripts/dependencies.sh $@ build
build/mpi.mk: scripts/dependencies.sh
	@CC='$(CC)' scripts/dependencies.sh $@ mpi

build/draws.mk build/tests.mk: build/%.mk: scripts/dependencies.sh | build/config.mk
	@scripts/dependencies.sh $@ $*

ecube: $(BUILD)/ecube
	@cp -f $< $@

$(BUILD)/ecube: $(call objects,$(PROGRAM) $(LIBRARY)) $(LINKED)
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# what links models/ and the ground alone
$(BUILD)/tests/programs/example_best: $(call objects,tests/programs/example_best.c $(MODELS) $(GROUND))
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(GLIB_LIBS) -lm

# the program with a network that it does not know
$(BUILD)/tests/programs/networks: $(call objects,tests/programs/networks.c $(PROGRAM) $(LIBRARY)) $(LINKED)
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/tests: $(call objects,$(filter-out tests/programs/%,$(TESTS)) $(LIBRARY)) $(LINKED) $(RECIPES)
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(LIBS)

$(BUILD)/tests/fuzz/fuzz: $(call objects,$(FUZZER) $(LIBRARY)) $(LINKED)
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

$(BUILD)/tests/programs/bench: $(call objects,tests/programs/bench.c $(LIBRARY)) $(LINKED)
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(SIMGRID_LIBS) $(LIBS)

# --- libecube: the schedules for other programs ---

SHARED_LDFLAGS = -shared -Wl,-z,relro,-z,now,-z,defs $(LDFLAGS)
$(call objects,$(SHARED)): POSITION := -fPIC
$(BUILD)/libecube.so.0: $(call objects,$(SHARED)) sim/lib/ecube.map
	$(call quiet,LINK $@) $(CC) $(SHARED_LDFLAGS) -Wl,-soname,libecube.so.0 -Wl,--version-script=sim/lib/ecube.map -o $@ \
	    $(filter %.o,$^) $(GLIB_LIBS) -lm

# --- the schedules on an MPI: a program without SimGrid, which has functions of MPI's names ---

MPICC := mpicc
MPI_BUILD = $(BUILD)/$(notdir $(firstword $(MPICC)))
# to gcc, MPICH's MPI_STATUSES_IGNORE is an array that is too small; to clang, that is no warning
MPI_CFLAGS = $(ALL_CFLAGS) -Wno-unknown-warning-option -Wno-stringop-overflow
mpi: ecube-mpi libecube-mpi.so $(BUILD)/libecube.so.0
ecube-mpi libecube-mpi.so: %: $(MPI_BUILD)/% FORCE
	@cmp -s $< $@ || cp $< $@

$(MPI_BUILD)/ecube-mpi: $(MPI:%.c=$(MPI_BUILD)/%.o) $(BUILD)/library.a
	$(call quiet,LINK $@) $(MPICC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(GLIB_LIBS) -lm

# of which only what is needed is linked, and nothing that knows SimGrid
$(BUILD)/library.a: $(call objects,$(filter-out $(addprefix sim/engine/,engine.c fluid.c actors.c simgrid.c),$(LIBRARY)))
	$(call quiet,AR   $@) rm -f $@ && $(AR) rcs $@ $^

$(MPI:%.c=$(MPI_BUILD)/%.o) $(PRELOAD:%.c=$(MPI_BUILD)/%.o): $(MPI_BUILD)/%.o: %.c $(CONFIG) $(MPI_BUILD)/.there
	@mkdir -p $(dir $@)
	$(call quiet,MPICC $<) { $(MPICC) $(MPI_CFLAGS) -c -o $@ $< 2>$(@:.o=.said); code=$$?; cat $(@:.o=.said) >&2; \
	    exit $$code; }

$(MPI_BUILD)/.there: scripts/dependencies.sh
	@scripts/dependencies.sh $@ $(MPICC)

# To be loaded before a program's MPI, of whose functions it has some again. Every child of the program loads it as well,
# so it needs the C library alone.
$(MPI_BUILD)/libecube-mpi.so: $(PRELOAD:%.c=$(MPI_BUILD)/%.o) $(call objects,models/statistics.c models/turns.c) \
    sim/preload/preload.map
	$(call quiet,LINK $@) $(CC) $(SHARED_LDFLAGS) -Wl,--version-script=sim/preload/preload.map -o $@ $(filter %.o,$^) \
	    -Wl,--as-needed -lm -ldl -lpthread
$(PRELOAD:%.c=$(MPI_BUILD)/%.o): POSITION := -fPIC

-include $(MPI:%.c=$(MPI_BUILD)/%.d) $(PRELOAD:%.c=$(MPI_BUILD)/%.d)

# The program on 1 to 16 ranks of this machine, and what is preloaded with an MPICH as well, if there is one; not part of
# check.
MPICH := $(if $(shell command -v mpicc.mpich),mpich)
check-mpi: ecube mpi $(BUILD)/spoil.so $(MPI_BUILD)/.checks $(MPICH:%=run.%)
	@env -u MAKEFLAGS -u MAKELEVEL OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
	    tests/scripts/transcripts.py tests/mpi/mpi.txt tests/mpi/preload.txt $(MPICH:%=tests/mpi/%.txt)
run.mpich: mpi
	+@$(MAKE) --no-print-directory MPICC=mpicc.mpich $(BUILD)/mpicc.mpich/libecube-mpi.so
$(MPI_BUILD)/.checks: scripts/dependencies.sh | $(MPI_BUILD)/.there
	@scripts/dependencies.sh $@ mpi-checks
$(BUILD)/spoil.so: tests/mpi/spoil.c $(MPI_BUILD)/.there
	$(call quiet,MPICC $<) $(MPICC) -shared -fPIC $(CFLAGS) $(WARNINGS) -o $@ $<

# --- compiling ---

# What the compiler says is kept for `make lint`, to which a warning is an error.
$(BUILD)/%.o: %.c $(CONFIG)
	@mkdir -p $(dir $@)
	$(call quiet,CC   $<) { $(CC) $(ALL_CFLAGS) $(if $(filter tests/%,$<),-iquote $(BUILD) $(call system,$(CHECK_CFLAGS))) -c -o $@ $< \
	    2>$(@:.o=.said); code=$$?; cat $(@:.o=.said) >&2; exit $$code; }

# The page's modules as one, which needs no imports. main.js begins, and comes last.
$(BUILD)/page.js: $(filter-out %/main.js,$(filter %.js,$(PAGE))) sim/show/page/main.js
	@mkdir -p $(dir $@)
	$(call quiet,GEN  $@) sed '/^import /d; s/^export //' $^ >$@

$(BUILD)/page.c: sim/show/page/page.gresource.xml $(BUILD)/page.js $(PAGE)
	$(call quiet,GEN  $@) glib-compile-resources --sourcedir=$(dir $<) --sourcedir=sim/show/figures --sourcedir=$(BUILD) \
	    --generate-source --target=$@ $<
$(LINKED): %.o: %.c $(CONFIG)
	$(call quiet,CC   $<) $(CC) $(ALL_CFLAGS) -c -o $@ $<

$(call objects,$(TESTS)) $(RECIPES): | $(BUILD)/suites.h

# What sim/README.md adds to the program, "Add an algorithm" and "Add a pattern", the tests add to themselves.
$(RECIPES:.o=.c): $(BUILD)/recipes/%.c: sim/README.md
	@mkdir -p $(dir $@)
	$(call quiet,GEN  $@) sed -n '/^## Add an* $*$$/,/^```$$/p' $< | sed '1,/^```c$$/d; /^```$$/d' >$@
$(RECIPES): %.o: %.c build/tests.mk
	$(call quiet,CC   $<) $(CC) $(ALL_CFLAGS) -iquote $(BUILD) $(call system,$(CHECK_CFLAGS)) -include tests/support/tests.h -c -o $@ $<

-include $(patsubst %.o,%.d,$(call objects,$(MODELS) $(SIM) $(TESTS) $(FUZZER)) $(RECIPES))

# --- installing ---

# GNU's names; DESTDIR comes before all of them.
PREFIX ?= /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
libdir = $(exec_prefix)/lib
includedir = $(prefix)/include
docdir = $(datarootdir)/doc/ecube
# where the shells look: zsh as Debian has it, fish below /usr/local only if XDG_DATA_DIRS says so
bashcompletiondir = $(datarootdir)/bash-completion/completions
zshcompletiondir = $(datarootdir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)
fishcompletiondir = $(if $(filter /usr/local,$(prefix)),/etc/fish/completions,$(datarootdir)/fish/vendor_completions.d)

INSTALL_SH = DESTDIR="$(DESTDIR)" prefix="$(prefix)" bindir="$(bindir)" datadir="$(datadir)" libdir="$(libdir)" includedir="$(includedir)" mandir="$(mandir)" docdir="$(docdir)" \
    bashcompletiondir="$(bashcompletiondir)" zshcompletiondir="$(zshcompletiondir)" \
    fishcompletiondir="$(fishcompletiondir)" scripts/install.sh

install: ecube $(BUILD)/libecube.so.0 build/draws.mk
	$(call quiet,INSTALL $(DESTDIR)$(prefix)) $(INSTALL_SH) install

uninstall:
	$(call quiet,UNINSTALL $(DESTDIR)$(prefix)) $(INSTALL_SH) uninstall

# What the program is told about itself: headers that change only when what they say does.
$(BUILD)/commit.h: FORCE
	@scripts/about.sh commit $@
$(BUILD)/place.h: FORCE
	@scripts/about.sh place $@ "$(bindir)" "$(datadir)/ecube"
ABOUT := $(BUILD)/sim/main.o $(BUILD)/sim/commands/report.o $(MPI_BUILD)/sim/mpi/main.o
$(ABOUT): $(BUILD)/commit.h
$(ABOUT): ALL_CFLAGS += -include $(BUILD)/commit.h
$(BUILD)/sim/engine/simgrid.o: ALL_CFLAGS += -DSIMGRID_LIBRARY='"$(SIMGRID_LIBRARY)"'
$(BUILD)/sim/run/data.o: $(BUILD)/place.h
$(BUILD)/sim/run/data.o: ALL_CFLAGS += -include $(BUILD)/place.h

# --- what there is to do ---

demo: ecube
	@./ecube run scenarios/ipsc860-demo.ini
	@echo; echo "To look at these runs in a browser: ./ecube report scenarios/ipsc860-demo.ini --output demo.html"

# --- tests ---

# Every suite, every file of transcripts and so on is a target of its own, run.PART.NAME, so that all of them share the
# cores. Each prints a line when it is through, and what it has said before that if something failed;
# the others go on.
PARTS := unit lint valgrind transcripts
run_parts = rm -rf build/log; mkdir -p build/log; code=0; $(MAKE) --no-print-directory --keep-going --output-sync=target \
    $(1:%=run.%) || code=$$?; tests/scripts/report.sh sum; exit $$code

check:
	+@($(call run_parts,$(PARTS)))
	@echo "check: lint, unit tests, transcripts and valgrind have passed"

# Everything, in the whole of its range, and the small range under sanitizers. With BESIDES=check the short transcripts,
# which `make check` runs in the same way, are left out.
check-all: export ECUBE_TESTS = all
check-all:
	+@($(call run_parts,$(PARTS) sanitize corpora estimates browser))
	@echo "check-all: everything has passed"

# The scripts of scripts/cluster on a Slurm and an sshd of its own, on the loopback address; as root. Not part of check.
check-cluster: ecube
	@env -u MAKEFLAGS -u MAKELEVEL scripts/cluster/check.sh $(BUILD)/cluster

# The same schedules under SMPI, SimGrid's MPI: traces, and ecube-mpi itself. Not part of check.
check-peers:
	+@($(call run_parts,peers))
	@echo "check-peers: the largest difference was" \
	    "$$(sed -n 's/^largest difference: //p' build/log/peers/* | sort -g | tail -n 1)"

# What takes longest comes first.
PEERS := replay-4 replay-on-12 replay-on-nodes execute-on-12 execute-5 execute-4 linear-4 execute-3 execute-2 execute-1 replay-contending replay-on-mesh execute-contending
ifeq ($(ECUBE_TESTS),all)
PEERS := linear-6 replay-5 linear-5 $(PEERS) replay-3 replay-2 replay-1 replay-packets replay-short
endif
SMPI := build/smpi/smpicc/ecube-mpi
run.peers: $(PEERS:%=run.peers.%)
$(PEERS:%=run.peers.%): run.peers.%: ecube run.smpi
	@env -u MAKEFLAGS -u MAKELEVEL tests/scripts/report.sh run peers $* tests/peers/check.sh $* $(SMPI)

# A shared object, which SMPI loads once for each rank. SMPI's own names for malloc() and free() are left out.
run.smpi:
	+@$(MAKE) --no-print-directory BUILD=build/smpi MPICC=smpicc CFLAGS=-O1 ALL_LDFLAGS= \
	    HARDENING="-fPIC -DSMPI_NO_OVERRIDE_MALLOC" $(SMPI)

# What is expected of memory against what is taken.
estimates: ecube
	@scripts/estimates.sh
run.estimates: ecube
	@tests/scripts/report.sh run estimates table scripts/estimates.sh

# The page of `ecube report` in real browsers: those that are there, Chromium being installed, or BROWSER, which is
# installed. And how long its frames take there.
BROWSERS := $(or $(BROWSER),chromium firefox)
run.browser: $(BROWSERS:%=run.browser.%)
$(BROWSERS:%=run.browser.%): run.browser.%: ecube
	@! BROWSER=$* tests/browser/available.sh $(BROWSER) || BROWSER=$* tests/scripts/report.sh run browser $* tests/browser/page.sh
frames: ecube
	@tests/browser/available.sh && tests/browser/page.sh frames

browser sanitize $(PARTS):
	+@$(call run_parts,$@)

# What registers them: SUITE(NAME) for each.
$(BUILD)/suites.h: FORCE
	@mkdir -p $(dir $@)
	@printf 'SUITE(%s)\n' $(sort $(SUITES)) | cmp -s - $@ || printf 'SUITE(%s)\n' $(sort $(SUITES)) >$@

LONGEST := multiplying trace explain permute published engine   # first, so that no core waits for them at the end
SUITES := $(LONGEST) $(filter-out $(LONGEST),$(patsubst test_%.c,%,$(notdir $(wildcard tests/*/test_*.c))))
run.unit: $(SUITES:%=run.unit.%)
$(SUITES:%=run.unit.%): run.unit.%: $(BUILD)/tests/tests
	@CK_FORK=$(if $(filter $*,$(APART)),yes,no) tests/scripts/report.sh run $(FLAVOUR) $* $(BUILD)/tests/tests $*
FLAVOUR := unit
# Suites that take a process for each test, which costs 50 ms each: they simulate flows, and a process has one SimGrid
# platform, or they add to the registry.
APART := arithmetic combinators engine machine_model multiplying overlap registry work

# What people read and try, and what only tests do. Those that use the folder build/cli run one after the other.
PAGES := README.md $(filter-out models/README.md,$(wildcard models/*.md)) scenarios/LECTURE.md sim/WORDS.md $(foreach folder,\
    models platforms scenarios scripts sim sim/* sim/patterns/* tests/peers,$(wildcard $(folder)/README.md))
PAGES := $(filter-out sim/mpi/README.md sim/preload/README.md,$(PAGES))   # check-mpi
TRANSCRIPTS := $(PAGES) sim/commands/ecube.1 $(wildcard tests/cli/*.txt)
ifdef BESIDES
TRANSCRIPTS := $(shell grep -lE '^( *```console long|\# long: )' $(TRANSCRIPTS))
endif
CLI := $(shell grep -l build/cli $(TRANSCRIPTS))
ALONE := $(filter-out $(CLI),$(TRANSCRIPTS))
run.transcripts: run.transcripts.cli $(ALONE:%=run.transcripts.%)
run.transcripts.cli: ecube $(BUILD)/tests/programs/example_best
	@env -u MAKEFLAGS -u MAKELEVEL tests/scripts/report.sh run transcripts "$(CLI)" tests/scripts/transcripts.py $(CLI)
$(ALONE:%=run.transcripts.%): run.transcripts.%: ecube $(BUILD)/tests/programs/example_best
	@env -u MAKEFLAGS -u MAKELEVEL tests/scripts/report.sh run transcripts $* tests/scripts/transcripts.py $*
ifeq ($(ECUBE_TESTS),all)
run.transcripts.scripts/README.md run.transcripts.tests/cli/figures.txt: figures    # made once
endif
run.transcripts.tests/cli/networks.txt: $(BUILD)/tests/programs/networks
run.transcripts.models/CLAIMS.md: $(BUILD)/tests/tests      # to which claims are left

# The same tests, built with AddressSanitizer and UBSan, which make them many times slower: they have their small range.
# When SimGrid kills an actor, AddressSanitizer warns that it can't follow hand-made stacks. (As threads, which it
# follows, actors take four times as long: ECUBE_CONTEXTS=thread.) Where a loaded library's thread-local data lies,
# AddressSanitizer guesses; from a wrong guess LeakSanitizer dies with signal 11, at random: intercept_tls_get_addr=0.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
run.sanitize:
	+@ECUBE_TESTS=small ECUBE_CONTEXTS=$${ECUBE_CONTEXTS-raw} \
	    ASAN_OPTIONS=detect_stack_use_after_return=0:intercept_tls_get_addr=0 \
	    LSAN_OPTIONS=suppressions=tests/scripts/simgrid.lsan:print_suppressions=0 \
	    $(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE="$(SANITIZERS)" CFLAGS="-O1 -g1" FLAVOUR=sanitize \
	    run.unit

run.valgrind: ecube
	@tests/scripts/report.sh run valgrind program tests/scripts/valgrind.sh

run.lint: ecube $(call objects,$(TESTS) $(FUZZER))
	@tests/scripts/report.sh run lint tree scripts/lint.sh $(BUILD)

# The parsers under libFuzzer, for SECONDS in all; and on what is in tests/fuzz/corpus alone.
SECONDS := 60
FUZZ_CC := clang
PARSERS := $(notdir $(wildcard tests/fuzz/corpus/*))
each_seconds = $(shell echo $$((($(SECONDS) * $$(nproc) + $(words $(PARSERS)) - 1) / $(words $(PARSERS)))))
fuzz:
	@tests/fuzz/available.sh $(FUZZ_CC)
	+@$(call run_parts,fuzz)

run.fuzz run.corpora: run.%:
	+@! tests/fuzz/available.sh $(FUZZ_CC) || $(MAKE) --no-print-directory BUILD=build/fuzz CC=$(FUZZ_CC) CFLAGS="-O1 -g" \
	    SANITIZE="$(SANITIZERS) -fsanitize=fuzzer-no-link" FLAVOUR=$* \
	    FUZZ_SECONDS=$(if $(filter fuzz,$*),$(each_seconds),0) $(PARSERS:%=run.parser.%)

$(PARSERS:%=run.parser.%): run.parser.%: $(BUILD)/tests/fuzz/fuzz
	@tests/scripts/report.sh run $(FLAVOUR) $* tests/fuzz/run.sh $(BUILD)/tests/fuzz/fuzz $* $(FUZZ_SECONDS)

# The papers' figures and more: CSV, SVG and PNG.
figures: $(BUILD)/figures/.made
	@echo "figures: SVG, PNG and the CSV they are drawn from are in $(BUILD)/figures"
$(BUILD)/figures/.made: ecube $(wildcard scripts/figures.sh scripts/figures/* scenarios/*.ini platforms/*.ini models/*.md) | build/draws.mk
	@scripts/figures.sh $(BUILD)/figures
	@echo made >$@

bench: $(BUILD)/tests/programs/bench ecube
	@$(BUILD)/tests/programs/bench

clean:
	rm -rf build ecube
