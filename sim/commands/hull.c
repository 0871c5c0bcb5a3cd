/* ecube hull: the hull of optimality of a machine and of dimensions, as it is or as MPI libraries read it. */
#include "sim/text/input.h"
#include "prediction.h"
#include "sim/run/data.h"
#include "sim/run/range.h"
#include "sim/run/record.h"
#include "sim/show/hull_draw.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

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
    if (!best) {
        for (guint i = 0; i < 3; i++)
            table_add(table, NULL);
        return;
    }
    HullRegret regret = hull_face_regret(face, best, 0);
    g_autofree char *exact = g_strdup_printf("%.6f", regret.ratio), *partition = partition_format(&regret.best);
    g_autofree char *shown = g_strdup_printf("%.1f %%", 100 * regret.ratio);
    g_autofree char *bytes = g_strdup_printf("%.9g", regret.bytes);
    table_add_shown(table, exact, shown);
    table_add(table, isfinite(regret.bytes) ? bytes : NULL);
    table_add(table, partition);
}

static void add_face(Table *table, const HullFace *face, guint dimension, const Hull *best)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *partition_shown = prediction_partition_shown(&face->partition);
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = prediction_time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    table_add_shown(table, partition, partition_shown);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
    add_regret(table, face, best);
    table_addf(table, "%u", dimension);
}

static Hull *find_hull(const Prediction *p, HullChoice choice)
{
    return hull_of_choice(p->machine, p->dimension, p->distance, p->direct_shuffle, choice);
}

/* What is not measured of a hull is where its faces meet. */
static void tell_beyond(const Prediction *p, const Hull *hull)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    double first = (double)span.from_bytes, last = (double)span.to_bytes;
    for (guint i = 1; i < hull->n_faces; i++) {
        first = fmin(first, hull->faces[i].from_bytes);
        last = fmax(last, hull->faces[i].from_bytes);
    }
    prediction_tell_beyond(p, first, last);
}

static void add_hull(Table *table, const Prediction *p, HullChoice choice)
{
    g_autoptr(Hull) hull = find_hull(p, choice), best = choice == HULL_MIXED ? NULL : find_hull(p, HULL_MIXED);
    tell_beyond(p, hull);
    for (guint i = 0; i < hull->n_faces; i++)
        add_face(table, &hull->faces[i], p->dimension, best);
}

/* --- options --- */

static char *radix_given, *base;

/* The dimensions of the list, in its order. NULL with an error. Caller frees. */
static GArray *parse_dimensions(const CommandLine *line, gint64 min, gint64 max, GError **error)
{
    g_autoptr(Values) values = values_new("--dimension", scenario_get(line->scenario, "dimension"), ",", RANGE_WHOLE,
                                          error);
    g_autoptr(GArray) dimensions = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 dimension;
    for (guint i = 0; values && i < values_count(values); i++) {
        if (!values_number(values, i, min, max, &dimension, error))
            return NULL;
        g_array_append_val(dimensions, dimension);
    }
    return values ? g_steal_pointer(&dimensions) : NULL;
}

/* --- for people and programs: a table for each dimension, or one of all --- */

static char *describe_hull(const Prediction *p, HullChoice choice)
{
    static const char *const choices[] = {[HULL_MIXED] = "", [HULL_ONE_RADIX] = ", one radix",
                                          [HULL_EXTREMES] = ", radix 2 or Direct"};
    g_autofree char *model = prediction_describe(p), *machine = input_printable(p->machine->spec);
    return g_strdup_printf("Hull of optimality on %s, d = %u, %s%s.\n\n", machine, p->dimension, model,
                           choices[choice]);
}

static char *hulls_for_people(Prediction *p, HullChoice choice, const GArray *dimensions)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < dimensions->len; i++) {
        g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
        p->dimension = (guint)g_array_index(dimensions, gint64, i);
        add_hull(table, p, choice);
        g_autofree char *heading = describe_hull(p, choice), *rows = table_text(table, FORMAT_TABLE);
        g_string_append_printf(text, "%s%s%s", i ? "\n" : "", heading, rows);
    }
    return g_string_free(text, FALSE);
}

