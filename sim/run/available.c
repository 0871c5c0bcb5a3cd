#include "available.h"
#include "keys.h"
#include "sim/text/input.h"
#include "sim/patterns/theory.h"

#include <string.h>
#include <sys/resource.h>

/* --- what files say --- */

/* Returns the text of the file `path` below `root`, or "" if it cannot be read. Caller frees. */
static char *text_in(const char *root, const char *path)
{
    g_autofree char *whole = g_strconcat(root, path, NULL);
    char *text = NULL;
    return g_file_get_contents(whole, &text, NULL, NULL) ? text : g_strdup("");
}

/* Returns the first match of `pattern` in the file: the whole match, then its groups. NULL: no match. Caller frees. */
static char **match_in(const char *root, const char *path, const char *pattern)
{
    g_autofree char *text = text_in(root, path);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    return g_match_info_fetch_all(match);
}

/* Returns the number after `label` in the first line that begins with `label`; G_MAXSIZE if no line does. */
static gsize number_in(const char *root, const char *path, const char *label)
{
    g_autofree char *pattern = g_strdup_printf("^%s\\s*([0-9]+)", label);
    g_auto(GStrv) found = match_in(root, path, pattern);
    return found ? g_ascii_strtoull(found[1], NULL, 10) : G_MAXSIZE;
}

/* Returns the bytes after `label`, which the file gives in kB; G_MAXSIZE if no line begins with `label`. */
static gsize bytes_in(const char *root, const char *path, const char *label)
{
    gsize kb = number_in(root, path, label);
    return kb == G_MAXSIZE ? kb : kb * 1024;
}

/* --- control groups --- */

/* A hierarchy of control groups that limit memory. The first two members are regular expressions. */
typedef struct {
    const char *group;          /* line of /proc/self/cgroup with the group of the process */
    const char *mount;          /* line of /proc/self/mountinfo, "31 23 0:28 ROOT MOUNT rw - TYPE SOURCE OPTIONS": the
                                 * mounted group and its mount point */
    const char *usual;          /* mount point if mountinfo has no such line */
    const char *limit, *used;   /* names of the group's files with its limit and its used bytes */
    const char *cache;          /* line of the group's memory.stat with the used bytes of file pages that the kernel
                                 * frees when memory is short */
} Hierarchy;

#define MOUNT "^\\S+ \\S+ \\S+ (\\S+) (\\S+) .*- "

static const Hierarchy hierarchies[] = {
    {"^[0-9]+::(.*)$", MOUNT "cgroup2 ", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"^[0-9]+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$", MOUNT "cgroup \\S+ (?:\\S*,)?memory(?:,|$)", "/sys/fs/cgroup/memory",
     "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

static gsize free_in(const char *root, const Hierarchy *h, const char *folder)
{
    g_autofree char *limit_file = g_build_filename(folder, h->limit, NULL);
    g_autofree char *used_file = g_build_filename(folder, h->used, NULL);
    g_autofree char *stat_file = g_build_filename(folder, "memory.stat", NULL);
    gsize limit = number_in(root, limit_file, ""), used = number_in(root, used_file, "");
    gsize cache = number_in(root, stat_file, h->cache);
    if (limit == G_MAXSIZE || used == G_MAXSIZE)
        return limit;
    used -= cache == G_MAXSIZE ? 0 : MIN(used, cache);
    return limit - MIN(limit, used);
}

/* Returns the minimum free memory of this process's control group and its ancestors up to the mounted group. */
static gsize free_in_groups(const char *root, const Hierarchy *h)
{
    g_auto(GStrv) found = match_in(root, "/proc/self/cgroup", h->group);
    g_auto(GStrv) mounted = match_in(root, "/proc/self/mountinfo", h->mount);
    g_autofree char *top = mounted ? g_strcompress(mounted[1]) : NULL;
    g_autofree char *mount = mounted ? g_strcompress(mounted[2]) : g_strdup(h->usual);
    char *group = found ? found[1] : (char[]){""}, *end;
    gsize depth = top && strcmp(top, "/") != 0 && g_str_has_prefix(group, top) ? strlen(top) : 0, available = G_MAXSIZE;
    do {
        g_autofree char *folder = g_build_filename(mount, group + depth, NULL);
        available = MIN(available, free_in(root, h, folder));
        end = strrchr(group + depth, '/');
        if (end)
            *end = '\0';
    } while (end);
    return available;
}

/* --- all of it --- */

gsize available_below(const char *root)
{
    gsize available = bytes_in(root, "/proc/meminfo", "MemAvailable:");
    for (guint i = 0; i < G_N_ELEMENTS(hierarchies); i++)
        available = MIN(available, free_in_groups(root, &hierarchies[i]));
    return available;
}

/* Returns the bytes of this process that count against its limit RLIMIT_AS; G_MAXSIZE: not known. */
static gsize mapped_bytes(void)
{
    return bytes_in("", "/proc/self/status", "VmSize:");
}

void available_limit(gsize room)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && room < limit.rlim_cur - MIN(limit.rlim_cur, mapped_bytes())) {
        limit.rlim_cur = mapped_bytes() + room;
        setrlimit(RLIMIT_AS, &limit);
    }
}

gsize available_bytes(void)
{
    gsize available = available_below("");
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        gsize mapped = mapped_bytes();
        available = MIN(available, limit.rlim_cur - MIN(limit.rlim_cur, mapped == G_MAXSIZE ? 0 : mapped));
    }
    return available;
}

char *available_text(gsize bytes, gboolean needed)
{
    const gsize mb = 1000000, gb = 1000000000, unit = bytes < gb ? mb : gb / 10;
    gsize n = bytes / unit + (needed && bytes % unit > 0);
    return bytes < gb ? g_strdup_printf("%" G_GSIZE_FORMAT " MB", n)
                      : g_strdup_printf("%" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT " GB", n / 10, n % 10);
}

gboolean available_refuse(const Run *run, gsize needed, gsize room, GError **error)
{
    const char *own = pattern_theory(run->problem.pattern)->size_key;
    g_autofree char *what = run_describe(run);
    g_autofree char *need = available_text(needed, TRUE), *there = available_text(room, FALSE);
    if (needed > room)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_MEMORY, "%s: %s needs about %s of memory; %s are free",
                    own ? own : "dimension", what, need, there);
    else
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_MEMORY, "%s: %s needs more than the %s of memory that are free; "
                    "about %s were expected", own ? own : "dimension", what, there, need);
    return FALSE;
}

gboolean available_check(const Run *run, gsize needed, gsize room, GError **error)
{
    return needed <= room || available_refuse(run, needed, room, error);
}
