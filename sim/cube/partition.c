#include "partition.h"
#include "sim/text/input.h"

#include <stdlib.h>
#include <string.h>

Phases partition_standard(guint dimension)
{
    return dimension ? partition_equipartition(dimension, dimension) : (Phases){0};
}

Phases partition_direct(guint dimension)
{
    return dimension ? partition_equipartition(dimension, 1) : (Phases){0};
}

gboolean partition_parse(const char *where, const char *text, guint dimension, Phases *partition, GError **error)
{
    gsize length = strlen(text);
    gboolean braced = length >= 2 && *text == '(' && text[length - 1] == ')';
    g_autofree char *inner = g_strndup(text + braced, length - 2 * braced);
    g_auto(GStrv) words = g_strsplit(inner, ",", -1);
    guint sum = 0;
    *partition = (Phases){0};
    for (guint i = 0; words[i]; i++) {
        gint64 part;
        if (!input_parse_count(where, g_strstrip(words[i]), 1, MAX(1, dimension), &part, error))
            return FALSE;
        sum += (guint)part;
        if (sum <= dimension)
            partition->part[partition->n_parts++] = (guint)part;
    }
    if (sum != dimension)
        return input_refuse(error, "%s: '%s' sums to %u; allowed: parts that sum to the dimension, %u", where, text,
                            sum, dimension);
    return TRUE;
}

char *partition_format(const Phases *partition)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < partition->n_parts; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", partition->part[i]);
    return g_string_free(text, FALSE);
}

char *partition_format_runs(const Phases *partition)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0, run; i < partition->n_parts; i += run) {
        for (run = 1; i + run < partition->n_parts && partition->part[i + run] == partition->part[i];)
            run++;
        g_string_append_printf(text, "[%u,%u]", run, partition->part[i]);
    }
    return g_string_free(text, FALSE);
}

Phases partition_equipartition(guint dimension, guint n_parts)
{
    Phases partition = {.n_parts = n_parts};
    guint larger = dimension % n_parts;     /* number of parts that are one larger */
    for (guint i = 0; i < n_parts; i++)
        partition.part[i] = dimension / n_parts + (i >= n_parts - larger);
    return partition;
}

gboolean partition_is_equipartition(const Phases *partition)
{
    guint smallest = G_MAXUINT, largest = 0;
    for (guint i = 0; i < partition->n_parts; i++) {
        smallest = MIN(smallest, partition->part[i]);
        largest = MAX(largest, partition->part[i]);
    }
    return partition->n_parts == 0 || largest - smallest <= 1;
}

static int partition_by_size(gconstpointer a, gconstpointer b)
{
    const guint *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void partition_sort(Phases *partition)
{
    qsort(partition->part, partition->n_parts, sizeof partition->part[0], partition_by_size);
}

gboolean partition_equal(const Phases *a, const Phases *b)
{
    return a->n_parts == b->n_parts && memcmp(a->part, b->part, a->n_parts * sizeof *a->part) == 0;
}

gboolean partition_has_parts(const Phases *partition, const Phases *sorted)
{
    Phases own = *partition;
    partition_sort(&own);
    return partition_equal(&own, sorted);
}

/* Replaces the last two parts x, y by parts x + 1, as many as fit into x + y. The last new part also takes the
 * remainder. */
gboolean partition_next(Phases *partition)
{
    if (partition->n_parts < 2)
        return FALSE;
    guint last = --partition->n_parts;
    guint part = partition->part[last - 1] + 1;
    guint rest = partition->part[last] - 1;
    guint i = last - 1;
    for (; rest >= part; rest -= part)
        partition->part[i++] = part;
    partition->part[i] = part + rest;
    partition->n_parts = i + 1;
    return TRUE;
}

/* --- radices --- */

Radices radices_of(const Phases *partition, const Group *group)
{
    Radices radices = {.n = partition->n_parts, .stride = {1}};
    for (guint i = 0; i < radices.n; i++) {
        radices.radix[i] = group->binary ? 1u << partition->part[i] : partition->part[i];
        radices.stride[i + 1] = radices.stride[i] * radices.radix[i];
    }
    return radices;
}

gboolean radices_parse(const char *where, const char *text, const Group *group, Phases *partition, GError **error)
{
    g_auto(GStrv) words = input_split(text, ", \t()");
    guint64 product = 1;
    gboolean ok = TRUE;
    *partition = (Phases){0};
    for (guint i = 0; words[i] && ok; i++) {
        gint64 radix;
        if (!input_parse_count(where, words[i], 2, MAX(2, group->n), &radix, error))
            return FALSE;
        ok = product < group->n;
        partition->part[partition->n_parts++] = (guint)radix;
        product *= (guint64)radix;
    }
    return (ok && product >= group->n) ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: radices from 2 on whose product is at least %u, and "
                        "less without the last", where, text, group->n);
}

static guint64 radices_product(const Phases *partition)
{
    guint64 product = 1;
    for (guint i = 0; i < partition->n_parts; i++)
        product *= partition->part[i];
    return product;
}

Phases radices_uniform(guint n, guint radix)
{
    Phases partition = {0};
    for (guint64 product = 1; product < n; product *= radix)
        partition.part[partition.n_parts++] = (guint)MIN(radix, (n + product - 1) / product);
    return partition;
}

Phases radices_equal(guint n, guint n_parts)
{
    Phases partition = {.n_parts = n_parts};
    while (radices_product(&partition) < n)
        for (guint i = n_parts; i-- > 0 && radices_product(&partition) < n;)
            partition.part[i]++;
    return partition;
}

/* Drops the last radix, adds one to the radix before it, and appends as many twos as are needed to reach n. */
gboolean radices_next(Phases *partition, guint n)
{
    if (partition->n_parts < 2)
        return FALSE;
    partition->part[--partition->n_parts - 1]++;
    for (guint64 product = radices_product(partition); product < n; product *= 2)
        partition->part[partition->n_parts++] = 2;
    return TRUE;
}
