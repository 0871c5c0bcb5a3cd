#include "data.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"

#include <string.h>

/* The folder of `make install`: its path, and its path from the program's folder. The Makefile gives both. */
#ifndef ECUBE_DATA_INSTALLED
#define ECUBE_DATA_INSTALLED "/usr/local/share/ecube"
#endif
#ifndef ECUBE_DATA_FROM_PROGRAM
#define ECUBE_DATA_FROM_PROGRAM "../share/ecube"
#endif

#define PLATFORMS "platforms"
#define SCENARIOS "scenarios"
#define MODELS "models"

static gboolean has_folder(const char *parent, const char *name)
{
    g_autofree char *folder = g_build_filename(parent, name, NULL);
    return g_file_test(folder, G_FILE_TEST_IS_DIR);
}

/* Returns ECUBE_DATA of the environment; NULL if it is not set or empty. Borrowed. */
static const char *given_home(void)
{
    const char *given = g_getenv("ECUBE_DATA");
    return given && *given ? given : NULL;
}

static char *find_home(void)
{
    if (given_home())
        return g_strdup(given_home());
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *beside = g_path_get_dirname(program ? program : "./ecube");
    if (has_folder(beside, PLATFORMS))
        return g_steal_pointer(&beside);
    g_autofree char *moved = g_canonicalize_filename(ECUBE_DATA_FROM_PROGRAM, beside);
    return has_folder(moved, PLATFORMS) ? g_steal_pointer(&moved) : g_strdup(ECUBE_DATA_INSTALLED);
}

static const char *folder(const char *name)
{
    static char *home = NULL;
    if (!home)
        home = find_home();
    g_autofree char *path = g_build_filename(home, name, NULL);
    return g_intern_string(path);
}

const char *data_platforms(void)
{
    return folder(PLATFORMS);
}

const char *data_scenarios(void)
{
    return folder(SCENARIOS);
}

const char *data_models(void)
{
    return folder(MODELS);
}

gboolean data_check(GError **error)
{
    const char *given = given_home();
    if (!given || (has_folder(given, PLATFORMS) && has_folder(given, SCENARIOS)))
        return TRUE;
    return input_refuse(error, "ECUBE_DATA: '%s' is not allowed; allowed: a folder with " PLATFORMS "/ and "
                        SCENARIOS "/ in it", given);
}

/* --- scenarios --- */

char **data_scenario_names(GError **error)
{
    return input_list_folder(data_scenarios(), "scenarios", error);
}

static char *data_scenario_path(const char *name)
{
    g_autofree char *base = g_strconcat(name, ".ini", NULL);
    return g_build_filename(data_scenarios(), base, NULL);
}

static gboolean is_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* Refuses a missing .ini file if a scenario that comes with ecube has its name. The message names this scenario. */
static gboolean check_path(const char *path, GError **error)
{
    g_autofree char *base = g_path_get_basename(path);
    if (g_file_test(path, G_FILE_TEST_EXISTS) || !g_str_has_suffix(base, ".ini"))
        return TRUE;
    g_autofree char *name = g_strndup(base, strlen(base) - strlen(".ini"));
    g_autofree char *known = data_scenario_path(name);
    if (!is_file(known))
        return TRUE;
    return input_refuse(error, "%s: cannot be read: No such file or directory; the scenario that comes with ecube is "
                        "'%s'", path, name);
}

static gboolean check_folder(const char *path, GError **error)
{
    return !g_file_test(path, G_FILE_TEST_IS_DIR) ||
           input_refuse(error, "scenario: '%s' is a folder; allowed: a file, or a name that `ecube list scenarios` "
                        "lists", path);
}

/* Whether `word` is a number or an algorithm: a value of an option, after a space. */
static gboolean is_value(const char *word)
{
    for (guint i = 0; i < algorithm_count(); i++)
        if (strcmp(algorithm_nth(i)->name, word) == 0)
            return TRUE;
    return g_ascii_isdigit(*word) && strspn(word, "0123456789.,;:xkM") == strlen(word);
}

char *data_find_scenario(const char *given, GError **error)
{
    if (g_str_has_suffix(given, ".html"))
        return input_refuse(error, "scenario: '%s' is a page; did you mean --output %s?", given, given), NULL;
    if (strchr(given, '/') || g_str_has_suffix(given, ".ini"))
        return check_folder(given, error) && check_path(given, error) ? g_strdup(given) : NULL;
    g_autofree char *known = data_scenario_path(given);
    if (is_file(given))
        return g_strdup(given);
    if (is_file(known))
        return g_steal_pointer(&known);
    if (!check_folder(given, error))
        return NULL;
    if (is_value(given))
        return input_refuse(error, "scenario: there is no '%s'; several values of an option are separated by commas "
                            "(partitions and lists by semicolons), without spaces: -a naive,direct", given), NULL;
    g_auto(GStrv) names = data_scenario_names(error);
    if (names)
        input_refuse_name("scenario, as there is no such file", given, (const char *const *)names,
                          "`ecube list scenarios`", error);
    return NULL;
}

/* Cuts `text` at the end of its first sentence: a full stop before a capital letter or before the end of the text.
 * "sec. 5" ends no sentence. */
static void cut_sentence(char *text)
{
    for (char *c = strchr(text, '.'); c; c = strchr(c + 1, '.'))
        if (c[1] == '\0' || (c[1] == ' ' && g_ascii_isupper(c[2]))) {
            *c = '\0';
            return;
        }
}

char *data_scenario_title(const char *path)
{
    g_autoptr(GKeyFile) file = input_load_keyfile(path, NULL);
    g_autofree char *comment = file ? g_key_file_get_comment(file, NULL, NULL, NULL) : NULL;
    g_auto(GStrv) words = input_split(comment ? comment : "", " \t\n");
    char *title = g_strjoinv(" ", words);
    cut_sentence(title);
    return title;
}
