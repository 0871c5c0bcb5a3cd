/* ecube best: the partition to use for one block size, or the algorithm for a permutation. */
#include "command.h"
#include "models/input.h"
#include "prediction.h"
#include "sim/run/report.h"
#include "sim/show/best.h"

#include <math.h>
#include <string.h>

/* --- complete exchange --- */

static const Column columns[] = {
    {"machine", NULL, TRUE, FALSE},
    {"dimension", NULL, FALSE, FALSE},
    {"bytes", NULL, FALSE, FALSE},
    {"partition", "best partition", TRUE, FALSE},
    {"time_us", "time", FALSE, FALSE},
    {"standard_us", "standard", FALSE, FALSE},
    {"direct_us", "direct", FALSE, FALSE},
    {"nicol_verdict", NULL, TRUE, FALSE},
    {"ratio", NULL, FALSE, FALSE},
    {"lower_bound", NULL, FALSE, FALSE},
    {"upper_bound", NULL, FALSE, FALSE},
    {"s_star", NULL, FALSE, FALSE},
    {"d_max_min", NULL, FALSE, FALSE},
    {"d_max_max", NULL, FALSE, FALSE},
    {"phases_min", NULL, FALSE, FALSE},
    {"phases_max", NULL, FALSE, FALSE},
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

static void add_best(Table *table, const Prediction *p, gint64 bytes, const NicolBounds *nicol)
{
    double m = (double)bytes;
    HullCosts costs = hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, m);
    Partition best = hull_best_at(&costs, m);
    g_autofree char *partition = partition_format(&best);
    table_add(table, p->machine->spec);
    table_addf(table, "%u", p->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, bytes);
    table_add(table, partition);
    add_time(table, &costs, best, m);
    add_time(table, &costs, partition_standard(p->dimension), m);
    add_time(table, &costs, partition_direct(p->dimension), m);
    table_add(table, verdicts[nicol->verdict]);
    add_number(table, nicol->ratio);
    add_number(table, nicol->lower);
    add_number(table, nicol->upper);
    add_number(table, nicol->s_star);
    table_addf(table, "%u", nicol->d_max_min);
    table_addf(table, "%u", nicol->d_max_max);
    table_addf(table, "%u", nicol->phases_min);
    table_addf(table, "%u", nicol->phases_max);
}

/* The theory in words, for people. */
static char *explain(const Prediction *p, const NicolBounds *n)
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

static gboolean print_best(const Prediction *p, const Scenario *scenario, GError **error)
{
    static const char *const needed[] = {"bytes", NULL};
    gint64 bytes;
    if (!prediction_require(scenario, needed, error) ||
        !input_parse_count("--bytes", scenario_get(scenario, "bytes"), 0, INPUT_TIME_MAX_PS, &bytes, error))
        return FALSE;
    NicolBounds nicol = hull_nicol(p->machine, p->dimension, (double)bytes);
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    add_best(table, p, bytes, &nicol);
    g_autofree char *rows = table_text(table, p->format);
    if (p->format != FORMAT_TABLE)
        return report_write(NULL, rows, error);
    g_autofree char *theory = explain(p, &nicol), *model = prediction_describe(p);
    g_autofree char *machine = input_printable(p->machine->spec);
    g_autofree char *text =
        g_strdup_printf("Complete exchange of %" G_GINT64_FORMAT
                        "-byte blocks on %s, d = %u. Times in µs, %s.\n\n%s\n%s",
                        bytes, machine, p->dimension, model, rows, theory);
    return report_write(NULL, text, error);
}

/* --- permutations --- */

/* FALSE with an error if something is given that the pattern does not have. */
static gboolean refuse_option(const char *option, const char *text, const char *pattern, GError **error)
{
    if (text)
        input_refuse(error, "%s: '%.60s' is not allowed here; allowed: with --pattern %s", option, text, pattern);
    return !text;
}

