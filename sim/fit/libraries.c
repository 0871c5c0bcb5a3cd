#include "libraries.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Returns the radix of all parts of a partition but the remainder, if there is one. A remainder is the first part on a
 * cube, and the last radix on other groups. */
static guint radix_of(const LibraryTable *table, const Phases *partition)
{
    return table->is_cube ? 1u << partition->part[partition->n_parts - 1] : partition->part[0];
}

static void add_rule(GArray *rules, guint radix, double first)
{
    LibraryRule rule = {(gint64)first, radix};
    gboolean same = rules->len && g_array_index(rules, LibraryRule, rules->len - 1).radix == rule.radix;
    if (rules->len == 0)
        rule.from_bytes = 0;
    if (!same)
        g_array_append_val(rules, rule);
}

LibraryTable *library_table_new(const Hull *hull, guint n, gboolean is_cube, gboolean at_once)
{
    LibraryTable *table = g_new(LibraryTable, 1);
    *table = (LibraryTable){n, is_cube, at_once, g_array_new(FALSE, FALSE, sizeof(LibraryRule))};
    for (guint i = 0; i < hull->n_faces; i++) {
        double first = fmax(1, ceil(hull->faces[i].from_bytes));
        if (first < hull->faces[i].to_bytes && first <= G_MAXINT32)
            add_rule(table->rules, radix_of(table, &hull->faces[i].partition), first);
    }
    return table;
}

void library_table_free(gpointer table)
{
    g_array_free(((LibraryTable *)table)->rules, TRUE);
    g_free(table);
}

static const LibraryRule *nth_rule(const LibraryTable *table, guint i)
{
    return &g_array_index(table->rules, LibraryRule, i);
}

static const LibraryTable *nth_table(const GPtrArray *tables, guint i)
{
    return tables->pdata[i];
}

/* Returns the size as Open MPI and UCC count it: the bytes that a process sends to all, itself included. */
static gint64 total_bytes(const LibraryTable *table, gint64 block_bytes)
{
    return block_bytes * table->n;
}

/* --- Open MPI --- */

#define OMPI_ALLTOALL 3

/* Numbers by which Open MPI's files name the algorithms of MPI_Alltoall. */
enum { OMPI_LINEAR = 1, OMPI_PAIRWISE, OMPI_BRUCK };
static const char *const ompi_names[] = {NULL, "linear", "pairwise", "modified_bruck"};

static guint ompi_algorithm(const LibraryTable *table, const LibraryRule *rule)
{
    return rule->radix < table->n ? OMPI_BRUCK : table->at_once ? OMPI_LINEAR : OMPI_PAIRWISE;
}

static const char ompi_own_choice[] = "%u 1\n    0 0 0 0    # its own choice\n";

/* Appends the rules for communicators of table->n processes. Open MPI also applies them to larger ones, up to the next
 * size in the file. */
static void put_ompi(GString *out, const LibraryTable *table)
{
    g_string_append_printf(out, "%u %u\n", table->n, table->rules->len);
    for (guint i = 0; i < table->rules->len; i++) {
        const LibraryRule *rule = nth_rule(table, i);
        guint algorithm = ompi_algorithm(table, rule);
        g_string_append_printf(out, "    %" G_GINT64_FORMAT " %u 0 0    # blocks of %" G_GINT64_FORMAT " bytes: %s\n",
                               total_bytes(table, rule->from_bytes), algorithm, rule->from_bytes,
                               ompi_names[algorithm]);
    }
}

