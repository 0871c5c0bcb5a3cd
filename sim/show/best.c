#include "best.h"
#include "sim/text/input.h"
#include "models/permuting.h"

#include <math.h>

static const Column columns[] = {
    {"machine", NULL, TRUE, FALSE},                      {"dimension", NULL, FALSE, FALSE},
    {"permutation", NULL, TRUE, FALSE},                  {"cycles", NULL, TRUE, FALSE},
    {"bytes", NULL, FALSE, FALSE},                       {"element", NULL, FALSE, FALSE},
    {"idle", NULL, FALSE, FALSE},                        {"ports", NULL, TRUE, FALSE},
    {"algorithm", "algorithm", TRUE, FALSE},             {"best", NULL, FALSE, FALSE},
    {"packet", "B", FALSE, FALSE},                       {"startups", "start-ups", FALSE, FALSE},
    {"transfers_bytes", "transfers", FALSE, FALSE},      {"published_us", "published", FALSE, FALSE},
    {"published_over_bound", "/ bound", FALSE, FALSE},   {"counted_us", "counted", FALSE, FALSE},
    {"counted_over_bound", "/ bound", FALSE, FALSE},     {"lower_bound_us", NULL, FALSE, FALSE},
};

/* Table 2 is for separable permutations. */
static ChoiceModel model_of(const BestQuestion *q)
{
    return permutation_is_separable(q->c.permutation) ? q->model : CHOICE_COUNTED;
}

static gboolean can_tell(gint64 ps)
{
    return ps >= 0 && ps < INPUT_TIME_MAX_PS;
}

/* --- cells --- */

static void add_number(Table *table, Rational value)
{
    double number = rational_real(value);
    g_autofree char *exact = g_strdup_printf("%.6f", number), *shown = g_strdup_printf("%.1f", number);
    if (value.numerator % value.denominator == 0 && number < (double)INPUT_TIME_MAX_PS)
        table_addf(table, "%" G_GINT64_FORMAT, (gint64)(value.numerator / value.denominator));
    else
        table_add_shown(table, exact, shown);
}

/* A dash if it cannot be told. */
static void add_time(Table *table, gint64 ps)
{
    if (can_tell(ps))
        table_add_time(table, ps);
    else
        table_add(table, NULL);
}

static void add_time_and_ratio(Table *table, gint64 ps, gint64 bound_ps)
{
    add_time(table, ps);
    if (can_tell(ps) && bound_ps > 0)
        table_addf(table, "%.4f", (double)ps / (double)bound_ps);
    else
        table_add(table, NULL);
}

static void add_counts(Table *table, const BestQuestion *q, const Choice *choice)
{
    TransferCount count = permuting_printed(choice->row, q->machine, &choice->c);
    if (permutation_is_separable(q->c.permutation)) {
        add_number(table, count.startups);
        add_number(table, count.bytes);
    } else {
        table_add(table, NULL);
        table_add(table, NULL);
    }
}

static void add_row(Table *table, const BestQuestion *q, const Choice *choice, gboolean best, gint64 bound_ps)
{
    g_autofree char *cycles = permutation_format(q->c.permutation);
    table_add(table, q->machine->spec);
    table_addf(table, "%u", q->c.permutation->dimension);
    table_add(table, q->name);
    table_add(table, cycles);
    table_addf(table, "%" G_GINT64_FORMAT, q->c.bytes);
    table_addf(table, "%" G_GINT64_FORMAT, q->c.element);
    table_addf(table, "%u", q->c.idle);
    table_add(table, choice->row->ports == PORTS_ONE ? "one" : "all");
    table_add(table, choice->row->algorithm);
    table_add(table, best ? "true" : "false");
    if (choice->c.packet)
        table_addf(table, "%" G_GINT64_FORMAT, choice->c.packet);
    else
        table_add(table, NULL);
    add_counts(table, q, choice);
    add_time_and_ratio(table, choice->published_ps, bound_ps);
    add_time_and_ratio(table, choice->counted_ps, bound_ps);
    add_time(table, bound_ps);
}

/* --- words --- */

/* What its cycles are. Caller frees. */
static char *kind_words(const Permutation *p)
{
    guint local = permutation_virtual_order(p);
    return local == 0 ? g_strdup("real and separable")
                      : g_strdup_printf("%u bit%s of local memory, %sseparable", local, local > 1 ? "s" : "",
                                        permutation_is_separable(p) ? "" : "not ");
}

static char *heading(const BestQuestion *q)
{
    const Permutation *p = q->c.permutation;
    g_autofree char *cycles = permutation_format(p);
    g_autofree char *also = g_str_equal(cycles, q->name) ? g_strdup("") : g_strdup_printf(" = %s", cycles);
    const char *extended = "Extended cube: the data is spread over the idle dimensions, permuted and gathered "
                           "(sec. 4.5).\n";
    g_autofree char *machine = input_printable(q->machine->spec), *kind = kind_words(p);
    return g_strdup_printf("Permutation %s%s on %s, d = %u, %s, %" G_GINT64_FORMAT " bytes per processor.\n"
                           "Order %u, cycles %u, %s; %u channels at most between x and dp(x).\n"
                           "%s"
                           "Times in µs: start-ups x lambda + bytes x tau, by Table 2 of Ho & Johnsson and by the "
                           "right counts.\n\n",
                           q->name, also, machine, p->dimension,
                           q->machine->ports == PORTS_ONE ? "one port" : "all ports", q->c.bytes,
                           permutation_order(p), p->n_cycles, kind, permutation_distance_max(p),
                           q->c.idle ? extended : "");
}

