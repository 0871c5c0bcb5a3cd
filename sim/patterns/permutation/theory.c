/* Listing of the algorithms for a permutation on one machine, fastest first: the times of their runs, Table 2 of Ho &
 * Johnsson 1988, the right counts, and the paper's break-even points. */
#include "models/permuting_choice.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"

#include <math.h>

static const Column columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "permutation", .text = TRUE},
    {.name = "cycles", .text = TRUE}, {.name = "bytes"}, {.name = "element"}, {.name = "idle"},
    {.name = "ports", .text = TRUE}, {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "best"},
    {.name = "packet", .heading = "B"}, {.name = "startups", .heading = "start-ups"},
    {.name = "transfers_bytes", .heading = "transfers"}, {.name = "published_us", .heading = "published"},
    {.name = "published_over_bound", .heading = "/ bound"}, {.name = "counted_us", .heading = "counted"},
    {.name = "counted_over_bound", .heading = "/ bound"}, {.name = "lower_bound_us"},
    {.name = "time_us", .heading = "time", .optional = TRUE},
    {.name = "waits", .heading = "may wait", .optional = TRUE},
};

typedef struct {
    const Machine *machine;     /* machine of the question; its ports select the algorithms */
    const char *name;           /* text of the permutation as the user gave it */
    PermutingCase c;            /* c.packet does not matter if `optimal` */
    gboolean optimal;           /* whether each algorithm uses its best packet instead of c.packet */
    ChoiceModel model;          /* model that ranks algorithms; never CHOICE_PUBLISHED if the permutation is not
                                 * separable */
    Choices choices;
} PermutingQuestion;

static gboolean is_counted(gint64 ps)
{
    return ps >= 0 && ps < INPUT_TIME_MAX_PS;
}

static void permuting_add_number(Table *table, Rational value)
{
    double number = rational_real(value);
    g_autofree char *exact = g_strdup_printf("%.6f", number), *shown = g_strdup_printf("%.1f", number);
    if (value.numerator % value.denominator == 0 && number < (double)INPUT_TIME_MAX_PS)
        table_addf(table, "%" G_GINT64_FORMAT, (gint64)(value.numerator / value.denominator));
    else
        table_add_shown(table, exact, shown);
}

static void add_time_and_ratio(Table *table, gint64 ps, gint64 bound_ps)
{
    table_add_time_if(table, is_counted(ps), ps);
    if (is_counted(ps) && bound_ps > 0)
        table_addf(table, "%.4f", (double)ps / (double)bound_ps);
    else
        table_add(table, NULL);
}

static void permuting_add_counts(Table *table, const PermutingQuestion *q, const Choice *choice)
{
    if (choice->row && permutation_is_separable(q->c.permutation)) {
        TransferCount count = permuting_printed(choice->row, q->machine, &choice->c);
        permuting_add_number(table, count.startups);
        permuting_add_number(table, count.bytes);
    } else
        table_add_nothing(table, 2);
}

static void permuting_add_row(Table *table, const PermutingQuestion *q, const Choice *choice, gboolean best)
{
    gint64 bound_ps = q->choices.lower_bound_ps;
    g_autofree char *cycles = permutation_format(q->c.permutation);
    table_add(table, q->machine->spec);
    table_addf(table, "%u", q->c.permutation->dimension);
    table_add(table, q->name);
    table_add(table, cycles);
    table_addf(table, "%" G_GINT64_FORMAT, q->c.bytes);
    table_addf(table, "%" G_GINT64_FORMAT, q->c.element);
    table_addf(table, "%u", q->c.idle);
    table_add(table, machine_ports_name(q->machine->ports));
    table_add(table, choice->algorithm);
    table_add(table, best ? "true" : "false");
    table_add_count_if(table, choice->c.packet > 0, choice->c.packet);
    permuting_add_counts(table, q, choice);
    add_time_and_ratio(table, choice->published_ps, bound_ps);
    add_time_and_ratio(table, choice->counted_ps, bound_ps);
    table_add_time_if(table, is_counted(bound_ps), bound_ps);
    table_add_time_if(table, is_counted(choice->priced_ps), choice->priced_ps);
    table_add_shown(table, choice->priced_ps < 0 ? NULL : choice->waits ? "true" : "false", choice->waits ? "*" : "-");
}

/* Returns "real and separable", or "2 bits of local memory, not separable". Caller frees. */
static char *kind_words(const Permutation *p)
{
    guint local = permutation_virtual_order(p);
    return local == 0 ? g_strdup("real and separable")
                      : g_strdup_printf("%u bit%s of local memory, %sseparable", local, local > 1 ? "s" : "",
                                        permutation_is_separable(p) ? "" : "not ");
}

