/* The subcommands: one file each, NAME.c, with a row that says what it takes, and a function for what it does. */
#pragma once

#include "sim/patterns/listing.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/show/gnuplot.h"

#include <glib.h>

typedef struct Command Command;

/* What this process has been given. */
typedef struct {
    const Command *const *commands;     /* all that there are, NULL-terminated, in the order of the help */
    const Command *command;
    const char *const *arguments;       /* what is not an option, NULL-terminated */
    guint n_arguments;
    Scenario *scenario;     /* the one that is named, and above it the options of keys and --set */
    char *format_name, *output, *figure;    /* --format, --output and --figure, or NULL */
    PlotFormat figure_format;           /* by the end of its name */
    char *words;            /* "ecube run -d 3": all of it, for a shell */
    GPtrArray *read;        /* of command_note_read(): what, path, what, path, ... */
    guint format;           /* of --format or the end of --output, a number in `formats`; 0 if neither says one */
} CommandLine;

struct Command {
    const char *name, *summary;
    /* What is taken, as in the help. It begins with what arguments are, for completion too: [SCENARIO], MACHINE, FILE
     * or PIECE, words with '|' between them, or an option if there are none; so do the texts of options' values with
     * their words, in small letters ("B|unlimited|optimal"). A name or text that ends in "..." may be repeated. */
    const char *usage;
    const char *help;                   /* its last paragraph; {keys} stands for keys_order() */
    const char *const *keys;            /* of [run] that are options; with scenarios all, and this is NULL */
    const char *const *needed;          /* the keys that must be given; or NULL */
    const GOptionEntry *options;        /* its own; the last one has no long_name. Or NULL */
    ListingKind listing;                /* what it lists of patterns */
    const char *const *formats;         /* of --format; NULL: table_format_names */
    const char *const *outputs;         /* formats of --output, if it is not what --format is about; or NULL */
    const char *single;                 /* it takes one argument: what is said of none or two; or NULL */
    gboolean verbatim;                  /* behind "--" nothing is an option of its own */
    gboolean (*run)(const CommandLine *line, GError **error);   /* FALSE: a check failed, or there is an error */
};

extern const Command command_run, command_report, command_verify, command_sweep, command_merge, command_columns,
    command_fit, command_compare, command_hull, command_offsets, command_best, command_tables, command_regions,
    command_plot, command_reproduce, command_export, command_tree, command_embed, command_platform, command_list,
    command_complete;

/* Options that several commands have. */
extern CommandLine command_line;
#define COMMAND_FORMAT \
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name, "What the result is written as", \
     "table|csv|json"}
#define COMMAND_LISTED {"", 0, 0, 0, NULL, NULL, NULL}     /* stands for the options of listings */
#define COMMAND_OUTPUT \
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &command_line.output, "Write to FILE, whole or not at all", "FILE"}

#define COMMAND_FIGURE(what) \
    {"figure", 0, 0, G_OPTION_ARG_FILENAME, &command_line.figure, "Draw " what ": .svg, .png or .pdf", "FILE"}

/* What `ecube reproduce` takes: papers, and their items. NULL: none can be read. Caller frees with g_strfreev(). */
char **reproduce_names(void);

/* "ecube" and the words, NULL-terminated, for a shell. Caller frees. */
char *command_quote(const char *const *words);

/* Does what argv[1] ... say, argv[0] being the command's name. --help prints and exits with 0. FALSE: a check failed,
 * or there is an error. */
gboolean command_main(const Command *const *commands, const Command *command, int argc, char **argv, GError **error);

gboolean command_takes_scenario(const Command *command);

/* All options: of keys, --set, and its own. The last one has no long_name. Caller frees the array. */
GOptionEntry *command_options(const Command *command);

/* The runs of the scenario (scenario_resolve()). NULL with an error, also if an output cannot be written. */
GArray *command_runs(const CommandLine *line, ScenarioUse use, GError **error);

/* The names of all algorithms of the pattern that the scenario's machine and processors can have, as a list, without
 * those that are one partition of another algorithm. Caller frees. */
char *command_algorithms(const Scenario *scenario, const Pattern *pattern);

/* Notes that the command reads the file `path` as its `what` ("machine"); no output may be this file. Both are
 * borrowed; `path` may be NULL: there is no file. */
void command_note_read(const char *what, const char *path);

/* Refuses a file to be written, the value of `option`, that is one of those noted. */
gboolean command_check_apart(const char *option, const char *path, GError **error);

/* Refuses --output and --figure if they cannot be written, are one file, or one of those noted. */
gboolean command_check_outputs(const CommandLine *line, GError **error);

/* Draws the figure by `script`, which it frees, if there is one; of NULL the error is set. */
gboolean command_draw(const CommandLine *line, char *script, GError **error);

/* Asks run_check() of all runs before any of them begins. `refused`, cleared, then [runs->len], gets why each is
 * refused, or NULL: those can go on. FALSE with the first reason if there are none. */
gboolean command_check_runs(const GArray *runs, GPtrArray *refused, GError **error);

/* Executes run i of `runs`, unless it is refused, for records[i]. `failures`, [runs->len], has why runs are refused, or
 * NULL, and gets why this one came to no result. `*trace`, unless `trace` is NULL, becomes its trace. A run of a list
 * leaves the others theirs: FALSE with an error only if there is no other, or the last one is refused as all are. */
gboolean command_execute(const GArray *runs, guint i, Record *records, GPtrArray *failures, Trace **trace,
                         GError **error);

/* Tells on stderr what failed: FALSE if anything did. `records` and `failures` are [runs->len]. */
gboolean command_tell_failures(const GArray *runs, const Record *records, const GPtrArray *failures);

/* Tells on stderr why one of the runs came to no result. */
void command_tell_failed(const GArray *runs, guint i, const char *why);
