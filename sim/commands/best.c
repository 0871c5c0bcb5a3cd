/* ecube best: the partition to use for one block size, or the algorithm for a permutation or a multiplication. */
#include "sim/text/input.h"
#include "prediction.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/show/gnuplot.h"
#include "sim/show/best.h"

#include <math.h>
#include <string.h>

/* --- complete exchange --- */

static const Column columns[] = {
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

#define EXACT_MAX 9e9       /* beyond it six decimals would be invented */

/* Caller frees. */
static char *number_text(double value)
{
    return g_strdup_printf(fabs(value) < EXACT_MAX ? "%.6f" : "%.15g", value);
}

static void add_number(Table *table, double value)
{
    g_autofree char *text = number_text(value);
    table_add(table, isfinite(value) ? text : NULL);
}

static void add_time(Table *table, const HullCosts *costs, Partition partition, double bytes)
{
    double ps = exchange_line_at(hull_partition_line(costs, &partition), bytes);
    g_autofree char *exact = number_text(ps / 1e6), *shown = prediction_time_shown(ps);
    table_add_shown(table, exact, shown);
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
        if (says)
            table_addf(table, "%u", counts[i]);
        else
            table_add(table, NULL);
}

/* Standard and Direct wait for every message; then a gap is nothing. */
static void add_best(Table *table, const Prediction *p, gint64 bytes, const NicolBounds *nicol)
{
    double m = (double)bytes;
    Machine one_by_one = *p->machine;
    one_by_one.overlaps = FALSE;
    HullCosts costs = hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, m);
    HullCosts waiting = hull_costs(&one_by_one, p->dimension, p->distance, p->direct_shuffle, m);
    Partition best = hull_best_at(&costs, m);
    g_autofree char *partition = partition_format(&best), *shown = prediction_partition_shown(&best);
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
    g_autoptr(Hull) hull = hull_of_machine(p->machine, p->dimension, p->distance, p->direct_shuffle, HULL_MIXED);
    const HullFace *low = hull_lookup(hull, bytes), *high = low, *last = &hull->faces[hull->n_faces - 1];
    while (low > hull->faces && partition_equal(&low[-1].partition, &high->partition))
        low--;
    while (high < last && partition_equal(&high[1].partition, &low->partition))
        high++;
    g_autofree char *best = prediction_partition_shown(&low->partition);
    g_autofree char *below = low > hull->faces ? prediction_partition_shown(&low[-1].partition) : NULL;
    g_autofree char *above = high < last ? prediction_partition_shown(&high[1].partition) : NULL;
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
static char *explain_nicol(const Prediction *p, const NicolBounds *n)
{
    if (p->dimension < 2)
        return g_strdup("Nicol & Bokhari: below d = 2 there is nothing to divide.\n");
    if (!isfinite(n->ratio))
        return g_strdup("Nicol & Bokhari: their ratio (lambda + delta)/(m tau) needs m tau > 0.\n");
    if (n->verdict == NICOL_DIRECT)
        return g_strdup_printf(
            "Nicol & Bokhari, Lemma 1: Direct, because (lambda + delta)/(m tau) = %.4g is below %.4g.\n", n->ratio,
            n->lower);
    if (n->verdict == NICOL_STANDARD)
        return g_strdup_printf(
            "Nicol & Bokhari, Lemma 1: Standard, because (lambda + delta)/(m tau) = %.4g is above %.4g.\n", n->ratio,
            n->upper);
    return g_strdup_printf(
        "Nicol & Bokhari: (lambda + delta)/(m tau) = %.4g lies between %.4g and %.4g, so s* = %.4f exists;\n"
        "the largest part is from %u to %u, the number of phases from %u to %u (d = %u).\n",
        n->ratio, n->lower, n->upper, n->s_star, n->d_max_min, n->d_max_max, n->phases_min, n->phases_max,
        p->dimension);
}

#define DRAWN_MAX 13       /* the largest dimension of which all partitions are looked at: 101 */

/* The best partitions by their times; of larger cubes the faces of the hull at this size, Standard and Direct. */
static char *figure_of(const CommandLine *line, const Prediction *p, double bytes)
{
    HullCosts costs = hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, bytes);
    g_autoptr(Hull) hull = hull_of_machine(p->machine, p->dimension, p->distance, p->direct_shuffle, HULL_MIXED);
    g_autoptr(Bars) bars = bars_new();
    Partition each = partition_standard(p->dimension);
    guint n = 0;
    do {
        Partition candidate = p->dimension <= DRAWN_MAX ? each : n < hull->n_faces ? hull->faces[n].partition
                                                                                   : partition_direct(p->dimension);
        g_autofree char *name = prediction_partition_shown(&candidate);
        bars_add(bars, name, exchange_line_at(hull_partition_line(&costs, &candidate), bytes) / 1e6);
        n++;
    } while (p->dimension <= DRAWN_MAX ? partition_next(&each) : n < hull->n_faces);
    bars_sort(bars);
    g_autofree char *model = prediction_describe(p), *machine = input_printable(p->machine->spec);
    g_strdelimit(model, "\n", ' ');
    g_autofree char *title = g_strdup_printf("Complete exchange of %.0f-byte blocks on %s, d = %u, %s", bytes, machine,
                                             p->dimension, model);
    return bars_script(bars, title, 0, line->figure_format);
}