static void append_heading(GString *text, const PermutingQuestion *q)
{
    const Permutation *p = q->c.permutation;
    g_autofree char *cycles = permutation_format(p);
    g_autofree char *also = g_str_equal(cycles, q->name) ? g_strdup("") : g_strdup_printf(" = %s", cycles);
    const char *extended = "Extended cube: the data is spread over the idle dimensions, permuted and gathered "
                           "(sec. 4.5).\n";
    g_autofree char *machine = input_printable(q->machine->spec), *kind = kind_words(p);
    g_string_append_printf(text, "Permutation %s%s on %s, d = %u, %s, %" G_GINT64_FORMAT " bytes per processor.\n"
                           "Order %u, cycles %u, %s; %u channels at most between x and dp(x).\n"
                           "%s"
                           "Times in µs: start-ups x lambda + bytes x tau, by Table 2 of Ho & Johnsson and by the "
                           "right counts%s.\n\n",
                           q->name, also, machine, p->dimension,
                           q->machine->ports == PORTS_ONE ? "one port" : "all ports", q->c.bytes,
                           permutation_order(p), p->n_cycles, kind, permutation_distance_max(p),
                           q->c.idle ? extended : "",
                           q->model == CHOICE_PRICED ? ";\ntime: what ecube run takes, with distances, handshakes, "
                                                       "barriers and waiting" : "");
}

/* Appends "Best: a0, and as fast a1, a1a." if a1 and a1a take as long as a0. Then appends a sentence for each algorithm
 * above the best one in the list: messages of such algorithms may wait. */
static void append_best(GString *text, const PermutingQuestion *q)
{
    const Choices *choices = &q->choices;
    const Choice *best = &choices->choice[choices_best(choices)], *end = choices->choice + choices->n;
    const char *before = ", and as fast";
    g_string_append_printf(text, "Best%s: %s",
                           best->waits               ? " if no message waits"
                           : best > choices->choice ? " of those whose messages never wait"
                                                    : "", best->algorithm);
    for (const Choice *c = best + 1; c < end && choice_ps(c, q->model) == choice_ps(best, q->model); c++)
        if (c->waits == best->waits) {
            g_string_append_printf(text, "%s %s", before, c->algorithm);
            before = ",";
        }
    g_string_append(text, ".\n");
    for (const Choice *c = choices->choice; c < best; c++) {
        g_autofree char *least = table_time_shown(c->priced_ps);
        g_string_append_printf(text, "Messages of %s may wait; it takes %s or more: ecube run simulates it.\n",
                               c->algorithm, least);
    }
}

/* Appends a sentence with the fastest algorithm that has a counted_ps, if the fastest of all algorithms has none. */
static void append_other(GString *text, const PermutingQuestion *q)
{
    const Choice *best = q->choices.choice;
    guint other = 0;
    while (other < q->choices.n && best[other].counted_ps < 0)
        other++;
    if (other > 0 && other < q->choices.n)
        g_string_append_printf(text, "For %s there is no right count; the best of the others is %s.\n",
                               best->algorithm, best[other].algorithm);
}

static void append_verdict(GString *text, const PermutingQuestion *q)
{
    const Choices *choices = &q->choices;
    static const char router[] = "The router, two-phase and two-exchanges are not bound by it, nor in Table 2.\n";
    g_autofree char *bound = table_time_shown(choices->lower_bound_ps);
    if (permutation_real_order(q->c.permutation) == 0) {
        const char *where = permutation_order(q->c.permutation) ? " between processors" : "";
        g_string_append_printf(text, "Nothing moves%s.\n", where);
        return;
    }
    if (choices->any)
        append_best(text, q);
    if (choices->any && q->model != CHOICE_PRICED)
        append_other(text, q);
    if (is_counted(choices->lower_bound_ps))
        g_string_append_printf(text, "Lower bound of algorithms between neighbours (%s): %s.\n%s",
                               q->c.idle ? "Corollary 4" : "Theorem 1", bound,
                               permutation_virtual_order(q->c.permutation) ? "" : router);
    if (q->machine->duplex == DUPLEX_HALF)
        g_string_append(text, "Half duplex: Table 2 lets processors send and receive at a time, and so does the bound; "
                              "the counts do not.\n");
    for (guint i = 0; i < choices->n; i++)
        if (choices->choice[i].row && choices->choice[i].reason) {
            g_string_append_printf(text, "No published time for %s: %s.\n", choices->choice[i].algorithm,
                                   choices->choice[i].reason);
            break;
        }
}

/* Appends a sentence on the size in bytes at which the algorithms `first` and `second` take the same time, if there is
 * such a size. `how` is the accuracy in words: "exactly", "about". */
