/* The journal: what was written is read again, whatever a kill leaves of its last line; other files are left alone. */
#include "sim/sweep/journal.h"
#include "tests/support/tests.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 3
#define HEAD "ecube sweep journal 1, a sweep"

static JournalEntry entries[N];

static void clear_entries(void)
{
    for (guint i = 0; i < N; i++) {
        g_clear_pointer(&entries[i].row, g_free);
        g_clear_pointer(&entries[i].fault, g_free);
    }
}

/* Opens the journal with empty entries. */
static Journal *reopen(const char *head, gboolean restart, GError **error)
{
    clear_entries();
    return journal_open(test_file, head, restart, entries, N, error);
}

static const JournalEntry first = {(char *)"a,\"1,1\",\"two\nlines\",\xc2\xb5s", (char *)"", FALSE, FALSE},
                          second = {(char *)"b\tc\\d", (char *)"slot 1 is \"empty\"", FALSE, FALSE};

/* A journal with points 2 and 0 in it. Caller frees. */
static char *write_journal(gsize *length)
{
    Journal *journal = reopen(HEAD, FALSE, NULL);
    ck_assert_ptr_nonnull(journal);
    ck_assert(journal_add(journal, 2, &first, NULL));
    ck_assert(journal_add(journal, 0, &second, NULL));
    journal_close(journal);
    char *text;
    ck_assert(g_file_get_contents(test_file, &text, length, NULL));
    return text;
}

static void assert_entry(guint i, const JournalEntry *expected)
{
    ck_assert_str_eq(entries[i].row, expected->row);
    ck_assert_str_eq(entries[i].fault, expected->fault);
}

TEST(reads_what_it_wrote)
{
    gsize length;
    g_free(write_journal(&length));
    Journal *journal = reopen(HEAD, FALSE, NULL);
    assert_entry(2, &first);
    assert_entry(0, &second);
    ck_assert_ptr_null(entries[1].row);
    ck_assert(journal_remove(journal, NULL));
    journal_close(journal);
    ck_assert(!g_file_test(test_file, G_FILE_TEST_EXISTS));
}

/* Cut off anywhere, the journal opens with the entries that are whole, and what is then added can be read. */
TEST(cut_anywhere)
{
    gsize length;
    g_autofree char *text = write_journal(&length);
    gsize head = strcspn(text, "\n") + 1, one = head + strcspn(text + head, "\n") + 1;
    for (gsize cut = 0; cut <= length; cut++) {
        test_file_write(text, (gssize)cut);
        Journal *journal = reopen(HEAD, FALSE, NULL);
        ck_assert_msg(journal != NULL, "cut after %zu", cut);
        ck_assert((entries[2].row != NULL) == (cut >= one));
        ck_assert((entries[0].row != NULL) == (cut == length));
        ck_assert(journal_add(journal, 1, &second, NULL));
        journal_close(journal);
        journal = reopen(HEAD, FALSE, NULL);
        ck_assert_ptr_nonnull(journal);
        assert_entry(1, &second);
        ck_assert((entries[2].row != NULL) == (cut >= one));
        journal_close(journal);
    }
}

/* One wrong byte anywhere: in the head it is not our journal, in an entry that entry and what follows is dropped. */
TEST(damaged_anywhere)
{
    gsize length;
    g_autofree char *text = write_journal(&length);
    gsize head = strcspn(text, "\n") + 1, one = head + strcspn(text + head, "\n") + 1;
    for (gsize i = 0; i < length; i++) {
        g_autofree char *damaged = g_memdup2(text, length);
        damaged[i] ^= 1;
        test_file_write(damaged, (gssize)length);
        Journal *journal = reopen(HEAD, FALSE, NULL);
        ck_assert_msg((journal != NULL) == (i >= head), "byte %zu", i);
        if (!journal)
            continue;
        ck_assert_msg((entries[2].row != NULL) == (i >= one), "byte %zu", i);
        ck_assert_ptr_null(entries[0].row);
        journal_close(journal);
    }
}