static char *hulls_for_programs(Prediction *p, HullChoice choice, const GArray *dimensions, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < dimensions->len; i++) {
        p->dimension = (guint)g_array_index(dimensions, gint64, i);
        add_hull(table, p, choice);
    }
    return table_text(table, format);
}

/* The lines of all partitions stand beside the faces where they are straight, and there is one dimension. */
static char *figure_of(const CommandLine *line, Prediction *p, HullChoice choice, const GArray *dimensions,
                       GError **error)
{
    g_autoptr(Csv) csv = csv_take("hull", hulls_for_programs(p, choice, dimensions, FORMAT_CSV), error);
    gboolean straight = dimensions->len == 1 && !p->machine->overlaps && p->machine->short_limit < 0;
    HullCosts costs = hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, INFINITY);
    HullLines lines = {&costs, p->distance == EXCHANGE_AVERAGE_DISTANCE};
    g_autofree char *model = prediction_describe(p), *machine = input_printable(p->machine->spec);
    g_autofree char *dimension = dimensions->len == 1 ? g_strdup_printf(", d = %u", p->dimension) : g_strdup("");
    g_autofree char *title = g_strdup_printf("Hull of optimality on %s%s, %s", machine, dimension, model);
    g_strdelimit(title, "\n", ' ');
    return csv ? hull_draw_script(csv, "hull", title, straight ? &lines : NULL, line->figure_format, error) : NULL;
}

static char *hulls_text(const CommandLine *line, Prediction *p, GError **error)
{
    guint choice = HULL_MIXED;
    if ((base && !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)))
        return NULL;
    g_autoptr(GArray) dimensions = parse_dimensions(line, 0, PARTITION_DIMENSION_MAX, error);
    if (!dimensions ||
        !command_draw(line, line->figure ? figure_of(line, p, choice, dimensions, error) : NULL, error))
        return NULL;
    return line->format == FORMAT_TABLE ? hulls_for_people(p, choice, dimensions)
                                        : hulls_for_programs(p, choice, dimensions, line->format);
}

/* --- for MPI libraries ---
 *
 * What they read to choose the algorithm of MPI_Alltoall: from which block size on which, for communicators of exactly
 * 2^d processes. All others keep what the library chooses by itself. Libraries have fewer partitions than the hull:
 * Bruck's exchange of radix 2^a, without its last rotation, is Multiphase with parts a; Direct is their pairwise
 * exchange, or the linear one. Formats and what sizes mean are from the libraries' sources: MPICH 4.1 to 5.0
 * (src/mpi/coll/src/csel.c), Open MPI 4.1 and main (ompi/mca/coll/tuned), UCC (src/coll_score). */

/* Largest d: a communicator's size is an int. */
#define COMMUNICATOR_DIMENSION_MAX 30

/* Blocks of `from_bytes` bytes and more use the radix 2^part; the dimension as part is Direct. */
typedef struct {
    gint64 from_bytes;
    guint part;
} TuningRule;

/* One communicator. */
typedef struct {
    guint dimension;        /* 1 to COMMUNICATOR_DIMENSION_MAX */
    gboolean at_once;       /* Direct issues all messages at once: "linear", "scattered"; else "pairwise" */
    GArray *rules;          /* which radix from which block size on */
} TuningTable;

static void add_rule(GArray *rules, const HullFace *face, double first)
{
    TuningRule rule = {(gint64)first, face->partition.part[face->partition.n_parts - 1]};
    gboolean same = rules->len && g_array_index(rules, TuningRule, rules->len - 1).part == rule.part;
    if (rules->len == 0)
        rule.from_bytes = 0;
    if (!same)
        g_array_append_val(rules, rule);
}

/* The rules of a hull that has the partitions of a library. A face without whole sizes above 0 has no rule, nor has one
 * from 2^31 bytes on, more than a count can say. Free with tuning_table_free(). */
