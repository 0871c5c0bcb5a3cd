/* ecube complete: prints what may come next on a command line, for the shells (scripts/completion/). */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/run/record.h"

#include <string.h>

#define FILES ":files\n"    /* the shell adds names of files */

/* The meaning of the words before the word to be completed. */
typedef struct {
    const Command *command;
    GOptionEntry *options;
    const GOptionEntry *awaited;        /* option whose value is the next word, or NULL */
    const char *pattern, *scenario;     /* name of the pattern, or of the scenario, on the line; NULL: not on it */
    guint n_arguments;
} Line;

/* A word to be completed, which is `kept` followed by `begun`, and its candidates so far, `out`. Candidates replace
 * `begun`, with which they begin. */
typedef struct {
    GString *kept, *out;
    const char *begun;
} Answer;

static void complete_put(Answer *a, const char *name, const char *suffix, const char *description)
{
    if (g_str_has_prefix(name, a->begun))
        g_string_append_printf(a->out, "%s%s%s\t%s\n", a->kept->str, name, suffix, description);
}

/* Moves the beginning of `begun` to the end of `kept`. `rest` points to the part of `begun` that stays. */
static void keep(Answer *a, const char *rest)
{
    g_string_append_len(a->kept, a->begun, rest - a->begun);
    a->begun = rest;
}

/* Moves all parts of a list but the last from `begun` to `kept`. */
static void keep_list(Answer *a)
{
    const char *comma = strrchr(a->begun, ',');
    if (comma)
        keep(a, comma + 1);
}

/* --- values --- */

/* Adds as candidates the words in small letters of a text like "B|unlimited|optimal"; of a word "k=K" only "k=". */
static void put_choices(Answer *a, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text ? text : "", "|", -1);
    for (guint i = 0; words[i] && words[1]; i++) {
        char *value = strchr(words[i], '=');
        if (value)
            *value = '\0';
        if (g_ascii_islower(*words[i]))
            complete_put(a, words[i], value ? "=" : "", "");
    }
}

static void put_machines(Answer *a)
{
    g_auto(GStrv) names = machine_names(data_platforms(), NULL);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(data_platforms(), "machine", names[i], NULL);
        complete_put(a, names[i], "", machine && machine->title ? machine->title : "");
    }
    if (machine_is_path(a->begun))
        g_string_append(a->out, FILES);
}

static void put_scenarios(Answer *a)
{
    g_auto(GStrv) names = data_scenario_names(NULL);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *path = data_find_scenario(names[i], NULL);
        g_autofree char *title = path ? data_scenario_title(path) : g_strdup("");
        complete_put(a, names[i], "", title);
    }
    g_string_append(a->out, FILES);
}

static void put_items(Answer *a)
{
    g_auto(GStrv) names = reproduce_names();
    for (guint i = 0; names && names[i]; i++)
        complete_put(a, names[i], "", "");
}

static void put_patterns(Answer *a)
{
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        complete_put(a, pattern->name, "", pattern_theory(pattern)->summary);
        for (guint j = 0; pattern->aliases[j]; j++)
            complete_put(a, pattern->aliases[j], "", pattern_theory(pattern)->summary);
    }
}

/* Returns the pattern of the line, else of its scenario, else the default. NULL: the name is unknown. */
static const Pattern *complete_find_pattern(const Line *line)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autofree char *path = line->scenario ? data_find_scenario(line->scenario, NULL) : NULL;
    const char *name = line->pattern;
    if (!name && path && scenario_load(scenario, path, NULL))
        name = scenario_get(scenario, "pattern");
    return name ? pattern_find("", name, NULL) : pattern_default();
}

/* Adds as candidates the algorithms of the pattern, except those that the list has already. */
static void put_algorithms(Answer *a, const Line *line)
{
    const Pattern *pattern = complete_find_pattern(line);
    g_autofree const char **names = pattern ? algorithm_names(pattern) : NULL;
    g_auto(GStrv) listed = input_split(a->kept->str, "=,");
    for (guint i = 0; names && names[i]; i++) {
        const Algorithm *algorithm = algorithm_find("", pattern, FALSE, names[i], NULL);
        if (!algorithm)
            algorithm = algorithm_find("", pattern, TRUE, names[i], NULL);
        if (!g_strv_contains((const char *const *)listed, names[i]))
            complete_put(a, names[i], "", algorithm->summary);
    }
}

