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
    gint64 bytes, arrival_ps;
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

/* One line inside a rank's block. */
static void read_goal_line(const char *line, Rank *rank)
{
    Op op = {0};
    guint label, required;
    char end;
    if (sscanf(line, "l%u requires l%u%c", &label, &required, &end) == 2) {
        ck_assert(label == rank->ops->len && required < label);
        g_array_append_val(g_array_index(rank->ops, Op, label - 1).requires, required);
        return;
    }
    if (sscanf(line, "l%u: send %" G_GINT64_FORMAT "b to %u tag %u%c", &label, &op.amount, &op.peer, &op.tag,
               &end) == 4)
        op.kind = OP_SEND;
    else if (sscanf(line, "l%u: recv %" G_GINT64_FORMAT "b from %u tag %u%c", &label, &op.amount, &op.peer, &op.tag,
                    &end) == 4)
        op.kind = OP_RECV;
    else if (sscanf(line, "l%u: calc %" G_GINT64_FORMAT "%c", &label, &op.amount, &end) == 2)
        op.kind = OP_CALC;
    else
        ck_abort_msg("not GOAL: %s", line);
    ck_assert(op.kind == OP_CALC || op.amount > 0);
    ck_assert_uint_eq(label, rank->ops->len + 1);
    op.requires = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(rank->ops, op);
}

static void read_goal(const char *text, Rank *ranks, guint n_ranks)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    Rank *rank = NULL;
    guint number, n_blocks = 0, declared = 0;
    for (guint i = 0; lines[i]; i++) {
        if (*lines[i] == '\0' || g_str_has_prefix(lines[i], "//") || sscanf(lines[i], "num_ranks %u", &declared) == 1)
            continue;
        if (!rank) {
            ck_assert_int_eq(sscanf(lines[i], "rank %u {", &number), 1);
            ck_assert_uint_eq(number, n_blocks++);
            rank = &ranks[number];
        } else if (strcmp(lines[i], "}") == 0) {
            ck_assert_uint_gt(rank->ops->len, 0);
            rank = NULL;
        } else {
            read_goal_line(lines[i], rank);
        }
    }
    ck_assert(!rank && declared == n_ranks && n_blocks == n_ranks);
}

/* FALSE: it has not come. */
static gboolean take_mail(Rank *rank, const Op *op, gint64 *arrival_ps)
{
    for (guint i = 0; i < rank->mail->len; i++) {
        const Flying *letter = &g_array_index(rank->mail, Flying, i);
        if (letter->source != op->peer || letter->tag != op->tag)
            continue;
        ck_assert_int_eq(letter->bytes, op->amount);
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
        Flying letter = {number, op->tag, op->amount, cost.delivered_ps};
        g_array_append_val(ranks[op->peer].mail, letter);
        op->end_ps = cost.sent_ps;
    }
    rank->done++;
    return TRUE;
}

static void sum_op(GoalSum *sum, const Op *op)
{
    sum->time_ps = MAX(sum->time_ps, op->end_ps);
    sum->calculated_ns += op->kind == OP_CALC ? (guint64)op->amount : 0;
    if (op->kind != OP_SEND)
        return;
    sum->n_sends[op->tag % 3]++;
    sum->data_bytes += op->tag % 3 == 0 ? (guint64)op->amount : 0;
}

GoalSum goal_execute(const char *text, guint n_ranks, const Machine *machine)
{
    PortTimes ports = {{0}};
    Rank ranks[RANKS_MAX];
    GoalSum sum = {0};
    for (guint i = 0; i < n_ranks; i++) {
        ranks[i] = (Rank){g_array_new(FALSE, FALSE, sizeof(Op)), 0, g_array_new(FALSE, FALSE, sizeof(Flying))};
        g_array_set_clear_func(ranks[i].ops, op_clear);
    }
    read_goal(text, ranks, n_ranks);
    for (gboolean moves = TRUE; moves;) {
        moves = FALSE;
        for (guint i = 0; i < n_ranks; i++)
            while (run_op(ranks, i, machine, ports))
                moves = TRUE;
    }
    for (guint i = 0; i < n_ranks; i++) {
        ck_assert_uint_eq(ranks[i].done, ranks[i].ops->len);
        ck_assert_uint_eq(ranks[i].mail->len, 0);
        for (guint j = 0; j < ranks[i].ops->len; j++)
            sum_op(&sum, &g_array_index(ranks[i].ops, Op, j));
        g_array_unref(ranks[i].ops);
        g_array_unref(ranks[i].mail);
    }
    return sum;
}
