#include "options.h"
#include "sim/text/input.h"

#include <string.h>

/* Returns the key of an option: machine for "--machine" or "-m". */
static const Key *options_key(const char *option)
{
    guint i = 0;
    if (option[1] == '-')
        return keys_find(option + 2);
    while (keys_nth(i)->option.letter != option[1])
        i++;
    return keys_nth(i);
}

static gboolean options_set_key(const char *option, const char *value, gpointer scenario, GError **error)
{
    const Key *key = options_key(option);
    g_autofree char *origin = g_strconcat("--", key->name, NULL);
    return scenario_set(scenario, key->name, value, origin, error);
}

static gboolean options_set_any(const char *option, const char *pair, gpointer scenario, GError **error)
{
    return scenario_set_pair(scenario, pair, TRUE, error);
}

static gboolean options_set_machine(const char *option, const char *pair, gpointer scenario, GError **error)
{
    return scenario_set_pair(scenario, pair, FALSE, error);
}

static void add_option(GArray *options, const char *name, char letter, GOptionArgFunc set, const char *help,
                       const char *argument)
{
    GOptionEntry entry = {name, letter, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, (gpointer)set, help, argument};
    g_array_append_val(options, entry);
}

/* Adds the option of a key, and a hidden option with the key's former name. Commands without `all` keys take one
 * value of a key; their help shows one. */
static void add_key(GArray *options, const Key *key, gboolean all)
{
    const char *argument = key->option.argument;
    const gboolean is_list = g_str_has_suffix(argument, ",...");
    g_autofree char *one = g_strndup(argument, strlen(argument) - (is_list ? strlen(",...") : 0));
    g_autofree char *help = key_help(key);
    *help = g_ascii_toupper(*help);
    add_option(options, key->name, key->option.letter, options_set_key, g_intern_string(help),
               all ? argument : g_intern_string(one));
    if (key->former) {
        add_option(options, key->former, 0, options_set_key, NULL, NULL);
        g_array_index(options, GOptionEntry, options->len - 1).flags |= G_OPTION_FLAG_HIDDEN;
    }
}

static gboolean options_is_own(const GOptionEntry *own, const char *name)
{
    while (own && own->long_name && strcmp(own->long_name, name) != 0)
        own++;
    return own && own->long_name;
}

GOptionEntry *options_new(gboolean all, const char *const *keys, const GOptionEntry *own)
{
    GArray *options = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
    for (guint i = 0; i < keys_count(); i++)
        if ((all || (keys && g_strv_contains(keys, keys_nth(i)->name))) && !options_is_own(own, keys_nth(i)->name))
            add_key(options, keys_nth(i), all);
    if (all)
        add_option(options, "set", 's', options_set_any, "Set a key (`ecube list keys`); may be repeated", "KEY=VALUE");
    else if (keys)
        add_option(options, "set", 's', options_set_machine, "Set a machine key (`ecube list keys`); may be repeated",
                   "KEY=VALUE");
    for (; own && own->long_name; own++)
        g_array_append_val(options, *own);
    return (GOptionEntry *)(gpointer)g_array_free(options, FALSE);
}

/* --- parsing --- */

/* An option that takes one value. */
typedef struct {
    const char *name;
    char **target;      /* destination of the value */
    char **values;      /* values on the command line, NULL-terminated; NULL: none */
} Single;

static void single_clear(gpointer data)
{
    g_strfreev(((Single *)data)->values);
}

/* Makes options with one value collect all values given, where GLib would keep the last alone. Options of file names
 * accept values that are not UTF-8; GLib would refuse these without naming the option. Returns Single elements; caller
 * unrefs. */
static GArray *collect_singles(GOptionEntry *options)
{
    guint n = 0;
    while (options[n].long_name)
        n++;
    /* room for all, so that the array never moves: GLib keeps pointers into it */
    GArray *singles = g_array_sized_new(FALSE, TRUE, sizeof(Single), n);
    g_array_set_clear_func(singles, single_clear);
    for (GOptionEntry *option = options; option->long_name; option++)
        if (option->arg == G_OPTION_ARG_STRING || option->arg == G_OPTION_ARG_FILENAME) {
            g_array_append_val(singles, ((Single){option->long_name, option->arg_data, NULL}));
            option->arg = G_OPTION_ARG_FILENAME_ARRAY;
            option->arg_data = &g_array_index(singles, Single, singles->len - 1).values;
        }
    return singles;
}

/* Stores the collected values in their targets; a target without a value stays as it was. Refuses two different
 * values of one option. */
static gboolean store_singles(const GArray *singles, GError **error)
{
    for (guint i = 0; i < singles->len; i++) {
        const Single *single = &g_array_index(singles, Single, i);
        for (char **value = single->values; value && *value; value++)
            if (strcmp(*value, single->values[0]) != 0)
                return input_refuse(error, "--%s: '%s' is given, and '%s' as well; allowed: one value", single->name,
                                    *value, single->values[0]);
        if (single->values)
            *single->target = g_strdup(single->values[0]);
    }
    return TRUE;
}

gboolean options_parse(GOptionContext *context, GOptionEntry *options, Scenario *scenario, int *argc, char ***argv,
                       GError **error)
{
    GOptionGroup *group = g_option_group_new("main", "", "", scenario, NULL);
    g_autoptr(GArray) singles = collect_singles(options);
    g_option_group_add_entries(group, options);
    g_option_context_set_main_group(context, group);
    g_autoptr(GError) failure = NULL;
    if (g_option_context_parse(context, argc, argv, &failure))
        return store_singles(singles, error);
    if (failure->domain != ECUBE_ERROR)
        return input_refuse(error, "%s; see `%s --help`", failure->message, g_get_prgname());
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}
