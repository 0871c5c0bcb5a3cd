#include "seal.h"

char *seal_make(const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    return g_strndup(sum, SEAL_DIGITS);
}
