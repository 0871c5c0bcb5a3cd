/* What the slots of processors mean: which block lies where at the beginning, how many bytes it has, what becomes of
 * blocks that are added or worked on, and what must lie where at the end.
 *
 * A block is 64 bits that say which one it is. What it stands for is stored by the content, if at all. */
#pragma once

#include "step.h"

typedef guint64 Block;
#define BLOCK_NONE G_MAXUINT64

typedef struct Content Content;

/* For pictures: matrices whose pieces lie in the memories of processors, which are a grid. */
#define MOSAIC_MATRICES 3
#define MOSAIC_DIMENSION_MAX 6

typedef struct {
    guint rows, columns;        /* of processors */
    guint places[1 << MOSAIC_DIMENSION_MAX];    /* [node]: row x columns + column */
    guint side;                 /* a matrix has side x side blocks, all of one size but for the last; 0: not so */
    const char *names[MOSAIC_MATRICES], *legend;
    guint heights[MOSAIC_MATRICES], widths[MOSAIC_MATRICES];
    enum { MOSAIC_NONE, MOSAIC_ROWS, MOSAIC_COLUMNS } summed[MOSAIC_MATRICES];  /* what products are summed over:
                                 * the rows of one matrix, which meet the columns of another */
} Mosaic;

/* Some rows and columns of a matrix. Where processors have every n-th one, these count as if they followed each other:
 * processor 0's come first. */
typedef struct {
    guint matrix, top, left, height, width;
} MosaicPiece;

/* `add` and `operate` are NULL where no schedule of the content combines or works. */
typedef struct {
    /* What the slots[n_slots] of `node` hold at the beginning; BLOCK_NONE: nothing. */
    void (*fill)(const Content *self, guint node, Block *slots);

    /* Bytes of the blocks in `count` slots from `slot` on, and of blocks[count]; needed if block_bytes is
     * BYTES_DIFFER. The first is NULL if sizes do not follow from the numbers of slots. */
    gint64 (*bytes_of_slots)(const Content *self, guint slot, guint count);
    gint64 (*bytes_of_blocks)(const Content *self, const Block *blocks, guint count);

    /* What is in a slot that held `held` when `arriving` has been added. Where blocks have no elements, the low 32 bits
     * are the sum of theirs, and differ from block to block. */
    Block (*add)(const Content *self, Block held, Block arriving);

    /* Local work on the slots of `node`. NULL, or what is wrong: an operand is missing. Caller frees. */
    char *(*operate)(Content *self, guint node, Block *slots, const Operation *operation);

    /* Operations of arithmetic that local work takes at `node`. NULL: none. */
    gint64 (*operations)(const Content *self, guint node, const Operation *operation);

    /* Forgets the blocks that were made while a schedule was walked. NULL: none are made. */
    void (*forget)(Content *self);

    /* Bytes that the content itself stores while a schedule is walked, at most. NULL: 0. */
    gsize (*storage)(const Content *self);

    /* What local work does at `node`, for people: acts with semicolons between them, "" if it has nothing to do. NULL:
     * there is nothing to say but what the operation says. Caller frees. */
    char *(*tell)(const Content *self, guint node, const Operation *operation);

    /* Where blocks have elements, that work is done on: writes a block's elements, element_bytes each, the least byte
     * first, beyond the eighth zeros; and makes a block that is like another, with the elements that are in `bytes`.
     * NULL: blocks have no elements. */
    void (*pack)(const Content *self, Block block, guint8 *bytes);
    Block (*unpack)(Content *self, Block like, const guint8 *bytes);

    /* A block that is like another and has no elements, which stays as long as the content. NULL: every block does. */
    Block (*sketch)(Content *self, Block block);

    /* "the block from 3 to 1". Caller frees. */
    char *(*describe)(const Content *self, Block block);

    /* What the slots hold at the beginning and at the end, for people: two lines, without a newline at the end. The
     * letters: x any processor, i any other number of one, p any piece. More lines say it of every processor, where it
     * has no letters. Caller frees. */
    char *(*legend)(const Content *self);

    /* Fills in how the processors and matrices are arranged; FALSE: there is no picture of them. NULL: blocks are not
     * of matrices, and there is no `piece`. */
    gboolean (*mosaic)(const Content *self, Mosaic *out);
    MosaicPiece (*piece)(const Content *self, Block block);

    /* NULL if the slots of `node` hold at the end what they should; else what is wrong first, in a sentence. Caller
     * frees. */
    char *(*check)(const Content *self, guint node, const Block *slots);
    void (*free)(Content *self);    /* NULL: g_free() */
} ContentClass;

/* The head; each content has fields of its own behind it. */
struct Content {
    const ContentClass *class;
    gint64 block_bytes;     /* bytes of every block, or BYTES_DIFFER */
    gint64 element_bytes;   /* adding so many that arrive to others is an operation of arithmetic; 0: additions do not
                             * count */
};

#define BYTES_DIFFER (-1)

/* Bytes of the blocks in `count` slots from `slot` on; sizes must follow from the slots. */
static inline gint64 content_bytes(const Content *content, guint slot, guint count)
{
    return content->block_bytes != BYTES_DIFFER ? count * content->block_bytes
                                                : content->class->bytes_of_slots(content, slot, count);
}

/* Whether sizes of messages depend on what moves, and not on the numbers of slots alone. */
static inline gboolean content_sizes_move(const Content *content)
{
    return content->block_bytes == BYTES_DIFFER && !content->class->bytes_of_slots;
}

/* The same of blocks[count], none of them BLOCK_NONE. */
static inline gint64 content_bytes_of_blocks(const Content *content, const Block *blocks, guint count)
{
    return content->block_bytes != BYTES_DIFFER ? count * content->block_bytes
                                                : content->class->bytes_of_blocks(content, blocks, count);
}

/* An element as `bytes` bytes, least ones first, and back. */
static inline void content_pack_element(guint64 element, guint8 *at, gint64 bytes)
{
    for (gint64 i = 0; i < bytes; i++)
        at[i] = i < 8 ? (guint8)(element >> 8 * i) : 0;
}

static inline guint64 content_unpack_element(const guint8 *at, gint64 bytes)
{
    guint64 element = 0;
    for (gint64 i = 0; i < MIN(8, bytes); i++)
        element |= (guint64)at[i] << 8 * i;
    return element;
}

/* Drawn for contents whose data is numbers: output i >= 0 of splitmix64 from state 0 (Steele, Lea & Flood 2014). */
static inline guint64 content_draw(guint64 i)
{
    guint64 z = (i + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline void content_free(Content *content)
{
    if (content)
        (content->class->free ? content->class->free : (void (*)(Content *))g_free)(content);
}
