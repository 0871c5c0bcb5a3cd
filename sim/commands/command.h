/* The subcommands: each is a file NAME.c with a row that describes its options, and a function that executes it. */
#pragma once

#include "sim/patterns/theory.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/show/gnuplot.h"

#include <glib.h>

typedef struct Command Command;

/* The command line of this process. */
typedef struct {
    const Command *const *commands;     /* all commands, NULL-terminated, in the order of the help */
    const Command *command;
    const char *const *arguments;       /* the words that are not options, NULL-terminated */
    guint n_arguments;
    Scenario *scenario;     /* the named scenario, overridden by the options of keys and --set */
    char *format_name, *output, *figure;    /* --format, --output and --figure, or NULL */
    PlotFormat figure_format;           /* format of the picture, by the suffix of --figure; unset without --figure */
    char *words;            /* the whole line, quoted for a shell: "ecube run -d 3" */
    GPtrArray *read;        /* pairs of command_note_read(): what, path, what, path, ... */
    guint format;           /* index in command->formats, chosen by --format, else by the suffix of --output; else 0 */
} CommandLine;

struct Command {
    const char *name, *summary;
    /* The usage as the help prints it. Completion reads its first word, the kind of arguments: [SCENARIO], MACHINE,
     * FILE, PIECE, words separated by '|', or an option if there are no arguments. A name that ends in "..." may be
     * repeated. Of the values of options, like "B|unlimited|optimal", completion offers the words in small letters. */
    const char *usage;
    const char *help;                   /* last paragraph of the help; {keys} stands for keys_order() */
    const char *const *keys;            /* keys of [run] that are options; NULL with a scenario, where all are */
    const char *const *needed;          /* keys that must be given; or NULL */
    const GOptionEntry *options;        /* further options; the last entry has no long_name; or NULL */
    ListingKind listing;                /* index in PatternTheory.listings of the listings that the command prints */
    const char *const *formats;         /* values of --format; NULL: table_format_names */
    const char *const *outputs;         /* suffixes that --output may have, without effect on the format; NULL: the
                                         * suffix chooses it */
    const char *single;                 /* error message unless there is exactly one argument; NULL: any number is
                                         * allowed */
    gboolean takes_csv;                 /* whether an argument that ends in ".csv" is a table of runs, not a scenario */
    gboolean verbatim;                  /* whether a first word "--" makes all words behind it arguments, not options */
    gboolean (*run)(const CommandLine *line, GError **error);   /* FALSE: a check failed, or there is an error */
};

extern const Command command_run, command_report, command_verify, command_sweep, command_merge, command_columns,
    command_fit, command_compare, command_hull, command_offsets, command_best, command_tables, command_regions,
    command_plot, command_reproduce, command_export, command_tree, command_embed, command_platform, command_list,
    command_complete;

/* The command line of this process. The options below, which several commands have, set its members. */
extern CommandLine command_line;
#define COMMAND_FORMAT \
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name, "What the result is written as", \
     "table|csv|json"}
#define COMMAND_LISTED {"", 0, 0, 0, NULL, NULL, NULL}     /* stands for the options of patterns' listings */
#define COMMAND_OUTPUT \
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &command_line.output, "Write to FILE, whole or not at all", "FILE"}

#define COMMAND_FIGURE(what) \
    {"figure", 0, 0, G_OPTION_ARG_FILENAME, &command_line.figure, "Draw " what ": .svg, .png or .pdf", "FILE"}

/* Returns the names that `ecube reproduce` takes: "all", papers and items; NULL: unreadable. g_strfreev() frees. */
char **reproduce_names(void);

/* Returns "ecube" and the NULL-terminated words, quoted for a shell. Caller frees. */
char *command_quote(const char *const *words);

/* Executes `command`, with its name in argv[0] and its words behind. --help prints and exits with 0. FALSE: a check
 * failed, or there is an error. */
gboolean command_main(const Command *const *commands, const Command *command, int argc, char **argv, GError **error);

gboolean command_takes_scenario(const Command *command);

/* Returns the path of the table of runs that the command line names, or NULL. Borrowed. */
const char *command_csv(const CommandLine *line);

/* Returns all options: of keys, --set, and of the command. The last entry has no long_name. Caller frees the array. */
GOptionEntry *command_options(const Command *command);

/* Returns the runs of the scenario (scenario_resolve()). NULL with an error, also if an output cannot be written. */
GArray *command_runs(const CommandLine *line, ScenarioUse use, GError **error);

/* Returns the group that the scenario asks for on the machine. NULL with an error, also if it asks for none. */
const Group *command_group(const Scenario *scenario, const Machine *machine, GError **error);

/* Returns "NAME,NAME,...": the pattern's algorithms that can run on the scenario's machine and processors. Leaves out
 * algorithms that equal a partition of another algorithm. Caller frees. */
char *command_algorithms(const Scenario *scenario, const Pattern *pattern);

/* Notes that the command reads the file `path`, so that no output may be this file. Errors call the file `what`, for
 * example "machine". Both strings are borrowed; `path` NULL: there is no file. */
void command_note_read(const char *what, const char *path);

/* Refuses the output `path`, the value of `option`, if it is a file that command_note_read() noted. */
gboolean command_check_apart(const char *option, const char *path, GError **error);

/* Refuses --output and --figure if they cannot be written, are the same file, or are read (command_note_read()). */
gboolean command_check_outputs(const CommandLine *line, GError **error);

/* Runs `script` (owned) and writes the picture to --figure. Without --figure does nothing. With --figure, a `script`
 * of NULL means that `error` is set already. */
gboolean command_draw(const CommandLine *line, char *script, GError **error);

/* Checks all runs with run_check() before any of them begins. Fills `refused` ([runs->len]) with the reason why each
 * run is refused, or NULL. FALSE with the first reason if all are refused. */
gboolean command_check_runs(const GArray *runs, GPtrArray *refused, GError **error);

/* Executes run i of `runs`, unless failures[i] refuses it, and fills in records[i]. `failures` ([runs->len], by
 * command_check_runs()) gets the reason if the run comes to no result. `*trace`, unless `trace` is NULL, becomes the
 * run's trace. FALSE with an error: the only run of `runs` failed, or run i is the last and all are refused. */
gboolean command_execute(const GArray *runs, guint i, Record *records, GPtrArray *failures, Trace **trace,
                         GError **error);

/* Reports all failures on stderr. FALSE if there are any. `records` and `failures` are [runs->len]. */
gboolean command_report_failures(const GArray *runs, const Record *records, const GPtrArray *failures);

/* Reports on stderr why run i came to no result. */
void command_report_failed(const GArray *runs, guint i, const char *why);