static void put_keys(Answer *a, const Line *line)
{
    gboolean run = command_takes_scenario(line->command);
    for (guint i = 0; run && i < keys_count(); i++)
        complete_put(a, keys_nth(i)->name, "=", keys_nth(i)->help);
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (machine_may_override(key->name) && !(run && keys_find(key->name)))
            complete_put(a, key->name, "=", key->help);
}

/* --- options --- */

/* Returns the option with the short name `letter` or, if that is 0, the long name `name` of `length` bytes; or
 * NULL. */
static const GOptionEntry *find_entry(const Line *line, const char *name, gsize length, char letter)
{
    for (const GOptionEntry *entry = line->options; entry->long_name; entry++)
        if (letter ? entry->short_name == letter
                   : strlen(entry->long_name) == length && strncmp(entry->long_name, name, length) == 0)
            return entry;
    return NULL;
}

static void put_value(Answer *a, const Line *line, const GOptionEntry *entry);

/* Completes the value of --set, KEY=VALUE. */
static void put_setting(Answer *a, const Line *line)
{
    const char *equals = strchr(a->begun, '=');
    if (!equals) {
        put_keys(a, line);
        return;
    }
    g_autofree char *name = g_strndup(a->begun, (gsize)(equals - a->begun));
    const GOptionEntry *entry = find_entry(line, name, strlen(name), 0);
    keep(a, equals + 1);
    if (entry && command_takes_scenario(line->command) && keys_find(name)) {
        put_value(a, line, entry);
        return;
    }
    if (line->command == &command_sweep)
        keep_list(a);
    const MachineKey *key = machine_key(name);
    if (key)
        put_choices(a, key->unit);
}

/* Adds as candidates the names that are values of a key. */
static void complete_put_names(Answer *a, const Line *line, const Key *key)
{
    KeyKind kind = key->kind;
    for (guint i = 0; key->option.choices && key->option.choices[i]; i++)
        complete_put(a, key->option.choices[i], "", "");
    if (kind == KEY_MACHINE)
        put_machines(a);
    else if (kind == KEY_PATTERN)
        put_patterns(a);
    else if (kind == KEY_ALGORITHM)
        put_algorithms(a, line);
}

static void put_value(Answer *a, const Line *line, const GOptionEntry *entry)
{
    const char *text = entry->arg_description ? entry->arg_description : "";
    gboolean set = strcmp(entry->long_name, "set") == 0;    /* put_setting() splits KEY=VALUE */
    gboolean file = entry->arg == G_OPTION_ARG_FILENAME || entry->arg == G_OPTION_ARG_FILENAME_ARRAY;
    const Key *key = keys_find(entry->long_name);
    if (!set && !file &&
        (g_str_has_suffix(text, ",...") || line->command == &command_sweep))
        keep_list(a);
    if (file)
        g_string_append(a->out, FILES);
    put_choices(a, text);
    if (set)
        put_setting(a, line);
    else if (key && !strchr(text, '|'))
        complete_put_names(a, line, key);
}

static void complete_put_options(Answer *a, const Line *line)
{
    gboolean is_short = strlen(a->begun) == 2 && a->begun[1] != '-';
    for (const GOptionEntry *entry = line->options; entry->long_name; entry++) {
        const char letter[] = {'-', entry->short_name, '\0'};
        g_autofree char *name = g_strconcat("--", entry->long_name, NULL);
        if (!(entry->flags & G_OPTION_FLAG_HIDDEN))
            complete_put(a, is_short ? letter : name, "", entry->description);
    }
    complete_put(a, "--help", "", "Show help options");
}

/* --- the line --- */

static void put_commands(Answer *a, const Command *const *commands)
{
    for (; *commands; commands++)
        complete_put(a, (*commands)->name, "", (*commands)->summary);
    if (*a->begun == '-') {
        complete_put(a, "--help", "", "what ecube is and what commands it has");
        complete_put(a, "--version", "", "the version");
    }
}

