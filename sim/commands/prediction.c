#include "prediction.h"
#include "command.h"
#include "models/input.h"

#include <math.h>
#include <string.h>

static const char *const models[] = {"published", "contention-free", NULL};

GOptionEntry *prediction_entries(PredictionOptions *o, const char *const *names, const GOptionEntry *own)
{
    const GOptionEntry shared[] = {
        {"model", 0, 0, G_OPTION_ARG_STRING, &o->model,
         "published (distance d/2; the default) or contention-free (true distances)",
         "published|contention-free"},
        {"direct-shuffle", 0, 0, G_OPTION_ARG_STRING, &o->direct_shuffle,
         "Whether {d} pays for its redundant shuffle; default: yes for published, no for contention-free", "yes|no"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &o->format, "What the result is written as", "table|csv|json"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    o->scenario = scenario_new();
    g_autofree GOptionEntry *mine = command_join_entries(shared, own);
    return command_key_entries(names, mine);
}

void prediction_options_clear(PredictionOptions *o)
{
    scenario_free(o->scenario);
    g_free(o->model);
    g_free(o->direct_shuffle);
    g_free(o->format);
}

gboolean prediction_require(const Scenario *scenario, const char *const *names, GError **error)
{
    for (; *names; names++)
        if (!scenario_get(scenario, *names))
            return input_refuse(error, "--%s is missing", *names);
    return TRUE;
}

/* Run times are straight lines only without these. */
static gboolean check_model(const Machine *machine, const Value *packet, GError **error)
{
    gboolean hops = machine->switching == SWITCHING_STORE_AND_FORWARD, optimal = wish_is_optimal(packet);
    if (optimal)
        input_refuse(error, "%s: 'optimal' is not in the hull's model; allowed: unlimited (use ecube compare)",
                     packet->origin);
    else if (hops)
        input_refuse(error, "switching: 'store-and-forward' is not in the hull's model; allowed: circuit, fluid");
    else if (machine->packet)
        input_refuse(error, "packet: '%" G_GINT64_FORMAT "' is not in the hull's model; allowed: unlimited (use ecube "
                     "compare)", machine->packet);
    else if (machine->start_skew_ps)
        input_refuse(error, "start_skew: '%.6f' is not in the hull's model; allowed: 0 (use ecube compare)",
                     (double)machine->start_skew_ps / 1e6);
    return !optimal && !hops && !machine->packet && !machine->start_skew_ps;
}

gboolean prediction_parse(const PredictionOptions *o, Prediction *p, GError **error)
{
    static const char *const needed[] = {"machine", "dimension", NULL};
    guint model = 0, format = FORMAT_TABLE;
    gint64 dimension;
    *p = (Prediction){0};
    if (!prediction_require(o->scenario, needed, error) ||
        !input_parse_count("--dimension", scenario_get(o->scenario, "dimension"), 0, PARTITION_DIMENSION_MAX,
                           &dimension, error) ||
        (o->model && !input_parse_choice("--model", o->model, models, &model, error)) ||
        (o->format && !input_parse_choice("--format", o->format, table_format_names, &format, error)))
        return FALSE;
    p->dimension = (guint)dimension;
    p->distance = model == 0 ? EXCHANGE_AVERAGE_DISTANCE : EXCHANGE_TRUE_DISTANCE;
    p->direct_shuffle = model == 0;
    p->format = (Format)format;
    if (o->direct_shuffle && !input_parse_bool("--direct-shuffle", o->direct_shuffle, &p->direct_shuffle, error))
        return FALSE;
    p->judge = judge_new(command_platforms(), SCENARIO_FORMULA);
    p->machine = judge_machine(p->judge, o->scenario, error);
    return p->machine && check_model(p->machine, scenario_value(o->scenario, "packet"), error);
}

char *prediction_time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits have two decimals of a µs at most */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

void prediction_clear(Prediction *p)
{
    judge_free(p->judge);
}

char *prediction_describe(const Prediction *p)
{
    return g_strdup_printf("%s model, {%u} %s its shuffle",
                           p->distance == EXCHANGE_AVERAGE_DISTANCE ? "published" : "contention-free", p->dimension,
                           p->direct_shuffle ? "paying for" : "without");
}