/* The packet of each algorithm is its best, if nobody asks for another. */
static gboolean default_packet(Scenario *scenario, GError **error)
{
    return scenario_get(scenario, "packet") || scenario_set(scenario, "packet", "optimal", "packet", error);
}

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
    question.c.idle = (guint)wish->idle;
    question.c.permutation = &wish->permutation;
    return question;
}

static gboolean best_of_permutation(const PredictionOptions *o, GError **error)
{
    static const char *const models[] = {"published", "counted", NULL}, *const needed[] = {"machine", "dimension",
                                                                                          "bytes", NULL};
    guint model = 0, format = FORMAT_TABLE;
    g_autoptr(Judge) judge = judge_new(command_platforms(), SCENARIO_FORMULA);
    if (!refuse_option("--direct-shuffle", o->direct_shuffle, "complete-exchange", error) ||
        !prediction_require(o->scenario, needed, error) ||
        (o->model && !input_parse_choice("--model", o->model, models, &model, error)) ||
        (o->format && !input_parse_choice("--format", o->format, table_format_names, &format, error)) ||
        !default_packet(o->scenario, error))
        return FALSE;
    const Wish *wish = judge_scenario(judge, o->scenario, 0, error);
    if (!wish)
        return FALSE;
    BestQuestion question = question_of(wish, o->scenario, model);
    g_autofree char *text = best_text(&question, (Format)format);
    return report_write(NULL, text, error);
}

/* --- options --- */

static gboolean best_of_exchange(const PredictionOptions *o, GError **error)
{
    static const char *const refused[] = {"permutation", "cycles", "element", "ports", "packet", "idle", NULL};
    Prediction prediction = {0};
    gboolean ok = TRUE;
    for (guint i = 0; ok && refused[i]; i++) {
        const Value *value = scenario_value(o->scenario, refused[i]);
        g_autofree char *option = g_strconcat("--", refused[i], NULL);
        ok = !value || strcmp(value->origin, option) != 0 || refuse_option(option, value->text, "permutation", error);
    }
    ok = ok && prediction_parse(o, &prediction, error) && print_best(&prediction, o->scenario, error);
    prediction_clear(&prediction);
    return ok;
}

static const char help[] =
    "Names the partition to use for the complete exchange of one block size, its time and\n"
    "what Standard and Direct would cost, and what Nicol & Bokhari's bounds (1994, sec. 3)\n"
    "say. With --pattern permutation, the algorithm to use for a permutation of address bits,\n"
    "by Table 2 of Ho & Johnsson 1988, with the times of the others and the lower bound; each\n"
    "with the packet that is best for it, unless --packet says another.\n\n"
    "Examples: ecube best -m ipsc860 -d 6 -b 32\n"
    "          ecube best -m ncube2 -d 6 -b 1000 --pattern permutation --permutation bit-reversal";

static int cmd_best(int argc, char **argv, GError **error)
{
    static const char *const patterns[] = {"complete-exchange", "permutation", NULL};
    static const char *const keys[] = {"machine", "packet", "ports", "dimension", "element", "permutation", "cycles",
                                       "idle", "bytes", NULL};
    PredictionOptions options = {0};
    char *name = NULL;
    guint pattern = 0;
    const GOptionEntry own[] = {
        {"pattern", 0, 0, G_OPTION_ARG_STRING, &name, "complete-exchange (the default) or permutation",
         "complete-exchange|permutation"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = prediction_entries(&options, keys, own);
    gboolean ok = command_parse(&argc, &argv, "--machine M --dimension D --bytes M", help, entries, options.scenario,
                                error) &&
                  command_no_arguments(argc, argv, error) &&
                  (!name || (input_parse_choice("--pattern", name, patterns, &pattern, error) &&
                             scenario_set(options.scenario, "pattern", name, "--pattern", error))) &&
                  (pattern == 0 ? best_of_exchange : best_of_permutation)(&options, error);
    prediction_options_clear(&options);
    g_free(name);
    return ok ? 0 : 2;
}

const Command command_best = {"best", "which partition or algorithm to use", cmd_best};
