#include "scenario.h"
#include "sim/text/input.h"

#include <string.h>

struct Scenario {
    char *path;             /* path of the loaded file, or NULL */
    GHashTable *values;     /* key -> Value, for keys of [run] and of [machine] */
    GPtrArray *kept;        /* things owned through scenario_keep() */
};

static void value_free(gpointer data)
{
    Value *value = data;
    g_free(value->text);
    g_free(value->origin);
    g_free(value->folder);
    g_free(value);
}

Scenario *scenario_new(void)
{
    Scenario *scenario = g_new0(Scenario, 1);
    scenario->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, value_free);
    scenario->kept = g_ptr_array_new();
    return scenario;
}

void scenario_free(Scenario *scenario)
{
    g_hash_table_destroy(scenario->values);
    g_ptr_array_unref(scenario->kept);
    g_free(scenario->path);
    g_free(scenario);
}

void scenario_keep(Scenario *scenario, gpointer thing, GDestroyNotify clear)
{
    g_ptr_array_set_free_func(scenario->kept, clear);
    g_ptr_array_add(scenario->kept, thing);
}

/* --- values --- */

static void scenario_put(Scenario *scenario, const char *key, const char *text, const char *origin, const char *folder)
{
    Value *value = g_new(Value, 1);
    *value = (Value){g_strstrip(g_strdup(text)), g_strdup(origin), g_strdup(folder)};
    g_hash_table_replace(scenario->values, g_strdup(key), value);
}

Scenario *scenario_copy(const Scenario *scenario)
{
    Scenario *copy = scenario_new();
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, scenario->values);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        const Value *old = value;
        scenario_put(copy, key, old->text, old->origin, old->folder);
    }
    return copy;
}

const Value *scenario_value(const Scenario *scenario, const char *key)
{
    return g_hash_table_lookup(scenario->values, key);
}

const char *scenario_get(const Scenario *scenario, const char *key)
{
    const Value *value = scenario_value(scenario, key);
    return value ? value->text : NULL;
}

void scenario_replace(Scenario *scenario, const char *key, const char *text)
{
    Value *value = g_hash_table_lookup(scenario->values, key);
    g_free(value->text);
    value->text = g_strdup(text);
}

char *scenario_overrides(const Scenario *scenario)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; machine_keys[i].name; i++) {
        const char *value = scenario_get(scenario, machine_keys[i].name);
        if (value)
            g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", machine_keys[i].name, value);
    }
    return g_string_free(text, FALSE);
}

/* --- setting --- */

/* Returns the present name of the key of runs or machines whose present or former name is `name`. Returns `name`
 * itself if there is no such key. */
static const char *scenario_key_now(const char *name)
{
    const Key *key = keys_find(name);
    const MachineKey *of_machine = key ? NULL : machine_key(name);
    return key ? key->name : of_machine ? of_machine->name : name;
}

/* Returns the keys of [run] if `run` is set, then those of [machine] if `machine` is set, each once and NULL at the end
 * (static texts). Caller unrefs. */
static GPtrArray *scenario_keys_allowed(gboolean run, gboolean machine)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; run && i < keys_count(); i++)
        g_ptr_array_add(names, (gpointer)keys_nth(i)->name);
    for (guint i = 0; machine && machine_keys[i].name; i++)
        if (machine_may_override(machine_keys[i].name) && !(run && keys_find(machine_keys[i].name)))
            g_ptr_array_add(names, (gpointer)machine_keys[i].name);
    g_ptr_array_add(names, NULL);
    return names;
}

/* Refuses a key that is not in the allowed sections: [run] with `run`, [machine] with `machine`. */
static gboolean scenario_check_key(const char *origin, const char *key, gboolean run, gboolean machine, GError **error)
{
    key = scenario_key_now(key);
    if ((run && keys_find(key)) || (machine && machine_may_override(key)))
        return TRUE;
    g_autoptr(GPtrArray) names = scenario_keys_allowed(run, machine);
    const char *elsewhere = keys_find(key)              ? "[run]"
                            : machine_may_override(key) ? "[machine]"
                            : machine_key(key)          ? "machine files"
                                                        : NULL;
    if (!elsewhere)
        return machine_refuse_key(origin, key, (const char *const *)names->pdata, error);
    return input_refuse(error, "%s: key '%s' is one of %s; allowed: keys of %s%s%s", origin, key, elsewhere,
                        run ? "[run]" : "", run && machine ? " and " : "", machine ? "[machine]" : "");
}

gboolean scenario_set(Scenario *scenario, const char *key, const char *value, const char *origin, GError **error)
{
    if (!scenario_check_key(origin, key, TRUE, TRUE, error))
        return FALSE;
    key = scenario_key_now(key);
    const Value *old = scenario_value(scenario, key);
    g_autofree char *text = g_strstrip(g_strdup(value));
    if (old && !old->folder && strcmp(old->text, text) != 0)
        return input_refuse(error, "%s: '%s' is given, and %s says '%s'; allowed: one value for one key", origin,
                            text, old->origin, old->text);
    scenario_put(scenario, key, text, origin, NULL);
    return TRUE;
}

gboolean scenario_set_pair(Scenario *scenario, const char *pair, gboolean run, GError **error)
{
    const char *equals = strchr(pair, '=');
    if (!equals)
        return input_refuse(error, "--set: '%s' is not allowed; allowed: KEY=VALUE", pair);
    g_autofree char *key = g_strstrip(g_strndup(pair, (gsize)(equals - pair)));
    g_autofree char *origin = g_strconcat("--set ", key, NULL);
    return scenario_check_key("--set", key, run, TRUE, error) && scenario_set(scenario, key, equals + 1, origin, error);
}

/* --- files --- */

static gboolean load_section(Scenario *scenario, GKeyFile *file, const char *path, const char *section, GError **error)
{
    gboolean run = strcmp(section, "run") == 0;
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *unknown = g_strdup_printf("%s: [%s]", path, section);
    g_auto(GStrv) names = g_key_file_get_keys(file, section, NULL, NULL);
    for (guint i = 0; names && names[i]; i++) {
        const char *key = scenario_key_now(names[i]);
        const Value *old = scenario_value(scenario, key);
        if (!scenario_check_key(unknown, names[i], run, !run, error) ||
            !input_check_former(file, path, section, names[i], key, error))
            return FALSE;
        if (!run && g_key_file_has_key(file, "run", names[i], NULL))
            return input_refuse(error, "%s: key '%s' stands in [run] and in [machine]; allowed: one of them", path,
                                names[i]);
        g_autofree char *value = g_key_file_get_value(file, section, names[i], NULL);
        g_autofree char *origin = g_strdup_printf("%s: [%s] %s", path, section, names[i]);
        if (!old || old->folder)
            scenario_put(scenario, key, value, origin, folder);
    }
    return TRUE;
}

gboolean scenario_load(Scenario *scenario, const char *path, GError **error)
{
    static const char *const sections[] = {"run", "machine", NULL};
    g_autoptr(GKeyFile) file = input_load_keyfile(path, error);
    if (!file)
        return FALSE;
    g_free(scenario->path);
    scenario->path = g_strdup(path);
    g_auto(GStrv) found = g_key_file_get_groups(file, NULL);
    for (guint i = 0; found[i]; i++) {
        g_autofree char *where = g_strdup_printf("%s: section", path);
        if (!input_parse_choice(where, found[i], sections, &(guint){0}, error) ||
            !load_section(scenario, file, path, found[i], error))
            return FALSE;
    }
    return TRUE;
}

const char *scenario_path(const Scenario *scenario)
{
    return scenario->path;
}
