/* How much memory is free, by made-up files of /proc and /sys. */
#include "sim/run/available.h"
#include "tests/support/tests.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMINFO "/proc/meminfo", "MemTotal:  99000 kB\nMemAvailable:   8000 kB\n"
#define KB 1024
#define V2_MOUNTS "24 23 0:22 / /proc rw - proc proc rw\n30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define V1_MOUNT "35 31 0:32 / /cgroup/memory rw - cgroup cgroup rw,memory\n"
#define UNLIMITED "9223372036854771712\n"

/* Files, name and text, and what is to be found in them. */
static const struct {
    const char *what, *const *files;
    gsize expected;
} cases[] = {
    {"nothing is known", (const char *const[]){NULL}, G_MAXSIZE},
    {"no groups", (const char *const[]){MEMINFO, NULL}, 8000 * KB},
    {"a container: the group that is mounted is its own",
     (const char *const[]){MEMINFO, "/sys/fs/cgroup/memory.max", "5000000\n", "/sys/fs/cgroup/memory.current",
                           "1000000\n", NULL},
     4000000},
    {"the group of the process, and pages of files that can be given up",
     (const char *const[]){MEMINFO, "/proc/self/mountinfo", V2_MOUNTS, "/proc/self/cgroup", "0::/a/b\n",
                           "/sys/fs/cgroup/a/b/memory.max", "5000000\n", "/sys/fs/cgroup/a/b/memory.current",
                           "4000000\n", "/sys/fs/cgroup/a/b/memory.stat",
                           "anon 1\nfile 3000000\nactive_file 500000\ninactive_file 2500000\n", NULL},
     3500000},
    {"the group has no limit, the one around it has",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max", "max\n",
                           "/sys/fs/cgroup/a/b/memory.current", "100\n", "/sys/fs/cgroup/a/memory.max", "3000000\n",
                           "/sys/fs/cgroup/a/memory.current", "1000000\n", NULL},
     2000000},
    {"the group around it has less left",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max", "3000000\n",
                           "/sys/fs/cgroup/a/b/memory.current", "100\n", "/sys/fs/cgroup/a/memory.max", "4000000\n",
                           "/sys/fs/cgroup/a/memory.current", "3999000\n", NULL},
     1000},
    {"another group's limit",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "0::/a\n", "/sys/fs/cgroup/b/memory.max", "1000\n", NULL},
     8000 * KB},
    {"more is used than is allowed",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "0::/a\n", "/sys/fs/cgroup/a/memory.max", "1000\n",
                           "/sys/fs/cgroup/a/memory.current", "2000\n", NULL},
     0},
    {"how much is used is not known",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "0::/a\n", "/sys/fs/cgroup/a/memory.max", "1000\n", NULL},
     1000},
    {"version 1, where it is usually mounted; it counts the groups within with the pages of files",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/job/1\n1:name=systemd:/y\n",
                           "/sys/fs/cgroup/memory/job/1/memory.limit_in_bytes", UNLIMITED,
                           "/sys/fs/cgroup/memory/job/1/memory.usage_in_bytes", "500\n",
                           "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "6000000\n",
                           "/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5000000\n",
                           "/sys/fs/cgroup/memory/job/memory.stat",
                           "cache 9\ninactive_file 7\ntotal_cache 9\ntotal_inactive_file 1000000\n", NULL},
     2000000},
    {"version 1, mounted elsewhere, with another controller",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "4:cpu,memory:/job\n", "/proc/self/mountinfo",
                           "34 31 0:31 / /cgroup/disk rw - cgroup cgroup rw,blkio\n"
                           "35 31 0:32 / /cgroup/of\\040all rw shared:7 - cgroup cgroup rw,cpu,memory\n",
                           "/cgroup/of all/job/memory.limit_in_bytes", "6000\n",
                           "/cgroup/of all/job/memory.usage_in_bytes", "1000\n", NULL},
     5000},
    {"a container of version 1: its group is mounted, and has groups of its own",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "4:memory:/docker/abc/own\n", "/proc/self/mountinfo",
                           "35 31 0:32 /docker/abc /cgroup/memory rw - cgroup cgroup rw,memory\n",
                           "/cgroup/memory/memory.limit_in_bytes", "6000\n",
                           "/cgroup/memory/memory.usage_in_bytes", "1000\n",
                           "/cgroup/memory/own/memory.limit_in_bytes", "3000\n",
                           "/cgroup/memory/own/memory.usage_in_bytes", "1000\n", NULL},
     2000},
    {"the same, and the group that is mounted has less left",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "4:memory:/docker/abc/own\n", "/proc/self/mountinfo",
                           "35 31 0:32 /docker/abc /cgroup/memory rw - cgroup cgroup rw,memory\n",
                           "/cgroup/memory/memory.limit_in_bytes", "6000\n",
                           "/cgroup/memory/memory.usage_in_bytes", "5000\n",
                           "/cgroup/memory/own/memory.limit_in_bytes", "3000\n",
                           "/cgroup/memory/own/memory.usage_in_bytes", "1000\n", NULL},
     1000},
    {"both versions: memory belongs to version 1",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "4:memory:/job\n0::/user\n", "/proc/self/mountinfo",
                           V1_MOUNT "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
                           "/sys/fs/cgroup/unified/user/cgroup.procs", "1\n",
                           "/cgroup/memory/job/memory.limit_in_bytes", "7000\n",
                           "/cgroup/memory/job/memory.usage_in_bytes", "1000\n", NULL},
     6000},
    {"both versions: memory belongs to version 2",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "1:name=systemd:/user\n0::/user\n", "/proc/self/mountinfo",
                           "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
                           "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
                           "/sys/fs/cgroup/unified/user/memory.max", "7000\n",
                           "/sys/fs/cgroup/unified/user/memory.current", "3000\n", NULL},
     4000},
    {"files that nobody understands",
     (const char *const[]){MEMINFO, "/proc/self/cgroup", "\n::\nmemory\n4:memory", "/proc/self/mountinfo",
                           " - \n35 - cgroup2\n1 2 3 4 5 - \n - cgroup2 a b\n", "/sys/fs/cgroup/memory.max", "", NULL},
     8000 * KB},
};

static void write_below(const char *name, const char *text)
{
    g_autofree char *path = g_strconcat(test_folder, name, NULL), *folder = g_path_get_dirname(path);
    ck_assert_int_eq(g_mkdir_with_parents(folder, 0777), 0);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
}

TEST_LOOP(below, 0, G_N_ELEMENTS(cases))
{
    for (const char *const *file = cases[_i].files; *file; file += 2)
        write_below(file[0], file[1]);
    gsize found = available_below(test_folder);
    ck_assert_msg(found == cases[_i].expected, "%s: %zu, not %zu", cases[_i].what, found, cases[_i].expected);
}

/* A process that can open no file does not know how much is free, nor how much of its own limit it takes: then all
 * of the limit counts as free, and a run fails of what is really missing. */
TEST(unreadable)
{
    pid_t pid = fork();     /* a limit cannot be raised again */
    if (pid == 0) {
        struct rlimit files = {0, 0}, memory;
        getrlimit(RLIMIT_AS, &memory);
        memory.rlim_cur = MIN(memory.rlim_max, (rlim_t)1 << 46);
        _exit(setrlimit(RLIMIT_AS, &memory) != 0 || setrlimit(RLIMIT_NOFILE, &files) != 0 ||
              available_bytes() != memory.rlim_cur);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

TESTS_IN_FOLDER(available, below, unreadable)
