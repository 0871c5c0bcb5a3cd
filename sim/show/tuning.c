#include "tuning.h"

#include <math.h>

static void add_rule(GArray *rules, const HullFace *face, double first)
{
    TuningRule rule = {(gint64)first, face->partition.part[face->partition.n_parts - 1]};
    gboolean same = rules->len && g_array_index(rules, TuningRule, rules->len - 1).part == rule.part;
    if (rules->len == 0)
        rule.from_bytes = 0;
    if (!same)
        g_array_append_val(rules, rule);
}

TuningTable *tuning_table_new(const Hull *hull, guint dimension, gboolean at_once)
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

void tuning_table_free(TuningTable *table)
{
    g_array_free(table->rules, TRUE);
    g_free(table);
}

const TuningRule *tuning_rule(const TuningTable *table, guint i)
{
    return &g_array_index(table->rules, TuningRule, i);
}
