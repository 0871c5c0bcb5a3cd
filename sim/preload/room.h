/* Memory of exchanges, shared by all communicators: a thread takes a room and gives it back. Rooms are
 * kept for the next exchange, larger ones than ROOM_KEPT bytes with ROOM_SURE bytes only. There is always a room, so
 * that room_take() of ROOM_SURE bytes waits at most for other threads. */
#pragma once

#include <stddef.h>

#define ROOM_SURE ((size_t)4 << 20)     /* bytes that room_take() always has, once room_begin() has succeeded */
#define ROOM_KEPT ((size_t)64 << 20)

typedef struct Room {
    struct Room *next;
    size_t bytes;
    char *memory;           /* [bytes] */
} Room;

/* Allocates the first room. Returns nonzero on success. */
int room_begin(void);

void room_end(void);

/* Returns a room of at least `bytes` bytes, to be given back with room_give(); NULL: there is no memory, and `bytes`
 * is more than ROOM_SURE. */
Room *room_take(size_t bytes);
void room_give(Room *room);
