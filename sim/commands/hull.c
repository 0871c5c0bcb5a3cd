/* What the hull of optimality predicts. ecube hull: the hull of a machine and of dimensions, as it is or as MPI
 * libraries read it. For ecube best: the partition to use for one size. */
#include "prediction.h"
#include "models/hull.h"
#include "sim/fit/constants.h"
#include "sim/patterns/registry.h"
#include "sim/run/data.h"
#include "sim/run/range.h"
#include "sim/show/hull_draw.h"
#include "sim/show/tuning.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

struct PredictionOptions prediction_options;

typedef struct {
    const Machine *machine;         /* the judge's */
    guint dimension;
    ExchangeDistance distance;      /* average: published; true: contention-free */
    gboolean direct_shuffle;        /* {d} pays for its redundant shuffle */
    gboolean by_offsets;            /* lists of offsets, not partitions */
} Prediction;

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

/* Says on standard error if a prediction for blocks of these sizes is beyond what the machine was fitted to. */
static void tell_beyond(const Prediction *p, double from_bytes, double to_bytes)
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

static guint dimension_max(const Prediction *p)
{
    return p->by_offsets ? OFFSETS_KNOWN_MAX : PARTITION_DIMENSION_MAX;
}

gboolean prediction_family(gboolean *by_offsets, GError **error)
{
    static const char *const families[] = {"partitions", "offsets", NULL};
    const char *family = prediction_options.family;
    guint number = 0;
    if (family && !input_parse_choice("--family", family, families, &number, error))
        return FALSE;
    *by_offsets = number == 1;
    return TRUE;
}

static gboolean judge_family(Prediction *p, GError **error)
{
    const struct PredictionOptions *o = &prediction_options;
    if (!prediction_family(&p->by_offsets, error))
        return FALSE;
    if (p->by_offsets && p->distance == EXCHANGE_AVERAGE_DISTANCE)
        return input_refuse(error, "--model: '%s' knows no lists of offsets; allowed: contention-free", o->model);
    return !p->by_offsets || !o->direct_shuffle ||
           input_refuse(error, "--direct-shuffle: '%s' is not allowed here; allowed: with --family partitions",
                        o->direct_shuffle);
}

/* Judges the options but for the dimension, which is 0; the machine is given. */
static gboolean judge_prediction(const CommandLine *line, Judge *judge, Prediction *p, GError **error)
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
    if (!judge_family(p, error))
        return FALSE;
    p->machine = judge_machine(judge, line->scenario, error);
    return p->machine && prediction_check_costs(p->machine, error) &&
           check_model(p->machine, scenario_value(line->scenario, "packet"), error) && check_overlap(p, error);
}

static Hull *find_hull(const Prediction *p, HullChoice choice)
{
    return hull_of_machine(p->machine, p->dimension, p->distance, p->direct_shuffle, choice);
}

static HullCosts costs_of(const Prediction *p, double bytes)
{
    return hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, bytes);
}

/* "3,3"; one that is longer than a table can have, as runs of equal parts (partition_format_runs()). Caller frees. */
static char *partition_shown(const Partition *partition)
{
    const gsize shown_max = 16;
    char *text = partition_format(partition);
    if (strlen(text) <= shown_max)
        return text;
    g_free(text);
    return partition_format_runs(partition);
}

/* table_time_shown() of `ps`, a time that formulas give, however long. Caller frees. */
static char *time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits have two decimals of a µs at most */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

/* "published model, {6} paying for its shuffle", that messages are issued at once if start-ups overlap, and that times
 * leave half duplex out. Caller frees. */
static char *describe_model(const Prediction *p)
{
    gboolean published = p->distance == EXCHANGE_AVERAGE_DISTANCE;
    GString *out = g_string_new(published ? "published model" : "contention-free");
    if (published || p->direct_shuffle)
        g_string_append_printf(out, ", {%u} %s its shuffle", p->dimension,
                               p->direct_shuffle ? "paying for" : "without");
    if (p->by_offsets)
        g_string_append(out, ", by offsets");
    else if (p->machine->overlaps)
        g_string_append_printf(out, ",\nall messages of a phase at once (%s)", pattern_default()->hull[TRUE].algorithm);
    if (p->machine->duplex == DUPLEX_HALF)
        g_string_append(out, ",\nas if processors could send and receive at the same time");
    return g_string_free(out, FALSE);
}

