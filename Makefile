# ecube: `make demo` runs the main job, `make check` the tests, `make bench` the speed measurements. `make V=1` shows
# every command.

BUILD := build
V := 0
quiet = $(if $(filter 0,$(V)),@echo "  $(1)" &&)

.DELETE_ON_ERROR:
.SUFFIXES:

# --- what there is to build ---

MODELS := $(wildcard models/*.c)
SIM := $(wildcard sim/*.c sim/schedules/*.c)
LIBRARY := $(filter-out sim/main.c sim/cmd_%.c sim/command.c sim/prediction.c,$(MODELS) $(SIM))
PROGRAM := $(filter-out $(LIBRARY),$(SIM))
TESTS := $(wildcard tests/*.c)

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) $(SANITIZE) $(GLIB_CFLAGS) -MMD -MP
LIBS = $(GLIB_LIBS) -lsimgrid -lm

.PHONY: all demo check check-cluster estimates unit transcripts sanitize valgrind lint bench figures install uninstall
.PHONY: clean FORCE

all: ecube

# Flags, once the packages are there; the script installs what is missing.
ifneq ($(filter-out clean uninstall,$(or $(MAKECMDGOALS),all)),)
include build/config.mk
endif
build/config.mk: scripts/dependencies.sh
	@scripts/dependencies.sh $@

ecube: $(BUILD)/ecube
	@cp $< $@

$(BUILD)/ecube: $(call objects,$(PROGRAM) $(LIBRARY))
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)

# what links models/ alone
$(BUILD)/tests/example_best: $(call objects,tests/example_best.c $(MODELS))
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(GLIB_LIBS) -lm

$(BUILD)/tests/tests: $(call objects,$(filter-out tests/bench.c tests/example_best.c,$(TESTS)) $(LIBRARY))
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(CHECK_LIBS) $(LIBS)

$(BUILD)/tests/bench: $(call objects,tests/bench.c $(LIBRARY))
	$(call quiet,LINK $@) $(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c build/config.mk
	@mkdir -p $(dir $@)
	$(call quiet,CC   $<) $(CC) $(ALL_CFLAGS) $(if $(filter tests/%,$<),$(CHECK_CFLAGS)) -c -o $@ $<

-include $(patsubst %.o,%.d,$(call objects,$(MODELS) $(SIM) $(TESTS)))

# --- installing ---

# GNU's names; DESTDIR comes before all of them.
PREFIX ?= /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
docdir = $(datarootdir)/doc/ecube
# where the shells look: zsh as Debian has it, fish below /usr/local only if XDG_DATA_DIRS says so
bashcompletiondir = $(datarootdir)/bash-completion/completions
zshcompletiondir = $(datarootdir)/zsh/$(if $(filter /usr,$(prefix)),vendor-completions,site-functions)
fishcompletiondir = $(if $(filter /usr/local,$(prefix)),/etc/fish/completions,$(datarootdir)/fish/vendor_completions.d)

INSTALL_SH = DESTDIR="$(DESTDIR)" bindir="$(bindir)" datadir="$(datadir)" mandir="$(mandir)" docdir="$(docdir)" \
    bashcompletiondir="$(bashcompletiondir)" zshcompletiondir="$(zshcompletiondir)" \
    fishcompletiondir="$(fishcompletiondir)" scripts/install.sh

install: ecube
	$(call quiet,INSTALL $(DESTDIR)$(prefix)) $(INSTALL_SH) install

uninstall:
	$(call quiet,UNINSTALL $(DESTDIR)$(prefix)) $(INSTALL_SH) uninstall

# What the program is told about itself: headers that change only when what they say does.
$(BUILD)/commit.h: FORCE
	@scripts/about.sh commit $@
$(BUILD)/place.h: FORCE
	@scripts/about.sh place $@ "$(bindir)" "$(datadir)/ecube"
$(BUILD)/sim/main.o: $(BUILD)/commit.h
$(BUILD)/sim/main.o: ALL_CFLAGS += -include $(BUILD)/commit.h
$(BUILD)/sim/data.o: $(BUILD)/place.h
$(BUILD)/sim/data.o: ALL_CFLAGS += -include $(BUILD)/place.h

# --- what there is to do ---

demo: ecube
	@./ecube run scenarios/ipsc860-demo.ini

check: lint unit transcripts sanitize valgrind
	@echo "check: lint, unit tests, transcripts, sanitizers and valgrind have passed"

# The scripts of scripts/cluster on a Slurm and an sshd of its own, on the loopback address; as root. Not part of check.
check-cluster: ecube
	@env -u MAKEFLAGS -u MAKELEVEL scripts/cluster/check.sh $(BUILD)/cluster

# What is expected of memory against what is taken.
estimates: ecube
	@scripts/estimates.sh

unit: $(BUILD)/tests/tests
	@CK_DEFAULT_TIMEOUT=120 $(BUILD)/tests/tests

transcripts: ecube $(BUILD)/tests/example_best
	@env -u MAKEFLAGS -u MAKELEVEL tests/transcripts.sh README.md ecube.1 tests/cli/*.txt

# The same tests, built with AddressSanitizer and UBSan. SimGrid's actors are threads then: AddressSanitizer can't
# follow hand-made stacks.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
sanitize:
	@$(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE="$(SANITIZERS)" CFLAGS="-O1 -g" build/sanitize/tests/tests
	@CK_DEFAULT_TIMEOUT=300 ECUBE_CONTEXTS=thread ASAN_OPTIONS=detect_stack_use_after_return=0 \
	    LSAN_OPTIONS=suppressions=tests/simgrid.lsan:print_suppressions=0 build/sanitize/tests/tests

valgrind: ecube
	@tests/valgrind.sh

lint:
	@scripts/lint.sh $(BUILD)

# The papers' figures and more: CSV, SVG and PNG.
figures: ecube
	@scripts/figures.sh $(BUILD)/figures
	@echo "figures: SVG, PNG and the CSV they are drawn from are in $(BUILD)/figures"

bench: $(BUILD)/tests/bench ecube
	@$(BUILD)/tests/bench

clean:
	rm -rf build ecube
