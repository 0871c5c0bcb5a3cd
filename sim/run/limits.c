#include "limits.h"
#include "estimate.h"
#include "keys.h"
#include "models/input.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

/* The number after `label` in a /proc or cgroup file; G_MAXSIZE if there is none. */
static gsize number_in(const char *path, const char *label, gsize unit)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return G_MAXSIZE;
    const char *at = strstr(text, label);
    char *end;
    guint64 value = at ? g_ascii_strtoull(at + strlen(label), &end, 10) : 0;
    return at && end != at + strlen(label) ? value * unit : G_MAXSIZE;
}

static gsize memory_available(void)
{
    gsize available = number_in("/proc/meminfo", "MemAvailable:", 1024);
    gsize limited = number_in("/sys/fs/cgroup/memory.max", "", 1);
    gsize used = number_in("/sys/fs/cgroup/memory.current", "", 1);
    if (limited != G_MAXSIZE)
        available = MIN(available, used < limited ? limited - used : used == G_MAXSIZE ? limited : 0);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        gsize mapped = number_in("/proc/self/status", "VmSize:", 1024);
        available = MIN(available, limit.rlim_cur > mapped ? limit.rlim_cur - mapped : 0);
    }
    return available;
}

/* Packets that follow each other take at least their start-ups. */
static gboolean packets_count(const Run *run, GError **error)
{
    gint64 packets = run->problem.data.pieces.long_packets, startups_ps;
    if (!run->machine || run->problem.dimension == 0)
        return TRUE;
    gint64 lambda_ps = MIN(run->machine->terms.lambda_ps, run->machine->short_terms.lambda_ps);
    if (!__builtin_mul_overflow(packets - 1, lambda_ps, &startups_ps) && startups_ps < INPUT_TIME_MAX_PS)
        return TRUE;
    return input_refuse(error, "packet: %" G_GINT64_FORMAT " packets take longer to start than the clock can count; "
                        "allowed: below 2^53 ps (2.5 hours)", packets);
}

static gboolean check_memory(const Run *run, gsize needed, gsize reserved, GError **error)
{
    gsize available = memory_available();
    available -= MIN(available, reserved);
    if (needed <= available)
        return TRUE;
    g_autofree char *what = run_describe(run), *need = estimate_text(needed), *there = estimate_text(available);
    return input_refuse(error, "dimension: %s needs about %s of memory; %s are free", what, need, there);
}

/* Making the schedule of a large multiplication takes long by itself. Unless blocks are passed on along a line of
 * processors, all of them together have this many slots at least. */
static gboolean slots_fit(const Run *run, GError **error)
{
    const Multiplication *matmul = &run->problem.matmul;
    gsize side = (gsize)1 << MAX(matmul->grid.n1, matmul->grid.n2);
    static const char *const along_lines[] = {"cra", "gcea", "hybrid", NULL};
    return g_strv_contains(along_lines, matmul->routing->name) ||
           check_memory(run, side * side * sizeof(Block), 0, error);
}

#define PRODUCTS_MAX 1e12       /* of two elements: half an hour */

/* What a processor holds, sends and gets in one phase is never more than all matrices. */
static gboolean multiplication_counts(const Run *run, GError **error)
{
    const Multiplication *matmul = &run->problem.matmul;
    double p = matmul->shape.p, q = matmul->shape.q, r = matmul->shape.r, times = matmul->repeat;
    g_autofree char *shape = matmul_shape_format(&matmul->shape);
    if (p * q * r * times > PRODUCTS_MAX)
        return input_refuse(error, "shape: '%s'%s takes %.6g multiplications of elements; allowed: at most 10^12",
                            shape, times > 1 ? " repeated" : "", p * q * r * times);
    double most = floor((double)INPUT_TIME_MAX_PS / (2 * times * (p * q + q * r + p * r)));
    if ((double)matmul->element > most)
        return input_refuse(error, "element: '%" G_GINT64_FORMAT "' makes more bytes of matrices than the clock can "
                            "count; allowed: at most %.0f", matmul->element, most);
    return slots_fit(run, error);
}

gboolean run_check_clock(const Run *run, GError **error)
{
    if (run->problem.pattern->multiplies)
        return multiplication_counts(run, error);
    if (run->problem.data.bytes <= INPUT_TIME_MAX_PS >> run->problem.dimension)
        return packets_count(run, error);
    return input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is more than the clock can count; allowed: at most %"
                        G_GINT64_FORMAT " at d = %u", run->problem.data.bytes,
                        INPUT_TIME_MAX_PS >> run->problem.dimension, run->problem.dimension);
}

gboolean run_check_memory(const Run *run, gsize reserved, GError **error)
{
    return check_memory(run, estimate_run(run), reserved, error);
}

gboolean run_check(const Run *run, GError **error)
{
    return run_check_clock(run, error) && run_check_memory(run, 0, error);
}

gboolean run_check_data(const Run *run, gsize extra, GError **error)
{
    Run data = *run;
    data.machine = NULL;
    return run_check_clock(run, error) && check_memory(run, estimate_run(&data) + MIN(extra, ESTIMATE_MAX), 0, error);
}

gboolean run_check_traced(const Run *run, double text, GError **error)
{
    if (run->machine->switching == SWITCHING_FLUID)
        return input_refuse(error, "switching: 'fluid' has no circuits to trace; allowed: circuit, store-and-forward");
    return run_check_clock(run, error) && check_memory(run, estimate_traced(run, text), 0, error);
}