static char *write_ompi(const GPtrArray *tables, const char *base, GError **error)
{
    GString *out = g_string_new("# mpirun --mca coll_tuned_use_dynamic_rules 1"
                                " --mca coll_tuned_dynamic_rules_filename FILE\n1    # collective\n");
    g_autoptr(GString) rules = g_string_new(NULL);
    guint n = 1;
    for (guint i = 0; i < tables->len; i++) {
        guint next = nth_table(tables, i)->n + 1;
        put_ompi(rules, nth_table(tables, i));
        gboolean has_rules = i + 1 < tables->len && nth_table(tables, i + 1)->n == next;
        if (!has_rules)
            g_string_append_printf(rules, ompi_own_choice, next);
        n += 1 + !has_rules;
    }
    g_string_append_printf(out, "%d    # MPI_Alltoall\n%u    # communicators: processes and rules; "
                           "bytes to all, algorithm, fan, segment\n", OMPI_ALLTOALL, n);
    g_string_append_printf(out, ompi_own_choice, 0);
    g_string_append(out, rules->str);
    return g_string_free(out, FALSE);
}

/* Returns the largest total_bytes() to which rule i applies, as text, for Open MPI's JSON and UCC. NULL: there is no
 * limit. Caller frees. */
static char *last_bytes(const LibraryTable *table, guint i)
{
    if (i + 1 == table->rules->len)
        return NULL;
    return g_strdup_printf("%" G_GINT64_FORMAT, total_bytes(table, nth_rule(table, i + 1)->from_bytes) - 1);
}

static void put_ompi_json(GString *out, const LibraryTable *table)
{
    g_string_append_printf(out, "      {\n        \"comm_size_min\": %u,\n        \"comm_size_max\": %u,\n"
                           "        \"rules\": [\n", table->n, table->n);
    for (guint i = 0; i < table->rules->len; i++) {
        const LibraryRule *rule = nth_rule(table, i);
        g_autofree char *last = last_bytes(table, i);
        g_string_append_printf(out, "          {\"msg_size_min\": %" G_GINT64_FORMAT ", \"msg_size_max\": %s, "
                               "\"alg\": \"%s\"}%s\n", total_bytes(table, rule->from_bytes), last ? last : "\"inf\"",
                               ompi_names[ompi_algorithm(table, rule)], last ? "," : "");
    }
    g_string_append(out, "        ]\n      }");
}

static char *write_ompi_json(const GPtrArray *tables, const char *base, GError **error)
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

/* --- UCC, whose pairwise exchange has several messages under way without being asked --- */

static char *write_ucc(const GPtrArray *tables, const char *base, GError **error)
{
    GString *out = g_string_new("UCC_TL_UCP_TUNE=");
    for (guint t = 0; t < tables->len; t++) {
        const LibraryTable *table = nth_table(tables, t);
        for (guint i = 0; i < table->rules->len; i++) {
            const LibraryRule *rule = nth_rule(table, i);
            g_autofree char *last = last_bytes(table, i);
            g_string_append_printf(out, "%salltoall:%" G_GINT64_FORMAT "-%s:host:[%u]:@%s", t + i ? "#" : "",
                                   total_bytes(table, rule->from_bytes), last ? last : "inf", table->n,
                                   rule->radix == table->n ? "pairwise" : "bruck");
        }
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

/* --- MPICH, which reads JSON objects that contain nothing but objects --- */

#define DEPTH_MAX 32    /* limit of json-c, MPICH's reader */

static gboolean skip_char(const char **at, char expected)
{
    *at += strspn(*at, " \t\r\n");
    gboolean found = **at == expected;
    *at += found;
    return found;
}

/* Appends the escape sequence of JSON at `*at`, without its last character, to `key`, and moves `*at` to that
 * character. FALSE: no escape sequence begins at `*at`. */
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

/* Moves `*at` past a string. Returns its text without blanks, as MPICH ignores them; NULL: no string. Caller frees. */
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

/* Moves `*at` past a JSON object in which all values are objects, at most `depth` deep. Sets `*value` to the start of
 * the value of its key `wanted`; leaves it if there is none, or `wanted` is NULL. FALSE: no such object is at `*at`. */
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

/* Returns the place in `text`, MPICH's tuning tree, where the object begins that is to be patched: that of alltoall
 * within one group of processes, not in place. NULL with an error if a key on the way to it is missing. Borrowed. */
static const char *find_branch(const char *path, const char *text, GError **error)
{
    static const char *const keys[] = {"collective=alltoall", "comm_type=intra", "is_sendbuf_inplace=no"};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *at = text, *value = NULL;
        skip_object(&at, DEPTH_MAX, keys[i], &value);
        if (!value)
            return input_refuse(error, "%s: there is no '%s': not the tuning tree of MPICH's collectives", path,
                                keys[i]), NULL;
        text = value;
    }
    return text;
}

/* Indentation of the branch in MPICH's own file, with 4 blanks a level. */
#define AT "                "

static void mpich_put_rule(GString *out, const LibraryTable *table, guint i)
{
    const LibraryRule *rule = nth_rule(table, i);
    if (i + 1 < table->rules->len)
        g_string_append_printf(out, AT "        \"avg_msg_size<=%" G_GINT64_FORMAT "\": ", rule[1].from_bytes - 1);
    else
        g_string_append(out, AT "        \"avg_msg_size=any\": ");
    if (rule->radix == table->n)
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_%s\": {}}",
                               table->at_once ? "scattered" : "pairwise");
    else
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_k_brucks\": {\"k=%u\": {}}}", rule->radix);
    g_string_append(out, i + 1 < table->rules->len ? ",\n" : "\n");
}

