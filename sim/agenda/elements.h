/* The memory of one processor whose blocks have elements, and what is done with it while an agenda is carried out. */
#pragma once

#include "agenda.h"

/* Of processor `node`, nothing in it yet. Caller frees. */
Elements *elements_new(const Schedule *schedule, guint node);
void elements_free(Elements *elements);

/* The blocks that are there at the beginning, for those of an earlier time. */
void elements_fill(Elements *elements);

/* Messages, in the stage at `bytes`. */
void elements_pack(Elements *elements, const Agenda *agenda, const AgendaMessage *message, char *bytes);
void elements_land(Elements *elements, const Agenda *agenda, const AgendaMessage *message, const char *bytes);

/* Shuffles, renumbers and works as the step says. */
void elements_end_step(Elements *elements, const AgendaStep *step);

/* NULL, or what is wrong first in the memory at the end. Caller frees. */
char *elements_check(Elements *elements);

/* A number that tells the bytes of a message from others: FNV-1a (Fowler, Noll & Vo 1991), 64 bits. */
guint64 elements_digest(const char *bytes, gsize n);

/* The same of blocks[count] that are to be packed. */
guint64 elements_digest_blocks(const Content *content, const Block *blocks, guint count);