static gboolean print_best(const Prediction *p, const CommandLine *line, GError **error)
{
    gint64 bytes;
    if (!input_parse_count("--bytes", scenario_get(line->scenario, "bytes"), 0, INPUT_TIME_MAX_PS, &bytes, error))
        return FALSE;
    prediction_tell_beyond(p, (double)bytes, (double)bytes);
    if (!command_draw(line, line->figure ? figure_of(line, p, (double)bytes) : NULL, error))
        return FALSE;
    NicolBounds nicol = hull_nicol(p->machine, p->dimension, (double)bytes);
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    add_best(table, p, bytes, &nicol);
    g_autofree char *rows = table_text(table, line->format);
    if (line->format != FORMAT_TABLE)
        return output_write(NULL, rows, error);
    g_autoptr(GString) more = g_string_new(NULL);
    if (p->dimension > 0)
        put_range(more, p, (double)bytes);
    if (p->machine->overlaps)
        g_string_append(more, "Standard and Direct wait for each message to leave.\n");
    g_autofree char *theory = p->distance == EXCHANGE_AVERAGE_DISTANCE ? explain_nicol(p, &nicol) : g_strdup("");
    g_autofree char *model = prediction_describe(p);
    g_autofree char *machine = input_printable(p->machine->spec);
    g_autofree char *text =
        g_strdup_printf("Complete exchange of %" G_GINT64_FORMAT
                        "-byte blocks on %s, d = %u. Times in µs, %s.\n\n%s\n%s%s",
                        bytes, machine, p->dimension, model, rows, more->str, theory);
    return output_write(NULL, text, error);
}

/* FALSE with an error if something is given that the pattern does not have. */
static gboolean refuse_option(const char *option, const char *text, const char *pattern, GError **error)
{
    return !text || input_refuse(error, "%s: '%s' is not allowed here; allowed: with --pattern %s", option, text,
                                 pattern);
}

static gboolean best_of_exchange(const CommandLine *line, Judge *judge, GError **error)
{
    static const char *const refused[] = {"permutation", "cycles", "element", "ports", "packet", "idle", NULL};
    Prediction prediction;
    for (guint i = 0; refused[i]; i++) {
        const Value *value = scenario_value(line->scenario, refused[i]);
        g_autofree char *option = g_strconcat("--", refused[i], NULL);
        if (value && strcmp(value->origin, option) == 0 && !refuse_option(option, value->text, "permutation", error))
            return FALSE;
    }
    return prediction_parse(line, judge, &prediction, error) &&
           command_check_figure(line, prediction.machine, error) && print_best(&prediction, line, error);
}

/* --- permutations --- */

/* What the judge has found, as a question. */
static BestQuestion question_of(const Wish *wish, const Scenario *scenario, guint model)
{
    const char *cycles = scenario_get(scenario, "cycles");
    BestQuestion question = {.machine = wish->machine, .optimal = wish->optimal,
                             .model = model == 0 ? CHOICE_PUBLISHED : CHOICE_COUNTED,
                             .name = cycles ? cycles : scenario_get(scenario, "permutation")};
    question.c.bytes = g_array_index(wish->bytes, gint64, 0);
    question.c.element = wish->element;
    question.c.packet = wish->packet;
    question.c.idle = (guint)wish->problem.idle;
    question.c.permutation = &wish->problem.permutation;
    return question;
}

/* No algorithm with n ports moves bits of local memory. */
static gboolean check_ports(const Wish *wish, GError **error)
{
    return !wish->n_port || permutation_virtual_order(&wish->problem.permutation) == 0 ||
           input_refuse(error, "ports: 'all' is not allowed with %s, which moves bits of local memory; allowed: one",
                        wish->problem.name);
}

