#include "prediction.h"
#include "sim/text/input.h"
#include "sim/fit/constants.h"
#include "sim/text/message.h"
#include "sim/text/table.h"

#include <math.h>
#include <string.h>

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
static gboolean check_overlap(const Prediction *p, GError **error)
{
    if (!p->machine->overlaps)
        return TRUE;
    if (p->distance == EXCHANGE_AVERAGE_DISTANCE)
        return input_refuse(error, "--model: '%s' knows no gap; allowed: contention-free", prediction_options.model);
    return p->machine->ports == PORTS_ONE ||
           input_refuse(error, "ports: 'all' with a gap is not in the hull's model; allowed: one");
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
    static const char *const models[] = {"contention-free", "published", NULL};
    const struct PredictionOptions *o = &prediction_options;
    guint model = 0;
    if (o->model && !input_parse_choice("--model", o->model, models, &model, error))
        return FALSE;
    *p = (Prediction){.direct_shuffle = model == 1,
                      .distance = model == 1 ? EXCHANGE_AVERAGE_DISTANCE : EXCHANGE_TRUE_DISTANCE};
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

char *prediction_partition_shown(const Partition *partition)
{
    const gsize shown_max = 16;
    char *text = partition_format(partition);
    if (strlen(text) <= shown_max)
        return text;
    g_free(text);
    return partition_format_runs(partition);
}

char *prediction_time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits have two decimals of a µs at most */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

char *prediction_describe(const Prediction *p)
{
    gboolean published = p->distance == EXCHANGE_AVERAGE_DISTANCE;
    GString *out = g_string_new(published ? "published model" : "contention-free");
    if (published || p->direct_shuffle)
        g_string_append_printf(out, ", {%u} %s its shuffle", p->dimension,
                               p->direct_shuffle ? "paying for" : "without");
    if (p->machine->overlaps)
        g_string_append(out, ",\nall messages of a phase at once (multiphase-linear)");
    if (p->machine->duplex == DUPLEX_HALF)
        g_string_append(out, ",\nas if processors could send and receive at the same time");
    return g_string_free(out, FALSE);
}
