#include "reader_matrices.h"
#include "words.h"

/* "rows 0 to 6 by 2": how many. */
static guint read_indices(const char **at, const char *noun)
{
    expect(at, noun);
    gboolean several = accept(at, "s");
    expect(at, " ");
    guint first = (guint)number(at), last = accept(at, " to ") ? (guint)number(at) : first;
    guint n = (last - first) / (accept(at, " by ") ? (guint)number(at) : 1) + 1;
    ck_assert_int_eq(several, n > 1);
    return n;
}

/* "  0 has row 0, columns 0 to 1 of C in slot 0; ..." */
static void read_homes(Reading *r, guint node, const char *at)
{
    expect(&at, "  ");
    ck_assert_int_eq(number(&at), node);
    expect(&at, " has ");
    if (accept(&at, "nothing"))
        return;
    do {
        accept(&at, " ");
        Home home = {.node = node, .elements = read_indices(&at, "row")};
        expect(&at, ", ");
        home.elements *= read_indices(&at, "column");
        expect(&at, " of ");
        home.matrix = *at++;
        if (accept(&at, " (multiplication ")) {
            number(&at);
            expect(&at, ")");
        }
        expect(&at, " in slot ");
        home.slot = (guint)number(&at);
        g_array_append_val(r->homes, home);
    } while (accept(&at, ";"));
    ck_assert_str_eq(at, "");
}

char **reader_matrices(Reading *r, char **line)
{
    ck_assert_str_eq(*line++, "at first, with E in the place of A,");
    for (guint node = 0; node < r->n_nodes; node++)
        read_homes(r, node, *line++);
    ck_assert_str_eq(*line++, "at last, A = C x D + E is in its place");
    return line;
}

void reader_work_clear(const Work *work)
{
    g_array_unref(work->from);
    g_array_unref(work->by);
    g_array_unref(work->to);
    g_array_unref(work->sizes);
}

/* "slots 3-5 of 8, 7 of 4 elements" */
static void sized_slots(const char **at, Work *work)
{
    expect(at, "slot");
    gboolean several = accept(at, "s");
    expect(at, " ");
    guint size;
    do {
        guint before = work->to->len;
        range(at, work->to);
        expect(at, " of ");
        size = (guint)number(at);
        for (guint i = before; i < work->to->len; i++)
            add(work->sizes, size);
    } while (another(at));
    expect(at, size == 1 ? " element" : " elements");
    ck_assert_int_eq(several, work->to->len > 1);
}

gboolean reader_matrix_work(const char **at, Turn *turn)
{
    Work work = {.from = numbers_new(), .by = numbers_new(), .to = numbers_new(), .sizes = numbers_new()};
    gboolean cuts = accept(at, "cuts "), multiplies = !cuts && accept(at, "multiplies ");
    gboolean adds = !cuts && !multiplies && accept(at, "adds ");
    if (!cuts && !multiplies && !adds && !accept(at, "empties ")) {
        reader_work_clear(&work);
        return FALSE;
    }
    slots(at, work.from);
    if (multiplies) {
        expect(at, " by ");
        slots(at, work.by);
    }
    gboolean onto = multiplies && accept(at, ", added to ");
    work.verb = cuts ? WORK_CUT : onto ? WORK_MULTIPLY_ONTO : multiplies ? WORK_MULTIPLY_INTO
                : adds ? WORK_ADD : WORK_EMPTY;
    if (cuts || (multiplies && !onto)) {
        expect(at, ", into ");
        sized_slots(at, &work);
    }
    if (adds)
        expect(at, " to ");
    if (adds || onto)
        slots(at, work.to);
    g_array_append_val(turn->works, work);
    return TRUE;
}
