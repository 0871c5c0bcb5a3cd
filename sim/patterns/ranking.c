/* Listing that ranks the algorithms of a pattern on one machine, fastest first, by the times of their runs. */
#include "published.h"
#include "theory.h"
#include "sim/text/input.h"

static const Column columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "pattern", .text = TRUE}, {.name = "bytes"},
    {.name = "ports", .text = TRUE}, {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "best"},
    {.name = "packet", .heading = "B"}, {.name = "published_us", .heading = "published"},
    {.name = "time_us", .heading = "time"}, {.name = "waits", .heading = "may wait"},
};

static int compare_priced(gconstpointer a, gconstpointer b)
{
    const Priced *x = a, *y = b;
    return (x->ps > y->ps) - (x->ps < y->ps);
}

int ranking_best(const GArray *priced)
{
    int best = -1;
    for (guint i = 0; i < priced->len; i++) {
        const Priced *p = &g_array_index(priced, Priced, i);
        gboolean counts = p->ps >= 0 && p->ps < INPUT_TIME_MAX_PS && !p->may_wait;
        if (counts && (best < 0 || p->ps < g_array_index(priced, Priced, best).ps))
            best = (int)i;
    }
    return best;
}

static void ranking_add_row(Table *table, const Request *request, const Priced *p, gboolean best)
{
    const Problem *problem = &request->problem;
    table_add(table, request->machine->spec);
    table_addf(table, "%u", problem->dimension);
    table_add(table, problem->pattern->name);
    table_addf(table, "%" G_GINT64_FORMAT, g_array_index(request->bytes, gint64, 0));
    table_add(table, machine_ports_name(request->machine->ports));
    table_add(table, p->algorithm);
    table_add(table, best ? "true" : "false");
    table_add_count_if(table, p->packet > 0, p->packet);
    table_add_time_if(table, p->published_ps >= 0, p->published_ps);
    table_add_time_if(table, p->ps >= 0, p->ps);
    table_add_shown(table, p->may_wait ? "true" : "false", p->may_wait ? "*" : "-");
}

static void ranking_put_words(const Sheet *sheet, const GArray *priced, int best)
{
    const Priced *p = &g_array_index(priced, Priced, best);
    g_string_append_printf(sheet->text, "\nBest: %s", p->algorithm);
    if (p->packet)
        g_string_append_printf(sheet->text, " in packets of %" G_GINT64_FORMAT " bytes", p->packet);
    if (sheet->then)
        g_string_append_printf(sheet->text, ", up to %" G_GINT64_FORMAT " bytes; then %s", sheet->up_to, sheet->then);
    else if (sheet->up_to)
        g_string_append_printf(sheet->text, "; no other is faster up to %" G_GINT64_FORMAT " bytes", sheet->up_to);
    g_string_append(sheet->text, ".\n");
    if (p != (const Priced *)(gconstpointer)priced->data)
        g_string_append(sheet->text, "Messages of those above it may wait (*), and take longer then.\n");
}

static gboolean ranking_list(const Request *request, Sheet *sheet, GError **error)
{
    const Problem *problem = &request->problem;
    GArray *priced = sheet->priced;
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    g_autofree char *machine = input_printable(request->machine->spec);
    gint64 bytes = g_array_index(request->bytes, gint64, 0);
    g_array_sort(priced, compare_priced);
    int best = ranking_best(priced);
    sheet->title = g_strdup_printf("%s of %" G_GINT64_FORMAT " bytes on %s, d = %u",
                                   pattern_theory(problem->pattern)->title, bytes, machine, problem->dimension);
    for (guint i = 0; i < priced->len; i++) {
        const Priced *p = &g_array_index(priced, Priced, i);
        ranking_add_row(table, request, p, (int)i == best);
        if (p->ps >= 0 && p->ps < INPUT_TIME_MAX_PS)
            sheet_add_bar(sheet, p->algorithm, (double)p->ps / 1e6, 0);
    }
    g_autofree char *rows = table_text(table, sheet->format);
    guint rails = machine_rails(request->machine->ports);
    g_autofree char *several = g_strdup_printf("%u ports", rails);
    if (sheet->format == FORMAT_TABLE)
        g_string_append_printf(sheet->text, "%s, %s. Times in µs: what ecube run takes, each with %s; published: "
                               "Johnsson & Ho.\n\n", sheet->title,
                               request->machine->ports == PORTS_ALL ? "all ports" : rails > 1 ? several : "one port",
                               rails > 1 ? "the packet B that is best on one port or on all" : "its best packet B");
    g_string_append(sheet->text, rows);
    if (sheet->format == FORMAT_TABLE && best >= 0)
        ranking_put_words(sheet, priced, best);
    return TRUE;
}

static const char *const models[] = {"contention-free", NULL};

const Listing ranking_of_runs = {.takes_keys = TRUE, .models = models, .prices = TRUE, .best_packets = TRUE,
                                 .searches = TRUE, .list = ranking_list};
