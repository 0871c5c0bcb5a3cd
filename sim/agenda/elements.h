/* The memory of one processor whose blocks have elements (ContentClass.pack), and what is done with it while its agenda
 * is carried out: blocks are packed into messages and unpacked from them, and worked on. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Elements Elements;

/* Of processor `node`, nothing in it yet. `schedule` must outlive it. Caller frees. */
Elements *elements_new(const Schedule *schedule, guint node);
void elements_free(Elements *elements);

/* The blocks that are there at the beginning, for those of an earlier time. */
void elements_fill(Elements *elements);

/* Writes the block of a slot, which keeps it if `keeps`; puts a block that is like another, with the elements that have
 * arrived, into a slot, or adds it to what is there. */
void elements_pack(Elements *elements, guint slot, gboolean keeps, char *bytes);
void elements_land(Elements *elements, guint slot, gboolean adds, Block like, const char *bytes);

/* What follows the messages of step k of a strand, as in Step. */
typedef struct {
    guint strand, k;
    guint rotate;
    gboolean renumber;
    Operation operation;
} StepEnd;
void elements_end_step(Elements *elements, const StepEnd *end);

/* NULL, or what is wrong first in the memory at the end. Caller frees. */
char *elements_check(Elements *elements);

/* A number that tells the bytes of a message from others: FNV-1a (Fowler, Noll & Vo 1991), 64 bits. */
guint64 elements_digest(const char *bytes, gsize n);

/* The same of blocks[count] that are to be packed. */
guint64 elements_digest_blocks(const Content *content, const Block *blocks, guint count);
