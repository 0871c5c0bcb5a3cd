#include "prediction.h"
#include "models/input.h"
#include "sim/fit/constants.h"
#include "sim/text/message.h"
#include "sim/text/table.h"

#include <math.h>

struct PredictionOptions prediction_options;

/* Run times are straight lines only without these. */
static gboolean check_model(const Machine *machine, const Value *packet, GError **error)
{
    if (wish_is_optimal(packet))
        return input_refuse(error, "%s: 'optimal' is not in the hull's model; allowed: unlimited (use ecube compare)",
                            packet->origin);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return input_refuse(error, "switching: 'store-and-forward' is not in the hull's model; allowed: circuit, "
                            "fluid");
    if (machine->packet)
        return input_refuse(error, "packet: '%" G_GINT64_FORMAT "' is not in the hull's model; allowed: unlimited (use "
                            "ecube compare)", machine->packet);
    return !machine->start_skew_ps ||
           input_refuse(error, "start_skew: '%.6f' is not in the hull's model; allowed: 0 (use ecube compare)",
                        (double)machine->start_skew_ps / 1e6);
}

/* Nobody has published a formula for messages that are issued at once. */
static gboolean check_overlap(Prediction *p, GError **error)
{
    const char *model = prediction_options.model;
    if (!p->machine->overlaps)
        return TRUE;
    if (model && p->distance == EXCHANGE_AVERAGE_DISTANCE)
        return input_refuse(error, "--model: '%s' knows no gap; allowed: contention-free", model);
    if (p->machine->ports == PORTS_ALL)
        return input_refuse(error, "ports: 'all' with a gap is not in the hull's model; allowed: one");
    p->distance = EXCHANGE_TRUE_DISTANCE;
    p->direct_shuffle &= prediction_options.direct_shuffle != NULL;
    return TRUE;
}

gboolean prediction_check_costs(const Machine *machine, GError **error)
{
    gboolean has_costs = FALSE;
    for (guint i = 0; i < constants_count(); i++)
        has_costs |= constant_get(machine, i) > 0;
    return has_costs ||
           input_refuse(error, "machine: '%s' has no costs to choose by: measure with ecube-mpi, give the times to "
                        "`ecube fit measured.csv -o mine.ini`, and choose with --machine ./mine.ini", machine->spec);
}

void prediction_tell_beyond(const Prediction *p, double from_bytes, double to_bytes)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    gboolean is_cube = p->dimension >= span.from_dimension && p->dimension <= span.to_dimension;
    if (is_cube && from_bytes >= (double)span.from_bytes && to_bytes <= (double)span.to_bytes)
        return;
    g_autofree char *size = g_strdup_printf(to_bytes > from_bytes ? "%.9g to %.9g bytes" : "%.9g bytes", from_bytes,
                                            to_bytes);
    g_autofree char *cube = g_strdup_printf("d = %u", p->dimension);
    message_tell("%s is fitted to times of %s: %s is beyond them", p->machine->spec, p->machine->measured,
                 is_cube ? size : cube);
}

gboolean prediction_judge(const CommandLine *line, Judge *judge, Prediction *p, GError **error)
{
    static const char *const models[] = {"published", "contention-free", NULL};
    const struct PredictionOptions *o = &prediction_options;
    guint model = 0;
    if (o->model && !input_parse_choice("--model", o->model, models, &model, error))
        return FALSE;
    *p = (Prediction){.direct_shuffle = model == 0,
                      .distance = model == 0 ? EXCHANGE_AVERAGE_DISTANCE : EXCHANGE_TRUE_DISTANCE};
    if (o->direct_shuffle && !input_parse_bool("--direct-shuffle", o->direct_shuffle, &p->direct_shuffle, error))
        return FALSE;
    p->machine = judge_machine(judge, line->scenario, error);
    return p->machine && prediction_check_costs(p->machine, error) &&
           check_model(p->machine, scenario_value(line->scenario, "packet"), error) && check_overlap(p, error);
}

gboolean prediction_parse(const CommandLine *line, Judge *judge, Prediction *p, GError **error)
{
    gint64 dimension;
    if (!input_parse_count("--dimension", scenario_get(line->scenario, "dimension"), 0, PARTITION_DIMENSION_MAX,
                           &dimension, error) ||
        !prediction_judge(line, judge, p, error))
        return FALSE;
    p->dimension = (guint)dimension;
    return TRUE;
}

char *prediction_time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits have two decimals of a µs at most */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

char *prediction_describe(const Prediction *p)
{
    return g_strdup_printf("%s model, {%u} %s its shuffle%s",
                           p->distance == EXCHANGE_AVERAGE_DISTANCE ? "published" : "contention-free", p->dimension,
                           p->direct_shuffle ? "paying for" : "without",
                           p->machine->overlaps ? ",\nall messages of a phase at once (multiphase-linear)" : "");
}
