/* Decimation in time with two branches (Cooley & Tukey 1965). */
#include "transform.h"
#include "field.h"

Transform *transform_new(gsize n)
{
    Transform *transform = g_new(Transform, 1);
    *transform = (Transform){n, g_new(guint64, MAX(1, n / 2))};
    guint64 root = n ? field_root(n) : 1;
    transform->roots[0] = 1;
    for (gsize i = 1; i < n / 2; i++)
        transform->roots[i] = field_multiply(transform->roots[i - 1], root);
    return transform;
}

void transform_free(Transform *transform)
{
    if (!transform)
        return;
    g_free(transform->roots);
    g_free(transform);
}

/* The bits of each number the other way round. */
static void reverse_order(gsize n, guint64 *row)
{
    for (gsize i = 1, j = 0; i < n; i++) {
        gsize bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            guint64 kept = row[i];
            row[i] = row[j];
            row[j] = kept;
        }
    }
}

static void butterfly(guint64 *a, guint64 *b, guint64 root)
{
    guint64 turned = field_multiply(*b, root);
    *b = field_subtract(*a, turned);
    *a = field_add(*a, turned);
}

void transform_row(const Transform *transform, guint64 *row)
{
    gsize n = transform->n;
    reverse_order(n, row);
    for (gsize half = 1; half < n; half *= 2)
        for (gsize start = 0; start < n; start += 2 * half)
            for (gsize i = 0; i < half; i++)
                butterfly(&row[start + i], &row[start + half + i], transform->roots[i * (n / 2 / half)]);
}