static void append_even(GString *text, const PermutingQuestion *q, PermutingEven pair, const char *first,
                        const char *second, const char *how)
{
    const MachineTerms *terms = machine_terms(q->machine, q->c.bytes);
    Rational point = permuting_break_even(pair, q->c.permutation);
    double bytes = (double)terms->lambda_ps * (double)point.denominator /
                   (machine_byte_ps(terms->tau_fs_per_byte) * (double)point.numerator);
    if (point.numerator > 0 && isfinite(bytes) && bytes < (double)INPUT_TIME_MAX_PS)
        g_string_append_printf(text, "Sec. 4.6, by Table 2: %s and %s take %s the same time at K = %.1f bytes; %s is "
                               "faster below.\n", first, second, how, bytes, first);
}

static void append_break_even(GString *text, const PermutingQuestion *q)
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

static void put_text(const PermutingQuestion *q, Sheet *sheet)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    gboolean moves = permutation_real_order(q->c.permutation) > 0;
    guint best = choices_best(&q->choices);
    for (guint i = 0; i < q->choices.n; i++)
        permuting_add_row(table, q, &q->choices.choice[i], i == best && q->choices.any && moves);
    g_autofree char *rows = table_text(table, sheet->format);
    if (sheet->format == FORMAT_TABLE)
        append_heading(sheet->text, q);
    g_string_append(sheet->text, rows);
    if (sheet->format != FORMAT_TABLE)
        return;
    g_string_append_c(sheet->text, '\n');
    append_verdict(sheet->text, q);
    append_break_even(sheet->text, q);
}

static void put_figure(const PermutingQuestion *q, Sheet *sheet)
{
    static const char *const words[] = {[CHOICE_PUBLISHED] = "by Table 2", [CHOICE_COUNTED] = "by the right counts",
                                        [CHOICE_PRICED] = "as ecube run has it"};
    double bound = is_counted(q->choices.lower_bound_ps) ? (double)q->choices.lower_bound_ps / 1e6 : 0;
    g_autofree char *machine = input_printable(q->machine->spec);
    sheet->title = g_strdup_printf("Permutation %s on %s, d = %u, %" G_GINT64_FORMAT " bytes per processor, %s",
                                   q->name, machine, q->c.permutation->dimension, q->c.bytes, words[q->model]);
    sheet->bound_words = q->machine->ports == PORTS_ONE ? "no algorithm between neighbours takes less, with one port"
                                                        : "no algorithm between neighbours takes less, with all ports";
    for (guint i = 0; i < q->choices.n; i++) {
        gint64 ps = choice_ps(&q->choices.choice[i], q->model);
        if (is_counted(ps))
            sheet_add_bar(sheet, q->choices.choice[i].algorithm, (double)ps / 1e6,
                          q->choices.choice[i].row ? bound : 0);
    }
}

static void add_prices(PermutingQuestion *q, const GArray *priced)
{
    ChoicePrice prices[CHOICE_MAX];
    guint n = MIN(priced->len, CHOICE_MAX);
    for (guint i = 0; i < n; i++) {
        const Priced *p = &g_array_index(priced, Priced, i);
        prices[i] = (ChoicePrice){p->algorithm, p->packet, p->ps, p->may_wait};
    }
    choices_add_prices(&q->choices, prices, n);
}

static gboolean permuting_list(const Request *request, Sheet *sheet, GError **error)
{
    const Problem *problem = &request->problem;
    const Value *cycles = request->earlier[1];
    if (problem->map)
        return input_refuse(error, "%s: '%s' is not allowed here; allowed: permutations of address bits. For those of "
                            "files, compare times: ecube run -a router,two-exchanges", request->earlier[0]->origin,
                            problem->name);
    PermutingQuestion q = {.machine = request->machine, .name = (cycles ? cycles : request->earlier[0])->text,
                           .c = {.permutation = &problem->permutation,
                                 .bytes = g_array_index(request->bytes, gint64, 0),
                                 .packet = request->packet, .element = request->element, .idle = problem->idle},
                           .optimal = request->optimal};
    q.model = sheet->priced                                                   ? CHOICE_PRICED
              : sheet->counted || !permutation_is_separable(q.c.permutation) ? CHOICE_COUNTED
                                                                              : CHOICE_PUBLISHED;
    q.choices = choices_make(q.machine, &q.c, q.optimal, q.model);
    if (sheet->priced)
        add_prices(&q, sheet->priced);
    put_text(&q, sheet);
    put_figure(&q, sheet);
    return TRUE;
}

static const char *const models[] = {"contention-free", "published", "counted", NULL};

const Listing best_for_permutation = {.takes_keys = TRUE, .models = models, .prices = TRUE, .best_packets = TRUE,
                                      .list = permuting_list};