static TuningTable *tuning_table_new(const Hull *hull, guint dimension, gboolean at_once)
{
    TuningTable *table = g_new(TuningTable, 1);
    *table = (TuningTable){dimension, at_once, g_array_new(FALSE, FALSE, sizeof(TuningRule))};
    for (guint i = 0; i < hull->n_faces; i++) {
        double first = fmax(1, ceil(hull->faces[i].from_bytes));
        if (first < hull->faces[i].to_bytes && first <= G_MAXINT32)
            add_rule(table->rules, &hull->faces[i], first);
    }
    return table;
}

static void tuning_table_free(gpointer data)
{
    TuningTable *table = data;
    g_array_free(table->rules, TRUE);
    g_free(table);
}

static const TuningRule *nth_rule(const TuningTable *table, guint i)
{
    return &g_array_index(table->rules, TuningRule, i);
}

static const TuningTable *nth_table(const GPtrArray *tables, guint i)
{
    return tables->pdata[i];
}

/* Open MPI and UCC count what a process sends to all, itself included. */
static gint64 total_bytes(const TuningTable *table, gint64 block_bytes)
{
    return block_bytes << table->dimension;
}

/* --- Open MPI --- */

#define OMPI_ALLTOALL 3

enum { OMPI_LINEAR = 1, OMPI_PAIRWISE, OMPI_BRUCK };
static const char *const ompi_names[] = {NULL, "linear", "pairwise", "modified_bruck"};

static guint ompi_algorithm(const TuningTable *table, const TuningRule *rule)
{
    return rule->part < table->dimension ? OMPI_BRUCK : table->at_once ? OMPI_LINEAR : OMPI_PAIRWISE;
}

static const char ompi_own_choice[] = "%u 1\n    0 0 0 0    # its own choice\n";

/* A communicator's rules hold for larger ones as well, up to those of the next. */
static void put_ompi(GString *out, const TuningTable *table)
{
    g_string_append_printf(out, "%u %u\n", 1u << table->dimension, table->rules->len);
    for (guint i = 0; i < table->rules->len; i++) {
        const TuningRule *rule = nth_rule(table, i);
        guint algorithm = ompi_algorithm(table, rule);
        g_string_append_printf(out, "    %" G_GINT64_FORMAT " %u 0 0    # blocks of %" G_GINT64_FORMAT " bytes: %s\n",
                               total_bytes(table, rule->from_bytes), algorithm, rule->from_bytes,
                               ompi_names[algorithm]);
    }
}

static char *write_ompi(const GPtrArray *tables, GError **error)
{
    GString *out = g_string_new("# mpirun --mca coll_tuned_use_dynamic_rules 1"
                                " --mca coll_tuned_dynamic_rules_filename FILE\n1    # collective\n");
    g_string_append_printf(out, "%d    # MPI_Alltoall\n%u    # communicators: processes and rules; "
                           "bytes to all, algorithm, fan, segment\n", OMPI_ALLTOALL, 2 * tables->len + 1);
    g_string_append_printf(out, ompi_own_choice, 0);
    for (guint i = 0; i < tables->len; i++) {
        put_ompi(out, nth_table(tables, i));
        g_string_append_printf(out, ompi_own_choice, (1u << nth_table(tables, i)->dimension) + 1);
    }
    return g_string_free(out, FALSE);
}

/* From a size to the last before the next rule: inclusive, in Open MPI's JSON and in UCC. */
static char *last_bytes(const TuningTable *table, guint i)
{
    if (i + 1 == table->rules->len)
        return NULL;
    return g_strdup_printf("%" G_GINT64_FORMAT, total_bytes(table, nth_rule(table, i + 1)->from_bytes) - 1);
}

