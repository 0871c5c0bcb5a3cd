/* An example for other programs: the best partition for a block size, looked up without SimGrid. Links models/ and GLib
 * only: cc example_best.c models/[a-z]*.c $(pkg-config --cflags --libs glib-2.0) -lm
 *
 * The hull is found once, in Θ(√d); a lookup is a binary search over its faces and costs some ten nanoseconds. */
#include "models/hull.h"

#include <stdio.h>

int main(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Machine) machine = machine_load("platforms", "machine", "ipsc860", &error);
    if (!machine) {
        fprintf(stderr, "%s\n", error->message);
        return 2;
    }
    g_autoptr(Hull) hull = hull_of_machine(machine, 7, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
    for (double bytes = 1; bytes < 1000; bytes *= 4) {
        const HullFace *face = hull_lookup(hull, bytes);
        g_autofree char *partition = partition_format(&face->partition);
        printf("%4.0f bytes: partition %-6s %8.1f us\n", bytes, partition, exchange_line_at(face->line, bytes) / 1e6);
    }
    return 0;
}