#define EXACT_MAX 9e9       /* beyond it six decimals would be invented */

/* Caller frees. */
static char *number_text(double value)
{
    return g_strdup_printf(fabs(value) < EXACT_MAX ? "%.6f" : "%.15g", value);
}

static void add_ps(Table *table, double ps)
{
    g_autofree char *exact = number_text(ps / 1e6), *shown = time_shown(ps);
    table_add_shown(table, exact, shown);
}

/* --- lists of offsets --- */

#define GATHERING_NOTE "Messages gather what they carry, for copy a byte.\n"

/* What people should know of a table of lists. */
static const char *list_note(const Machine *machine)
{
    g_autoptr(Hull) bound = hull_bound(machine, group_of_cube(0));
    return bound ? "\nBound: no exchange in rounds takes less. " GATHERING_NOTE
                 : "\nThe bound is for one message at a time, and there may be more. " GATHERING_NOTE;
}

#define LIST_MAX 4096           /* offsets; a longer list is of no use on a screen or in a file */

/* The list of a face, or NULL if it is too long, and what people see of it. */
static char *list_text(const HullFace *face, char **shown)
{
    guint n = hull_n_steps(face);
    g_autoptr(Offsets) offsets = n <= LIST_MAX ? hull_offsets(face, group_of_cube(0)) : NULL;
    char *text = offsets ? offsets_format(offsets) : NULL;
    *shown = text ? key_for_people(keys_find("offsets"), text) : g_strdup_printf("k = %u", n);
    return text;
}

static void add_list(Table *table, const HullFace *face)
{
    g_autofree char *shown = NULL, *text = list_text(face, &shown);
    table_addf(table, "%u", hull_n_steps(face));
    table_add_shown(table, text, shown);
}

/* What nothing takes less than, and how far above it a time is. */
static void add_gap(Table *table, double bound_ps, double ratio)
{
    g_autofree char *bound = g_strdup_printf("%.6f", bound_ps / 1e6), *bound_shown = time_shown(bound_ps);
    table_add_shown(table, bound, bound_shown);
    table_add_percent_if(table, TRUE, ratio);
}

static void put_list_time(GString *out, const Machine *machine, guint dimension, double bytes, double partition_ps)
{
    g_autoptr(Hull) hull = hull_at(machine, group_of_cube(dimension), HULL_OFFSETS, bytes);
    const HullFace *face = hull_lookup(hull, bytes);
    double ps = exchange_line_at(face->line, bytes), more = partition_ps > 0 ? 100 * (ps / partition_ps - 1) : 0;
    g_autofree char *name = NULL, *list = list_text(face, &name), *time = time_shown(ps);
    g_string_append_printf(out, "offsets %s take %s µs (%+.1f %%)", name, time, fabs(more) < 0.05 ? 0.0 : more);
}

/* What the best partition takes against lists of offsets, which gather. Where that is free, the comparison is only fair
 * if shuffles are, so it is made with both at one price as well. */
static void put_lists(GString *out, const Prediction *p, double bytes, double partition_ps)
{
    Machine fair = *p->machine;
    gboolean is_free = fair.copy_ps_per_byte == 0 && fair.rho_ps_per_byte > 0;
    g_string_append(out, "Beyond partitions, ");
    put_list_time(out, p->machine, p->dimension, bytes, partition_ps);
    if (is_free) {
        g_string_append(out, " if gathering is free, as copy = 0 says;\nwith copy = rho, as dear as shuffles, ");
        fair.copy_ps_per_byte = fair.rho_ps_per_byte;
        put_list_time(out, &fair, p->dimension, bytes, partition_ps);
    }
    g_string_append(out, ".\n");
}

static const Column best_list_columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "bytes"}, {.name = "k", .heading = "k"},
    {.name = "offsets", .heading = "best offsets", .text = TRUE}, {.name = "time_us", .heading = "time"},
    {.name = "partition", .heading = "best partition", .text = TRUE}, {.name = "partition_us", .heading = "its time"},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "gap %"},
};