static void put_ompi_json(GString *out, const TuningTable *table)
{
    g_string_append_printf(out, "      {\n        \"comm_size_min\": %u,\n        \"comm_size_max\": %u,\n"
                           "        \"rules\": [\n", 1u << table->dimension, 1u << table->dimension);
    for (guint i = 0; i < table->rules->len; i++) {
        const TuningRule *rule = nth_rule(table, i);
        g_autofree char *last = last_bytes(table, i);
        g_string_append_printf(out, "          {\"msg_size_min\": %" G_GINT64_FORMAT ", \"msg_size_max\": %s, "
                               "\"alg\": \"%s\"}%s\n", total_bytes(table, rule->from_bytes), last ? last : "\"inf\"",
                               ompi_names[ompi_algorithm(table, rule)], last ? "," : "");
    }
    g_string_append(out, "        ]\n      }");
}

static char *write_ompi_json(const GPtrArray *tables, GError **error)
{
    GString *out = g_string_new("{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {\n"
                                "    \"alltoall\": [\n");
    for (guint i = 0; i < tables->len; i++) {
        put_ompi_json(out, nth_table(tables, i));
        g_string_append(out, i + 1 < tables->len ? ",\n" : "\n");
    }
    g_string_append(out, "    ]\n  }\n}\n");
    return g_string_free(out, FALSE);
}

/* --- UCC, whose pairwise exchange has several messages under way by itself --- */

static char *write_ucc(const GPtrArray *tables, GError **error)
{
    GString *out = g_string_new("UCC_TL_UCP_TUNE=");
    for (guint t = 0; t < tables->len; t++) {
        const TuningTable *table = nth_table(tables, t);
        for (guint i = 0; i < table->rules->len; i++) {
            const TuningRule *rule = nth_rule(table, i);
            g_autofree char *last = last_bytes(table, i);
            g_string_append_printf(out, "%salltoall:%" G_GINT64_FORMAT "-%s:host:[%u]:@%s", t + i ? "#" : "",
                                   total_bytes(table, rule->from_bytes), last ? last : "inf", 1u << table->dimension,
                                   rule->part == table->dimension ? "pairwise" : "bruck");
        }
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

/* --- MPICH, which reads objects of objects and nothing else --- */

#define DEPTH_MAX 32    /* as json-c has it, by which MPICH reads */

static gboolean skip_char(const char **at, char expected)
{
    *at += strspn(*at, " \t\r\n");
    gboolean found = **at == expected;
    *at += found;
    return found;
}

/* Goes to the last character of an escape, which is kept as it is. */
static gboolean skip_escape(const char **at, GString *key)
{
    gsize n = (*at)[1] == 'u' ? 5 : 1;
    gboolean ok = n == 5 ? strspn(*at + 2, "0123456789abcdefABCDEF") >= 4
                         : (*at)[1] != '\0' && strchr("\"\\/bfnrt", (*at)[1]);
    if (ok)
        g_string_append_len(key, *at, (gssize)n);
    *at += ok ? n : 0;
    return ok;
}

/* Goes past a string. Its text without blanks, which MPICH does not heed; NULL if there is no string. Caller frees. */
static char *skip_key(const char **at)
{
    if (!skip_char(at, '"'))
        return NULL;
    GString *key = g_string_new(NULL);
    for (; (guchar)**at >= ' ' && **at != '"'; ++*at) {
        if (**at == '\\' && !skip_escape(at, key))
            break;
        if (**at != ' ')
            g_string_append_c(key, **at);
    }
    gboolean closed = **at == '"';
    *at += closed;
    return g_string_free(key, !closed);
}

/* Goes past an object; FALSE: it is none. If `wanted` is one of its keys, `value` becomes where its object begins. */
static gboolean skip_object(const char **at, guint depth, const char *wanted, const char **value)
{
    if (depth == 0 || !skip_char(at, '{'))
        return FALSE;
    if (skip_char(at, '}'))
        return TRUE;
    do {
        g_autofree char *key = skip_key(at);
        if (!key || !skip_char(at, ':'))
            return FALSE;
        if (wanted && strcmp(key, wanted) == 0)
            *value = *at + strspn(*at, " \t\r\n");
        if (!skip_object(at, depth - 1, NULL, NULL))
            return FALSE;
    } while (skip_char(at, ','));
    return skip_char(at, '}');
}

static gboolean check_tree(const char *path, const char *text, GError **error)
{
    const char *at = text;
    if (skip_object(&at, DEPTH_MAX, NULL, NULL) && skip_char(&at, '\0'))
        return TRUE;
    guint line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return input_refuse(error, "%s: line %u: this is no tuning tree of MPICH: objects in objects, of JSON", path, line);
}

/* The object that is to be patched: an exchange in place is another algorithm's. */
static const char *find_branch(const char *path, const char *text, GError **error)
{
    static const char *const keys[] = {"collective=alltoall", "comm_type=intra", "is_sendbuf_inplace=no"};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *at = text, *value = NULL;
        skip_object(&at, DEPTH_MAX, keys[i], &value);
        if (!value) {
            input_refuse(error, "%s: there is no '%s': not the tuning tree of MPICH's collectives", path, keys[i]);
            return NULL;
        }
        text = value;
    }
    return text;
}

/* The branch begins at this depth in MPICH's own file, at 4 blanks each. */
#define AT "                "

static void put_rule(GString *out, const TuningTable *table, guint i)
{
    const TuningRule *rule = nth_rule(table, i);
    if (i + 1 < table->rules->len)
        g_string_append_printf(out, AT "        \"avg_msg_size<=%" G_GINT64_FORMAT "\": ", rule[1].from_bytes - 1);
    else
        g_string_append(out, AT "        \"avg_msg_size=any\": ");
    if (rule->part == table->dimension)
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_%s\": {}}",
                               table->at_once ? "scattered" : "pairwise");
    else
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_k_brucks\": {\"k=%u\": {}}}", 1u << rule->part);
    g_string_append(out, i + 1 < table->rules->len ? ",\n" : "\n");
}

