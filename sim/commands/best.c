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
    HullCosts costs = hull_costs_at(p->machine, p->dimension, p->distance, p->direct_shuffle, m);
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
    g_autofree char *machine = input_printable(p->machine->spec);
    g_autofree char *text =
        g_strdup_printf("Complete exchange of %" G_GINT64_FORMAT
                        "-byte blocks on %s, d = %u. Times in µs, %s.\n\n%s\n%s",
                        bytes, machine, p->dimension, model, rows, theory);
    return report_write(NULL, text, error);
}

/* --- permutations --- */

typedef struct {
    char *pattern, *bytes, *permutation, *cycles, *element, *ports, *packet, *idle;
} OwnOptions;

static void own_options_clear(OwnOptions *o)
{
    g_free(o->pattern);
    g_free(o->bytes);
    g_free(o->permutation);
    g_free(o->cycles);
    g_free(o->element);
    g_free(o->ports);
    g_free(o->packet);
    g_free(o->idle);
}

/* FALSE with an error if an option is given that the pattern does not have. */
static gboolean refuse_option(const char *option, const char *text, const char *pattern, GError **error)
{
    if (text)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' is not allowed here; allowed: with --pattern %s", option, text, pattern);
    return !text;
}

static gboolean require(const char *option, const char *text, GError **error)
{
    if (!text)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s is missing", option);
    return text != NULL;
}

/* The machine, with the ports asked for. */
static Machine *load_machine(const PredictionOptions *shared, const OwnOptions *o, GError **error)
{
    g_autoptr(GHashTable) overrides = prediction_overrides(shared->set, error);
    if (!overrides || (o->ports && !machine_check_key("--ports", "ports", o->ports, error)))
        return NULL;
    if (o->ports)
        g_hash_table_replace(overrides, g_strdup("ports"), g_strdup(o->ports));
    return machine_load(command_platforms(), "--machine", shared->machine, overrides, error);
}

static gboolean parse_permutation(const OwnOptions *o, guint dimension, Permutation *p, GError **error)
{
    const char *where = o->cycles ? "--cycles" : "--permutation", *text = o->cycles ? o->cycles : o->permutation;
    if (o->cycles && o->permutation)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "--cycles: '%.60s' is given, and so is --permutation; allowed: one of them", o->cycles);
    else if (!text)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "--permutation is missing; give --permutation NAME, or --cycles 0,1,2/3,4");
    else
        return (o->cycles ? permutation_parse_cycles : permutation_parse)(where, text, dimension, p, error) &&
               permutation_check_real(where, text, p, error);
    return FALSE;
}

/* A number of bytes up to the machine's largest packet, or a word; needs q->machine and q->c.element. */
static gboolean parse_packet(BestQuestion *q, const char *text, GError **error)
{
    gint64 limit = q->machine->packet ? q->machine->packet : INPUT_TIME_MAX_PS;
    q->c.packet = q->machine->packet;
    q->optimal = !text || strcmp(text, "optimal") == 0;
    if (q->optimal || strcmp(text, "unlimited") == 0)
        return TRUE;
    if (!g_ascii_isdigit(*text)) {
        static const char *const words[] = {"optimal", "unlimited", NULL};
        g_autofree char *hint = input_hint(text, words);
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "--packet: '%.60s' is not allowed; allowed: optimal, unlimited or a number of bytes%s", text, hint);
        return FALSE;
    }
    return input_parse_count("--packet", text, 1, limit, &q->c.packet, error);
}

/* The permutation is one of the dimensions below the idle ones, as in a run. */
static gboolean parse_active(const OwnOptions *o, guint dimension, BestQuestion *q, Permutation *p, GError **error)
{
    gint64 idle = 0;
    if ((o->idle && !input_parse_count("--idle", o->idle, 0, dimension, &idle, error)) ||
        !parse_permutation(o, dimension - (guint)idle, p, error))
        return FALSE;
    q->c.idle = (guint)idle;
    p->dimension = p->n_bits = dimension;
    return TRUE;
}

/* All but the machine and what depends on it. */
static gboolean parse_question(const PredictionOptions *shared, const OwnOptions *o, BestQuestion *q, Permutation *p,
                               guint *format, GError **error)
{
    static const char *const models[] = {"published", "counted", NULL};
    gint64 dimension;
    guint model = 0;
    q->c.element = 1;
    if (!refuse_option("--direct-shuffle", shared->direct_shuffle, "complete-exchange", error) ||
        !require("--machine", shared->machine, error) || !require("--dimension", shared->dimension, error) ||
        !require("--bytes", o->bytes, error) ||
        !input_parse_count("--dimension", shared->dimension, 0, MACHINE_DIMENSION_MAX, &dimension, error) ||
        !input_parse_count("--bytes", o->bytes, 0, INPUT_TIME_MAX_PS, &q->c.bytes, error) ||
        (o->element && !input_parse_count("--element", o->element, 1, INPUT_TIME_MAX_PS, &q->c.element, error)) ||
        !prediction_check_multiple("--bytes", q->c.bytes, q->c.element, error) ||
        (shared->model && !input_parse_choice("--model", shared->model, models, &model, error)) ||
        (shared->format && !input_parse_choice("--format", shared->format, table_format_names(), format, error)))
        return FALSE;
    q->model = model == 0 ? CHOICE_PUBLISHED : CHOICE_COUNTED;
    q->name = o->cycles ? o->cycles : o->permutation;
    q->c.permutation = p;
    return parse_active(o, (guint)dimension, q, p, error);
}