static void put_best_list(const Prediction *p, double bytes, Sheet *sheet)
{
    g_autoptr(Table) table = table_new(best_list_columns, G_N_ELEMENTS(best_list_columns));
    g_autoptr(Hull) bound = hull_bound(p->machine, group_of_cube(p->dimension));
    g_autoptr(Hull) lists = hull_at(p->machine, group_of_cube(p->dimension), HULL_OFFSETS, bytes);
    const HullFace *face = hull_lookup(lists, bytes);
    HullCosts costs = costs_of(p, bytes);
    Partition best = hull_best_at(&costs, bytes);
    g_autofree char *partition = partition_format(&best), *shown = partition_shown(&best);
    double ps = exchange_line_at(face->line, bytes);
    double least = bound ? exchange_line_at(hull_lookup(bound, bytes)->line, bytes) : 0;
    table_add(table, p->machine->spec);
    table_addf(table, "%u", p->dimension);
    table_addf(table, "%.0f", bytes);
    add_list(table, face);
    add_ps(table, ps);
    table_add_shown(table, partition, shown);
    add_ps(table, exchange_line_at(hull_partition_line(&costs, &best), bytes));
    if (bound)
        add_gap(table, least, least > 0 ? ps / least - 1 : 0);
    else
        table_add_nothing(table, 2);
    for (guint i = 0; i < lists->n_faces; i++) {
        g_autofree char *name = g_strdup_printf("k = %u", hull_n_steps(&lists->faces[i]));
        sheet_add_bar(sheet, name, exchange_line_at(lists->faces[i].line, bytes) / 1e6);
    }
    sheet_sort_bars(sheet);
    sheet->bound_us = least / 1e6;
    g_autofree char *rows = table_text(table, sheet->format);
    g_string_append_printf(sheet->text, "%s%s", rows, sheet->format == FORMAT_TABLE ? list_note(p->machine) : "");
}

static const Column list_columns[] = {
    {.name = "from_bytes", .heading = "from byte"}, {.name = "to_bytes", .heading = "to byte"},
    {.name = "k", .heading = "k"}, {.name = "offsets", .heading = "offsets", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"}, {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "gap %"},
    {.name = "worst_bytes", .heading = "at byte"}, {.name = "dimension"},
};

/* --- the best partition for one size --- */

static const Column best_columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "bytes"},
    {.name = "partition", .heading = "best partition", .text = TRUE},
    {.name = "time_us", .heading = "time"},
    {.name = "standard_us", .heading = "standard"}, {.name = "direct_us", .heading = "direct"},
    {.name = "nicol_verdict", .text = TRUE}, {.name = "ratio"},
    {.name = "lower_bound"}, {.name = "upper_bound"}, {.name = "s_star"},
    {.name = "d_max_min"}, {.name = "d_max_max"}, {.name = "phases_min"}, {.name = "phases_max"},
};

static const char *const verdicts[] = {
    [NICOL_STANDARD] = "standard", [NICOL_DIRECT] = "direct", [NICOL_MULTIPHASE] = "multiphase"};

static void add_number(Table *table, double value)
{
    g_autofree char *text = number_text(value);
    table_add(table, isfinite(value) ? text : NULL);
}

static void add_time(Table *table, const HullCosts *costs, Partition partition, double bytes)
{
    add_ps(table, exchange_line_at(hull_partition_line(costs, &partition), bytes));
}

/* Their bounds are about the published model. */
static void add_nicol(Table *table, const Prediction *p, const NicolBounds *nicol)
{
    const double numbers[] = {nicol->ratio, nicol->lower, nicol->upper, nicol->s_star};
    const guint counts[] = {nicol->d_max_min, nicol->d_max_max, nicol->phases_min, nicol->phases_max};
    gboolean says = p->distance == EXCHANGE_AVERAGE_DISTANCE;
    table_add(table, says ? verdicts[nicol->verdict] : NULL);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        add_number(table, says ? numbers[i] : NAN);
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
        table_add_count_if(table, says, counts[i]);
}