static void put_table(GString *out, const TuningTable *table)
{
    g_string_append_printf(out, AT "    \"comm_size<=%u\": {\n", 1u << table->dimension);
    for (guint i = 0; i < table->rules->len; i++)
        put_rule(out, table, i);
    g_string_append(out, AT "    },\n");
}

/* Among powers of two, "at most 2^d" behind "at most 2^(d-1)" is 2^d. "comm_size<" would do, but below a test of the
 * buffer MPICH compares it as "<=" (MPIR_Csel_search() of csel.c, 4.1 to 5.0). */
static char *make_branch(const GPtrArray *tables, const char *old)
{
    GString *out = g_string_new("{\n" AT "\"comm_size=pow2\": {\n");
    guint open = 0;     /* fewer than 2^open processes are dealt with */
    for (guint i = 0; i < tables->len; i++) {
        const TuningTable *table = nth_table(tables, i);
        if (table->dimension > open)
            g_string_append_printf(out, AT "    \"comm_size<=%u\": %s,\n", 1u << (table->dimension - 1), old);
        put_table(out, table);
        open = table->dimension + 1;
    }
    g_string_append_printf(out, AT "    \"comm_size=any\": %s\n" AT "},\n", old);
    g_string_append_printf(out, AT "\"comm_size=any\": %s\n            }", old);
    return g_string_free(out, FALSE);
}

/* The base, a whole tree, since MPICH reads nothing less, in which alltoall has `tables`. Every byte outside the branch
 * of alltoall that is not in place stays; what was there stays for all communicators without a table. */
static char *write_mpich(const GPtrArray *tables, GError **error)
{
    if (!base) {
        input_refuse(error, "--base is missing: MPICH reads whole trees only; "
                     "take maint/tuning/coll/mpir/generic.json of its sources, or your own");
        return NULL;
    }
    g_autofree char *text = input_load_text(base, INPUT_FILE_MAX, TRUE, error);
    const char *branch = text && check_tree(base, text, error) ? find_branch(base, text, error) : NULL, *end = branch;
    if (!branch)
        return NULL;
    skip_object(&end, DEPTH_MAX, NULL, NULL);
    g_autofree char *old = g_strndup(branch, (gsize)(end - branch)), *new = make_branch(tables, old);
    GString *out = g_string_new_len(text, branch - text);
    g_string_append(out, new);
    g_string_append(out, end);
    return g_string_free(out, FALSE);
}

