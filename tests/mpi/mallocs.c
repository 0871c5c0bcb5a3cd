/* A library to be loaded before others: counts what libecube-mpi.so, libecube and GLib allocate between mallocs_begin()
 * and mallocs_end(), by the place that calls. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void mallocs_begin(void);
int mallocs_end(void);
void *malloc(size_t bytes);
void *calloc(size_t n, size_t bytes);
void *realloc(void *memory, size_t bytes);

static int counting, n_calls;

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

void *malloc(size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_calloc(n, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    count(__builtin_return_address(0));
    return __libc_realloc(memory, bytes);
}