/* Standard and Direct wait for every message; then a gap is nothing. */
static void add_best(Table *table, const Prediction *p, gint64 bytes, const NicolBounds *nicol)
{
    double m = (double)bytes;
    Machine one_by_one = *p->machine;
    one_by_one.overlaps = FALSE;
    HullCosts costs = costs_of(p, m);
    HullCosts waiting = hull_costs(&one_by_one, p->dimension, p->distance, p->direct_shuffle, m);
    Partition best = hull_best_at(&costs, m);
    g_autofree char *partition = partition_format(&best), *shown = partition_shown(&best);
    table_add(table, p->machine->spec);
    table_addf(table, "%u", p->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, bytes);
    table_add_shown(table, partition, shown);
    add_time(table, &costs, best, m);
    add_time(table, &waiting, partition_standard(p->dimension), m);
    add_time(table, &waiting, partition_direct(p->dimension), m);
    add_nicol(table, p, nicol);
}

/* "(3,3) is best from 4.98 to 127.32 bytes; below that (2,2,2), above (6).": by the faces around `bytes`. */
static void put_range(GString *out, const Prediction *p, double bytes)
{
    g_autoptr(Hull) hull = find_hull(p, HULL_MIXED);
    const HullFace *low = hull_lookup(hull, bytes), *high = low, *last = &hull->faces[hull->n_faces - 1];
    while (low > hull->faces && partition_equal(&low[-1].partition, &high->partition))
        low--;
    while (high < last && partition_equal(&high[1].partition, &low->partition))
        high++;
    g_autofree char *best = partition_shown(&low->partition);
    g_autofree char *below = low > hull->faces ? partition_shown(&low[-1].partition) : NULL;
    g_autofree char *above = high < last ? partition_shown(&high[1].partition) : NULL;
    if (!below && !above)
        g_string_append_printf(out, "(%s) is best at every size.\n", best);
    else if (!below)
        g_string_append_printf(out, "(%s) is best up to %.6g bytes; above that (%s).\n", best, high->to_bytes, above);
    else if (!above)
        g_string_append_printf(out, "(%s) is best from %.6g bytes on; below that (%s).\n", best, low->from_bytes,
                               below);
    else
        g_string_append_printf(out, "(%s) is best from %.6g to %.6g bytes; below that (%s), above (%s).\n", best,
                               low->from_bytes, high->to_bytes, below, above);
}

/* The theory in words, for people. */
static void put_nicol(GString *out, const Prediction *p, const NicolBounds *n)
{
    double limit = n->verdict == NICOL_DIRECT ? n->lower : n->upper;
    if (p->dimension < 2)
        g_string_append(out, "Nicol & Bokhari: below d = 2 there is nothing to divide.\n");
    else if (!isfinite(n->ratio))
        g_string_append(out, "Nicol & Bokhari: their ratio (lambda + delta)/(m tau) needs m tau > 0.\n");
    else if (n->verdict != NICOL_MULTIPHASE)
        g_string_append_printf(out, "Nicol & Bokhari, Lemma 1: %s, because (lambda + delta)/(m tau) = %.4g is %s "
                               "%.4g.\n", n->verdict == NICOL_DIRECT ? "Direct" : "Standard", n->ratio,
                               n->verdict == NICOL_DIRECT ? "below" : "above", limit);
    else
        g_string_append_printf(
            out, "Nicol & Bokhari: (lambda + delta)/(m tau) = %.4g lies between %.4g and %.4g, so s* = %.4f exists;\n"
            "the largest part is from %u to %u, the number of phases from %u to %u (d = %u).\n",
            n->ratio, n->lower, n->upper, n->s_star, n->d_max_min, n->d_max_max, n->phases_min, n->phases_max,
            p->dimension);
}

#define DRAWN_MAX 13       /* the largest dimension of which all partitions are looked at: 101 */

