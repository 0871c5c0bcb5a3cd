/* Complete exchanges on a mesh in rounds without contention.
 *
 * In a round a processor sends at most one message and receives at most one, and no channel carries two, with routes
 * along the last coordinate first. Processors are places of the mesh (topology_place()). */
#pragma once

#include "group.h"

/* Most processors of a mesh for which rounds are made, and of one for which they have to be searched for. */
#define MESH_ROUNDS_MAX 1024
#define MESH_ROUNDS_SEARCHED_MAX 256

typedef struct MeshRounds MeshRounds;

/* Returns the rounds of a mesh with these sides; makes them at the first call. NULL: there are too many processors.
 * Borrowed, static. */
const MeshRounds *mesh_rounds(const Group *sides);
guint mesh_rounds_count(const MeshRounds *rounds);

/* Returns the place to which `place` sends in a round, or from which it receives; `place` itself if there is none. */
guint mesh_rounds_to(const MeshRounds *rounds, guint place, guint round);
guint mesh_rounds_from(const MeshRounds *rounds, guint place, guint round);

/* Returns the number of rounds that any exchange takes at least: N - 1, or the messages over the busiest channel. */
guint mesh_rounds_bound(const Group *sides);
