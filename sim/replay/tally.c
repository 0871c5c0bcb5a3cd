#include "tally.h"
#include "cost.h"

void tally_init(Tally *tally, const Content *content, guint n_nodes)
{
    gboolean counts = content->class->operations || content->element_bytes;
    *tally = (Tally){content, n_nodes, counts ? g_new0(gint64, n_nodes) : NULL};
}

void tally_clear(Tally *tally)
{
    g_clear_pointer(&tally->operations, g_free);
}

gint64 tally_additions(const Tally *tally, const Parcel *parcel, gint64 kept_bytes)
{
    gint64 element = tally->content->element_bytes;
    return element && parcel->transfer == TRANSFER_COMBINE ? (parcel->bytes - kept_bytes) / element : 0;
}

gint64 tally_step(Tally *tally, guint node, gint64 additions, const Operation *operation)
{
    const Content *content = tally->content;
    gboolean works = operation->what && content->class->operations;
    gint64 operations = time_add(additions, works ? content->class->operations(content, node, operation) : 0);
    tally->operations[node] = time_add(tally->operations[node], operations);
    return operations;
}

gint64 tally_most(const Tally *tally)
{
    gint64 most = 0;
    for (guint node = 0; tally->operations && node < tally->n_nodes; node++)
        most = MAX(most, tally->operations[node]);
    return most;
}