/* The best partitions by their times; of larger cubes the faces of the hull at this size, Standard and Direct. */
static void put_bars(const Prediction *p, double bytes, Sheet *sheet)
{
    HullCosts costs = costs_of(p, bytes);
    g_autoptr(Hull) hull = find_hull(p, HULL_MIXED);
    Partition each = partition_standard(p->dimension);
    guint n = 0;
    do {
        Partition candidate = p->dimension <= DRAWN_MAX ? each : n < hull->n_faces ? hull->faces[n].partition
                                                                                   : partition_direct(p->dimension);
        g_autofree char *name = partition_shown(&candidate);
        sheet_add_bar(sheet, name, exchange_line_at(hull_partition_line(&costs, &candidate), bytes) / 1e6);
        n++;
    } while (p->dimension <= DRAWN_MAX ? partition_next(&each) : n < hull->n_faces);
    sheet_sort_bars(sheet);
    g_strdelimit(sheet->title, "\n", ' ');
}

static double best_partition_ps(const Prediction *p, double bytes)
{
    HullCosts costs = costs_of(p, bytes);
    Partition best = hull_best_at(&costs, bytes);
    return exchange_line_at(hull_partition_line(&costs, &best), bytes);
}

static void put_best(const Prediction *p, const Pattern *pattern, gint64 bytes, Sheet *sheet)
{
    NicolBounds nicol = hull_nicol(p->machine, p->dimension, (double)bytes);
    g_autofree char *model = describe_model(p), *machine = input_printable(p->machine->spec);
    g_autofree char *what = g_strdup_printf("%s of %" G_GINT64_FORMAT "-byte blocks on %s, d = %u", pattern->title,
                                            bytes, machine, p->dimension);
    g_autoptr(Table) table = table_new(best_columns, G_N_ELEMENTS(best_columns));
    gboolean people = sheet->format == FORMAT_TABLE;
    if (people)
        g_string_append_printf(sheet->text, "%s. Times in µs, %s.\n\n", what, model);
    sheet->title = g_strdup_printf("%s, %s", what, model);
    if (p->by_offsets) {
        put_best_list(p, (double)bytes, sheet);
        return;
    }
    add_best(table, p, bytes, &nicol);
    g_autofree char *rows = table_text(table, sheet->format);
    g_string_append_printf(sheet->text, "%s%s", rows, people ? "\n" : "");
    if (people && p->dimension > 0)
        put_range(sheet->text, p, (double)bytes);
    if (people && p->machine->overlaps)
        g_string_append(sheet->text, "Standard and Direct wait for each message to leave.\n");
    if (people && p->distance == EXCHANGE_AVERAGE_DISTANCE)
        put_nicol(sheet->text, p, &nicol);
    else if (people && p->dimension > 0 && p->dimension <= OFFSETS_KNOWN_MAX)
        put_lists(sheet->text, p, (double)bytes, best_partition_ps(p, (double)bytes));
}

gboolean prediction_list(const CommandLine *line, Judge *judge, const Pattern *pattern, const Machine **machine,
                         Sheet *sheet, GError **error)
{
    Prediction p;
    gint64 dimension, bytes;
    if (!judge_prediction(line, judge, &p, error) ||
        !input_parse_count("--dimension", scenario_get(line->scenario, "dimension"), 0, dimension_max(&p), &dimension,
                           error) ||
        !input_parse_count("--bytes", scenario_get(line->scenario, "bytes"), 0, INPUT_TIME_MAX_PS, &bytes, error))
        return FALSE;
    p.dimension = (guint)dimension;
    *machine = p.machine;
    tell_beyond(&p, (double)bytes, (double)bytes);
    put_best(&p, pattern, bytes, sheet);
    if (!p.by_offsets)
        put_bars(&p, (double)bytes, sheet);
    return TRUE;
}

/* --- the hull --- */

