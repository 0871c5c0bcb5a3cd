#include "exported.h"
#include "sim/show/export.h"
#include "sim/show/export_ranks.h"

#define ROOM 1000000

char *exported_text(const Problem *problem, gint64 element)
{
    GString *text = g_string_new(NULL);
    Output *out = output_gather(text);
    export_text(out, problem, element);
    output_close(out, TRUE, NULL);
    return g_string_free(text, FALSE);
}

typedef gboolean Export(Output *out, const Problem *problem, gint64 element, const Machine *machine, gsize room,
                        GError **error);

static char *exported(Export *export, const Problem *problem, gint64 element, const Machine *machine, GError **error)
{
    GString *text = g_string_new(NULL);
    Output *out = output_gather(text);
    gboolean ok = output_close(out, export(out, problem, element, machine, ROOM, error), NULL);
    return g_string_free(text, !ok);
}

char *exported_goal(const Problem *problem, gint64 element, const Machine *machine, GError **error)
{
    return exported(export_goal, problem, element, machine, error);
}

char *exported_ti(const Problem *problem, gint64 element, const Machine *machine, GError **error)
{
    return exported(export_ti, problem, element, machine, error);
}