static void put_argument(Answer *a, const Line *line)
{
    g_auto(GStrv) usage = g_strsplit(line->command->usage, " ", 2);
    const char *what = usage[0];
    gboolean again = strstr(what, "...") != NULL;
    if (*what == '-')
        complete_put_options(a, line);
    else if (line->n_arguments > 0 && !again)
        return;
    else if (strstr(what, "SCENARIO"))
        put_scenarios(a);
    else if (strcmp(what, "MACHINE") == 0)
        put_machines(a);
    else if (strstr(what, "ITEM"))
        put_items(a);
    else if (strchr(what, '|'))
        put_choices(a, what);
    else
        g_string_append(a->out, FILES);
}

/* Returns the option in a word --NAME, --NAME=VALUE, -N or -NVALUE. `*value` becomes its value, or NULL. */
static const GOptionEntry *read_option(const Line *line, const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    *value = equals ? equals + 1 : NULL;
    if (g_str_has_prefix(word, "--"))
        return find_entry(line, word + 2, equals ? (gsize)(equals - word - 2) : strlen(word + 2), 0);
    *value = word[1] && word[2] ? word + 2 : NULL;
    return word[1] ? find_entry(line, NULL, 0, word[1]) : NULL;
}

static void note_value(Line *line, const GOptionEntry *entry, const char *value)
{
    gboolean set = strcmp(entry->long_name, "set") == 0;
    g_auto(GStrv) halves = g_strsplit(set ? value : entry->long_name, "=", 2);
    const Key *key = *halves ? keys_find(*halves) : NULL;
    if (key && key->kind == KEY_PATTERN && (!set || halves[1]))
        line->pattern = set ? strchr(value, '=') + 1 : value;
}

static void read_word(Line *line, const char *word)
{
    const GOptionEntry *entry = line->awaited;
    const char *value = word;
    line->awaited = NULL;
    if (!entry && *word == '-')
        entry = read_option(line, word, &value);
    else if (!entry && line->n_arguments++ == 0)
        line->scenario = command_takes_scenario(line->command) ? word : NULL;
    if (!entry || entry->arg == G_OPTION_ARG_NONE)
        return;
    if (value)
        note_value(line, entry, value);
    else
        line->awaited = entry;
}

/* Completes the last word of a command's line. */
static void put_word(Answer *a, const Line *line)
{
    const char *value = NULL, *word = a->begun;
    const GOptionEntry *entry = line->awaited;
    if (!entry && g_str_has_prefix(word, "--"))
        entry = read_option(line, word, &value);
    if (value)
        keep(a, value);
    if (line->awaited || (entry && value))
        put_value(a, line, entry);
    else if (*word == '-')
        complete_put_options(a, line);
    else
        put_argument(a, line);
}

/* Completes words[n - 1]. `words` ([n]) are the words after "ecube". */
static void put_next(Answer *a, const Command *const *commands, const char *const *words, guint n)
{
    Line line = {0};
    if (n == 1)
        put_commands(a, commands);
    for (; *commands && n > 1; commands++)
        if (strcmp((*commands)->name, words[0]) == 0)
            line.command = *commands;
    if (!line.command)
        return;
    line.options = command_options(line.command);
    for (guint i = 1; i + 1 < n; i++)
        read_word(&line, words[i]);
    put_word(a, &line);
    g_free(line.options);
}

static gboolean complete_line(const CommandLine *line, GError **error)
{
    const char *const *words = line->arguments;
    guint n = line->n_arguments;
    if (n < 2 || strcmp(words[0], "--") != 0)
        return input_refuse(error, "usage: ecube complete -- WORD...");
    g_autoptr(GString) out = g_string_new(NULL), kept = g_string_new(NULL);
    put_next(&(Answer){kept, out, words[n - 1]}, line->commands, words + 1, n - 1);
    return output_write(NULL, out->str, error);
}

const Command command_complete = {
    .name = "complete", .summary = "for shells: what may come next on a command line", .usage = "-- WORD...",
    .help = "Prints what the last word may become, given those before it on a command line of ecube: a line\n"
            "each, and after a tab what it means. A line \":files\" says that names of files fit as well.\n"
            "The completions of bash, zsh and fish ask this.\n\n"
            "Example: ecube complete -- run --algorithm standard,",
    .verbatim = TRUE, .run = complete_line};
