#include "available.h"
#include "keys.h"
#include "sim/text/input.h"

#include <string.h>
#include <sys/resource.h>

/* --- what files say --- */

/* The text of a file below `root`, or "". Caller frees. */
static char *text_in(const char *root, const char *path)
{
    g_autofree char *whole = g_strconcat(root, path, NULL);
    char *text = NULL;
    return g_file_get_contents(whole, &text, NULL, NULL) ? text : g_strdup("");
}

/* The number after `label`; G_MAXSIZE if there is none. */
static gsize number_in(const char *root, const char *path, const char *label)
{
    g_autofree char *text = text_in(root, path);
    const char *at = strstr(text, label);
    char *end;
    guint64 value = at ? g_ascii_strtoull(at + strlen(label), &end, 10) : 0;
    return at && end != at + strlen(label) ? value : G_MAXSIZE;
}

/* --- control groups --- */

/* A hierarchy of groups in which memory is limited. */
typedef struct {
    const char *type;           /* of its file system */
    const char *controller;     /* "": it has them all */
    const char *usual;          /* where it is mounted, if nothing says so */
    const char *limit, *used;   /* files of a group */
    const char *cache;          /* of its memory.stat: file pages, among what is used, that are given up for others */
} Hierarchy;

static const Hierarchy hierarchies[] = {
    {"cgroup2", "", "/sys/fs/cgroup", "memory.max", "memory.current", "\ninactive_file "},
    {"cgroup", "memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "\ntotal_inactive_file "},
};

/* Whether "cpu,memory" has the controller. */
static gboolean controls(const Hierarchy *h, const char *list)
{
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    return g_strv_contains((const char *const *)names, h->controller);
}

/* "31 23 0:28 ROOT MOUNT rw - TYPE SOURCE OPTIONS": sets *mount, and *top to the group that is mounted there. */
static void find_mount(const char *root, const Hierarchy *h, char **mount, char **top)
{
    g_autofree char *text = text_in(root, "/proc/self/mountinfo");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && !*mount; line++) {
        g_auto(GStrv) halves = g_strsplit(*line, " - ", 2);
        g_auto(GStrv) fields = g_strsplit(halves[0] ? halves[0] : "", " ", -1);
        g_auto(GStrv) system = g_strsplit(halves[0] && halves[1] ? halves[1] : "", " ", -1);
        if (g_strv_length(fields) < 5 || g_strv_length(system) < 3 || strcmp(system[0], h->type) != 0 ||
            (*h->controller && !controls(h, system[2])))
            continue;
        *top = g_strcompress(fields[3]);
        *mount = g_strcompress(fields[4]);
    }
    *mount = *mount ? *mount : g_strdup(h->usual);
    *top = *top ? *top : g_strdup("/");
}

/* "4:cpu,memory:/a/b", and "0::/a/b" of a hierarchy with all controllers: "/a/b", or "". Caller frees. */
static char *find_group(const char *root, const Hierarchy *h)
{
    g_autofree char *text = text_in(root, "/proc/self/cgroup");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) fields = g_strsplit(*line, ":", 3);
        if (g_strv_length(fields) == 3 && (*h->controller ? controls(h, fields[1]) : *fields[1] == '\0'))
            return g_strdup(fields[2]);
    }
    return g_strdup("");
}

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

/* The least that is free in the group of this process, and in those that it is in, up to the one that is mounted. */
static gsize free_in_groups(const char *root, const Hierarchy *h)
{
    g_autofree char *mount = NULL, *top = NULL, *group = find_group(root, h);
    find_mount(root, h, &mount, &top);
    gsize depth = strcmp(top, "/") != 0 && g_str_has_prefix(group, top) ? strlen(top) : 0, available = G_MAXSIZE;
    for (char *end = group + strlen(group); end; end = strrchr(group + depth, '/')) {
        *end = '\0';
        g_autofree char *folder = g_build_filename(mount, group + depth, NULL);
        available = MIN(available, free_in(root, h, folder));
    }
    return available;
}

/* --- all of it --- */

gsize available_below(const char *root)
{
    gsize kb = number_in(root, "/proc/meminfo", "MemAvailable:");
    gsize available = kb == G_MAXSIZE ? kb : kb * 1024;
    for (guint i = 0; i < G_N_ELEMENTS(hierarchies); i++)
        available = MIN(available, free_in_groups(root, &hierarchies[i]));
    return available;
}

/* What this process has already, of what its own limit counts. */
static gsize mapped_bytes(void)
{
    return number_in("", "/proc/self/status", "VmSize:") * 1024;
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
        available = MIN(available, limit.rlim_cur > mapped ? limit.rlim_cur - mapped : 0);
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

/* "dimension: direct, d = 16, 1 bytes needs ..." FALSE. */
static gboolean refuse(const Run *run, gsize needed, gsize room, gboolean outgrown, GError **error)
{
    const char *own = run->problem.pattern->size_key;
    g_autofree char *what = run_describe(run);
    g_autofree char *need = available_text(needed, TRUE), *there = available_text(room, FALSE);
    g_autofree char *text =
        outgrown ? g_strdup_printf("more than the %s of memory that are free; about %s were expected", there, need)
                 : g_strdup_printf("about %s of memory; %s are free", need, there);
    return input_refuse(error, "%s: %s needs %s", own ? own : "dimension", what, text);
}

gboolean available_check(const Run *run, gsize needed, gsize room, GError **error)
{
    return needed <= room || refuse(run, needed, room, FALSE, error);
}

gboolean available_refuse(const Run *run, gsize needed, gsize room, GError **error)
{
    return refuse(run, needed, room, TRUE, error);
}
