#include "calls.h"

#include <stdlib.h>
#include <string.h>

CallKind *calls_find(Calls *calls, int processes, size_t bytes, const char *list)
{
    for (CallKind *kind = calls->kinds; kind < calls->kinds + calls->n; kind++)
        if (kind->processes == processes && kind->bytes == bytes && strcmp(kind->list, list) == 0)
            return kind;
    CallKind *kinds = realloc(calls->kinds, (calls->n + 1) * sizeof *kinds);
    calls->kinds = kinds ? kinds : calls->kinds;
    char *name = kinds ? strdup(list) : NULL;
    if (!name)
        return NULL;
    kinds[calls->n] = (CallKind){.processes = processes, .bytes = bytes, .list = name};
    return &kinds[calls->n++];
}

void calls_clear(Calls *calls)
{
    for (CallKind *kind = calls->kinds; kind < calls->kinds + calls->n; kind++)
        free(kind->list);
    free(calls->kinds);
    *calls = (Calls){0};
}
