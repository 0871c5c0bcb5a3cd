#include "rank_plan.h"
#include "sim/lib/ecube.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- libecube --- */

#define LIST_FUNCTIONS(F) \
    F(ecube_error) F(ecube_read) F(ecube_free) F(ecube_best) F(ecube_best_unequal) F(ecube_list_free) \
    F(ecube_list_text) F(ecube_list_span) F(ecube_list_steps) F(ecube_list_step) F(ecube_list_to) F(ecube_list_from)

static struct {
#define F(name) __typeof__(name) *name;
    LIST_FUNCTIONS(F)
#undef F
} lists;

static struct {
    char *text, *path;
    int says;               /* whether this rank prints errors of the rules */
    int is_unequal;         /* whether `text` has rules for blocks of unequal sizes */
    ecube *rules;           /* `text` as ecube_read() has read it; NULL: not opened yet, or an error */
    pthread_mutex_t lock;
    int is_opened;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Opens libecube.so.0: beside this library, where `make` builds it, or where the system has it. Returns nonzero on
 * success. */
static int open_lists(void)
{
    static const char *const places[] = {"$ORIGIN/libecube.so.0", "$ORIGIN/build/libecube.so.0",
                                         "$ORIGIN/../libecube.so.0", "libecube.so.0"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !library; i++)
        library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "ecube: %s; MPI_Alltoall is the library's own\n", dlerror()), 0;
#define F(name) \
    *(void **)&lists.name = dlsym(library, #name); \
    if (!lists.name) \
        return fprintf(stderr, "ecube: libecube.so.0 is too old; MPI_Alltoall is the library's own\n"), 0;
    LIST_FUNCTIONS(F)
#undef F
    return 1;
}

void rank_plan_set_rules(char *text, char *path, int says)
{
    here.text = text;
    here.path = path;
    here.is_unequal = text && strstr(text, "[alltoallv ");
    here.says = says;
}

int rank_plan_open_rules(void)
{
    pthread_mutex_lock(&here.lock);
    if (!here.is_opened && here.text && open_lists() &&
        lists.ecube_read(here.path, here.text, &here.rules) != ECUBE_OK && here.says)
        fprintf(stderr, "ecube: ECUBE_RULES: %s; MPI_Alltoall is the library's own\n", lists.ecube_error());
    here.is_opened = 1;
    pthread_mutex_unlock(&here.lock);
    return here.rules != NULL;
}

int rank_plan_may_be_unequal(void)
{
    return here.is_unequal;
}

void rank_plan_end(void)
{
    if (here.rules)
        lists.ecube_free(here.rules);
    free(here.text);
    free(here.path);
    here.rules = NULL;
    here.text = here.path = NULL;
    here.is_unequal = 0;
}

/* --- steps --- */

/* A block of a message. */
typedef struct {
    unsigned process, block;    /* block: its number in the list; process: destination of the sender's own block of this
                                 * number */
} Cargo;

static int by_process(const void *a, const void *b)
{
    const Cargo *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

/* Fills in the blocks of a message, sorted by `process`, an order that both ends know. Blocks that leave the program's
 * memory then lie in few pieces. */
static void sort_cargo(Cargo *cargo, const ecube_list *list, const ecube_step *step, unsigned sender)
{
    for (unsigned j = 0; j < step->n_blocks; j++)
        cargo[j] = (Cargo){lists.ecube_list_to(list, sender, step->blocks[j]), step->blocks[j]};
    if (step->n_blocks > 1)
        qsort(cargo, step->n_blocks, sizeof *cargo, by_process);
}

/* Adds a block to n pieces, or to the last of them. Returns the new number of pieces. */
static int add_block(PlanPiece *pieces, int n, int is_home, unsigned process)
{
    PlanPiece *last = pieces + n - 1;
    if (n > 0 && last->is_home == is_home && last->process + last->n == (int)process)
        return last->n++, n;
    pieces[n] = (PlanPiece){is_home, (int)process, 1};
    return n + 1;
}

/* Makes step i of a rank. `moved` marks the numbers of blocks that have arrived at home; the step adds its own. `cargo`
 * has room for a message. Returns nonzero on success. */
static int rank_plan_make_step(PlanStep *s, const ecube_list *list, unsigned rank, unsigned i, char *moved,
                               Cargo *cargo)
{
    ecube_step step;
    lists.ecube_list_step(list, rank, i, &step);
    *s = (PlanStep){.to = (int)step.to, .from = (int)step.from, .n_blocks = (int)step.n_blocks,
                    .out = malloc(2 * step.n_blocks * sizeof *s->out)};
    if (!s->out)
        return 0;
    sort_cargo(cargo, list, &step, rank);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++)
        s->n_out = add_block(s->out, s->n_out, moved[c->block],
                             moved[c->block] ? lists.ecube_list_from(list, rank, c->block) : c->process);
    s->in = s->out + s->n_out;
    sort_cargo(cargo, list, &step, step.from);
    for (const Cargo *c = cargo; c < cargo + step.n_blocks; c++) {
        s->n_in = add_block(s->in, s->n_in, 1, lists.ecube_list_from(list, rank, c->block));
        moved[c->block] = 1;
    }
    return 1;
}

/* Fills in all steps of a plan. Returns nonzero on success. */
static int make_steps(RankPlan *plan, const ecube_list *list, int n, int rank)
{
    unsigned n_steps = lists.ecube_list_steps(list);
    char *moved = calloc((size_t)n, 1);
    Cargo *cargo = malloc((size_t)n * sizeof *cargo);
    plan->steps = calloc(n_steps, sizeof *plan->steps);
    plan->is_direct = 1;
    int ok = moved && cargo && plan->steps;
    for (unsigned i = 0; i < n_steps && ok; i++) {
        ok = rank_plan_make_step(&plan->steps[i], list, (unsigned)rank, i, moved, cargo);
        plan->n_steps = i + 1;
        plan->most = plan->steps[i].n_blocks > plan->most ? plan->steps[i].n_blocks : plan->most;
        plan->is_direct &= ok && plan->steps[i].n_blocks == 1 && plan->steps[i].out->process == plan->steps[i].to &&
                           !plan->steps[i].out->is_home;
    }
    free(moved);
    free(cargo);
    return ok;
}

int rank_plan_make(RankPlan *plan, int n, int rank, size_t bytes)
{
    ecube_list *list = NULL;
    *plan = (RankPlan){.from_bytes = 0, .to_bytes = SIZE_MAX};
    int is_open = rank_plan_open_rules();
    if (is_open && bytes == PLAN_UNEQUAL)
        lists.ecube_best_unequal(here.rules, (unsigned)n, &list);
    else if (is_open)
        lists.ecube_best(here.rules, (unsigned)n, bytes, &list);
    if (list)
        lists.ecube_list_span(list, &plan->from_bytes, &plan->to_bytes);
    plan->list = strdup(list ? lists.ecube_list_text(list) : "library");
    int ok = plan->list && (!list || lists.ecube_list_steps(list) == 0 || make_steps(plan, list, n, rank));
    if (list)
        lists.ecube_list_free(list);
    if (!ok)
        rank_plan_clear(plan);
    return ok;
}

void rank_plan_clear(RankPlan *plan)
{
    free(plan->list);
    for (unsigned i = 0; i < plan->n_steps; i++)
        free(plan->steps[i].out);
    free(plan->steps);
    *plan = (RankPlan){0};
}

unsigned rank_plan_checksum(const RankPlan *plan)
{
    unsigned sum = 2166136261u;     /* FNV-1a */
    for (const char *c = plan->list; c && *c; c++)
        sum = (sum ^ (unsigned char)*c) * 16777619u;
    sum = (sum ^ (unsigned)plan->from_bytes) * 16777619u;
    return (sum ^ (unsigned)plan->to_bytes) * 16777619u;
}
