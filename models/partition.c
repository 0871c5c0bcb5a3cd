#include "partition.h"
#include "input.h"

Partition partition_standard(guint dimension)
{
    Partition partition = {.n_parts = dimension};
    for (guint i = 0; i < dimension; i++)
        partition.part[i] = 1;
    return partition;
}

Partition partition_direct(guint dimension)
{
    return (Partition){.n_parts = dimension > 0, .part = {dimension}};
}

gboolean partition_parse(const char *where, const char *text, guint dimension, Partition *partition, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    guint sum = 0;
    *partition = (Partition){0};
    for (guint i = 0; words[i]; i++) {
        gint64 part;
        if (!input_parse_count(where, g_strstrip(words[i]), 1, MACHINE_DIMENSION_MAX, &part, error))
            return FALSE;
        sum += (guint)part;
        if (sum <= dimension)
            partition->part[partition->n_parts++] = (guint)part;
    }
    if (sum != dimension) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%.60s' sums to %u; allowed: parts that sum to the dimension, %u", where, text, sum,
                    dimension);
        return FALSE;
    }
    return TRUE;
}

char *partition_format(const Partition *partition)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < partition->n_parts; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", partition->part[i]);
    return g_string_free(text, FALSE);
}

guint partition_n_compositions(guint dimension)
{
    return dimension ? 1u << (dimension - 1) : 1;
}

Partition partition_composition(guint dimension, guint index)
{
    Partition partition = {0};
    for (guint i = 0; i < dimension; i++) {
        gboolean begins = i == 0 || (index >> (i - 1) & 1);
        partition.n_parts += begins;
        partition.part[partition.n_parts - 1]++;
    }
    return partition;
}