typedef struct {
    const char *format, *library;   /* "ompi-json", "Open MPI" */
    HullChoice choice;              /* the partitions that it has */
    const char *has;                /* the same in words */
    gboolean patches;               /* it reads one file for all collectives: `base` must be that file */
    /* Of TuningTable, by dimension, each once. Error: a base that is missing, or that the library would not take. */
    char *(*write)(const GPtrArray *tables, GError **error);
} TuningLibrary;

#define EXTREMES HULL_EXTREMES, "radix 2 or Direct"
static const TuningLibrary libraries[] = {
    {"mpich", "MPICH", HULL_ONE_RADIX, "one radix", TRUE, write_mpich},
    {"ompi", "Open MPI", EXTREMES, FALSE, write_ompi},
    {"ompi-json", "Open MPI", EXTREMES, FALSE, write_ompi_json},
    {"ucc", "UCC", EXTREMES, FALSE, write_ucc},
};

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
    GPtrArray *tables = g_ptr_array_new_with_free_func(tuning_table_free);
    g_array_sort(dimensions, by_dimension);
    for (guint i = 0; i < dimensions->len; i++) {
        guint d = (guint)g_array_index(dimensions, gint64, i);
        if (i > 0 && d == p->dimension)
            continue;
        p->dimension = d;
        g_autoptr(Hull) hull = find_hull(p, library->choice);
        tell_beyond(p, hull);
        g_ptr_array_add(tables, tuning_table_new(hull, d, p->machine->overlaps));
    }
    return tables;
}

static char *tuning_text(const CommandLine *line, const TuningLibrary *library, Prediction *p, GError **error)
{
    guint choice = library->choice;
    if ((line->figure && !input_refuse(error, "--figure: '%s' is not allowed here; allowed: with table, csv, json",
                                       line->figure)) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)) ||
        (choice != library->choice &&
         !input_refuse(error, "--radix: '%s' is not allowed with --format %s; allowed: %s, as %s has %s only",
                       radix_given, library->format, hull_choice_names[library->choice], library->library,
                       library->has)) ||
        (base && !library->patches &&
         !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)))
        return NULL;
    g_autoptr(GArray) dimensions = parse_dimensions(line, 1, COMMUNICATOR_DIMENSION_MAX, error);
    if (!dimensions)
        return NULL;
    g_autoptr(GPtrArray) tables = make_tables(library, p, dimensions);
    char *text = library->write(tables, error);
    for (guint i = 0; text && i < tables->len; i++) {
        p->dimension = nth_table(tables, i)->dimension;
        tell_regret(library, p);
    }
    return text;
}

/* --- the command --- */

#define N_TABLE_FORMATS (FORMAT_JSON + 1)

static gboolean print_hulls(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    gboolean library = line->format >= N_TABLE_FORMATS;
    Prediction p;
    if (!prediction_judge(line, judge, &p, error) ||
        !command_check_apart("--output", line->output, line->scenario, p.machine, error) ||
        (base && !output_check_apart("--output", line->output, "base", base, error)) ||
        !output_check_path(line->output, error) || !command_check_figure(line, p.machine, error))
        return FALSE;
    g_autofree char *text = library ? tuning_text(line, &libraries[line->format - N_TABLE_FORMATS], &p, error)
                                    : hulls_text(line, &p, error);
    return text && output_write(line->output, text, error);
}

static const char *const keys[] = {"machine", "dimension", NULL};
static const char *const formats[] = {"table", "csv", "json", "mpich", "ompi", "ompi-json", "ucc", NULL};
static const GOptionEntry options[] = {
    PREDICTION_MODEL("", PREDICTION_MODELS),
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
