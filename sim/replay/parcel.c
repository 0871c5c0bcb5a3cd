#include "parcel.h"

#include <string.h>

/* Returns the number of Blocks that n_stretches Stretches occupy, rounded up. */
static gsize room_for(guint n_stretches)
{
    return (n_stretches * sizeof(Stretch) + sizeof(Block) - 1) / sizeof(Block);
}

/* Room of a small parcel, in Blocks: enough for one block and one stretch. */
#define ROOM_SMALL (1 + (sizeof(Stretch) + sizeof(Block) - 1) / sizeof(Block))
#define SIZE_SMALL (sizeof(Parcel) + ROOM_SMALL * sizeof(Block))
#define CHUNK 256

static void put_back(ParcelPool *pool, Parcel *parcel)
{
    Parcel **list = parcel->room == ROOM_SMALL ? &pool->small : &pool->large;
    parcel->next = *list;
    *list = parcel;
}

static void add_chunk(ParcelPool *pool)
{
    char *chunk = g_malloc(CHUNK * SIZE_SMALL);
    pool->chunks = g_slist_prepend(pool->chunks, chunk);
    for (guint i = CHUNK; i-- > 0;) {
        Parcel *parcel = (Parcel *)(gpointer)(chunk + i * SIZE_SMALL);
        parcel->room = ROOM_SMALL;
        put_back(pool, parcel);
    }
}

static Parcel *small_parcel(ParcelPool *pool)
{
    if (!pool->small)
        add_chunk(pool);
    Parcel *parcel = pool->small;
    pool->small = parcel->next;
    return parcel;
}

static Parcel *large_parcel(ParcelPool *pool, gsize room)
{
    Parcel *parcel = pool->large;
    if (parcel)
        pool->large = parcel->next;
    if (!parcel || parcel->room < room) {
        parcel = g_realloc(parcel, sizeof *parcel + room * sizeof *parcel->load);
        parcel->room = (guint)room;
    }
    return parcel;
}

static Stretch *stretches(Parcel *parcel)
{
    return parcel->shared ? &g_array_index(parcel->shared, Stretch, parcel->first)
                          : (Stretch *)(gpointer)(parcel->load + parcel->count);
}

const Stretch *parcel_stretches(const Parcel *parcel)
{
    return stretches((Parcel *)parcel);
}

Parcel *parcel_new(ParcelPool *pool, guint count, const Step *step, const Send *send)
{
    gboolean shared = send && step_shares(step);
    guint n_stretches = send ? send->n_stretches : 0;
    gsize room = count + (shared ? 0 : room_for(n_stretches));
    Parcel *parcel = room <= ROOM_SMALL ? small_parcel(pool) : large_parcel(pool, room);
    parcel->count = count;
    parcel->n_stretches = n_stretches;
    parcel->transfer = send ? send->transfer : TRANSFER_MOVE;
    parcel->shared = shared ? g_array_ref(step->stretches) : NULL;
    if (shared)
        parcel->first = send->first;
    else if (send)
        memcpy(stretches(parcel), step_stretch(step, send, 0), n_stretches * sizeof(Stretch));
    return parcel;
}

static void unload(Parcel *parcel)
{
    g_clear_pointer(&parcel->shared, g_array_unref);
}

void parcel_recycle(ParcelPool *pool, Parcel *parcel)
{
    unload(parcel);
    put_back(pool, parcel);
}

/* Frees a list of parcels; small ones stay in their pool. */
static void free_parcels(Parcel *parcel)
{
    while (parcel) {
        Parcel *next = parcel->next;
        unload(parcel);
        if (parcel->room != ROOM_SMALL)
            g_free(parcel);
        parcel = next;
    }
}

void parcel_pool_clear(ParcelPool *pool)
{
    free_parcels(pool->large);      /* small parcels lie in pool->chunks */
    g_slist_free_full(pool->chunks, g_free);
    *pool = (ParcelPool){0};
}

static gint64 parcel_bytes_of_slots(const Content *content, const Step *step, const Send *send)
{
    gint64 bytes = 0;
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(step, send, i);
        bytes += content_bytes(content, stretch->slot, stretch->count);
    }
    return bytes;
}

gint64 parcel_weigh(const Content *content, const Step *step, const Send *send, const Parcel *parcel)
{
    return content_sizes_move(content) ? content->class->bytes_of_blocks(content, parcel->load, parcel->count)
                                       : parcel_bytes_of_slots(content, step, send);
}

/* --- mailboxes --- */

#define BITS_FIRST 2

static gsize n_lists(const Mailbox *mailbox)
{
    return mailbox->bits ? (gsize)1 << mailbox->bits : 0;
}

/* Returns the list for `source`; the factor (2^32 over the golden ratio) spreads sources that differ in few bits. */
static Parcel **mailbox_list_of(const Mailbox *mailbox, guint source)
{
    return &mailbox->table[(guint32)(source * 2654435769u) >> (32 - mailbox->bits)];
}

/* Appends the parcel to the list of its source. */
static void mailbox_enter(Mailbox *mailbox, Parcel *parcel)
{
    Parcel **link = mailbox_list_of(mailbox, parcel->source);
    while (*link)
        link = &(*link)->next;
    parcel->next = NULL;
    *link = parcel;
}

/* Doubles the table, or allocates it. */
static void mailbox_grow(Mailbox *mailbox)
{
    gsize n_old = n_lists(mailbox);
    g_autofree Parcel **old = mailbox->table;
    mailbox->bits = old ? mailbox->bits + 1 : BITS_FIRST;
    mailbox->table = g_new0(Parcel *, n_lists(mailbox));
    for (gsize i = 0; i < n_old; i++)
        for (Parcel *parcel = old[i], *next; parcel; parcel = next) {
            next = parcel->next;
            mailbox_enter(mailbox, parcel);
        }
}

void mailbox_put(Mailbox *mailbox, Parcel *parcel)
{
    if (mailbox->count++ == n_lists(mailbox))
        mailbox_grow(mailbox);
    mailbox_enter(mailbox, parcel);
}

Parcel *mailbox_take(Mailbox *mailbox, guint source)
{
    if (mailbox->count == 0)
        return NULL;
    Parcel **link = mailbox_list_of(mailbox, source);
    while (*link && (*link)->source != source)
        link = &(*link)->next;
    Parcel *found = *link;
    if (found) {
        *link = found->next;
        mailbox->count--;
    }
    return found;
}

const Parcel *mailbox_first(const Mailbox *mailbox)
{
    const Parcel *first = NULL;
    for (gsize i = 0; i < n_lists(mailbox); i++)
        for (const Parcel *parcel = mailbox->table[i]; parcel; parcel = parcel->next)
            if (!first || parcel->source < first->source)
                first = parcel;
    return first;
}

void mailbox_clear(Mailbox *mailbox)
{
    for (gsize i = 0; i < n_lists(mailbox); i++)
        free_parcels(mailbox->table[i]);
    g_free(mailbox->table);
    *mailbox = (Mailbox){0};
}
