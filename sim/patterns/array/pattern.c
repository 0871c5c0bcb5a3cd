/* Patterns of the uses of the complete exchange (sim/cube/use.h): programs on an array of square blocks. */
#include "sim/cube/use.h"
#include "sim/patterns/key.h"
#include "sim/patterns/published.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"

#include <math.h>

#define TRANSPOSITIONS(A) A(standard_transposition) A(direct_transposition) A(multiphase_transposition)
#define TRANSFORMS(A) A(standard_fft) A(direct_fft) A(multiphase_fft)
#define SWEEPS(A) A(standard_adi) A(direct_adi) A(multiphase_adi) A(naive_adi)

TRANSPOSITIONS(ALGORITHM_DECLARE)
TRANSFORMS(ALGORITHM_DECLARE)
SWEEPS(ALGORITHM_DECLARE)

static const Algorithm *const transpositions[] = {TRANSPOSITIONS(ALGORITHM_ENTRY) NULL};
static const Algorithm *const transforms[] = {TRANSFORMS(ALGORITHM_ENTRY) NULL};
static const Algorithm *const sweeps[] = {SWEEPS(ALGORITHM_ENTRY) NULL};

static gboolean array_check_size(const Value *value, const Request *request, gint64 bytes, GError **error)
{
    const ExchangeUse *use = request->problem.pattern->family;
    const char *sizes = use_sizes(use, bytes);
    return !sizes || input_refuse(error, "%s: '%" G_GINT64_FORMAT "' is not allowed with %s; allowed: %s",
                                  value->origin, bytes, use->name, sizes);
}

static gint64 array_published_ps(const Run *run, const char **why)
{
    return published_in_phases(run, run->problem.pattern->family, why);
}

#define SIDE_SHOWN 4    /* number of rows of a block if the user gives no size */

/* Expands to the members that every pattern of this file sets. */
#define USE(use, title_, summary_)                                                                                     \
    .transfer = TRANSFER_MOVE, .family = &exchange_uses[use],                                                          \
    .theory = &(const PatternTheory){                                                                                  \
        .title = title_, .summary = summary_, .element = USE_ELEMENT_BYTES, .element_max = USE_ELEMENT_BYTES,          \
        .bytes_shown = SIDE_SHOWN * SIDE_SHOWN * USE_ELEMENT_BYTES, .check_size = array_check_size,                    \
        .published_ps = array_published_ps}

const Pattern pattern_transposition = {
    USE(USE_TRANSPOSITION, "Transposition", "an array with rows on each processor is transposed: a complete exchange"),
    .name = "transposition", .algorithms = transpositions};

const Pattern pattern_fft = {
    USE(USE_FFT, "2-D Fourier transform",
        "Fourier transform of an array: of its rows, then, by a complete exchange, of its columns"),
    .name = "fft", .algorithms = transforms, .computes = TRUE};

const Pattern pattern_adi = {
    USE(USE_ADI, "ADI sweep",
        "tridiagonal systems in rows and, by a complete exchange and another one back, in columns"),
    .name = "adi", .algorithms = sweeps, .computes = TRUE};