static const char *name_of(const Choice *choice)
{
    return choice->row->algorithm;
}

/* "Best: a0, and as fast a1, a1a." And if the best is none that could be run, the best of the others. */
static void append_best(GString *text, const Choices *choices, ChoiceModel model)
{
    const Choice *best = choices->choice;
    g_string_append_printf(text, "Best: %s", name_of(best));
    for (guint i = 1; i < choices->n && choice_ps(&best[i], model) == choice_ps(best, model); i++)
        g_string_append_printf(text, "%s %s", i == 1 ? ", and as fast" : ",", name_of(&best[i]));
    g_string_append(text, ".\n");
    guint other = 0;
    while (other < choices->n && best[other].counted_ps < 0)
        other++;
    if (other > 0 && other < choices->n)
        g_string_append_printf(text, "For %s there is no right count; the best of the others is %s.\n", name_of(best),
                               name_of(&best[other]));
}

static void append_verdict(GString *text, const BestQuestion *q, const Choices *choices)
{
    static const char router[] = "The router is not bound by it, nor in Table 2: try it with ecube run.\n";
    g_autofree char *bound = table_time_shown(choices->lower_bound_ps);
    if (permutation_real_order(q->c.permutation) == 0) {
        const char *where = permutation_order(q->c.permutation) ? " between processors" : "";
        g_string_append_printf(text, "Nothing moves%s.\n", where);
        return;
    }
    if (choices->any)
        append_best(text, choices, model_of(q));
    if (can_tell(choices->lower_bound_ps))
        g_string_append_printf(text, "Lower bound of algorithms between neighbours (%s): %s.\n%s",
                               q->c.idle ? "Corollary 4" : "Theorem 1", bound,
                               permutation_virtual_order(q->c.permutation) ? "" : router);
    if (q->machine->duplex == DUPLEX_HALF)
        g_string_append(text, "Half duplex: Table 2 lets processors send and receive at a time, and so does the bound; "
                              "the counts do not (--model counted).\n");
    for (guint i = 0; i < choices->n; i++)
        if (choices->choice[i].reason) {
            g_string_append_printf(text, "No published time for %s: %s.\n", name_of(&choices->choice[i]),
                                   choices->choice[i].reason);
            break;
        }
}

/* "A1a and A2 take the same time at 900.0 bytes; A1a is better below." */
static void append_even(GString *text, const BestQuestion *q, PermutingEven pair, const char *first, const char *second,
                        const char *how)
{
    const MachineTerms *terms = machine_terms(q->machine, q->c.bytes);
    Rational point = permuting_break_even(pair, q->c.permutation);
    double bytes = (double)terms->lambda_ps * (double)point.denominator /
                   ((double)terms->tau_ps_per_byte * (double)point.numerator);
    if (point.numerator > 0 && isfinite(bytes) && bytes < (double)INPUT_TIME_MAX_PS)
        g_string_append_printf(text, "Sec. 4.6: %s and %s take %s the same time at K = %.1f bytes; %s is faster "
                               "below.\n", first, second, how, bytes, first);
}

static void append_break_even(GString *text, const BestQuestion *q)
{
    guint order = permutation_real_order(q->c.permutation);
    if (order == 0 || !permutation_is_separable(q->c.permutation) || q->c.idle || !q->optimal || q->machine->packet)
        return;
    if (q->machine->ports == PORTS_ONE) {
        append_even(text, q, EVEN_A1A_A2_ONE_PORT, "a1a", "a2", "exactly");
        return;
    }
    append_even(text, q, EVEN_A1A_A2_N_PORT, "a1a", "a2", "about");
    if (order == 2 * q->c.permutation->n_cycles)
        append_even(text, q, EVEN_A5_A6, "a5", "a6", "very roughly");
}

char *best_text(const BestQuestion *q, Format format)
{
    Choices choices = choices_make(q->machine, &q->c, q->optimal, model_of(q));
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    gboolean moves = permutation_real_order(q->c.permutation) > 0;
    for (guint i = 0; i < choices.n; i++)
        add_row(table, q, &choices.choice[i], i == 0 && choices.any && moves, choices.lower_bound_ps);
    g_autofree char *rows = table_text(table, format);
    if (format != FORMAT_TABLE)
        return g_steal_pointer(&rows);
    g_autofree char *head = heading(q);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s%s\n", head, rows);
    append_verdict(text, q, &choices);
    append_break_even(text, q);
    return g_string_free(text, FALSE);
}

char *best_figure(const BestQuestion *q, PlotFormat format)
{
    Choices choices = choices_make(q->machine, &q->c, q->optimal, model_of(q));
    g_autoptr(Bars) bars = bars_new();
    for (guint i = 0; i < choices.n; i++)
        if (can_tell(choice_ps(&choices.choice[i], model_of(q))))
            bars_add(bars, name_of(&choices.choice[i]), (double)choice_ps(&choices.choice[i], model_of(q)) / 1e6);
    g_autofree char *machine = input_printable(q->machine->spec);
    g_autofree char *title =
        g_strdup_printf("Permutation %s on %s, d = %u, %" G_GINT64_FORMAT " bytes per processor, %s", q->name, machine,
                        q->c.permutation->dimension, q->c.bytes,
                        model_of(q) == CHOICE_PUBLISHED ? "by Table 2" : "by the right counts");
    double bound_us = can_tell(choices.lower_bound_ps) ? (double)choices.lower_bound_ps / 1e6 : 0;
    return bars_script(bars, title, bound_us, format);
}
