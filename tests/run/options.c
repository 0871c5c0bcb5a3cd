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
