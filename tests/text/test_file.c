/* Files: which of them a path means, and what is left when one is replaced. */
#include "sim/text/file.h"
#include "tests/support/tests.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *before;

/* Each test runs in a folder of its own. */
static void setup(void)
{
    before = g_get_current_dir();
    test_folder_make();
    ck_assert_int_eq(chdir(test_folder), 0);
}

static int compare(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in the folder, sorted, with blanks between them. Caller frees. */
static char *list(void)
{
    g_autoptr(GDir) dir = g_dir_open(".", 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name = g_dir_read_name(dir); name; name = g_dir_read_name(dir))
        g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, compare);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(" ", (char **)names->pdata);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir(before), 0);
    test_folder_remove();
    g_clear_pointer(&before, g_free);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void assert_content(const char *path, const char *text)
{
    g_autofree char *found = NULL;
    ck_assert_msg(g_file_get_contents(path, &found, NULL, NULL), "%s", path);
    ck_assert_str_eq(found, text);
}

static gboolean replace(const char *path, const char *text, GError **error)
{
    Output *out = output_open(path, error);
    if (!out)
        return FALSE;
    output_add(out, text, strlen(text));
    return output_close(out, TRUE, error);
}

TEST(same)
{
    g_autofree char *whole = g_build_filename(test_folder, "a", NULL);
    g_autofree char *new = g_build_filename(test_folder, "new", NULL);
    write_file("a", "");
    write_file("b", "");
    ck_assert_int_eq(link("a", "hard"), 0);
    ck_assert_int_eq(symlink("hard", "soft"), 0);
    ck_assert_int_eq(symlink("new", "dangling"), 0);
    ck_assert_int_eq(symlink(test_folder, "here"), 0);
    ck_assert_int_eq(symlink("loop", "loop"), 0);
    const char *const groups[][8] = {
        {"a", "./a", "hard", "soft", "here/a", "here/here/soft", whole, NULL},
        {"b", ".//b", NULL},
        {"new", "./new", "dangling", "here/new", "here/dangling", new, NULL},
        {"newer", "here/newer", NULL},
        {"loop", NULL},
        {"no/such", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        for (guint j = 0; j < G_N_ELEMENTS(groups); j++)
            for (guint a = 0; groups[i][a]; a++)
                for (guint b = 0; groups[j][b]; b++)
                    if (i != j || i < 4)
                        ck_assert_msg(file_is_same(groups[i][a], groups[j][b]) == (i == j), "%s, %s", groups[i][a],
                                      groups[j][b]);
    ck_assert(!file_is_same("/dev/null", "/dev/null"));
}

/* Links stay links, also to a file that is not there yet; the mode stays. */
TEST(replaced)
{
    write_file("a", "old");
    ck_assert_int_eq(chmod("a", 0640), 0);
    ck_assert_int_eq(symlink("a", "soft"), 0);
    ck_assert_int_eq(symlink("new", "dangling"), 0);
    ck_assert_int_eq(link("a", "hard"), 0);
    ck_assert(replace("soft", "one", NULL));
    ck_assert(replace("dangling", "two", NULL));
    assert_content("a", "one");
    assert_content("new", "two");
    assert_content("hard", "old");
    g_autofree char *target = g_file_read_link("soft", NULL);
    ck_assert_str_eq(target, "a");
    struct stat status;
    ck_assert_int_eq(stat("a", &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0640);
    g_autofree char *names = list();
    ck_assert_str_eq(names, "a dangling hard new soft");
}

TEST(not_replaced)
{
    static const char *const cases[][2] = {
        {"no/such", "no/such: cannot be written: No such file or directory"},
        {"loop", "loop: cannot be written: Too many levels of symbolic links"},
        {"folder", "folder: cannot be written: rename: Is a directory"},
    };
    ck_assert_int_eq(symlink("loop", "loop"), 0);
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(!replace(cases[i][0], "text", &error));
        ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
        ck_assert_str_eq(error->message, cases[i][1]);
    }
    g_autofree char *names = list();
    ck_assert_str_eq(names, "folder loop");
}

/* Names may be as long as any, and what is left of one is removed. */
TEST(longest_name)
{
    g_autofree char *name = g_strnfill(NAME_MAX, 'x');
    g_autofree char *left = g_strdup_printf("%.*s.ecube-AbCd09", NAME_MAX - 13, name);
    write_file(left, "half");
    ck_assert(replace(name, "text", NULL));
    assert_content(name, "text");
    g_autofree char *names = list();
    ck_assert_str_eq(names, name);
}

/* Only what nobody holds, under the name of this very file, is removed. */
TEST(left_behind)
{
    static const char *const others[] = {"a.ecube-AbCd0", "a.ecube-AbCd012", "a.ecube-AbC.01", "b.ecube-AbCd01",
                                         "a.AbCd01", "a.ecube-folder", "a.ecube-linked"};
    for (guint i = 0; i < G_N_ELEMENTS(others) - 2; i++)
        write_file(others[i], "mine");
    ck_assert_int_eq(mkdir("a.ecube-folder", 0777), 0);
    ck_assert_int_eq(symlink("a.AbCd01", "a.ecube-linked"), 0);
    write_file("a.ecube-AbCd01", "half");
    write_file("a.ecube-000000", "half");
    ck_assert(replace("a", "text", NULL));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        ck_assert_msg(g_file_test(others[i], G_FILE_TEST_EXISTS), "%s", others[i]);
    ck_assert(!g_file_test("a.ecube-AbCd01", G_FILE_TEST_EXISTS));
    ck_assert(!g_file_test("a.ecube-000000", G_FILE_TEST_EXISTS));
    ck_assert_int_eq(symlink("a", "soft"), 0);
    write_file("a.ecube-AbCd02", "half");
    file_remove_left("soft");
    ck_assert(!g_file_test("a.ecube-AbCd02", G_FILE_TEST_EXISTS));
    assert_content("a", "text");
}

/* A file that another process has locked is being written. */
TEST(held)
{
    int ready[2], over[2];
    write_file("a.ecube-AbCd01", "half");
    ck_assert(pipe(ready) == 0 && pipe(over) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int fd = open("a.ecube-AbCd01", O_RDWR);
        if (fcntl(fd, F_SETLK, &whole) != 0 || write(ready[1], "", 1) != 1)
            _exit(1);
        close(over[1]);
        _exit((int)read(over[0], &(char){0}, 1));
    }
    ck_assert_int_eq(read(ready[0], &(char){0}, 1), 1);
    ck_assert(replace("a", "text", NULL));
    assert_content("a.ecube-AbCd01", "half");
    close(over[0]);
    close(over[1]);
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert(replace("a", "text", NULL));
    ck_assert(!g_file_test("a.ecube-AbCd01", G_FILE_TEST_EXISTS));
}

/* What is not whole is not there, and what was there is as it was. */
TEST(given_up)
{
    write_file("a", "old");
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        Output *out = output_open(i ? "new" : "a", NULL);
        ck_assert(output_add(out, "half", 4));
        ck_assert(!output_close(out, FALSE, &error));
        ck_assert_ptr_null(error);
    }
    assert_content("a", "old");
    g_autofree char *names = list();
    ck_assert_str_eq(names, "a");
}

/* A signal that ends the process between two pieces leaves nothing behind; one that is ignored does nothing. */
TEST(ended_by_signal)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGTRAP};
    write_file("a", "old");
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            for (guint j = 0; j < G_N_ELEMENTS(ends); j++)
                signal(ends[j], j == i ? SIG_DFL : SIG_IGN);
            Output *out = output_open("a", NULL);
            output_add(out, "half", 4);
            for (guint j = 1; j <= G_N_ELEMENTS(ends); j++)
                raise(ends[(i + j) % G_N_ELEMENTS(ends)]);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == ends[i]);
        g_autofree char *names = list();
        ck_assert_str_eq(names, "a");
    }
    assert_content("a", "old");
}

