/* ecube offsets: prints the best known lists of offsets, and searches for better ones. */
#include "command.h"
#include "models/circuits.h"
#include "sim/run/keys.h"
#include "sim/run/range.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

static const Column columns[] = {
    {.name = "k", .heading = "k"},
    {.name = "traffic", .heading = "traffic"},
    {.name = "bound", .heading = "bound"},
    {.name = "gap_percent", .heading = "gap %"},
    {.name = "hops", .heading = "hops"},
    {.name = "partition_traffic", .heading = "partitions"},
    {.name = "offsets", .heading = "offsets", .text = TRUE},
};

static const Column circuits_columns[] = {
    {.name = "circuits", .heading = "circuits"},
    {.name = "k", .heading = "k"},
    {.name = "traffic", .heading = "traffic"},
    {.name = "bound", .heading = "bound"},
    {.name = "gap_percent", .heading = "gap %"},
    {.name = "offsets", .heading = "offsets", .text = TRUE},
};

static struct {
    char *dimension, *processors, *group, *steps, *circuits, *search, *seed;
} given;

/* The options, parsed. */
typedef struct {
    const Group *group;
    GArray *steps;  /* guint: number of messages of each row of the output */
    double seconds; /* longest time of a search, for each number of messages, in seconds; 0: no search */
    GRand *random;
} OffsetsQuestion;

#define SEARCH_MAX_S 86400
#define LIST_MAX 65535 /* limit of offsets in a list; a longer list is that of Direct, and not printed */

/* Returns the best known list of now->n_steps offsets. If --search finds a better list, returns that, and sets the
 * traffic and hops of `now` to its own. Caller frees. */
static Offsets *find_list(const OffsetsQuestion *q, OffsetsKnown *now)
{
    const OffsetsKnown known = *now;
    Offsets *better =
        q->seconds > 0 ? offsets_search(q->group, known.n_steps, &known, q->seconds, q->random) : NULL;
    if (!better)
        return offsets_best(q->group, known.n_steps);
    now->traffic = offsets_traffic(better, q->group);
    now->hops = offsets_hops(better, q->group);
    message_print("k = %u: found traffic %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
                  " hops; known were %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT,
                  now->n_steps, now->traffic, now->hops, known.traffic, known.hops);
    return better;
}

/* Returns the traffic, in blocks a processor, of the best partition (or radices) that makes `n_steps` messages. 0:
 * there is no such partition. */
static guint64 partition_of(const OffsetsQuestion *q, guint n_steps)
{
    return q->group->binary ? offsets_partition_traffic(q->group->dimension, n_steps)
                            : offsets_radices_traffic(q->group, n_steps);
}

/* Adds the traffic of a list, the bound on it, and by how many percent it exceeds the bound ("=" for 0). */
static void add_traffic(Table *table, guint64 traffic, guint64 bound)
{
    double gap = bound ? 100 * ((double)traffic / (double)bound - 1) : 0;
    g_autofree char *gap_text = g_strdup_printf("%.6f", gap), *gap_shown = g_strdup_printf(gap > 0 ? "%.1f" : "=", gap);
    table_addf(table, "%" G_GUINT64_FORMAT, traffic);
    table_addf(table, "%" G_GUINT64_FORMAT, bound);
    table_add_shown(table, gap_text, gap_shown);
}

static void offsets_add_list(Table *table, const OffsetsQuestion *q, OffsetsKnown *now)
{
    g_autoptr(Offsets) offsets = now->n_steps <= LIST_MAX ? find_list(q, now) : NULL;
    g_autofree char *text = offsets ? offsets_format(offsets) : NULL;
    g_autofree char *shown =
        text ? key_for_people(keys_find("offsets"), text) : g_strdup_printf("k = %u", now->n_steps);
    guint64 bound = offsets_bound(q->group->n - 1, now->n_steps, 1);
    guint64 partition = partition_of(q, now->n_steps);
    g_autofree char *of_partition = g_strdup_printf("%" G_GUINT64_FORMAT, partition);
    table_addf(table, "%u", now->n_steps);
    add_traffic(table, now->traffic, bound);
    table_addf(table, "%" G_GUINT64_FORMAT, now->hops);
    table_add(table, partition || q->group->n == 1 ? of_partition : NULL);
    table_add_shown(table, text, shown);
}