static void mpich_put_table(GString *out, const LibraryTable *table)
{
    g_string_append_printf(out, AT "    \"comm_size<=%u\": {\n", table->n);
    for (guint i = 0; i < table->rules->len; i++)
        mpich_put_rule(out, table, i);
    g_string_append(out, AT "    },\n");
}

/* Returns the new text of the branch: the rules of `tables`, and the branch `old` for all other numbers of processes.
 * The entry "<=n" is for n alone, because "<=n-1" stands before it, or "<=n/2" among powers of two. "comm_size<" is of
 * no use: in a branch that tests the buffer MPICH compares it as "<=" (MPIR_Csel_search() of csel.c, 4.1 to 5.0).
 * Caller frees. */
static char *make_branch(const GPtrArray *tables, const char *old)
{
    gboolean cubes = TRUE;
    for (guint i = 0; i < tables->len; i++)
        cubes &= nth_table(tables, i)->is_cube;
    GString *out = g_string_new(cubes ? "{\n" AT "\"comm_size=pow2\": {\n" : "{\n");
    guint done = 0;     /* largest number of processes with an entry so far */
    for (guint i = 0; i < tables->len; i++) {
        const LibraryTable *table = nth_table(tables, i);
        guint below = cubes ? table->n / 2 : table->n - 1;
        if (below > done)
            g_string_append_printf(out, AT "    \"comm_size<=%u\": %s,\n", below, old);
        mpich_put_table(out, table);
        done = table->n;
    }
    if (cubes)
        g_string_append_printf(out, AT "    \"comm_size=any\": %s\n" AT "},\n", old);
    g_string_append_printf(out, AT "%s\"comm_size=any\": %s\n            }", cubes ? "" : "    ", old);
    return g_string_free(out, FALSE);
}

/* Returns the text of --base with `tables` in the branch of alltoall that is not in place. Every byte outside this
 * branch stays. Communicators without a table keep the old branch. NULL with an error. Caller frees. */
static char *write_mpich(const GPtrArray *tables, const char *base, GError **error)
{
    if (!base)
        return input_refuse(error, "--base is missing: MPICH reads whole trees only; take "
                            "maint/tuning/coll/mpir/generic.json of its sources, or your own"), NULL;
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

/* --- all formats --- */

#define EXTREMES HULL_EXTREMES, "radix 2 or Direct"
const Library libraries[] = {
    {"mpich", "MPICH", HULL_ONE_RADIX, "one radix", TRUE, write_mpich},
    {"ompi", "Open MPI", EXTREMES, FALSE, write_ompi},
    {"ompi-json", "Open MPI", EXTREMES, FALSE, write_ompi_json},
    {"ucc", "UCC", EXTREMES, FALSE, write_ucc},
};
G_STATIC_ASSERT(G_N_ELEMENTS(libraries) == N_LIBRARIES);
