/* Lists of exchanges as rules name them: "direct", "partition 3,3", "radices 2,2,3", "modulo 5,8,10,11",
 * "xor 1,2,4,8,15", "4x3 1,3,4,8"; and "library", an MPI library's own algorithm, which has no offsets. */
#pragma once

#include "models/hull.h"

/* Reads `text`, a list that reaches all n processors (2 to GROUP_SIZE_MAX), or "library". Sets `group` to the group in
 * which its offsets are added. `where` begins the error message. NULL with an error. Caller frees. */
Offsets *list_read(const char *where, guint n, const char *text, const Group **group, GError **error);

/* Returns the list `offsets` as rules name it: "xor 1,2,4", "modulo 1,2,4" or "4x3 1,2,4". Caller frees. */
char *list_of_offsets(const char *offsets, const Group *group);
/* Returns the partition or radices as rules name them. Radices of a group of several factors, which rules do not
 * have, are written as offsets. Caller frees. */
char *list_of_partition(const Phases *partition, const Group *group);
/* Returns the list of a hull's face as rules name it. `by_offsets`: it is a hull of lists of offsets, not of partitions
 * or radices. Caller frees. */
char *list_of_face(const HullFace *face, const Group *group, gboolean by_offsets);