/* Returns the script that draws traffic against messages: of lists, the bound and partitions. Caller frees. */
static char *offsets_figure(const CommandLine *line, const OffsetsQuestion *q)
{
    guint n;
    const OffsetsKnown *known = offsets_known(q->group, &n);
    g_autoptr(GString) rows = g_string_new(NULL), partitions = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        double bound = (double)offsets_bound(q->group->n - 1, known[i].n_steps, 1), traffic = (double)known[i].traffic;
        double partition = (double)partition_of(q, known[i].n_steps);
        gnuplot_put_numbers(rows, (double[]){known[i].n_steps, traffic, bound, traffic == bound}, 4);
        if (partition > 0)
            gnuplot_put_numbers(partitions, (double[]){known[i].n_steps, partition}, 2);
    }
    GString *out = gnuplot_script(line->figure_format, 860, 520);
    g_autofree char *of_cube = g_strdup_printf("2^%u", q->group->dimension);
    g_autofree char *title = g_strdup_printf("'Exchanges of %s processors by offsets'",
                                             q->group->binary ? of_cube : q->group->name);
    g_string_append_printf(out, "title = %s\n", title);
    gnuplot_data(out, "lists", rows->str);
    gnuplot_data(out, "partitions", partitions->str);
    gnuplot_append(out, "offsets");
    return g_string_free(out, FALSE);
}

/* --- lists that repeat offsets --- */

/* Returns the least traffic of a known list with up to n_circuits circuits and n_steps messages, or G_MAXUINT64. */
static guint64 least_known(const Group *group, guint n_circuits, guint n_steps)
{
    const GArray *known = circuits_known(group);
    guint64 least = G_MAXUINT64;
    for (guint i = 0; i < known->len; i++) {
        const CircuitsKnown *list = &g_array_index(known, CircuitsKnown, i);
        if (list->n_circuits <= n_circuits && list->n_steps <= n_steps)
            least = MIN(least, list->traffic);
    }
    return least;
}

/* Adds a row for n_circuits circuits and n_steps messages, if the search finds a better list, or one is known that no
 * list with fewer circuits or messages beats.
 * `*least` must be the least traffic of the rows with fewer messages; becomes the traffic of the new row. */
static void add_circuits(Table *table, const OffsetsQuestion *q, guint n_circuits, guint n_steps, guint64 *least)
{
    const CircuitsKnown *known = circuits_known_of(q->group, n_circuits, n_steps);
    guint64 traffic = MIN(*least, least_known(q->group, n_circuits, n_steps));
    g_autoptr(Offsets) found = q->seconds > 0 ? circuits_search(q->group, n_circuits, n_steps, traffic, q->seconds,
                                                                q->random) : NULL;
    if (!found && (!known || known->traffic > traffic))
        return;
    g_autofree char *better = found ? offsets_format(found) : NULL;
    if (found) {
        guint64 before = traffic;
        traffic = offsets_traffic(found, q->group);
        message_print("%u circuits, k = %u: found traffic %" G_GUINT64_FORMAT "; known were %" G_GUINT64_FORMAT,
                      n_circuits, n_steps, traffic, before);
    }
    g_autofree char *shown = key_for_people(keys_find("offsets"), found ? better : known->offsets);
    table_addf(table, "%u", n_circuits);
    table_addf(table, "%u", n_steps);
    add_traffic(table, traffic, offsets_circuits_bound(q->group->n - 1, n_circuits, n_steps, 1));
    table_add_shown(table, found ? better : known->offsets, shown);
    *least = traffic;
}

/* Returns the table of lists for each number of circuits in --circuits. NULL with an error. Caller frees. */
static char *circuits_text(const CommandLine *line, const OffsetsQuestion *q, GError **error)
{
    if (!circuits_are_known(q->group) || q->group->n < 3)
        return input_refuse(error, "--circuits: requires 3 to %d processors that are added (--processors P), no cube",
                            OFFSETS_MODULO_MAX), NULL;
    if (given.steps || line->figure)
        return input_refuse(error, "--circuits: is not allowed with --%s", given.steps ? "messages" : "figure"), NULL;
    g_autoptr(GArray) numbers = values_numbers("--circuits", given.circuits, ", \t", 1, q->group->n - 1, error);
    if (!numbers)
        return NULL;
    g_autoptr(Table) table = table_new(circuits_columns, G_N_ELEMENTS(circuits_columns));
    for (guint i = 0; i < numbers->len; i++) {
        guint n_circuits = (guint)g_array_index(numbers, gint64, i);
        guint64 least = G_MAXUINT64;
        for (guint k = circuits_least_steps(q->group, n_circuits); k < q->group->n; k++)
            add_circuits(table, q, n_circuits, k, &least);
    }
    return table_text(table, line->format);
}

/* --- options --- */

/* Fills q->steps with the numbers of --messages, or with all for which lists are known. */
static gboolean parse_steps(OffsetsQuestion *q, GError **error)
{
    guint n;
    const OffsetsKnown *known = offsets_known(q->group, &n);
    for (guint i = 0; !given.steps && i < n; i++)
        g_array_append_val(q->steps, (guint){known[i].n_steps});
    if (!given.steps)
        return TRUE;
    g_autoptr(GArray) numbers =
        values_numbers("--messages", given.steps, ", \t", q->group->dimension, known[n - 1].n_steps, error);
    for (guint i = 0; numbers && i < numbers->len; i++) {
        gint64 k = g_array_index(numbers, gint64, i);
        if (!offsets_known_of(q->group, (guint)k))
            return input_refuse(error, "--messages: '%" G_GINT64_FORMAT "' is not allowed; allowed: %u to %u, and %u",
                                k, q->group->dimension, known[n - 2].n_steps, known[n - 1].n_steps);
        g_array_append_val(q->steps, (guint){(guint)k});
    }
    return numbers != NULL;
}

