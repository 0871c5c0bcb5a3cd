#include "channel.h"
#include "room.h"
#include "sim/lib/ecube.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_S 5.0                          /* seconds after which absent ranks are named */
#define RULES_MAX ((size_t)16 << 20)        /* bytes of the largest file with rules */

/* A communicator that a thread is freeing. */
typedef struct Closing {
    MPI_Comm comm;
    struct Closing *next;
} Closing;

static struct {
    int is_open;                /* whether there are rules, a shadow and a first room */
    int is_trial;               /* whether rules and library take turns */
    MPI_Comm shadow;
    MPI_Group group;            /* group of the shadow */
    int key;                    /* key of a communicator's Channel */
    pthread_mutex_t lock;       /* protects all members below */
    Channel *channels;
    Closing *closing;
    int *spare, n_spare, room_spare;    /* spare: [room_spare]; its first n_spare are tags that channels gave back */
    int next_tag, last_tag;
    unsigned n_made;            /* number of channels made so far */
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

MPI_Comm channel_shadow(void)
{
    return here.shadow;
}

int channel_is_open(void)
{
    return here.is_open;
}

int channel_is_trial(void)
{
    return here.is_open && here.is_trial;
}

/* --- tags --- */

/* Returns a tag that no other channel of this process has; -1: there is none. */
static int tag_take(void)
{
    pthread_mutex_lock(&here.lock);
    int tag = here.n_spare > 0               ? here.spare[--here.n_spare]
              : here.next_tag < here.last_tag ? here.next_tag++ : -1;
    pthread_mutex_unlock(&here.lock);
    return tag;
}

/* Gives a tag back. Without memory for it the tag is lost. */
static void tag_give(int tag)
{
    pthread_mutex_lock(&here.lock);
    if (here.n_spare == here.room_spare) {
        int room = here.room_spare ? 2 * here.room_spare : 64;
        int *spare = realloc(here.spare, (size_t)room * sizeof *spare);
        if (spare) {
            here.spare = spare;
            here.room_spare = room;
        }
    }
    if (here.n_spare < here.room_spare)
        here.spare[here.n_spare++] = tag;
    pthread_mutex_unlock(&here.lock);
}

/* --- beginning and end --- */

static int no_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

static int no_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    return MPI_SUCCESS;
}

/* Prints the ranks r whose marks[r] is 0. With `marks` NULL it prints that this rank waits. */
static void say_absent(int rank, int n, const int *marks)
{
    char text[128] = "";
    int n_absent = 0;
    for (int r = 0; marks && r < n; r++)
        if (!marks[r] && ++n_absent <= 8)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", n_absent > 1 ? ", " : "", r);
    if (n_absent > 0)
        fprintf(stderr, "ecube: MPI_Init waits for rank%s %s%s, where libecube-mpi.so is not loaded or MPI_Init not "
                "reached; all ranks must load it\n", n_absent > 1 ? "s" : "", text, n_absent > 8 ? ", ..." : "");
    else if (!marks)
        fprintf(stderr, "ecube: MPI_Init of rank %d waits: libecube-mpi.so is not loaded at all ranks\n", rank);
}

/* Completes a request. After WAIT_S rank 0 prints which ranks have no mark in `marks`; after 2 WAIT_S ranks 1 to 3
 * print that they wait. A rank prints only once. */
static void channel_wait(MPI_Request *request, int rank, int n, const int *marks)
{
    static int is_said;
    double begun = mpi.Wtime(), patience = rank == 0 ? WAIT_S : 2 * WAIT_S;
    for (int done = 0; mpi.Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;) {
        double waited = mpi.Wtime() - begun;
        if (waited > 0.01)
            usleep(500);
        if (waited > patience && !is_said && rank <= 3) {
            say_absent(rank, n, rank == 0 ? marks : NULL);
            is_said = 1;
        }
    }
}

/* Gathers a mark of each rank at rank 0. Marks arrive one by one, so that rank 0 knows which ranks are absent. */
static void meet(int rank, int n)
{
    static int marks[ECUBE_PROCESSES_MAX], counts[ECUBE_PROCESSES_MAX], places[ECUBE_PROCESSES_MAX];
    MPI_Request request;
    int one = 1;
    if (n > ECUBE_PROCESSES_MAX)
        return;
    for (int r = 0; rank == 0 && r < n; r++) {
        counts[r] = 1;
        places[r] = r;
    }
    if (mpi.Igatherv(&one, 1, mpi.integer, marks, counts, places, mpi.integer, 0, mpi.comm_world, &request) ==
        MPI_SUCCESS)
        channel_wait(&request, rank, n, marks);
}

