/* Progress on a terminal, here a pseudo-terminal in place of standard error. */
#define _GNU_SOURCE 1
#include "sim/text/message.h"
#include "tests/support/tests.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Returns what message_progress() shows of `text`, or of NULL, on a terminal of `columns` that is a `term`. Caller
 * frees. */
static char *shown_on(const char *term, unsigned short columns, const char *text)
{
    char shown[200];
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK), before = dup(STDERR_FILENO);
    ck_assert(grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_eq(ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = columns}), 0);
    dup2(slave, STDERR_FILENO);
    g_setenv("TERM", term, TRUE);
    if (text)
        message_progress("%s", text);
    else
        message_progress(NULL);
    gssize length = read(master, shown, sizeof shown);
    dup2(before, STDERR_FILENO);
    close(before);
    close(slave);
    close(master);
    return g_strndup(shown, (gsize)MAX(length, 0));
}

#define ERASE "\r\033[K"

/* Progress begins a second after the first call, and every tenth of a second there is a line. */
TEST(progress)
{
    static const struct {
        gulong wait_us;
        const char *term;
        unsigned short columns;
        const char *text, *shown;
    } cases[] = {
        {0, "xterm", 80, NULL, ""},
        {0, "xterm", 80, "3 of 5", ""},
        {500000, "xterm", 80, "3 of 5", ""},
        {600000, "xterm", 80, "direct, d = 6: 3 of 5", ERASE "direct, d = 6: 3 of 5"},
        {110000, "xterm", 22, "direct, d = 6: 3 of 5", ERASE "direct, d = 6: 3 of 5"},
        {110000, "xterm", 21, "direct, d = 6: 3 of 5", ERASE "irect, d = 6: 3 of 5"},
        {110000, "xterm", 0, "direct, d = 6: 3 of 5", ERASE "direct, d = 6: 3 of 5"},   /* it does not say how many */
        {110000, "xterm", 7, "µs µs µs", ERASE " µs µs"},
        {110000, "xterm", 1, "3 of 5", ERASE},
        {110000, "xterm", 80, "a\033b", ERASE "a\\x1bb"},
        {110000, "dumb", 80, "3 of 5", ""},
        {0, "", 80, "3 of 5", ""},
        {0, "xterm", 80, NULL, ERASE},
        {0, "xterm", 80, NULL, ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_usleep(cases[i].wait_us);
        g_autofree char *shown = shown_on(cases[i].term, cases[i].columns, cases[i].text);
        ck_assert_str_eq(shown, cases[i].shown);
    }
}

/* A number and its unit stay on one line; other words part where the line is full. Rows of tables are not touched. */
TEST(wrap)
{
    static const struct {
        guint columns;
        const char *text, *wrapped;
    } cases[] = {
        {13, "It waits 69.0 % of it.", "It waits\n69.0 % of it."},
        {12, "Takes 8.5 µs, or 200 bytes.", "Takes\n8.5 µs, or\n200 bytes."},
        {13, "Takes 8.5 µs, or 200 bytes.", "Takes 8.5 µs,\nor 200 bytes."},
        {5, "All 12345 bytes.", "All\n12345 bytes."},
        {9, "There are 200 bytecodes.", "There are\n200\nbytecodes."},
        {9, "per cent % of it.", "per cent\n% of it."},
        {0, "It waits 69.0 % of it.", "It waits 69.0 % of it."},
        {5, "direct  200  12.5 %", "direct  200  12.5 %"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *wrapped = message_wrap(cases[i].text, cases[i].columns);
        ck_assert_str_eq(wrapped, cases[i].wrapped);
    }
}

TESTS(message, progress, wrap)
