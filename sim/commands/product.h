/* What the commands on matrix multiplication have in common: matrices, a grid, a machine and a model, from options. */
#pragma once

#include "command.h"
#include "models/matmul_best.h"

extern struct ProductOptions {
    char *shape, *grid, *model;
} product_options;

#define PRODUCT_SHAPE \
    {"shape", 0, 0, G_OPTION_ARG_STRING, &product_options.shape, \
     "The matrices: C of P x Q, D of Q x R, A and E of P x R elements", "PxQxR"}
#define PRODUCT_GRID \
    {"grid", 0, 0, G_OPTION_ARG_STRING, &product_options.grid, \
     "N1 rows and N2 columns of processors; column: 1 x N, row: N x 1, any: the best one (the default)", \
     "any|column|row|N1xN2"}

/* The question and the machine it is about. */
typedef struct {
    const Machine *machine;     /* the judge's */
    MatmulQuestion q;           /* with the model that is published */
} ProductQuestion;

/* Judges machine, dimension, `least` or more, element (4 by default), packet, ports and grid. Packets without a limit
 * are optimal ones. Of a machine with constants of its own for short messages those of long ones count. */
gboolean product_parse(const CommandLine *line, Judge *judge, guint least, ProductQuestion *product, GError **error);

gboolean product_parse_shape(MatmulShape *shape, GError **error);

/* published or counted. */
gboolean product_parse_model(const char *text, MatmulModel *model, GError **error);

/* An error if the time of a choice is longer than can be counted. */
gboolean product_check_time(const MatmulChoice *choice, const MatmulShape *shape, GError **error);

/* "A <- C D + E, 16 x 16 x 16, on ipsc1: n = 4, elements of 4 bytes, packets up to 1024 bytes". Caller frees. */
char *product_describe(const ProductQuestion *product, const MatmulShape *shape);

/* Whether options are given that go with other patterns: --shape and --grid, or the keys of sizes and permutations; and
 * whether --bytes is not. FALSE with an error. */
gboolean product_refuse_options(GError **error);
gboolean product_refuse_keys(const CommandLine *line, GError **error);
gboolean product_require_bytes(const CommandLine *line, GError **error);

/* ecube tables --pattern matmul, and ecube best --pattern matmul. */
gboolean product_tables(const CommandLine *line, GError **error);
gboolean product_best(const CommandLine *line, GError **error);