static const Column columns[] = {
    {.name = "from_bytes", .heading = "from byte"},
    {.name = "to_bytes", .heading = "to byte"},
    {.name = "partition", .heading = "partition", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"},
    {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "equipartition", .heading = "equipartition"},
    {.name = "regret", .heading = "regret", .optional = TRUE},
    {.name = "worst_bytes", .heading = "at byte", .optional = TRUE},
    {.name = "worst_best", .heading = "where best is", .text = TRUE, .optional = TRUE},
    {.name = "dimension"},
};

/* A price per byte is not rounded, for it is multiplied; people only miss the zeros after its third decimal. */
static void add_slope(Table *table, double ps_per_byte)
{
    g_autofree char *exact = g_strdup_printf("%.6f", ps_per_byte / 1e6), *shown = g_strdup(exact);
    for (gsize last = strlen(shown) - 1; shown[last] == '0' && shown[last - 3] != '.'; last--)
        shown[last] = '\0';
    table_add_shown(table, exact, shown);
}

/* How much longer than the best partition the face takes at worst; `best` is NULL if there are no others. */
static void add_regret(Table *table, const HullFace *face, const Hull *best)
{
    HullRegret regret = best ? hull_face_regret(face, best, 0) : (HullRegret){0};
    g_autofree char *bytes = g_strdup_printf("%.9g", regret.bytes), *partition = partition_format(&regret.best);
    table_add_share_if(table, best != NULL, regret.ratio);
    table_add(table, best && isfinite(regret.bytes) ? bytes : NULL);
    table_add(table, best ? partition : NULL);
}

static void add_face(Table *table, const HullFace *face, guint dimension, const Hull *best)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *shown = partition_shown(&face->partition);
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    table_add_shown(table, partition, shown);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
    add_regret(table, face, best);
    table_addf(table, "%u", dimension);
}

static void add_list_face(Table *table, const Prediction *p, const HullFace *face, const Hull *bound)
{
    HullRegret gap = bound ? hull_face_regret(face, bound, 1) : (HullRegret){.bytes = INFINITY};
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    add_list(table, face);
    add_slope(table, face->line.slope_ps_per_byte);
    add_ps(table, face->line.intercept_ps);
    if (isfinite(gap.bytes)) {
        add_gap(table, exchange_line_at(hull_lookup(bound, gap.bytes)->line, gap.bytes), gap.ratio);
        table_addf(table, "%.9g", gap.bytes);
    } else {
        table_add_nothing(table, 3);
    }
    table_addf(table, "%u", p->dimension);
}

/* What is not measured of a hull is where its faces meet. */
static void tell_faces_beyond(const Prediction *p, const Hull *hull)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    double first = (double)span.from_bytes, last = (double)span.to_bytes;
    for (guint i = 1; i < hull->n_faces; i++) {
        first = fmin(first, hull->faces[i].from_bytes);
        last = fmax(last, hull->faces[i].from_bytes);
    }
    tell_beyond(p, first, last);
}

static void add_hull(Table *table, const Prediction *p, HullChoice choice)
{
    g_autoptr(Hull) hull = find_hull(p, choice), best = choice == HULL_MIXED ? NULL : find_hull(p, HULL_MIXED);
    g_autoptr(Hull) bound = p->by_offsets ? hull_bound(p->machine, group_of_cube(p->dimension)) : NULL;
    tell_faces_beyond(p, hull);
    for (guint i = 0; i < hull->n_faces; i++)
        if (p->by_offsets)
            add_list_face(table, p, &hull->faces[i], bound);
        else
            add_face(table, &hull->faces[i], p->dimension, best);
}

/* --- options --- */

static char *radix_given, *base;

static GArray *parse_dimensions(const CommandLine *line, gint64 min, gint64 max, GError **error)
{
    return values_numbers("--dimension", scenario_get(line->scenario, "dimension"), ",", min, max, error);
}

/* --- for people and programs: a table for each dimension, or one of all --- */

static char *describe_hull(const Prediction *p, HullChoice choice)
{
    static const char *const choices[] = {[HULL_MIXED] = "", [HULL_ONE_RADIX] = ", one radix",
                                          [HULL_EXTREMES] = ", radix 2 or Direct",
                                          [HULL_OFFSETS] = ""};
    g_autofree char *model = describe_model(p), *machine = input_printable(p->machine->spec);
    return g_strdup_printf("Hull of optimality on %s, d = %u, %s%s.\n\n", machine, p->dimension, model,
                           choices[choice]);
}

