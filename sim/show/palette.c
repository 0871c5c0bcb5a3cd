#include "palette.h"
#include "sim/patterns/registry.h"

#include <string.h>

#define OKABE_ITO 7
#define NO_COLOUR G_MAXUINT

const char *const palette[PALETTE_SIZE] = {"#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00",
                                           "#56B4E9", "#707070", "#8C5A2B", "#5E3C99", "#7A8B00", "#A50026"};

/* Returns the algorithm's place among its pattern's algorithms, modulo PALETTE_SIZE. PALETTE_SIZE if the pattern or the
 * algorithm is unknown. */
static guint palette_of_algorithm(const char *pattern, const char *algorithm)
{
    const Pattern *found = pattern_find("", pattern, NULL);
    g_autofree const char **names = found ? algorithm_names(found->reverse ? found->reverse : found) : NULL;
    for (guint i = 0; names && names[i]; i++)
        if (strcmp(names[i], algorithm) == 0)
            return i % PALETTE_SIZE;
    return PALETTE_SIZE;
}

void palette_choose(const char *pattern, const char *const *names, const char *const *algorithms, guint n,
                    guint *colours)
{
    guint used[PALETTE_SIZE] = {0};
    g_autoptr(GHashTable) firsts = g_hash_table_new(g_str_hash, g_str_equal);   /* maps a name to the index of its first
                                                                                 * curve */
    for (guint i = 0; i < n; i++) {
        colours[i] = NO_COLOUR;
        if (g_hash_table_contains(firsts, names[i]))
            continue;
        g_hash_table_insert(firsts, (gpointer)names[i], GUINT_TO_POINTER(i));
        guint own = palette_of_algorithm(pattern, algorithms[i]);
        if (own < PALETTE_SIZE && !used[own]) {
            colours[i] = own;
            used[own] = 1;
        }
    }
    for (guint i = 0; i < n; i++) {
        guint first = GPOINTER_TO_UINT(g_hash_table_lookup(firsts, names[i])), least = 0;
        if (first < i)
            colours[i] = colours[first];
        if (colours[i] != NO_COLOUR)
            continue;
        for (guint c = 1; c < PALETTE_SIZE; c++)
            if (used[c] < used[least])
                least = c;
        colours[i] = least + PALETTE_SIZE * used[least]++;
    }
}

const char *palette_of_parts(guint n_parts, guint dimension)
{
    guint standard = palette_of_algorithm("complete-exchange", "standard"),
          direct = palette_of_algorithm("complete-exchange", "direct");
    if (n_parts <= 1 || n_parts >= dimension)
        return palette[n_parts <= 1 ? direct : standard];
    guint left = (n_parts - 2) % (PALETTE_SIZE - 2), colour = 0;
    while (colour == standard || colour == direct || left-- > 0)
        colour++;
    return palette[colour];
}

char *palette_shade(guint i, guint n)
{
    static const guint8 shades[][3] = {{0x00, 0x72, 0xB2}, {0x00, 0x9E, 0x73}, {0xE6, 0x9F, 0x00}, {0xD5, 0x5E, 0x00}};
    if (n <= OKABE_ITO)
        return g_strdup(palette[i]);
    guint at = 3 * i / (n - 1), from = MIN(at, 2), part = 3 * i - from * (n - 1), rgb[3];
    for (guint c = 0; c < 3; c++)
        rgb[c] = (shades[from][c] * (n - 1 - part) + shades[from + 1][c] * part) / (n - 1);
    return g_strdup_printf("#%02X%02X%02X", rgb[0], rgb[1], rgb[2]);
}
