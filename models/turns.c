#include "turns.h"
#include "statistics.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define CONFIDENCE 0.99
#define INDEPENDENT 12      /* independent groups that an interval needs at least */

/* Returns a number that looks random and is always the same for x (splitmix64). */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

int turns_take_rule(unsigned seed, unsigned long count)
{
    int outside = count % 4 == 0 || count % 4 == 3;
    return outside ^ (int)(mixed((uint64_t)seed << 40 ^ count / 4) & 1);
}

static unsigned long calls_of(const Turns *turns, unsigned group)
{
    return turns->calls[group][0] + turns->calls[group][1];
}

/* Joins each two neighbouring groups to one, so that half as many are left. */
static void turns_join(Turns *turns)
{
    for (unsigned i = 0; i < TURNS_GROUPS; i++)
        for (int way = 0; way < 2; way++) {
            turns->seconds[i][way] = turns->seconds[2 * i][way] + turns->seconds[2 * i + 1][way];
            turns->calls[i][way] = turns->calls[2 * i][way] + turns->calls[2 * i + 1][way];
        }
    memset(turns->seconds + TURNS_GROUPS, 0, TURNS_GROUPS * sizeof *turns->seconds);
    memset(turns->calls + TURNS_GROUPS, 0, TURNS_GROUPS * sizeof *turns->calls);
    turns->n = TURNS_GROUPS;
    turns->per_group *= 2;
}

void turns_add(Turns *turns, int by_rule, double seconds)
{
    turns->per_group = turns->per_group ? turns->per_group : 4;
    if (turns->n == 0 || calls_of(turns, turns->n - 1) == turns->per_group) {
        if (turns->n == 2 * TURNS_GROUPS)
            turns_join(turns);
        turns->n++;
    }
    turns->seconds[turns->n - 1][by_rule] += seconds;
    turns->calls[turns->n - 1][by_rule]++;
}

/* Fills in means of the complete groups: seconds of a library call, seconds that the rule saves. Returns how many. */
static unsigned group_means(const Turns *turns, double *library, double *saved)
{
    unsigned n = 0;
    for (unsigned i = 0; i < turns->n; i++) {
        if (calls_of(turns, i) < turns->per_group || !turns->calls[i][0] || !turns->calls[i][1])
            continue;
        library[n] = turns->seconds[i][0] / (double)turns->calls[i][0];
        saved[n] = library[n] - turns->seconds[i][1] / (double)turns->calls[i][1];
        n++;
    }
    return n;
}

static double mean_of(const double *values, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += values[i];
    return n ? sum / n : 0;
}

/* Returns the standard error of the mean of n values, which is larger if neighbours correlate. Sets `effective` to
 * the number of independent values that would say as much. */
static double error_of(const double *values, unsigned n, double *effective)
{
    double mean = mean_of(values, n), squares = 0, r = fmax(0, fmin(0.99, statistics_correlation(values, n)));
    for (unsigned i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    *effective = n * (1 - r) / (1 + r);
    return sqrt(squares / (n - 1) / n * (1 + r) / (1 - r));
}

TurnsResult turns_result(const Turns *turns)
{
    double library[2 * TURNS_GROUPS] = {0}, saved[2 * TURNS_GROUPS] = {0}, effective, of_ratio;
    unsigned n = group_means(turns, library, saved);
    TurnsResult result = {.library = mean_of(library, n), .seconds = mean_of(saved, n)};
    for (unsigned i = 0; i < turns->n; i++)
        result.calls += calls_of(turns, i);
    if (n < TURNS_GROUPS || !(result.library > 0))
        return result;
    result.error = error_of(saved, n, &effective);
    result.saved = result.seconds / result.library;
    for (unsigned i = 0; i < n; i++)
        saved[i] -= result.saved * library[i];      /* residuals of the ratio */
    double error = error_of(saved, n, &of_ratio) / result.library;
    double wide = statistics_t((1 + CONFIDENCE) / 2, n - 1) * error;
    result.low = result.saved - wide;
    result.high = result.saved + wide;
    result.is_known = effective >= INDEPENDENT && of_ratio >= INDEPENDENT;
    return result;
}
