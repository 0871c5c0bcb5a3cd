#include "use.h"
#include "sim/text/input.h"

#include <math.h>

/* Returns the operations of a Fourier transform: 3 for each of n/2 log2 n butterflies; n is a power of 2. */
static gint64 transform_operations(gint64 n)
{
    gint64 levels = (gint64)g_bit_storage((gulong)n) - 1;
    return 3 * (n / 2) * levels;
}

/* Returns the operations of Thomas's algorithm for n elements; multipliers and reciprocals of the elimination are
 * known beforehand. Forwards takes 2 for each element but the first; backwards takes 3, and 1 for the last. */
static gint64 solution_operations(gint64 n)
{
    return 5 * n - 4;
}

const ExchangeUse exchange_uses[] = {
    [USE_TRANSPOSITION] = {USE_TRANSPOSITION, "transposition", 1, FALSE, NULL},
    [USE_FFT] = {USE_FFT, "fft", 1, TRUE, transform_operations},
    [USE_ADI] = {USE_ADI, "adi", 2, FALSE, solution_operations},
};

gint64 use_side(gint64 bytes)
{
    gint64 elements = bytes / USE_ELEMENT_BYTES, side = (gint64)sqrt((double)elements);
    return side * side > elements ? side - 1 : side;
}

const char *use_sizes(const ExchangeUse *use, gint64 bytes)
{
    gint64 side = use_side(bytes);
    if (side * side * USE_ELEMENT_BYTES == bytes && !(use->halves_rows && side & (side - 1)))
        return NULL;
    return use->halves_rows ? "8 k^2 bytes for a block of k x k elements, k a power of 2: 0, 8, 32, 128, 512, ..."
                            : "8 k^2 bytes for a block of k x k elements: 0, 8, 32, 72, 128, 200, ...";
}

gint64 use_operations(const ExchangeUse *use, guint dimension, gint64 bytes)
{
    gint64 side = use_side(bytes);
    if (!use->row_operations || side == 0)
        return 0;
    __int128 operations = (__int128)side * use->row_operations(side << dimension);
    return (gint64)MIN(operations, INPUT_TIME_MAX_PS);
}

gint64 use_copied_bytes(guint dimension, gint64 bytes)
{
    return use_side(bytes) > 1 ? bytes << dimension : 0;
}
