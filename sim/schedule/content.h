/* The meaning of slots: the block in each slot at the beginning, its bytes, the results of adding and working, and
 * the block that must be in each slot at the end.
 *
 * A block is a 64-bit identity. Data that it stands for is stored by the content, if at all. */
#pragma once

#include "step.h"

typedef guint64 Block;
#define BLOCK_NONE G_MAXUINT64

typedef struct Content Content;

/* Limits of a Mosaic: its number of matrices, and the dimension of its cube. */
#define MOSAIC_MATRICES 3
#define MOSAIC_DIMENSION_MAX 6

/* Picture of matrices whose pieces lie in the memories of a grid of processors. */
typedef struct {
    guint rows, columns;        /* rows and columns of processors in the picture */
    guint places[1 << MOSAIC_DIMENSION_MAX];    /* [node]: place of the processor in the picture, row x columns +
                                                 * column */
    guint side;                 /* number of rows of blocks, and of columns of blocks, in each matrix; the last ones may
                                 * be smaller. 0: matrices are cut otherwise */
    const char *names[MOSAIC_MATRICES], *legend;
    guint heights[MOSAIC_MATRICES], widths[MOSAIC_MATRICES];
    enum { MOSAIC_NONE, MOSAIC_ROWS, MOSAIC_COLUMNS } summed[MOSAIC_MATRICES];  /* whether products
                                 * sum over the rows of the matrix, over its columns, or over neither */
} Mosaic;

/* Rectangle of a matrix in a picture, counted in elements. If a processor has every n-th row (or column), the picture
 * shows these rows together, those of the first processor first. */
typedef struct {
    guint matrix, top, left, height, width;
} MosaicPiece;

/* Whether the blocks that processor x has at the beginning and at the end follow from those of processor 0: by
 * translating each by x (ContentClass.carry). */
typedef enum {
    CARRY_NONE,         /* the relation is not known */
    CARRY_STAYS,        /* translated, in the same slots */
    CARRY_SHIFTS        /* translated; on a cube, slot i of processor x has what slot i xor x of processor 0 has */
} ContentCarry;

