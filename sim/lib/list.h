/* Lists of exchanges as rules name them: "direct", "partition 3,3", "radices 2,2,3", "xor 1,2,4,8,15",
 * "modulo 5,8,10,11", "4x3 1,3,4,8"; and "library", what an MPI library does by itself, which has no offsets. */
#pragma once

#include "models/hull.h"

/* Reads a list on n processors, 2 to GROUP_SIZE_MAX, that reaches all of them, or "library"; and the group in which its
 * offsets are added. `where` begins the error message. NULL with an error. Caller frees. */
Offsets *list_read(const char *where, guint n, const char *text, const Group **group, GError **error);

/* Of offsets as text, of a partition or radices, and of the face of a hull of partitions or, if `by_offsets`, of lists.
 * Caller frees. */
char *list_of_offsets(const char *offsets, const Group *group);
char *list_of_partition(const Partition *partition, const Group *group);
char *list_of_face(const HullFace *face, const Group *group, gboolean by_offsets);