static gboolean parse_search(OffsetsQuestion *q, GError **error)
{
    /* input_parse_ps() multiplies by 10^6: it turns seconds into µs */
    gint64 us_max = (gint64)SEARCH_MAX_S * 1000000, us = 0, seed = 1;
    if (given.seed && !input_parse_count("--seed", given.seed, 0, G_MAXUINT32, &seed, error))
        return FALSE;
    if (given.search && (!input_parse_ps("", given.search, &us, NULL) || us == 0 || us > us_max))
        return input_refuse(error, "--search: '%s' is not allowed; allowed: seconds above 0, up to %d", given.search,
                            SEARCH_MAX_S);
    guint dimension = q->group->dimension;
    if (given.search && dimension > OFFSETS_SEARCH_MAX)
        return input_refuse(error, "--search: '%s' is not allowed at d = %u; allowed: up to d = %d", given.search,
                            dimension, OFFSETS_SEARCH_MAX);
    q->seconds = (double)us / 1e6;
    g_rand_set_seed(q->random, (guint32)seed);
    return TRUE;
}

/* Refuses --figure of a single processor, which has neither messages nor traffic. */
static gboolean offsets_check_figure(const CommandLine *line, const OffsetsQuestion *q, GError **error)
{
    return !line->figure || q->group->n > 1 ||
           input_refuse(error, "--figure: '%s' is not allowed at d = 0; allowed: from d = 1 on", line->figure);
}

static gboolean print_offsets(const CommandLine *line, GError **error)
{
    const Group *group = group_asked(given.dimension, given.processors, given.group, FALSE, OFFSETS_KNOWN_MAX, error);
    if (!group || !offsets_check_known("--processors", group, error))
        return FALSE;
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    OffsetsQuestion q = {.group = group, .steps = steps, .random = random};
    if (!parse_search(&q, error))
        return FALSE;
    if (given.circuits) {
        g_autofree char *text = command_check_outputs(line, error) ? circuits_text(line, &q, error) : NULL;
        return text && output_write(line->output, text, error);
    }
    if (!parse_steps(&q, error) || !offsets_check_figure(line, &q, error) ||
        !command_check_outputs(line, error) ||
        !command_draw(line, line->figure ? offsets_figure(line, &q) : NULL, error))
        return FALSE;
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < steps->len; i++) {
        OffsetsKnown now = *offsets_known_of(q.group, g_array_index(steps, guint, i));
        offsets_add_list(table, &q, &now);
    }
    g_autofree char *text = table_text(table, line->format);
    return output_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"dimension", 'd', 0, G_OPTION_ARG_STRING, &given.dimension, "Cube dimension, 0 to 20", "D"},
    {"processors", 'n', 0, G_OPTION_ARG_STRING, &given.processors,
     "Processors, 1 to 128", "P"},
    {"group", 0, 0, G_OPTION_ARG_STRING, &given.group, "How they are added; default: addition", "xor|addition"},
    {"messages", 'k', 0, G_OPTION_ARG_STRING, &given.steps, "Numbers of messages; default: all that are known",
     "K,..."},
    {"circuits", 0, 0, G_OPTION_ARG_STRING, &given.circuits,
     "Lists with runs of equal offsets instead, for switches that keep circuits: numbers of circuits", "Q,..."},
    {"search", 0, 0, G_OPTION_ARG_STRING, &given.search,
     "Look for better lists for at most so many seconds for each number of messages, up to d = 12", "SECONDS"},
    {"seed", 0, 0, G_OPTION_ARG_STRING, &given.seed, "Where the search begins; default: 1", "S"},
    COMMAND_FORMAT,
    COMMAND_OUTPUT,
    COMMAND_FIGURE("traffic against messages"),
    {0},
};

const Command command_offsets = {
    .name = "offsets",
    .summary = "exchanges by offsets: the best lists, and what none can beat",
    .usage = "--dimension D | --processors P",
    .help = "Prints, for every number k of messages, the best list of offsets known: its traffic in blocks\n"
            "a processor; the bound, which no exchange in k rounds falls short of; how far above it the list\n"
            "is, = if it attains it; its hops; and the traffic of the best partition with k messages.\n"
            "`ecube run --algorithm offsets --offsets k=K` runs a list. models/OFFSETS.md has the story.\n\n"
            "Examples: ecube offsets -d 6\n"
            "          ecube offsets -d 7 -k 9:19:1 --search 10\n"
            "          ecube offsets -n 48\n"
            "          ecube offsets -n 64 --circuits 1:4:1\n"
            "          ecube offsets -d 6 --figure offsets.svg",
    .options = options,
    .run = print_offsets};
