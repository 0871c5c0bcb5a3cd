#include "room.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Room *rooms;     /* rooms that no thread uses */

/* Returns a new room of `bytes`, at least ROOM_SURE, or NULL. */
static Room *room_new(size_t bytes)
{
    bytes = bytes < ROOM_SURE ? ROOM_SURE : bytes;
    Room *room = malloc(sizeof *room);
    char *memory = room ? malloc(bytes) : NULL;
    if (!memory)
        return free(room), NULL;
    *room = (Room){NULL, bytes, memory};
    return room;
}

static void room_free(Room *room)
{
    free(room->memory);
    free(room);
}

/* Takes a room out of `rooms`; NULL if there is none. */
static Room *room_pop(void)
{
    pthread_mutex_lock(&lock);
    Room *room = rooms;
    rooms = room ? room->next : NULL;
    pthread_mutex_unlock(&lock);
    return room;
}

static void room_push(Room *room)
{
    pthread_mutex_lock(&lock);
    room->next = rooms;
    rooms = room;
    pthread_mutex_unlock(&lock);
}

int room_begin(void)
{
    Room *room = room_new(ROOM_SURE);
    if (room)
        room_push(room);
    return room != NULL;
}

void room_end(void)
{
    for (Room *room = room_pop(); room; room = room_pop())
        room_free(room);
}

Room *room_take(size_t bytes)
{
    Room *room = room_pop();
    if (room && room->bytes >= bytes)
        return room;
    Room *larger = room_new(bytes);
    if (larger && room)
        room_free(room);        /* it was too small */
    else if (room)
        room_push(room);
    while (!larger && bytes <= ROOM_SURE && !(larger = room_pop()))
        sched_yield();          /* other threads have all rooms, and will give them back */
    return larger;
}

void room_give(Room *room)
{
    char *memory = room && room->bytes > ROOM_KEPT ? realloc(room->memory, ROOM_SURE) : NULL;
    if (memory)
        *room = (Room){NULL, ROOM_SURE, memory};
    if (room)
        room_push(room);
}