/* For people a table for each dimension, for programs one of all. */
static char *hulls_table(Prediction *p, HullChoice choice, const GArray *dimensions, Format format)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < dimensions->len;) {
        g_autoptr(Table) table = p->by_offsets ? table_new(list_columns, G_N_ELEMENTS(list_columns))
                                               : table_new(columns, G_N_ELEMENTS(columns));
        guint end = format == FORMAT_TABLE ? i + 1 : dimensions->len;
        g_string_append(text, i ? "\n" : "");
        for (; i < end; i++) {
            p->dimension = (guint)g_array_index(dimensions, gint64, i);
            add_hull(table, p, choice);
        }
        g_autofree char *heading = format == FORMAT_TABLE ? describe_hull(p, choice) : g_strdup("");
        g_autofree char *rows = table_text(table, format);
        g_string_append_printf(text, "%s%s", heading, rows);
    }
    g_string_append(text, p->by_offsets && format == FORMAT_TABLE ? list_note(p->machine) : "");
    return g_string_free(text, FALSE);
}

/* The lines of all partitions stand beside the faces where they are straight, and there is one dimension. */
static char *figure_of(const CommandLine *line, Prediction *p, HullChoice choice, const GArray *dimensions,
                       GError **error)
{
    g_autoptr(Csv) csv = csv_take("hull", hulls_table(p, choice, dimensions, FORMAT_CSV), error);
    gboolean straight = dimensions->len == 1 && !p->machine->overlaps && !p->by_offsets && p->machine->short_limit < 0;
    HullCosts costs = costs_of(p, INFINITY);
    HullLines lines = {&costs, p->distance == EXCHANGE_AVERAGE_DISTANCE};
    g_autofree char *model = describe_model(p), *machine = input_printable(p->machine->spec);
    g_autofree char *dimension = dimensions->len == 1 ? g_strdup_printf(", d = %u", p->dimension) : g_strdup("");
    g_autofree char *title = g_strdup_printf("Hull of optimality on %s%s, %s", machine, dimension, model);
    g_strdelimit(title, "\n", ' ');
    return csv ? hull_draw_script(csv, "hull", title, straight ? &lines : NULL, line->figure_format, error) : NULL;
}

static char *hulls_text(const CommandLine *line, Prediction *p, HullChoice choice, GError **error)
{
    g_autoptr(GArray) dimensions = parse_dimensions(line, 0, dimension_max(p), error);
    return dimensions && command_draw(line, line->figure ? figure_of(line, p, choice, dimensions, error) : NULL, error)
               ? hulls_table(p, choice, dimensions, line->format)
               : NULL;
}

/* --- for MPI libraries --- */

/* Says what the library's lack of partitions costs, if it costs anything. */
static void tell_regret(const TuningLibrary *library, const Prediction *p)
{
    g_autoptr(Hull) chosen = find_hull(p, library->choice), best = find_hull(p, HULL_MIXED);
    HullRegret regret = hull_regret(chosen, best, 1);
    g_autofree char *partition = partition_format(&regret.best);
    if (regret.ratio >= 0.0005)
        message_tell("%u processes: %s has %s only, which takes up to %.1f %% longer than the best partition (%s at "
                     "blocks of %.0f bytes)", 1u << p->dimension, library->library, library->has, 100 * regret.ratio,
                     partition, regret.bytes);
}

static int by_dimension(gconstpointer a, gconstpointer b)
{
    const gint64 *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The tables of a library, of TuningTable, by dimension, each once. Caller frees. */
static GPtrArray *make_tables(const TuningLibrary *library, Prediction *p, GArray *dimensions)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)tuning_table_free);
    g_array_sort(dimensions, by_dimension);
    for (guint i = 0; i < dimensions->len; i++) {
        guint d = (guint)g_array_index(dimensions, gint64, i);
        if (i > 0 && d == p->dimension)
            continue;
        p->dimension = d;
        g_autoptr(Hull) hull = find_hull(p, library->choice);
        tell_faces_beyond(p, hull);
        g_ptr_array_add(tables, tuning_table_new(hull, d, p->machine->overlaps));
    }
    return tables;
}

static gboolean check_library(const CommandLine *line, const TuningLibrary *library, HullChoice choice, GError **error)
{
    if (line->figure)
        return input_refuse(error, "--figure: '%s' is not allowed here; allowed: with table, csv, json", line->figure);
    return !radix_given || choice == library->choice ||
           input_refuse(error, "--radix: '%s' is not allowed with --format %s; allowed: %s, as %s has %s only",
                        radix_given, library->format, hull_choice_names[library->choice], library->library,
                        library->has);
}

