#include "scripted.h"

/* --- messages --- */

typedef struct {
    Schedule head;
    const Script *script;
} Scripted;

static const Script *script_of(const Schedule *schedule)
{
    return ((const Scripted *)schedule)->script;
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Script *script = script_of(self);
    out->phase = k == 0;
    out->renumber = script->renumbers;
    out->join = script->joins && k == 1 ? (1u << self->n_strands) - 1 : 0;
    for (const Message *m = script->messages; m->source != m->destination; m++) {
        if (m->strand != strand || m->k != k)
            continue;
        out->transfer = m->transfer;
        if (m->source == node)
            step_send_slots(out, m->destination, m->slot, m->count, m->landing);
        if (m->destination == node)
            step_await(out, m->source);
    }
}

static guint n_steps(const Schedule *self, guint strand)
{
    return script_of(self)->n_steps[strand];
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    return self->n_slots - 1 - slot;
}

Schedule *scripted_new(const Script *script)
{
    static const ScheduleClass class = {.step = step, .n_steps = n_steps, .renumber = renumber};
    Schedule *schedule = schedule_new(sizeof(Scripted), &class, script->dimension);
    ((Scripted *)schedule)->script = script;
    schedule->n_slots = script->n_slots;
    for (schedule->n_strands = 0; script->n_steps[schedule->n_strands]; schedule->n_strands++)
        schedule->n_steps = MAX(schedule->n_steps, script->n_steps[schedule->n_strands]);
    return schedule;
}

/* --- numbers --- */

typedef struct {
    Content head;
    guint n_slots;
    NumberAt *first, *last;
} Numbers;

static void fill(const Content *self, guint node, Block *slots)
{
    const Numbers *numbers = (const Numbers *)self;
    for (guint slot = 0; slot < numbers->n_slots; slot++)
        slots[slot] = numbers->first(node, slot);
}

static Block add(const Content *self, Block held, Block arriving)
{
    return held + arriving;
}

static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    if (operation->what == WORK_NOTHING)
        return NULL;
    g_assert(operation->what == WORK_SUM && operation->count == 3);
    for (guint slot = operation->slot; slot < operation->slot + 2; slot++)
        if (slots[slot] == BLOCK_NONE)
            return g_strdup_printf("adds slot %u, which holds nothing", slot);
    slots[operation->slot + 2] = slots[operation->slot] + slots[operation->slot + 1];
    return NULL;
}

static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    gint64 of_sum = self->element_bytes ? self->block_bytes / self->element_bytes : 0;
    return operation->what == WORK_SUM ? of_sum : operation->count;
}

static char *describe(const Content *self, Block block)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT, block);
}

static char *check(const Content *self, guint node, const Block *slots)
{
    const Numbers *numbers = (const Numbers *)self;
    for (guint slot = 0; slot < numbers->n_slots; slot++)
        if (slots[slot] != numbers->last(node, slot))
            return g_strdup_printf("slot %u of processor %u holds %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, slot,
                                   node, (gint64)slots[slot], (gint64)numbers->last(node, slot));
    return NULL;
}

void numbers_hold(Schedule *schedule, gint64 bytes, NumberAt *first, NumberAt *last)
{
    static const ContentClass class = {.fill = fill, .add = add, .operate = operate, .operations = operations,
                                       .describe = describe, .check = check};
    Numbers *numbers = g_new(Numbers, 1);
    *numbers = (Numbers){{&class, bytes, 0}, schedule->n_slots, first, last};
    schedule_set_content(schedule, &numbers->head);
}

void numbers_have_elements(Schedule *schedule, gint64 element_bytes)
{
    schedule->content->element_bytes = element_bytes;
}

Machine *scripted_machine(const char *override)
{
    return TEST_MACHINE("bokhari1993", "delta=0", "ports=all", override);
}

void assert_runs(const Schedule *schedule, const Machine *machine, gint64 us)
{
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    ck_assert_msg(verdict.ok, "%s", verdict.fault);
    ck_assert_msg(!priced.stuck && !priced.fault, "%s", priced.stuck ? priced.stuck : priced.fault);
    ck_assert_msg(!result.stuck && !result.fault, "%s", result.stuck ? result.stuck : result.fault);
    ck_assert_int_eq(priced.time_ps, us * US);
    ck_assert_int_eq(result.time_ps, us * US);
}

/* --- what a schedule does, as text --- */

static int compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether `node` awaits a message from `source` in step k. */
static gboolean awaits(const Schedule *schedule, guint strand, guint k, guint node, guint source)
{
    gboolean found = FALSE;
    g_auto(Step) there = step_new();
    schedule_strand_step(schedule, node, strand, k, &there);
    for (guint i = 0; i < there.awaits->len; i++)
        found |= step_nth_await(&there, i) == source;
    return found;
}

/* "0>3:1+2@5": 0 sends 3 the two slots from 1 on, into those from 5 on; "&" if it keeps them, "+" if they are added. */
static char *text_of_send(const Step *of, guint node, const Send *send)
{
    static const char *const marks[] = {[TRANSFER_MOVE] = "", [TRANSFER_COPY] = "&", [TRANSFER_COMBINE] = "+",
                                        [TRANSFER_ADD] = "&+"};
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u>%u", node, send->peer);
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(of, send, i);
        g_string_append_printf(text, "%c%u+%u@%u", i ? ',' : ':', stretch->slot, stretch->count, stretch->landing);
    }
    return g_string_free(g_string_append(text, marks[send->transfer]), FALSE);
}

char *moves_of_step(const Schedule *schedule, guint strand, guint k)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    guint n_awaits = 0;
    g_auto(Step) step_of_node = step_new();
    for (guint node = 0; node < schedule_n_nodes(schedule); node++) {
        schedule_strand_step(schedule, node, strand, k, &step_of_node);
        n_awaits += step_of_node.awaits->len;
        for (guint i = 0; i < step_of_node.sends->len; i++) {
            const Send *send = step_nth_send(&step_of_node, i);
            ck_assert(awaits(schedule, strand, k, send->peer, node));
            g_ptr_array_add(texts, text_of_send(&step_of_node, node, send));
        }
    }
    ck_assert_uint_eq(n_awaits, texts->len);
    g_ptr_array_sort(texts, compare_texts);
    g_ptr_array_add(texts, NULL);
    return g_strjoinv(" ", (char **)texts->pdata);
}

char *moves_of(const Schedule *schedule, guint strand)
{
    g_autoptr(GStrvBuilder) steps = g_strv_builder_new();
    for (guint k = 0; k < schedule_n_steps(schedule, strand); k++) {
        g_autofree char *one = moves_of_step(schedule, strand, k);
        g_strv_builder_add(steps, one);
    }
    g_auto(GStrv) texts = g_strv_builder_end(steps);
    return g_strjoinv(" | ", texts);
}

void assert_moves(const Schedule *schedule, guint strand, const char *expected)
{
    g_autofree char *found = moves_of(schedule, strand);
    ck_assert_str_eq(found, expected);
}
