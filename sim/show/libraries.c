#include "libraries.h"
#include "tuning_mpich.h"

static const TuningTable *table_nth(const GPtrArray *tables, guint i)
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

/* Algorithms, by their numbers. */
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
        const TuningRule *rule = tuning_rule(table, i);
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
    g_string_append_printf(out, "%d    # MPI_Alltoall\n%u    # communicators: processes and rules; "
                           "bytes to all, algorithm, fan, segment\n", OMPI_ALLTOALL, 2 * tables->len + 1);
    g_string_append_printf(out, ompi_own_choice, 0);
    for (guint i = 0; i < tables->len; i++) {
        put_ompi(out, table_nth(tables, i));
        g_string_append_printf(out, ompi_own_choice, (1u << table_nth(tables, i)->dimension) + 1);
    }
    return g_string_free(out, FALSE);
}

/* From a size to the last before the next rule: inclusive, in Open MPI's JSON and in UCC. */
static char *last_bytes(const TuningTable *table, guint i)
{
    if (i + 1 == table->rules->len)
        return NULL;
    return g_strdup_printf("%" G_GINT64_FORMAT, total_bytes(table, tuning_rule(table, i + 1)->from_bytes) - 1);
}

static void put_ompi_json(GString *out, const TuningTable *table)
{
    g_string_append_printf(out, "      {\n        \"comm_size_min\": %u,\n        \"comm_size_max\": %u,\n"
                           "        \"rules\": [\n", 1u << table->dimension, 1u << table->dimension);
    for (guint i = 0; i < table->rules->len; i++) {
        const TuningRule *rule = tuning_rule(table, i);
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
        put_ompi_json(out, table_nth(tables, i));
        g_string_append(out, i + 1 < tables->len ? ",\n" : "\n");
    }
    g_string_append(out, "    ]\n  }\n}\n");
    return g_string_free(out, FALSE);
}

/* --- UCC, whose pairwise exchange has several messages under way by itself --- */

static char *write_ucc(const GPtrArray *tables, const char *base, GError **error)
{
    GString *out = g_string_new("UCC_TL_UCP_TUNE=");
    for (guint t = 0; t < tables->len; t++) {
        const TuningTable *table = table_nth(tables, t);
        for (guint i = 0; i < table->rules->len; i++) {
            const TuningRule *rule = tuning_rule(table, i);
            g_autofree char *last = last_bytes(table, i);
            g_string_append_printf(out, "%salltoall:%" G_GINT64_FORMAT "-%s:host:[%u]:@%s", t + i ? "#" : "",
                                   total_bytes(table, rule->from_bytes), last ? last : "inf", 1u << table->dimension,
                                   rule->part == table->dimension ? "pairwise" : "bruck");
        }
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

/* --- all of them --- */

#define EXTREMES HULL_EXTREMES, "radix 2 or Direct"
const TuningLibrary tuning_libraries[] = {
    {"mpich", "MPICH", HULL_ONE_RADIX, "one radix", TRUE, tuning_mpich},
    {"ompi", "Open MPI", EXTREMES, FALSE, write_ompi},
    {"ompi-json", "Open MPI", EXTREMES, FALSE, write_ompi_json},
    {"ucc", "UCC", EXTREMES, FALSE, write_ucc},
};
G_STATIC_ASSERT(G_N_ELEMENTS(tuning_libraries) == TUNING_LIBRARIES);
