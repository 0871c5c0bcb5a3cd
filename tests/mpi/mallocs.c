/* A library to be loaded before others: counts what libecube-mpi.so, libecube and GLib allocate between mallocs_begin()
 * and mallocs_end(), by the place that calls; and refuses libecube-mpi.so the sizes that mallocs_fail() names. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void mallocs_begin(void);
int mallocs_end(void);
void mallocs_fail(size_t least, size_t most);
void *malloc(size_t bytes);
void *calloc(size_t n, size_t bytes);
void *realloc(void *memory, size_t bytes);

static int counting, n_calls;
static size_t fail_least = SIZE_MAX, fail_most;     /* none */

static void count(const void *caller)
{
    Dl_info info;
    if (!counting)
        return;
    counting = 0;   /* dladdr() may allocate */
    n_calls += dladdr(caller, &info) && (strstr(info.dli_fname, "libecube") || strstr(info.dli_fname, "libglib"));
    counting = 1;
}

void mallocs_begin(void)
{
    n_calls = 0;
    counting = 1;
}

int mallocs_end(void)
{
    counting = 0;
    return n_calls;
}

void mallocs_fail(size_t least, size_t most)
{
    fail_least = least;
    fail_most = most;
}

static int fails(const void *caller, size_t bytes)
{
    Dl_info info;
    return fail_least <= bytes && bytes <= fail_most && dladdr(caller, &info) && strstr(info.dli_fname, "libecube-mpi");
}

void *malloc(size_t bytes)
{
    count(__builtin_return_address(0));
    return fails(__builtin_return_address(0), bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    count(__builtin_return_address(0));
    return fails(__builtin_return_address(0), n * bytes) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    count(__builtin_return_address(0));
    return fails(__builtin_return_address(0), bytes) ? NULL : __libc_realloc(memory, bytes);
}