/* The functions of a content. `add` and `operate` are NULL if no schedule of the content combines or works. */
typedef struct {
    /* Fills in the blocks in slots[n_slots] of `node` at the beginning; BLOCK_NONE for an empty slot. */
    void (*fill)(const Content *self, guint node, Block *slots);

    /* bytes_of_slots() returns the bytes of the blocks in `count` slots from `slot` on; NULL: sizes do not follow from
     * the numbers of slots. bytes_of_blocks() returns the bytes of blocks[count]. If block_bytes is not BYTES_DIFFER,
     * neither is needed. */
    gint64 (*bytes_of_slots)(const Content *self, guint slot, guint count);
    gint64 (*bytes_of_blocks)(const Content *self, const Block *blocks, guint count);

    /* Returns the sum of `held`, the block in a slot, and `arriving`. If `pack` is NULL, the low 32 bits of the Blocks
     * are added: payload_key() makes bytes of them. So these bits should differ from block to block. */
    Block (*add)(const Content *self, Block held, Block arriving);

    /* Does local work on the slots of `node`. Returns the fault, an operand that is missing, or NULL. Caller frees. */
    char *(*operate)(Content *self, guint node, Block *slots, const Operation *operation);

    /* Returns the number of operations of arithmetic that local work takes at `node`. NULL: none. */
    gint64 (*operations)(const Content *self, guint node, const Operation *operation);

    /* Frees the blocks that were made while a schedule was walked. NULL: none are made. */
    void (*forget)(Content *self);

    /* Returns the most bytes that the content stores while a schedule is walked. NULL: 0. */
    gsize (*storage)(const Content *self);

    /* Returns the local work at `node` in words: acts with semicolons between them, "" for no work. NULL: there are
     * no words beyond the operation's. Caller frees. */
    char *(*work_text)(const Content *self, guint node, const Operation *operation);

    /* pack() writes the elements of a block to `bytes`. unpack() returns a block like `like` with the elements in
     * `bytes`. Each element has element_bytes, the least byte first, zeros from the ninth byte on. Local work computes
     * with elements. NULL: blocks have no elements. */
    void (*pack)(const Content *self, Block block, guint8 *bytes);
    Block (*unpack)(Content *self, Block like, const guint8 *bytes);

    /* Returns a block like `block` but without elements, valid as long as the content. NULL: every block is valid as
     * long as the content. */
    Block (*sketch)(Content *self, Block block);

    /* Returns how the blocks of all processors, at the beginning and at the end, follow from those of processor 0.
     * NULL: CARRY_NONE. */
    ContentCarry (*carries)(const Content *self);

    /* Returns `block` carried by `by`: `by` is added to the processors that the block is about. BLOCK_NONE stays. */
    Block (*carry)(const Content *self, Block block, guint by);

    /* Returns the block in words: "the block from 3 to 1". Caller frees. */
    char *(*describe)(const Content *self, Block block);

    /* Returns the contents of slots in words: a line for the beginning and a line for the end, without a newline. x is
     * any processor, i any slot or owner, p any piece; the text explains other letters. If letters cannot give the
     * slots, a line for each processor follows the first line. Caller frees. */
    char *(*legend)(const Content *self);

    /* Fills in the arrangement of processors and matrices. Returns FALSE if there is no picture of them. NULL:
     * blocks are not of matrices, and there is no `piece`. */
    gboolean (*mosaic)(const Content *self, Mosaic *out);
    MosaicPiece (*piece)(const Content *self, Block block);

    /* Checks the slots of `node` at the end. Returns the first fault, a sentence, or NULL. Caller frees. */
    char *(*check)(const Content *self, guint node, const Block *slots);
    void (*free)(Content *self);    /* NULL: g_free() */
} ContentClass;

/* The head of a content; each content has fields of its own behind it. */
struct Content {
    const ContentClass *class;
    gint64 block_bytes;     /* bytes of every block if all are equal, else BYTES_DIFFER */
    gint64 element_bytes;   /* number of arriving bytes whose addition is one operation of arithmetic; 0: additions do
                             * not count */
};

#define BYTES_DIFFER (-1)

/* Returns the bytes of the blocks in `count` slots from `slot` on; sizes must follow from the slots. */
static inline gint64 content_bytes(const Content *content, guint slot, guint count)
{
    return content->block_bytes != BYTES_DIFFER ? count * content->block_bytes
                                                : content->class->bytes_of_slots(content, slot, count);
}

/* Whether the size of a message depends on the blocks that it carries, and not on the numbers of its slots alone. */
static inline gboolean content_sizes_move(const Content *content)
{
    return content->block_bytes == BYTES_DIFFER && !content->class->bytes_of_slots;
}

/* Returns the bytes of blocks[count], none of which is BLOCK_NONE. */
static inline gint64 content_bytes_of_blocks(const Content *content, const Block *blocks, guint count)
{
    return content->block_bytes != BYTES_DIFFER ? count * content->block_bytes
                                                : content->class->bytes_of_blocks(content, blocks, count);
}

/* Writes an element as `bytes` bytes, the least byte first. */
static inline void content_pack_element(guint64 element, guint8 *at, gint64 bytes)
{
    for (gint64 i = 0; i < bytes; i++)
        at[i] = i < 8 ? (guint8)(element >> 8 * i) : 0;
}

/* Returns the element that `bytes` bytes stand for, the least byte first. */
static inline guint64 content_unpack_element(const guint8 *at, gint64 bytes)
{
    guint64 element = 0;
    for (gint64 i = 0; i < MIN(8, bytes); i++)
        element |= (guint64)at[i] << 8 * i;
    return element;
}

/* Returns pseudorandom number i >= 0, to be used as data: output i of splitmix64 from state 0 (Steele, Lea & Flood
 * 2014). */
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