/* A refused file is left as it is; --restart takes it. */
TEST(refused)
{
    gsize length, length_after;
    g_autofree char *text = write_journal(&length);
    const struct {
        const char *content, *says;
    } cases[] = {
        {text, "is the journal of another sweep; finish that one, choose another output"},
        {"my own notes\n", "is not the journal of a sweep; choose another output"},
        {"my own notes", "is not the journal of a sweep"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        test_file_write(cases[i].content, -1);
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(reopen("another head", FALSE, &error));
        test_refused(error, test_file, cases[i].says);
        g_autofree char *after = NULL;
        ck_assert(g_file_get_contents(test_file, &after, &length_after, NULL));
        ck_assert_str_eq(after, cases[i].content);
        Journal *journal = reopen("another head", TRUE, NULL);
        ck_assert_ptr_nonnull(journal);
        ck_assert_ptr_null(entries[2].row);
        journal_close(journal);
    }
}

/* A journal is never written through a link, nor with --restart: what is behind it, or behind another name, stays. */
TEST(linked)
{
    g_autofree char *other = g_build_filename(test_folder, "other", NULL);
    for (int restart = FALSE; restart <= TRUE; restart++) {
        g_autoptr(GError) error = NULL;
        ck_assert(g_file_set_contents(other, "my notes\n", -1, NULL));
        ck_assert_int_eq(symlink(other, test_file), 0);
        ck_assert_ptr_null(reopen(HEAD, restart, &error));
        ck_assert(strstr(error->message, "file: is a symbolic link; remove it, or") != NULL);
        ck_assert_int_eq(g_unlink(test_file), 0);
    }
    ck_assert_int_eq(link(other, test_file), 0);
    Journal *journal = reopen(HEAD, TRUE, NULL);
    ck_assert_ptr_nonnull(journal);
    ck_assert(journal_add(journal, 1, &first, NULL));
    journal_close(journal);
    g_autofree char *notes = NULL;
    ck_assert(g_file_get_contents(other, &notes, NULL, NULL));
    ck_assert_str_eq(notes, "my notes\n");
    g_unlink(other);
    g_unlink(test_file);
    ck_assert_int_eq(symlink("nowhere", test_file), 0);
    ck_assert_ptr_null(reopen(HEAD, TRUE, NULL));
    g_autofree char *nowhere = g_build_filename(test_folder, "nowhere", NULL);
    ck_assert(!g_file_test(nowhere, G_FILE_TEST_EXISTS));
}

/* An entry of a point that the sweep does not have ends the reading. */
TEST(point_out_of_range)
{
    gsize length;
    g_free(write_journal(&length));
    clear_entries();
    Journal *journal = journal_open(test_file, HEAD, FALSE, entries, 2, NULL);
    ck_assert_ptr_nonnull(journal);
    ck_assert_ptr_null(entries[0].row);
    journal_close(journal);
}

/* Nor is a sealed line read as an entry whose last backslash has nothing to escape. */
TEST(half_escaped)
{
    static const char *const texts[] = {"1\trow\\\t", "1\trow\tfault\\"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        gsize length;
        g_unlink(test_file);
        g_autofree char *whole = write_journal(&length), *seal = seal_make(texts[i]);
        g_autofree char *more = g_strdup_printf("%s%s\t%s\n", whole, texts[i], seal);
        test_file_write(more, -1);
        Journal *journal = reopen(HEAD, FALSE, NULL);
        ck_assert_ptr_nonnull(journal);
        ck_assert_ptr_null(entries[1].row);
        assert_entry(2, &first);
        assert_entry(0, &second);
        journal_close(journal);
    }
}

/* While it is open nobody else can open it; a child of the holder does not keep it locked. */
TEST(locked)
{
    Journal *journal = reopen(HEAD, FALSE, NULL);
    ck_assert_ptr_nonnull(journal);
    pid_t pid = fork();
    if (pid == 0) {
        g_autoptr(GError) error = NULL;
        Journal *other = reopen(HEAD, FALSE, &error);
        _exit(other ? 1 : strstr(error->message, "is in use") ? 0 : 2);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t idle = fork();
    if (idle == 0) {
        close(ends[1]);
        _exit((int)read(ends[0], &(char){0}, 1));
    }
    journal_close(journal);
    pid = fork();
    if (pid == 0)
        _exit(reopen(HEAD, FALSE, NULL) ? 0 : 1);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    close(ends[1]);
    ck_assert_int_eq(waitpid(idle, &status, 0), idle);
}

TESTS_IN_FOLDER(journal, reads_what_it_wrote, cut_anywhere, damaged_anywhere, refused, linked, point_out_of_range,
                half_escaped, locked)