/* Libraries have partitions. */
static gboolean check_offsets(const CommandLine *line, const TuningLibrary *library, GError **error)
{
    const char *option = library ? "--format" : "--radix", *given = library ? line->format_name : radix_given;
    return !given || (!library && !radix_given) ||
           input_refuse(error, "%s: '%s' is not allowed here; allowed: with --family partitions", option, given);
}

static char *tuning_text(const CommandLine *line, const TuningLibrary *library, Prediction *p, GError **error)
{
    g_autoptr(GArray) dimensions = parse_dimensions(line, 1, TUNING_DIMENSION_MAX, error);
    if (!dimensions)
        return NULL;
    g_autoptr(GPtrArray) tables = make_tables(library, p, dimensions);
    char *text = library->write(tables, base, error);
    for (guint i = 0; text && i < tables->len; i++) {
        p->dimension = ((const TuningTable *)tables->pdata[i])->dimension;
        tell_regret(library, p);
    }
    return text;
}

/* --- the command --- */

#define N_TABLE_FORMATS (FORMAT_JSON + 1)

static gboolean print_hulls(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    const TuningLibrary *library = line->format < N_TABLE_FORMATS ? NULL
                                                                  : &tuning_libraries[line->format - N_TABLE_FORMATS];
    guint choice = HULL_MIXED;
    Prediction p;
    if (!judge_prediction(line, judge, &p, error) ||
        !command_check_apart("--output", line->output, line->scenario, p.machine, error) ||
        (base && !output_check_apart("--output", line->output, "base", base, error)) ||
        !output_check_path(line->output, error) || !command_check_figure(line, p.machine, error) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)) ||
        (p.by_offsets && !check_offsets(line, library, error)) ||
        (library && !check_library(line, library, (HullChoice)choice, error)) ||
        (base && !(library && library->patches) &&
         !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)))
        return FALSE;
    choice = p.by_offsets ? HULL_OFFSETS : choice;
    g_autofree char *text = library ? tuning_text(line, library, &p, error) : hulls_text(line, &p, choice, error);
    return text && output_write(line->output, text, error);
}

static const char *const keys[] = {"machine", "dimension", NULL};
static const char *const formats[] = {"table", "csv", "json", "mpich", "ompi", "ompi-json", "ucc", NULL};
static const GOptionEntry options[] = {
    PREDICTION_MODEL("", PREDICTION_MODELS),
    PREDICTION_FAMILY,
    {"radix", 0, 0, G_OPTION_ARG_STRING, &radix_given,
     "Which partitions there are: mixed (all; the default), one radix for all phases, or the extremes 2 and Direct",
     "mixed|one|extremes"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the result is written as; the last four are read by MPI libraries",
     "table|csv|json|mpich|ompi|ompi-json|ucc"},
    {"base", 0, 0, G_OPTION_ARG_FILENAME, &base, "The tuning file that MPICH reads now, to be patched", "FILE"},
    COMMAND_OUTPUT,
    COMMAND_FIGURE("the faces over the lines of all partitions"),
    {0},
};

const Command command_hull = {
    .name = "hull", .summary = "for which sizes which partition is best", .usage = "--machine M --dimension D,...",
    .help = "Prints the faces of the hull of optimality (Bokhari 1993): for which block sizes\n"
            "which partition of D is the fastest complete exchange, and the straight line of\n"
            "its run time. MPI libraries have fewer partitions: with --radix, also how much longer\n"
            "theirs take than the best. With --format mpich, ompi, ompi-json or ucc, what the library\n"
            "reads to choose its MPI_Alltoall on 2^D processes.\n\n"
            "Examples: ecube hull -m bokhari1993 -d 6\n"
            "          ecube hull -m bokhari1993 -d 4,6 --radix extremes\n"
            "          ecube hull -m ipsc860 -d 6 --figure hull.svg\n"
            "          ecube hull -m ipsc860 -d 3:6:1 --format ompi --output rules.txt",
    .keys = keys, .needed = keys, .options = options, .formats = formats, .run = print_hulls};