static gboolean best_of_permutation(const PredictionOptions *shared, const OwnOptions *o, GError **error)
{
    BestQuestion question = {0};
    Permutation permutation;
    guint format = FORMAT_TABLE;
    if (!parse_question(shared, o, &question, &permutation, &format, error))
        return FALSE;
    g_autoptr(Machine) machine = load_machine(shared, o, error);
    question.machine = machine;
    if (!machine || !parse_packet(&question, o->packet, error))
        return FALSE;
    g_autofree char *text = best_text(&question, (Format)format);
    return report_write(NULL, text, error);
}

/* --- options --- */

static gboolean best_of_exchange(const PredictionOptions *shared, const OwnOptions *o, GError **error)
{
    Prediction prediction = {0};
    gboolean ok = refuse_option("--permutation", o->permutation, "permutation", error) &&
                  refuse_option("--cycles", o->cycles, "permutation", error) &&
                  refuse_option("--element", o->element, "permutation", error) &&
                  refuse_option("--ports", o->ports, "permutation", error) &&
                  refuse_option("--packet", o->packet, "permutation", error) &&
                  refuse_option("--idle", o->idle, "permutation", error) &&
                  prediction_parse(shared, &prediction, error) && print_best(&prediction, o->bytes, error);
    prediction_clear(&prediction);
    return ok;
}

static const char help[] =
    "Names the partition to use for the complete exchange of one block size, its time and\n"
    "what Standard and Direct would cost, and what Nicol & Bokhari's bounds (1994, sec. 3)\n"
    "say. With --pattern permutation, the algorithm to use for a permutation of address bits,\n"
    "by Table 2 of Ho & Johnsson 1988, with the times of the others and the lower bound.\n\n"
    "Examples: ecube best -m ipsc860 -d 6 -b 32\n"
    "          ecube best -m ncube2 -d 6 -b 1000 --pattern permutation --permutation bit-reversal";

static int cmd_best(int argc, char **argv, GError **error)
{
    static const char *const patterns[] = {"complete-exchange", "permutation", NULL};
    PredictionOptions options = {0};
    OwnOptions o = {0};
    guint pattern = 0;
    const GOptionEntry own[] = {
        {"bytes", 'b', 0, G_OPTION_ARG_STRING, &o.bytes, "Block size m, or K, the data of each processor", "M"},
        {"pattern", 0, 0, G_OPTION_ARG_STRING, &o.pattern, "complete-exchange (the default) or permutation",
         "complete-exchange|permutation"},
        {"permutation", 0, 0, G_OPTION_ARG_STRING, &o.permutation,
         "identity, shuffle, shuffle:K, unshuffle, bit-reversal, transpose, exchange:I,J, mapping:1,2,0", "NAME"},
        {"cycles", 0, 0, G_OPTION_ARG_STRING, &o.cycles, "The permutation as index cycles, as 0,1,2,3/4,5,6", "C"},
        {"element", 0, 0, G_OPTION_ARG_STRING, &o.element, "Bytes of an element, which is not divided; default: 1",
         "E"},
        {"ports", 0, 0, G_OPTION_ARG_STRING, &o.ports, "one or all; default: the machine's", "one|all"},
        {"packet", 0, 0, G_OPTION_ARG_STRING, &o.packet,
         "Bytes, optimal (each algorithm's B_opt, the default) or unlimited; at most the machine's largest",
         "B|unlimited|optimal"},
        {"idle", 0, 0, G_OPTION_ARG_STRING, &o.idle,
         "Of the dimensions that stay, how many tell processors with data from those without (sec. 4.5); default: 0",
         "R"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = prediction_entries(&options, own);
    gboolean ok = command_parse(&argc, &argv, "--machine M --dimension D --bytes M", help, entries, error) &&
                  command_no_arguments(argc, argv, error) &&
                  (!o.pattern || input_parse_choice("--pattern", o.pattern, patterns, &pattern, error)) &&
                  (pattern == 0 ? best_of_exchange : best_of_permutation)(&options, &o, error);
    prediction_options_clear(&options);
    own_options_clear(&o);
    return ok ? 0 : 2;
}

const Command command_best = {"best", "which partition or algorithm to use", cmd_best};
