#include "available.h"
#include "keys.h"
#include "models/input.h"

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

gsize available_bytes(void)
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

/* Rounded up, or if `less` is 1, down. */
static char *text_of(gsize bytes, gsize less)
{
    const gsize mb = 1000000, gb = 1000000000, unit = bytes < gb ? mb : gb / 10;
    gsize n = bytes / unit + (!less && bytes % unit > 0);
    return bytes < gb ? g_strdup_printf("%" G_GSIZE_FORMAT " MB", n)
                      : g_strdup_printf("%" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT " GB", n / 10, n % 10);
}

char *available_text(gsize bytes)
{
    return text_of(bytes, 0);
}

char *available_text_free(gsize bytes)
{
    return text_of(bytes, 1);
}

gboolean available_check(const Run *run, gsize needed, gsize reserved, GError **error)
{
    gsize available = available_bytes();
    available -= MIN(available, reserved);
    if (needed <= available)
        return TRUE;
    g_autofree char *what = run_describe(run), *need = available_text(needed), *there = available_text_free(available);
    return input_refuse(error, "%s: %s needs about %s of memory; %s are free",
                        run->problem.pattern->multiplies ? "shape" : "dimension", what, need, there);
}
