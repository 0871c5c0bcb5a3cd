#include "pattern.h"
#include "sim/text/input.h"

#include <string.h>

static const Pattern patterns[] = {
    [PATTERN_COMPLETE_EXCHANGE] = {.kind = PATTERN_COMPLETE_EXCHANGE, .name = "complete-exchange",
        .aliases = {"alltoall", "all-to-all"}, .title = "Complete exchange", .transfer = TRANSFER_MOVE,
        .summary = "everybody has a block of its own for everybody (all-to-all personalized)"},
    [PATTERN_BROADCAST] = {.kind = PATTERN_BROADCAST, .name = "broadcast", .aliases = {"bcast"},
        .title = "Broadcast", .transfer = TRANSFER_COPY, .rooted = TRUE,
        .summary = "the source's data goes to everybody (one-to-all)"},
    [PATTERN_REDUCTION] = {.kind = PATTERN_REDUCTION, .name = "reduction", .aliases = {"reduce"},
        .title = "Reduction", .transfer = TRANSFER_COMBINE, .rooted = TRUE, .reverse = &patterns[PATTERN_BROADCAST],
        .summary = "everybody's data is summed up at the source: broadcast backwards"},
    [PATTERN_ALL_BROADCAST] = {.kind = PATTERN_ALL_BROADCAST, .name = "all-broadcast", .aliases = {"allgather"},
        .title = "All-broadcast", .transfer = TRANSFER_COPY,
        .summary = "everybody's data goes to everybody (all-to-all broadcasting)"},
    [PATTERN_ALL_REDUCTION] = {.kind = PATTERN_ALL_REDUCTION, .name = "all-reduction", .aliases = {"reduce-scatter"},
        .title = "All-reduction", .transfer = TRANSFER_COMBINE, .reverse = &patterns[PATTERN_ALL_BROADCAST],
        .summary = "everybody gets a sum of its own, with a term from each: all-broadcast backwards"},
    [PATTERN_SCATTER] = {.kind = PATTERN_SCATTER, .name = "scatter",
        .title = "Scatter", .transfer = TRANSFER_MOVE, .rooted = TRUE,
        .summary = "the source has a block of its own for everybody (one-to-all personalized)"},
    [PATTERN_GATHER] = {.kind = PATTERN_GATHER, .name = "gather",
        .title = "Gather", .transfer = TRANSFER_MOVE, .rooted = TRUE, .reverse = &patterns[PATTERN_SCATTER],
        .summary = "everybody has a block for the source: scatter backwards"},
    [PATTERN_PERMUTATION] = {.kind = PATTERN_PERMUTATION, .name = "permutation",
        .title = "Permutation", .transfer = TRANSFER_MOVE, .permutes = TRUE,
        .summary = "the data of everybody goes to the processor whose address has the bits permuted"},
    [PATTERN_MATMUL] = {.kind = PATTERN_MATMUL, .name = "matmul", .title = "Matrix multiplication",
        .transfer = TRANSFER_MOVE, .multiplies = TRUE, .computes = TRUE, .routing = &patterns[PATTERN_ALL_BROADCAST],
        .summary = "A <- C x D + E with matrices distributed over a grid of processors"},
    [PATTERN_TRANSPOSITION] = {.kind = PATTERN_TRANSPOSITION, .name = "transposition", .title = "Transposition",
        .transfer = TRANSFER_MOVE, .use = &exchange_uses[USE_TRANSPOSITION],
        .summary = "an array with rows on each processor is transposed: a complete exchange"},
    [PATTERN_FFT] = {.kind = PATTERN_FFT, .name = "fft", .title = "2-D Fourier transform",
        .transfer = TRANSFER_MOVE, .computes = TRUE, .use = &exchange_uses[USE_FFT],
        .summary = "Fourier transform of an array: of its rows, then, by a complete exchange, of its columns"},
    [PATTERN_ADI] = {.kind = PATTERN_ADI, .name = "adi", .title = "ADI sweep", .transfer = TRANSFER_MOVE,
        .computes = TRUE, .use = &exchange_uses[USE_ADI],
        .summary = "tridiagonal systems in rows and, by a complete exchange and another one back, in columns"},
};

guint pattern_count(void)
{
    return G_N_ELEMENTS(patterns);
}

const Pattern *pattern_nth(guint i)
{
    return &patterns[i];
}

const Pattern *pattern_of(PatternKind kind)
{
    return &patterns[kind];
}

const Pattern *pattern_default(void)
{
    return &patterns[PATTERN_COMPLETE_EXCHANGE];
}

static gboolean has_alias(const Pattern *pattern, const char *name)
{
    for (guint i = 0; pattern->aliases[i]; i++)
        if (strcmp(pattern->aliases[i], name) == 0)
            return TRUE;
    return FALSE;
}

const Pattern *pattern_find(const char *where, const char *name, GError **error)
{
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    for (guint i = 0; i < pattern_count(); i++) {
        if (strcmp(patterns[i].name, name) == 0 || has_alias(&patterns[i], name))
            return &patterns[i];
        g_strv_builder_add(words, patterns[i].name);
    }
    for (guint i = 0; i < pattern_count(); i++)
        g_strv_builder_addv(words, (const char **)(gpointer)patterns[i].aliases);
    g_auto(GStrv) names = g_strv_builder_end(words);
    input_parse_choice(where, name, (const char *const *)names, &(guint){0}, error);
    return NULL;
}
