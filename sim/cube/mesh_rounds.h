/* Complete exchanges on a mesh in rounds without contention.
 *
 * In a round a processor sends at most one message and receives at most one, and no channel carries two, with routes
 * along the last coordinate first. Processors are places of the mesh (topology_place()). */
#pragma once

#include "group.h"

/* Largest number of processors of a mesh for which rounds are made: with at most one side above 4, and (SEARCHED) with
 * several. */
#define MESH_ROUNDS_MAX 1024
#define MESH_ROUNDS_SEARCHED_MAX 256

typedef struct MeshRounds MeshRounds;

/* Returns the rounds of a mesh with these sides, and makes them at the first call. NULL if the mesh has too many
 * processors. Borrowed, static. */
const MeshRounds *mesh_rounds(const Group *sides);
guint mesh_rounds_count(const MeshRounds *rounds);

/* Returns the place to which `place` sends in a round; `place` itself if it sends nothing. */
guint mesh_rounds_to(const MeshRounds *rounds, guint place, guint round);
/* Returns the place from which `place` receives in a round; `place` itself if it receives nothing. */
guint mesh_rounds_from(const MeshRounds *rounds, guint place, guint round);

/* Returns a lower bound on the rounds of any exchange: N - 1 or, if more, the messages over the busiest channel. */
guint mesh_rounds_bound(const Group *sides);