/* The packet of each algorithm is its best, if nobody asks for another. */
static gboolean best_of_permutation(const CommandLine *line, Judge *judge, GError **error)
{
    static const char *const models[] = {"published", "counted", NULL};
    const struct PredictionOptions *o = &prediction_options;
    guint model = 0;
    if (!refuse_option("--direct-shuffle", o->direct_shuffle, "complete-exchange", error) ||
        (o->model && !input_parse_choice("--model", o->model, models, &model, error)) ||
        !(scenario_get(line->scenario, "packet") ||
          scenario_set(line->scenario, "packet", "optimal", "packet", error)))
        return FALSE;
    const Wish *wish = judge_scenario(judge, line->scenario, 0, error);
    if (!wish || !prediction_check_costs(wish->machine, error) || !check_ports(wish, error) ||
        !command_check_figure(line, wish->machine, error))
        return FALSE;
    BestQuestion question = question_of(wish, line->scenario, model);
    if (!command_draw(line, line->figure ? best_figure(&question, line->figure_format) : NULL, error))
        return FALSE;
    g_autofree char *text = best_text(&question, line->format);
    return output_write(NULL, text, error);
}

/* --- options --- */

static char *pattern_given;

typedef gboolean BestOf(const CommandLine *line, Judge *judge, GError **error);

/* One whose data has a size. */
static gboolean best_of_sized(const CommandLine *line, BestOf *best_of, GError **error)
{
    if (!product_refuse_options(error) || !product_require_bytes(line, error))
        return FALSE;
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    return best_of(line, judge, error);
}

static gboolean best(const CommandLine *line, GError **error)
{
    static const char *const patterns[] = {"complete-exchange", "permutation", "matmul", NULL};
    const struct PredictionOptions *o = &prediction_options;
    guint pattern = 0;
    if (pattern_given && (!input_parse_choice("--pattern", pattern_given, patterns, &pattern, error) ||
                          !scenario_set(line->scenario, "pattern", pattern_given, "--pattern", error)))
        return FALSE;
    if (pattern < 2)
        return best_of_sized(line, pattern == 0 ? best_of_exchange : best_of_permutation, error);
    product_options.model = o->model;
    return refuse_option("--direct-shuffle", o->direct_shuffle, "complete-exchange", error) &&
           product_refuse_keys(line, error) && product_best(line, error);
}

static const char *const keys[] = {"machine", "packet", "ports", "dimension", "element", "permutation", "cycles",
                                   "idle", "bytes", NULL};
static const char *const needed[] = {"machine", "dimension", NULL};
static const GOptionEntry options[] = {
    PREDICTION_MODEL("; of permutations and matrices published (the default) or counted (the right counts)",
                     PREDICTION_MODELS "|counted"), COMMAND_FORMAT,
    {"pattern", 0, 0, G_OPTION_ARG_STRING, &pattern_given, "complete-exchange (the default), permutation or matmul",
     "complete-exchange|permutation|matmul"},
    COMMAND_FIGURE("the candidates' times"),
    PRODUCT_SHAPE, PRODUCT_GRID, {0},
};

const Command command_best = {
    .name = "best", .summary = "which partition or algorithm to use", .usage = "--machine M --dimension D --bytes M",
    .help = "Names the partition to use for the complete exchange of one block size, its time and\n"
            "what Standard and Direct would cost, and for which sizes it is best; with --model published\n"
            "also what Nicol & Bokhari's bounds (1994, sec. 3) say, which are about that model.\n"
            "With --pattern permutation, the algorithm to use for a permutation of address bits,\n"
            "by Table 2 of Ho & Johnsson 1988, with the times of the others and the lower bound; each\n"
            "with the packet that is best for it, unless --packet says another. With --pattern matmul,\n"
            "the algorithms that multiply matrices of a shape, each on its best grid, best first, by\n"
            "Tables 6 to 11 of Johnsson & Ho 1987.\n\n"
            "Examples: ecube best -m ipsc860 -d 6 -b 32\n"
            "          ecube best -m ipsc860 -d 6 -b 32 --figure best.svg\n"
            "          ecube best -m ncube2 -d 6 -b 1000 --pattern permutation --permutation bit-reversal\n"
            "          ecube best -m johnsson1987 -d 4 --pattern matmul --shape 64x64x64",
    .keys = keys, .needed = needed, .options = options, .run = best};
