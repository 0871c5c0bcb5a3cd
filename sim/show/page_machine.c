#include "page_machine.h"
#include "sim/text/input.h"
#include "sim/text/json.h"

#include <string.h>

/* Where constants are from. */
typedef struct {
    GKeyFile *file;         /* the machine's, with its comments */
    char *profile;          /* its section, or NULL */
    char **overrides;       /* "KEY=VALUE" */
} Origins;

static Origins origins_of(const Machine *machine, const char *overrides)
{
    Origins origins = {g_key_file_new(), NULL, g_strsplit(overrides, " ", -1)};
    const char *colon = strrchr(machine->spec, ':');
    if (machine->path)
        g_key_file_load_from_file(origins.file, machine->path, G_KEY_FILE_KEEP_COMMENTS, NULL);
    origins.profile = colon ? g_strconcat("profile ", colon + 1, NULL) : NULL;
    return origins;
}

static void origins_clear(Origins *origins)
{
    g_key_file_free(origins->file);
    g_free(origins->profile);
    g_strfreev(origins->overrides);
}

/* The comment above a key; both NULL: the one at the top of the file. Caller frees; NULL if there is none. */
static char *comment_of(const Origins *origins, const char *section, const char *key)
{
    char *comment = g_key_file_get_comment(origins->file, section, key, NULL);
    return comment ? g_strstrip(g_strdelimit(comment, "\n", ' ')) : NULL;
}

/* What the runs set a key to, or NULL; borrowed. */
static const char *override_of(const Origins *origins, const char *key)
{
    g_autofree char *begins = g_strconcat(key, "=", NULL);
    for (char **one = origins->overrides; *one; one++)
        if (g_str_has_prefix(*one, begins))
            return *one + strlen(begins);
    return NULL;
}

/* Caller frees; NULL if nothing is said. */
static char *origin_of(const Origins *origins, const char *key)
{
    const char *section = origins->profile;
    if (override_of(origins, key))
        return g_strdup("set for these runs");
    if (!section || !g_key_file_has_key(origins->file, section, key, NULL))
        section = "machine";
    return g_key_file_has_key(origins->file, section, key, NULL) ? comment_of(origins, section, key) : NULL;
}

/* The value in words, in the unit of the key; NULL if it has none. What is optimal may differ from run to run. Caller
 * frees. */
static char *value_of(const Machine *machine, const Origins *origins, const MachineKey *key)
{
    if (g_strcmp0(override_of(origins, key->name), "optimal") == 0)
        return g_strdup("optimal");
    gconstpointer field = G_STRUCT_MEMBER_P(machine, key->offset);
    gint64 number = key->kind == MACHINE_TIME || key->kind == MACHINE_BYTES ? *(const gint64 *)field : 0;
    g_auto(GStrv) words = g_strsplit(key->unit, "|", -1);
    if (key->kind == MACHINE_TIME)
        return g_strdup_printf("%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, number / 1000000, number % 1000000);
    if (key->kind == MACHINE_BYTES)
        return number > 0 ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
    if (key->kind == MACHINE_BOOL)
        return g_strdup(*(const gboolean *)field ? "true" : "false");
    return key->kind == MACHINE_CHOICE ? g_strdup(words[*(const guint *)field]) : NULL;
}

/* Whether a constant says anything: without short messages there are no constants of them, and a time may be none, or
 * the 0 that it is anyway. */
static gboolean is_told(const Machine *machine, const MachineKey *key)
{
    if (machine->short_limit < 0 && g_str_has_suffix(key->name, "_short"))
        return FALSE;
    if (key->kind != MACHINE_TIME)
        return TRUE;
    gint64 time_ps = *(const gint64 *)G_STRUCT_MEMBER_P(machine, key->offset);
    return time_ps > 0 || (time_ps == 0 && strcmp(key->fallback, "0") != 0);
}

/* What follows the unit, which many comments begin with. */
static const char *after_unit(const char *origin, const char *unit)
{
    gsize n = strlen(unit);
    return n > 0 && g_str_has_prefix(origin, unit) && g_str_has_prefix(origin + n, "; ") ? origin + n + 2 : origin;
}

static void add_constant(GString *json, const Origins *origins, const MachineKey *key, const char *value)
{
    gboolean number = g_ascii_isdigit(*value);
    g_autofree char *origin = origin_of(origins, key->name);
    json_begin(json, NULL, '{');
    json_add_text(json, "name", key->name);
    json_add_text(json, "value", value);
    json_add_text(json, "unit", number ? key->unit : "");
    json_add_text(json, "meaning", key->help);
    json_add_text(json, "source", origin ? after_unit(origin, key->unit) : "");
    json_end(json, '}');
}

void page_add_machine(GString *json, const Machine *machine, const char *overrides)
{
    Origins origins = origins_of(machine, overrides);
    g_autofree char *about = comment_of(&origins, NULL, NULL), *name = input_printable(machine->spec);
    json_begin(json, "machine", '{');
    json_add_text(json, "name", name);
    json_add_text(json, "title", machine->title);
    json_add_text(json, "about", about);
    json_begin(json, "constants", '[');
    for (const MachineKey *key = machine_keys; key->name; key++) {
        g_autofree char *value = value_of(machine, &origins, key);
        if (value && is_told(machine, key))
            add_constant(json, &origins, key, value);
    }
    json_end(json, ']');
    json_end(json, '}');
    origins_clear(&origins);
}