/* A failure of one piece is that of the whole. */
TEST(full)
{
    g_autoptr(GError) error = NULL;
    Output *out = output_open("/dev/full", NULL);
    ck_assert(output_add(out, "", 0));
    ck_assert(!output_add(out, "text", 4));
    ck_assert(!output_add(out, "", 0));
    ck_assert(!output_close(out, TRUE, &error));
    ck_assert_str_eq(error->message, "/dev/full: cannot be written: No space left on device");
}

/* The format is that of --format, else of the ending, else it stays; an ending that says otherwise is refused. */
TEST(formats_of_endings)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    static const struct {
        const char *name, *path;
        guint format;       /* 9: refused */
    } cases[] = {{NULL, NULL, 0}, {NULL, "-", 0}, {NULL, "x.csv", 1}, {NULL, "x.JSON", 2}, {NULL, "x.c", 0},
                 {"csv", NULL, 1}, {"csv", "x.csv", 1}, {"csv", "x.c", 1}, {"csv", "x.json", 9}, {"cvs", NULL, 9},
                 {NULL, "x.svg", 9}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint format = 0;
        if (!output_parse_format(formats, cases[i].name, cases[i].path, "", &format, NULL))
            format = 9;
        ck_assert_msg(format == cases[i].format, "case %u: %u", i, format);
    }
}

void suite_file(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    test_add(tc, same, replaced, not_replaced, longest_name, left_behind, held, given_up, ended_by_signal, full,
             formats_of_endings);
}
