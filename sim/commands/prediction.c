#include "prediction.h"
#include "command.h"
#include "models/input.h"

#include <math.h>
#include <string.h>

static const char *const models[] = {"published", "contention-free", NULL};

GOptionEntry *prediction_entries(PredictionOptions *o, const GOptionEntry *own)
{
    const GOptionEntry shared[] = {
        {"machine", 'm', 0, G_OPTION_ARG_STRING, &o->machine, "A machine (`ecube list machines`) or a machine file",
         "NAME"},
        {"dimension", 'd', 0, G_OPTION_ARG_STRING, &o->dimension, "Cube dimension, 0 to 64", "D"},
        {"model", 0, 0, G_OPTION_ARG_STRING, &o->model,
         "published (distance d/2; the default) or contention-free (true distances)",
         "published|contention-free"},
        {"direct-shuffle", 0, 0, G_OPTION_ARG_STRING, &o->direct_shuffle,
         "Whether {d} pays for its redundant shuffle; default: yes for published, no for contention-free", "yes|no"},
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o->set, "Set a machine key (`ecube list keys`); may be repeated",
         "KEY=VALUE"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &o->format, "What the result is written as", "table|csv|json"},
    };
    return command_join_entries(shared, G_N_ELEMENTS(shared), own);
}

void prediction_options_clear(PredictionOptions *o)
{
    g_free(o->machine);
    g_free(o->dimension);
    g_free(o->model);
    g_free(o->direct_shuffle);
    g_free(o->format);
    g_strfreev(o->set);
}

GHashTable *prediction_overrides(char **set, GError **error)
{
    g_autoptr(GHashTable) overrides = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; set && set[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(set[i], "=", 2);
        if (g_strv_length(pair) != 2) {
            g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "--set: '%.60s' is not allowed; allowed: KEY=VALUE",
                        set[i]);
            return NULL;
        }
        g_autofree char *where = g_strconcat("--set ", g_strstrip(pair[0]), NULL);
        if ((!machine_may_override(pair[0]) &&
             !input_parse_choice("--set", pair[0], machine_keys() + 1, &(guint){0}, error)) ||
            !machine_check_key(where, pair[0], g_strstrip(pair[1]), error))
            return NULL;
        g_hash_table_replace(overrides, g_strdup(pair[0]), g_strdup(pair[1]));
    }
    return g_steal_pointer(&overrides);
}

static gboolean given(const char *option, const char *text, GError **error)
{
    if (text)
        return TRUE;
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s is missing", option);
    return FALSE;
}

/* Run times are straight lines only without these. */
static gboolean check_model(const Machine *machine, GError **error)
{
    gboolean hops = machine->switching == SWITCHING_STORE_AND_FORWARD;
    if (hops)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "switching: 'store-and-forward' is not in the hull's model; allowed: circuit, fluid");
    else if (machine->packet)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "packet: '%" G_GINT64_FORMAT "' is not in the hull's model; allowed: unlimited (use ecube compare)",
                    machine->packet);
    else if (machine->start_skew_ps)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "start_skew: '%.6f' is not in the hull's model; allowed: 0 (use ecube compare)",
                    (double)machine->start_skew_ps / 1e6);
    return !hops && !machine->packet && !machine->start_skew_ps;
}

gboolean prediction_parse(const PredictionOptions *o, Prediction *p, GError **error)
{
    guint model = 0, format = FORMAT_TABLE;
    gint64 dimension;
    *p = (Prediction){0};
    if (!given("--machine", o->machine, error) || !given("--dimension", o->dimension, error) ||
        !input_parse_count("--dimension", o->dimension, 0, PARTITION_DIMENSION_MAX, &dimension, error) ||
        (o->model && !input_parse_choice("--model", o->model, models, &model, error)) ||
        (o->format && !input_parse_choice("--format", o->format, table_format_names(), &format, error)))
        return FALSE;
    p->dimension = (guint)dimension;
    p->distance = model == 0 ? EXCHANGE_AVERAGE_DISTANCE : EXCHANGE_TRUE_DISTANCE;
    p->direct_shuffle = model == 0;
    p->format = (Format)format;
    if (o->direct_shuffle && !input_parse_bool("--direct-shuffle", o->direct_shuffle, &p->direct_shuffle, error))
        return FALSE;
    g_autoptr(GHashTable) overrides = prediction_overrides(o->set, error);
    if (overrides)
        p->machine = machine_load(command_platforms(), "--machine", o->machine, overrides, error);
    return p->machine && check_model(p->machine, error);
}

char *prediction_time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits have two decimals of a µs at most */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

void prediction_clear(Prediction *p)
{
    g_clear_pointer(&p->machine, machine_free);
}

char *prediction_describe(const Prediction *p)
{
    return g_strdup_printf("%s model, {%u} %s its shuffle",
                           p->distance == EXCHANGE_AVERAGE_DISTANCE ? "published" : "contention-free", p->dimension,
                           p->direct_shuffle ? "paying for" : "without");
}

gboolean prediction_check_multiple(const char *option, gint64 value, gint64 element, GError **error)
{
    if (value % element != 0)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%" G_GINT64_FORMAT "' is not allowed; allowed: multiples of the element, %" G_GINT64_FORMAT,
                    option, value, element);
    return value % element == 0;
}
