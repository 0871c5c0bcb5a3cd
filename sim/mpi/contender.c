#include "contender.h"
#include "sim/agenda/compile.h"
#include "execute.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"
#include "sim/run/keys.h"
#include "sim/patterns/make.h"

typedef struct {
    Contender head;
    Schedule *schedule;
    Agenda *agenda;
    Executor *executor;     /* once it has its place */
    char *memory;
} Scheduled;

static void place(Contender *self, const World *world, char *memory)
{
    Scheduled *s = (Scheduled *)self;
    s->memory = memory;
    s->executor = executor_new(s->agenda, world->comm, memory, memory + s->agenda->memory_bytes);
}

static void fill(Contender *self)
{
    const Scheduled *s = (const Scheduled *)self;
    agenda_fill(s->agenda, s->memory);
}

static void run_all(Contender *self, char **fault)
{
    executor_run(((Scheduled *)self)->executor, fault);
}

static char *check(const Contender *self)
{
    const Scheduled *s = (const Scheduled *)self;
    return agenda_check_memory(s->agenda, s->memory);
}

static void free_all(Contender *self)
{
    Scheduled *s = (Scheduled *)self;
    g_clear_pointer(&s->executor, executor_free);
    g_clear_pointer(&s->agenda, agenda_free);
    schedule_free(s->schedule);
    g_free(s);
}

static gboolean check_agenda(const Scheduled *s, const char *fault, GError **error)
{
    g_autofree char *what = run_describe(&s->head.run);
    if (!s->agenda) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: the data is wrong: %s", what, fault);
        return FALSE;
    }
    return s->agenda->largest <= G_MAXINT ||
           input_refuse(error, "bytes: %s has a message of %" G_GSIZE_FORMAT
                        " bytes; allowed: at most %d, as MPI counts", what, s->agenda->largest, G_MAXINT);
}

/* Early, if all are to be, or messages are awaited in later steps than they are sent in: MPI need not keep them. */
static Agenda *compile(const Scheduled *s, const World *world, gboolean early, char **fault)
{
    const Machine *machine = s->head.run.machine;
    Agenda *agenda = (early ? agenda_compile_early : agenda_compile)
        (s->schedule, world->rank, machine->pairwise_sync, machine->phase_barrier, fault);
    if (early || !agenda || !agenda->crosses)
        return agenda;
    agenda_free(agenda);
    return compile(s, world, TRUE, fault);
}

Contender *contender_new(const Run *run, const World *world, gboolean early, GError **error)
{
    static const ContenderClass class = {.place = place, .fill = fill, .run = run_all, .check = check,
                                         .destroy = free_all};
    g_autofree char *fault = NULL;
    Scheduled *s = g_new0(Scheduled, 1);
    s->head = (Contender){.class = &class, .run = *run, .scheduled = TRUE};
    s->schedule = schedule_make(&run->problem);
    s->agenda = compile(s, world, early, &fault);
    if (!check_agenda(s, fault, error)) {
        free_all(&s->head);
        return NULL;
    }
    s->head.bytes = s->agenda->memory_bytes + s->agenda->stage_bytes;
    s->head.consumes = s->agenda->elements != NULL;
    s->head.messages = s->agenda->messages;
    s->head.operations = s->agenda->operations;
    s->head.peak_bytes = s->agenda->peak_bytes;
    return &s->head;
}

/* The slots of the whole cube, as much again for what is under way, and what they stand for. */
gsize contender_making(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    const Content *content = schedule->content;
    gsize stored = content->class->storage ? content->class->storage(content) : 0;
    return stored + 2 * sizeof(Block) * (gsize)schedule->n_slots * cube_n_nodes(schedule->dimension);
}
