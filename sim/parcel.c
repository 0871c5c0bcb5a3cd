#include "parcel.h"

#include <string.h>

/* Blocks that take as much room as so many stretches. */
static gsize room_for(guint n_stretches)
{
    return (n_stretches * sizeof(Stretch) + sizeof(Block) - 1) / sizeof(Block);
}

/* One block in one stretch, or nothing. */
#define ROOM_SMALL (1 + (sizeof(Stretch) + sizeof(Block) - 1) / sizeof(Block))
#define SIZE_SMALL (sizeof(Parcel) + ROOM_SMALL * sizeof(Block))
#define CHUNK 256

/* Makes a chunk of small parcels. */
static void add_chunk(ParcelPool *pool)
{
    char *chunk = g_malloc(CHUNK * SIZE_SMALL);
    pool->chunks = g_slist_prepend(pool->chunks, chunk);
    for (guint i = CHUNK; i-- > 0;) {
        Parcel *parcel = (Parcel *)(gpointer)(chunk + i * SIZE_SMALL);
        parcel->room = ROOM_SMALL;
        parcel_recycle(pool, parcel);
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

Parcel *parcel_new(ParcelPool *pool, guint count, guint n_stretches)
{
    gsize room = count + room_for(n_stretches);
    Parcel *parcel = room <= ROOM_SMALL ? small_parcel(pool) : large_parcel(pool, room);
    parcel->count = count;
    parcel->n_stretches = n_stretches;
    return parcel;
}

void parcel_recycle(ParcelPool *pool, Parcel *parcel)
{
    Parcel **list = parcel->room == ROOM_SMALL ? &pool->small : &pool->large;
    parcel->next = *list;
    *list = parcel;
}

void parcels_free(Parcel *parcel)
{
    while (parcel) {
        Parcel *next = parcel->next;
        if (parcel->room != ROOM_SMALL)
            g_free(parcel);
        parcel = next;
    }
}

void parcel_pool_clear(ParcelPool *pool)
{
    parcels_free(pool->large);
    g_slist_free_full(pool->chunks, g_free);
    *pool = (ParcelPool){0};
}

static const Stretch *stretches(const Parcel *parcel)
{
    return (const Stretch *)(gconstpointer)(parcel->load + parcel->count);
}

void parcel_take(Parcel *parcel, Memory *memory, const Step *step, const Send *send)
{
    const Stretch *from = step_stretch(step, send, 0);
    Block *blocks = parcel->load;
    memcpy(parcel->load + parcel->count, from, send->n_stretches * sizeof *from);
    for (guint i = 0; i < send->n_stretches; blocks += from[i++].count)
        memory_take(memory, parcel->source, from[i].slot, from[i].count, blocks);
}

void parcel_land(const Parcel *parcel, Memory *memory)
{
    const Stretch *to = stretches(parcel);
    const Block *blocks = parcel->load;
    for (guint i = 0; i < parcel->n_stretches; blocks += to[i++].count)
        memory_land(memory, parcel->destination, to[i].landing, to[i].count, blocks);
}