/* Broadcasts from rank 0 of MPI_COMM_WORLD. Returns an MPI error code. */
static int channel_broadcast(void *data, int bytes, int rank, int n)
{
    MPI_Request request;
    int code = mpi.Ibcast(data, bytes, mpi.byte, 0, mpi.comm_world, &request);
    if (code == MPI_SUCCESS)
        channel_wait(&request, rank, n, NULL);
    return code;
}

/* Returns the absolute path of `path`, or a copy of `path` if the current folder is unknown. NULL without memory.
 * Caller frees. */
static char *absolute(const char *path)
{
    char folder[PATH_MAX];
    size_t bytes = strlen(path) + sizeof folder + 2;
    char *whole = malloc(bytes);
    if (whole && *path != '/' && getcwd(folder, sizeof folder))
        snprintf(whole, bytes, "%s/%s", folder, path);
    else if (whole)
        snprintf(whole, bytes, "%s", path);
    return whole;
}

/* Returns the text of the rules' file. NULL: it cannot be read, which is printed. Caller frees. */
static char *channel_read_rules(const char *path, size_t *bytes)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char *text = file ? malloc(RULES_MAX + 1) : NULL;
    *bytes = text ? fread(text, 1, RULES_MAX + 1, file) : 0;
    if (*bytes > RULES_MAX)
        errno = EFBIG;
    if (!text || ferror(file) || *bytes > RULES_MAX) {
        fprintf(stderr, "ecube: ECUBE_RULES: %s: cannot be read: %m; MPI_Alltoall is the library's own\n", path);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (!text)
        return NULL;
    text[*bytes] = '\0';
    return text;
}

/* Gives all ranks the rules and ECUBE_AB of rank 0, and a first room. Returns nonzero if there are rules, and all ranks
 * have the memory. */
static int share_rules(int rank, int n)
{
    const char *given = getenv("ECUBE_RULES");
    char *path = given && *given ? absolute(given) : NULL;
    size_t bytes = 0;
    char *text = rank == 0 && path ? channel_read_rules(path, &bytes) : NULL;
    const char *trial = getenv("ECUBE_AB");
    /* bytes of the text with its end, or 0 without rules; and whether there is an A/B */
    unsigned long long said[2] = {text ? bytes + 1 : 0, trial && *trial && strcmp(trial, "0") != 0};
    if (channel_broadcast(said, sizeof said, rank, n) != MPI_SUCCESS || said[0] == 0)
        return free(text), free(path), 0;
    path = path ? path : strdup("the rules of rank 0");
    here.is_trial = said[1] != 0;
    if (!text)
        text = calloc(said[0], 1);
    int mine = text && path && room_begin(), all = 0;
    int agreed = mpi.Allreduce(&mine, &all, 1, mpi.integer, mpi.min, mpi.comm_world) == MPI_SUCCESS;
    if (agreed && !all && rank == 0)
        fprintf(stderr, "ecube: ECUBE_RULES: a rank has no memory for the rules; they do not hold\n");
    if (!agreed || !all || channel_broadcast(text, (int)said[0], rank, n) != MPI_SUCCESS)
        return free(text), free(path), 0;
    rank_plan_set_rules(text, path, rank == 0);
    return 1;
}

void channel_begin(void)
{
    int rank, n, found, *last;
    MPI_Request request;
    mpi.Comm_rank(mpi.comm_world, &rank);
    mpi.Comm_size(mpi.comm_world, &n);
    meet(rank, n);
    if (!share_rules(rank, n) ||
        mpi.Comm_create_keyval(no_copy, no_delete, &here.key, NULL) != MPI_SUCCESS ||
        mpi.Comm_idup(mpi.comm_world, &here.shadow, &request) != MPI_SUCCESS)
        return;
    channel_wait(&request, rank, n, NULL);
    mpi.Comm_set_errhandler(here.shadow, mpi.errors_return);
    mpi.Comm_group(here.shadow, &here.group);
    mpi.Comm_get_attr(mpi.comm_world, MPI_TAG_UB, &last, &found);
    here.last_tag = found ? *last : 32767;
    here.is_open = 1;
}

static void channel_free(Channel *channel)
{
    for (unsigned i = 0; i < channel->n_plans; i++)
        rank_plan_clear(&channel->plans[i]);
    free(channel->plans);
    if (channel->unequal)
        rank_plan_clear(channel->unequal);
    free(channel->unequal);
    free(channel->counts);
    free(channel->world);
    free(channel);
}

