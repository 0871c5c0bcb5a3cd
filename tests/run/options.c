#include "options.h"

void set_options_but(Scenario *scenario, const char *const *options, const char *but)
{
    for (guint i = 0; options[i]; i++) {
        const char *equals = strchr(options[i], '=');
        g_autofree char *key = g_strndup(options[i], (gsize)(equals - options[i]));
        g_autofree char *origin = g_strconcat("--", key, NULL);
        if (strcmp(key, but) != 0)
            ck_assert(scenario_set(scenario, key, equals + 1, origin, NULL));
    }
}

void set_options(Scenario *scenario, const char *const *options)
{
    set_options_but(scenario, options, "");
}

void set_pairs(Scenario *scenario, const char *const *pairs)
{
    for (guint i = 0; pairs[i]; i++)
        ck_assert_msg(scenario_set_pair(scenario, pairs[i], TRUE, NULL), "%s", pairs[i]);
}

void set_words(Scenario *scenario, const char *words)
{
    g_auto(GStrv) pairs = g_strsplit(words, " ", -1);
    set_pairs(scenario, (const char *const *)pairs);
}

Sweep *make_sweep(const char *const *pairs, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    set_pairs(scenario, pairs);
    return sweep_new(scenario, TEST_PLATFORMS, error);
}
