#include "goal.h"

#include <stdio.h>
#include <string.h>

typedef enum { OP_SEND, OP_RECV, OP_CALC } OpKind;

typedef struct {
    OpKind kind;
    guint peer, tag;
    gint64 amount;          /* bytes or ns */
    GArray *requires;       /* guint: labels of the rank */
    gint64 end_ps;
} Op;

typedef struct {
    guint source, tag;
    gint64 arrival_ps;
} Flying;

typedef struct {
    GArray *ops;            /* Op, by label - 1 */
    guint done;             /* the first so many */
    GArray *mail;           /* Flying */
} Rank;

#define RANKS_MAX (1 << READER_DIMENSION_MAX)

static void op_clear(gpointer op)
{
    g_array_unref(((Op *)op)->requires);
}

static void read_goal_line(const char *line, Rank *rank)
{
    Op op = {0};
    guint label, required;
    if (sscanf(line, "l%u requires l%u", &label, &required) == 2) {
        ck_assert(label == rank->ops->len && required < label);
        g_array_append_val(g_array_index(rank->ops, Op, label - 1).requires, required);
        return;
    }
    if (sscanf(line, "l%u: send %" G_GINT64_FORMAT "b to %u tag %u", &label, &op.amount, &op.peer, &op.tag) == 4)
        op.kind = OP_SEND;
    else if (sscanf(line, "l%u: recv %" G_GINT64_FORMAT "b from %u tag %u", &label, &op.amount, &op.peer, &op.tag) == 4)
        op.kind = OP_RECV;
    else if (sscanf(line, "l%u: calc %" G_GINT64_FORMAT, &label, &op.amount) == 2)
        op.kind = OP_CALC;
    else
        ck_abort_msg("not GOAL: %s", line);
    ck_assert_uint_eq(label, rank->ops->len + 1);
    op.requires = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(rank->ops, op);
}

static void read_goal(const char *text, Rank *ranks)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    Rank *rank = NULL;
    guint number;
    for (guint i = 0; lines[i]; i++)
        if (sscanf(lines[i], "rank %u {", &number) == 1)
            rank = &ranks[number];
        else if (strcmp(lines[i], "}") == 0)
            rank = NULL;
        else if (rank)
            read_goal_line(lines[i], rank);
}

/* FALSE: it has not come. */
static gboolean take_mail(Rank *rank, const Op *op, gint64 *arrival_ps)
{
    for (guint i = 0; i < rank->mail->len; i++) {
        const Flying *letter = &g_array_index(rank->mail, Flying, i);
        if (letter->source != op->peer || letter->tag != op->tag)
            continue;
        *arrival_ps = letter->arrival_ps;
        g_array_remove_index(rank->mail, i);
        return TRUE;
    }
    return FALSE;
}

/* What a send takes, by its tag. A handshake has no bytes; a message of a barrier takes no time. */
static Cost cost_of_send(const Op *op, guint source, const Machine *machine, PortTimes ports, gint64 start)
{
    guint what = op->tag % 3;
    return what == 2 ? (Cost){start, start}
                     : rehearse_message(machine, ports, source, op->peer, what == 1 ? 0 : op->amount, start);
}

/* The next operation of a rank starts when all are over that it requires, and sends when the port is free. */
static gboolean run_op(Rank *ranks, guint number, const Machine *machine, PortTimes ports)
{
    Rank *rank = &ranks[number];
    if (rank->done == rank->ops->len)
        return FALSE;
    Op *op = &g_array_index(rank->ops, Op, rank->done);
    gint64 start = 0, arrival = 0;
    for (guint i = 0; i < op->requires->len; i++)
        start = MAX(start, g_array_index(rank->ops, Op, g_array_index(op->requires, guint, i) - 1).end_ps);
    if (op->kind == OP_RECV && !take_mail(rank, op, &arrival))
        return FALSE;
    op->end_ps = op->kind == OP_CALC ? start + op->amount * 1000 : MAX(start, arrival);
    if (op->kind == OP_SEND) {
        Cost cost = cost_of_send(op, number, machine, ports, start);
        Flying letter = {number, op->tag, cost.delivered_ps};
        g_array_append_val(ranks[op->peer].mail, letter);
        op->end_ps = cost.sent_ps;
    }
    rank->done++;
    return TRUE;
}

gint64 goal_time(const char *text, const Machine *machine)
{
    PortTimes ports = {{0}};
    Rank ranks[RANKS_MAX];
    gint64 longest = 0;
    for (guint i = 0; i < RANKS_MAX; i++) {
        ranks[i] = (Rank){g_array_new(FALSE, FALSE, sizeof(Op)), 0, g_array_new(FALSE, FALSE, sizeof(Flying))};
        g_array_set_clear_func(ranks[i].ops, op_clear);
    }
    read_goal(text, ranks);
    for (gboolean moves = TRUE; moves;) {
        moves = FALSE;
        for (guint i = 0; i < RANKS_MAX; i++)
            while (run_op(ranks, i, machine, ports))
                moves = TRUE;
    }
    for (guint i = 0; i < RANKS_MAX; i++) {
        ck_assert_uint_eq(ranks[i].done, ranks[i].ops->len);
        ck_assert_uint_eq(ranks[i].mail->len, 0);
        for (guint j = 0; j < ranks[i].ops->len; j++)
            longest = MAX(longest, g_array_index(ranks[i].ops, Op, j).end_ps);
        g_array_unref(ranks[i].ops);
        g_array_unref(ranks[i].mail);
    }
    return longest;
}
