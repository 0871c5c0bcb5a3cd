/* The subcommands: one file each, NAME.c. */
#pragma once

#include "sim/run/resolve.h"
#include "sim/run/run.h"
#include "sim/run/scenario.h"

#include <glib.h>

/* A subcommand gets its own arguments, argv[0] being its name, and returns the exit code: 0 fine, 1 a check failed. If
 * it sets an error, main() prints it and chooses the code. */
typedef struct {
    const char *name, *summary;
    int (*main)(int argc, char **argv, GError **error);
} Command;

extern const Command command_run, command_verify, command_sweep, command_merge, command_compare, command_hull,
    command_best, command_tables, command_plot, command_export, command_tree, command_embed, command_platform,
    command_list, command_complete;

/* All of them, NULL-terminated, in the order of the help. */
extern const Command *const command_table[];

/* The folder of machine files. Borrowed. */
const char *command_platforms(void);

/* Parses the options of a subcommand; `usage` follows "ecube" in the help, `help` is its last paragraph. Those of
 * command_key_entries() are set in `scenario`, which may be NULL if there are none. What is not an option stays in
 * argv. --help prints and exits with 0. FALSE with an error on a bad option. `usage` begins with what arguments are,
 * for completion: SCENARIO, MACHINE, FILE or PIECE, words with '|' between them, or an option if there are none; so do
 * the texts of options' values with their words, in small letters ("B|unlimited|optimal"). A name or text that ends in
 * "..." may be repeated. */
gboolean command_parse(int *argc, char ***argv, const char *usage, const char *help, const GOptionEntry *options,
                       Scenario *scenario, GError **error);

/* What a subcommand takes, as it says to command_parse(). */
typedef struct {
    char *usage;
    GOptionEntry *entries;      /* the last one has no long_name; their arg_data is not to be used */
} CommandSyntax;

/* Asks a subcommand for its syntax; it does nothing else. It calls command_parse() before it does anything. */
void command_ask(const Command *command, CommandSyntax *syntax);
void command_syntax_clear(CommandSyntax *syntax);

/* FALSE with an error if anything but options is left in argv. */
gboolean command_no_arguments(int argc, char **argv, GError **error);

/* The options that stand for keys of [run], followed by --set and by the command's own, NULL-terminated like the
 * result: with a command that takes scenarios (`names` is NULL) those of all keys, and --set takes all keys; else those
 * named, NULL-terminated, and --set takes the machine's keys. Caller frees the array, not its texts. */
GOptionEntry *command_key_entries(const char *const *names, const GOptionEntry *own);

/* Both lists, NULL-terminated, one behind the other. Caller frees the array. */
GOptionEntry *command_join_entries(const GOptionEntry *first, const GOptionEntry *second);

/* Loads the scenario that a command line names in argv[1] (data.h), if it does, below what its options have set. */
gboolean command_load(Scenario *scenario, int argc, char **argv, GError **error);

/* Refuses an output, the value of `option`, that is the file of the scenario or of the machine, which may be NULL. */
gboolean command_check_apart(const char *option, const char *output, const Scenario *scenario, const Machine *machine,
                             GError **error);

/* Asks run_check() of all runs before any of them begins. `refused`, cleared, then [runs->len], gets why each is
 * refused, or NULL: those can go on. FALSE with the first reason if there are none. */
gboolean command_check_runs(const GArray *runs, GPtrArray *refused, GError **error);

/* Tells on stderr why one of the runs came to no result. */
void command_tell_failed(const GArray *runs, guint i, const char *why);
