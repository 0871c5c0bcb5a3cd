/* ecube best: the partition to use for one block size. */
#include "../models/input.h"
#include "command.h"
#include "prediction.h"
#include "report.h"

#include <math.h>

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

static void add_number(Table *table, double value)
{
    if (isfinite(value))
        table_addf(table, fabs(value) < EXACT_MAX ? "%.6f" : "%.15g", value);
    else
        table_add(table, NULL);
}

static double time_us(const HullCosts *costs, Partition partition, double bytes)
{
    return exchange_line_at(hull_partition_line(costs, &partition), bytes) / 1e6;
}

static void add_best(Table *table, const Prediction *p, gint64 bytes, const NicolBounds *nicol)
{
    double m = (double)bytes;
    HullCosts costs = hull_costs_at(p->machine, p->dimension, p->distance, p->direct_shuffle, m);
    Partition best = hull_best_at(&costs, m);
    g_autofree char *partition = partition_format(&best);
    table_add(table, p->machine->spec);
    table_addf(table, "%u", p->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, bytes);
    table_add(table, partition);
    add_number(table, time_us(&costs, best, m));
    add_number(table, time_us(&costs, partition_standard(p->dimension), m));
    add_number(table, time_us(&costs, partition_direct(p->dimension), m));
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

static gboolean print_best(const Prediction *p, const char *bytes_text, GError **error)
{
    gint64 bytes;
    if (!bytes_text) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "--bytes is missing");
        return FALSE;
    }
    if (!input_parse_count("--bytes", bytes_text, 0, INPUT_TIME_MAX_PS, &bytes, error))
        return FALSE;
    NicolBounds nicol = hull_nicol(p->machine, p->dimension, (double)bytes);
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    add_best(table, p, bytes, &nicol);
    g_autofree char *rows = table_text(table, p->format);
    if (p->format != FORMAT_TABLE)
        return report_write(NULL, rows, error);
    g_autofree char *theory = explain(p, &nicol), *model = prediction_describe(p);
    g_autofree char *text =
        g_strdup_printf("Complete exchange of %" G_GINT64_FORMAT
                        "-byte blocks on %s, d = %u. Times in µs, %s.\n\n%s\n%s",
                        bytes, p->machine->spec, p->dimension, model, rows, theory);
    return report_write(NULL, text, error);
}

static int cmd_best(int argc, char **argv, GError **error)
{
    PredictionOptions options = {0};
    char *bytes = NULL;
    const GOptionEntry own[] = {
        {"bytes", 'b', 0, G_OPTION_ARG_STRING, &bytes, "Block size m", "M"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = prediction_entries(&options, own);
    Prediction prediction = {0};
    gboolean ok = command_parse(&argc, &argv, "--machine M --dimension D --bytes M",
                                "Names the partition to use for one block size, its time and what Standard and\n"
                                "Direct would cost, and what Nicol & Bokhari's bounds (1994, sec. 3) say.\n\n"
                                "Example: ecube best -m ipsc860 -d 6 -b 32",
                                entries, error) &&
                  command_no_arguments(argc, argv, error) && prediction_parse(&options, &prediction, error) &&
                  print_best(&prediction, bytes, error);
    prediction_clear(&prediction);
    prediction_options_clear(&options);
    g_free(bytes);
    return ok ? 0 : 2;
}

const Command command_best = {"best", "which partition to use for one size", cmd_best};