void channel_end(void)
{
    if (here.is_open) {
        while (here.channels) {
            Channel *next = here.channels->next;
            channel_free(here.channels);
            here.channels = next;
        }
        mpi.Group_free(&here.group);
        mpi.Comm_free_keyval(&here.key);
        mpi.Comm_free(&here.shadow);
        free(here.spare);
    }
    here.is_open = 0;
    room_end();
    rank_plan_end();
}

/* --- a communicator --- */

/* Fills in channel->world and channel->tags, NULL without memory. Returns nonzero if all members are in the shadow. */
static int find_members(Channel *channel)
{
    MPI_Group group;
    int inside = 1, *own = malloc(3 * (size_t)channel->n * sizeof *own), *world = own ? own + channel->n : NULL;
    int ends[2] = {0, channel->n - 1}, found[2];
    mpi.Comm_group(channel->comm, &group);
    for (int i = 0; own && i < channel->n; i++)
        own[i] = i;
    /* without memory, looks up each member alone: all ranks must come to the same `inside` */
    for (int i = 0; !own && i < channel->n && inside; i++) {
        ends[0] = ends[1] = i;
        mpi.Group_translate_ranks(group, 2, ends, here.group, found);
        inside = found[0] >= 0;
    }
    if (own)
        mpi.Group_translate_ranks(group, channel->n, own, here.group, world);
    for (int i = 0; own && i < channel->n; i++) {
        inside &= world[i] >= 0;
        own[i] = world[i];
    }
    mpi.Group_free(&group);
    channel->world = own;
    channel->tags = own ? own + 2 * channel->n : NULL;
    return inside;
}

/* Whether a thread is freeing `comm`: attribute callbacks may exchange on it. */
static int is_closing(MPI_Comm comm)
{
    pthread_mutex_lock(&here.lock);
    const Closing *closing = here.closing;
    while (closing && closing->comm != comm)
        closing = closing->next;
    pthread_mutex_unlock(&here.lock);
    return closing != NULL;
}

static int channel_make(MPI_Comm comm, Channel **made)
{
    Channel *channel = calloc(1, sizeof *channel);
    int between = 0;
    if (!channel) {
        mpi.Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    channel->comm = comm;
    channel->tag = -1;
    mpi.Comm_test_inter(comm, &between);
    mpi.Comm_size(comm, &channel->n);
    mpi.Comm_rank(comm, &channel->rank);
    channel->apart = between || channel->n == 1 || channel->n > ECUBE_PROCESSES_MAX || !find_members(channel);
    channel->counts = here.is_trial ? calloc(TRIALS_MAX, sizeof *channel->counts) : NULL;
    int code = mpi.Comm_set_attr(comm, here.key, channel);
    if (code != MPI_SUCCESS) {
        channel_free(channel);
        return code;
    }
    pthread_mutex_lock(&here.lock);
    channel->next = here.channels;
    here.channels = channel;
    channel->seed = here.n_made++;
    pthread_mutex_unlock(&here.lock);
    *made = channel;
    return MPI_SUCCESS;
}

int channel_find(MPI_Comm comm, Channel **channel)
{
    int found = 0;
    *channel = NULL;
    if (!here.is_open)
        return MPI_SUCCESS;
    int code = mpi.Comm_get_attr(comm, here.key, channel, &found);
    if (code != MPI_SUCCESS || found)
        return code;
    *channel = NULL;
    return is_closing(comm) ? MPI_SUCCESS : channel_make(comm, channel);
}

/* Takes the channel out of the list, frees it, and gives its tag back unless it is spoilt. */
static void channel_drop(Channel *channel)
{
    Channel **at = &here.channels;
    pthread_mutex_lock(&here.lock);
    while (*at && *at != channel)
        at = &(*at)->next;
    if (*at)
        *at = channel->next;
    pthread_mutex_unlock(&here.lock);
    if (channel->tag >= 0 && !channel->spoilt)
        tag_give(channel->tag);
    channel_free(channel);
}

int channel_close(MPI_Comm *comm, int (*close)(MPI_Comm *comm))
{
    Channel *channel = NULL;
    int found = 0;
    if (!here.is_open || *comm == mpi.comm_null ||
        mpi.Comm_get_attr(*comm, here.key, &channel, &found) != MPI_SUCCESS)
        return close(comm);
    if (found)
        mpi.Comm_delete_attr(*comm, here.key);
    Closing closing = {.comm = *comm};
    pthread_mutex_lock(&here.lock);
    closing.next = here.closing;
    here.closing = &closing;
    pthread_mutex_unlock(&here.lock);
    int code = close(comm);
    pthread_mutex_lock(&here.lock);
    Closing **at = &here.closing;
    while (*at != &closing)
        at = &(*at)->next;
    *at = closing.next;
    pthread_mutex_unlock(&here.lock);
    if (found)
        channel_drop(channel);
    return code;
}

/* --- plans --- */

/* Gathers the tags of all members, and compares their plans. `plan` NULL: this rank could not make it. Sets
 * channel->apart at all members if one cannot take part or has another plan. Returns an MPI error code. */
static int agree(Channel *channel, const RankPlan *plan)
{
    if (channel->tag < 0)
        channel->tag = tag_take();
    if (!channel->world || channel->tag < 0 || (!channel->counts && here.is_trial))
        plan = NULL;
    int own[3] = {plan ? channel->tag : -1, plan ? (int)rank_plan_checksum(plan) : 0, (int)channel->seed};
    Room *room = room_take((size_t)channel->n * sizeof own);
    int (*all)[3] = (int (*)[3])(void *)room->memory;
    int code = mpi.Allgather(own, 3, mpi.integer, all, 3, mpi.integer, channel->comm);
    for (int i = 0; i < channel->n && code == MPI_SUCCESS; i++) {
        channel->apart |= all[i][0] < 0 || all[i][1] != all[0][1];
        if (channel->tags)
            channel->tags[i] = all[i][0];
    }
    if (code == MPI_SUCCESS)
        channel->seed = (unsigned)all[0][2];
    room_give(room);
    return code;
}

/* Adds a plan for blocks of `bytes`. Returns an MPI error code. */
static int add_plan(Channel *channel, size_t bytes)
{
    RankPlan plan = {0}, *plans = realloc(channel->plans, (channel->n_plans + 1) * sizeof plan);
    if (plans)
        channel->plans = plans;
    int ok = plans && rank_plan_make(&plan, channel->n, channel->rank, bytes);
    int code = agree(channel, ok ? &plan : NULL);
    if (!ok)
        return code;
    if (code != MPI_SUCCESS) {
        rank_plan_clear(&plan);
        return code;
    }
    channel->is_library = plan.n_steps == 0 && plan.from_bytes <= 1 && plan.to_bytes == SIZE_MAX;
    channel->unruled |= channel->is_library && plan.from_bytes == 0;
    channel->last = channel->n_plans;
    channel->plans[channel->n_plans++] = plan;
    return MPI_SUCCESS;
}

static int rank_plan_holds(const RankPlan *plan, size_t bytes)
{
    return plan->from_bytes <= bytes && bytes <= plan->to_bytes;
}

int channel_plan(Channel *channel, size_t bytes, const RankPlan **plan)
{
    unsigned i = channel->last;
    *plan = NULL;
    if (channel->apart || channel->is_library)
        return MPI_SUCCESS;
    if (i >= channel->n_plans || !rank_plan_holds(&channel->plans[i], bytes))
        for (i = 0; i < channel->n_plans && !rank_plan_holds(&channel->plans[i], bytes); i++)
            ;
    if (i == channel->n_plans) {
        int code = add_plan(channel, bytes);
        if (code != MPI_SUCCESS || channel->apart || channel->is_library)
            return code;
    }
    const RankPlan *found = &channel->plans[i];
    channel->last = i;
    *plan = found->n_steps > 0 && (size_t)found->most <= INT_MAX / bytes ? found : NULL;
    return MPI_SUCCESS;
}

int channel_is_unequal_unruled(const Channel *channel)
{
    return channel->unequal && channel->unequal->n_steps == 0;
}

int channel_plan_unequal(Channel *channel, const RankPlan **plan)
{
    *plan = NULL;
    if (channel->apart || !rank_plan_may_be_unequal())
        return MPI_SUCCESS;
    if (!channel->unequal) {
        RankPlan *made = calloc(1, sizeof *made);
        int ok = made && rank_plan_make(made, channel->n, channel->rank, PLAN_UNEQUAL);
        int code = agree(channel, ok ? made : NULL);
        if (!ok || code != MPI_SUCCESS) {
            if (ok)
                rank_plan_clear(made);
            free(made);
            return code;
        }
        channel->unequal = made;
    }
    *plan = channel->apart || channel_is_unequal_unruled(channel) ? NULL : channel->unequal;
    return MPI_SUCCESS;
}

long channel_count(Channel *channel, size_t bytes)
{
    CallCount *count = channel->counts, *end = count + TRIALS_MAX;
    while (count && count < end && count->bytes != bytes && count->calls > 0)
        count++;
    if (!count || count == end)
        return -1;
    count->bytes = bytes;
    return (long)count->calls++;
}
