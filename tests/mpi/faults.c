/* faults CASE [RANK LEAST MOST]: programs that are valid MPI, and that a library which is loaded before MPI may harm.
 * CASE is a row of the table below. Rank 0 prints "right", or what was wrong. With mallocs.c, allocations of LEAST to
 * MOST bytes by libecube-mpi.so fail at RANK. */
#include <dlfcn.h>
#include <execinfo.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of mallocs.c, if that is loaded. */
__attribute__((weak)) void mallocs_begin(void);
__attribute__((weak)) int mallocs_end(void);
__attribute__((weak)) void mallocs_fail(size_t least, size_t most);

/* Exchanges blocks of `count` integers on a communicator, in place if asked. Returns the number of wrong ones. */
static int exchange(MPI_Comm comm, int count, int in_place)
{
    int rank, n, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    int *out = malloc((size_t)n * (size_t)count * sizeof *out), *in = malloc((size_t)n * (size_t)count * sizeof *in);
    for (int i = 0; i < n * count; i++) {
        out[i] = rank * 1000003 + i;
        in[i] = in_place ? out[i] : -1;
    }
    MPI_Alltoall(in_place ? MPI_IN_PLACE : out, count, MPI_INT, in, count, MPI_INT, comm);
    for (int i = 0; i < n * count; i++)
        wrong += in[i] != i / count * 1000003 + rank * count + i % count;
    free(out);
    free(in);
    return wrong;
}

static long resident_kib(const char *which)
{
    long kib = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, which, strlen(which)) == 0)
            kib = atol(line + strlen(which));
    if (file)
        fclose(file);
    return kib;
}

/* --- threads --- */

static void *exchange_in_thread(void *comm)
{
    return (void *)(long)exchange(*(MPI_Comm *)comm, 2, 0);
}

/* Rank 0 exchanges on two communicators at a time, the others on one after the other. */
static int by_threads(void)
{
    int rank, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; i++) {
        MPI_Comm both[2];
        pthread_t threads[2];
        void *more[2];
        for (int k = 0; k < 2; k++)
            MPI_Comm_dup(MPI_COMM_WORLD, &both[k]);
        for (int k = 0; k < 2 && rank == 0; k++)
            pthread_create(&threads[k], NULL, exchange_in_thread, &both[k]);
        for (int k = 0; k < 2 && rank == 0; k++)
            pthread_join(threads[k], &more[k]);
        wrong += rank == 0 ? (more[0] || more[1]) : exchange(both[1], 2, 0) + exchange(both[0], 2, 0);
        MPI_Comm_free(&both[0]);
        MPI_Comm_free(&both[1]);
    }
    return wrong;
}

/* --- communicators --- */

static int many_communicators(void)
{
    enum { MANY = 1100 };
    MPI_Comm *comms = malloc(MANY * sizeof *comms);
    int wrong = 0;
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        wrong += exchange(comms[i], 2, 0);
    }
    for (int i = 0; i < MANY; i++) {
        wrong += exchange(comms[i], 2, 0);
        MPI_Comm_free(&comms[i]);
    }
    free(comms);
    return wrong;
}

static int n_copied, n_wrong_in_delete;

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    n_copied++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    n_wrong_in_delete += exchange(comm, 2, 0);
    return MPI_SUCCESS;
}

/* MPI_Alltoall copies no attributes, and an attribute may exchange when it is deleted. */
static int callbacks(void)
{
    int key, wrong = 0;
    long before = 0;
    MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    for (int i = 0; i < 400; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_attr(comm, key, &key);
        wrong += exchange(comm, 2, 0);
        MPI_Comm_free(&comm);
        before = i == 100 ? resident_kib("VmRSS:") : before;
    }
    MPI_Comm_free_keyval(&key);
    return wrong + n_copied + n_wrong_in_delete + (resident_kib("VmRSS:") - before > 1024);
}

/* --- types --- */

/* Absolute addresses: on the sending side, on the receiving side, on both, in place. */
static int absolute_addresses(void)
{
    enum { BLOCK = 30 };
    int rank, n, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int *out = malloc((size_t)n * BLOCK * sizeof *out), *in = malloc((size_t)n * BLOCK * sizeof *in);
    MPI_Aint address[2], least = BLOCK * sizeof *out;
    MPI_Datatype absolute[2];
    MPI_Get_address(out, &address[0]);
    MPI_Get_address(in, &address[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Datatype type;
        MPI_Type_create_hindexed_block(1, BLOCK, &address[k], MPI_INT, &type);
        MPI_Type_create_resized(type, address[k], least, &absolute[k]);
        MPI_Type_commit(&absolute[k]);
        MPI_Type_free(&type);
    }
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < n * BLOCK; i++) {
            out[i] = rank * 1000003 + i;
            in[i] = way == 3 ? out[i] : -1;
        }
        if (way == 3)
            MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, MPI_BOTTOM, 1, absolute[1], MPI_COMM_WORLD);
        else
            MPI_Alltoall(way == 1 ? out : MPI_BOTTOM, way == 1 ? BLOCK : 1, way == 1 ? MPI_INT : absolute[0],
                         way == 0 ? in : MPI_BOTTOM, way == 0 ? BLOCK : 1, way == 0 ? MPI_INT : absolute[1],
                         MPI_COMM_WORLD);
        for (int i = 0; i < n * BLOCK; i++)
            wrong += in[i] != i / BLOCK * 1000003 + rank * BLOCK + i % BLOCK;
    }
    MPI_Type_free(&absolute[0]);
    MPI_Type_free(&absolute[1]);
    free(out);
    free(in);
    return wrong;
}

/* A type that is bytes in order takes no copy: the process grows by less than its blocks. */
static int contiguous_types(void)
{
    enum { INTEGERS = 1 << 22 };
    int rank, n, wrong = 0;
    MPI_Datatype type;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Type_contiguous(INTEGERS, MPI_INT, &type);
    MPI_Type_commit(&type);
    size_t bytes = (size_t)n * INTEGERS * sizeof(int);
    int *out = malloc(bytes), *in = malloc(bytes);
    memset(out, rank, bytes);
    memset(in, -1, bytes);
    long before = resident_kib("VmHWM:");
    MPI_Alltoall(out, 1, type, in, 1, type, MPI_COMM_WORLD);
    wrong += resident_kib("VmHWM:") - before > (long)bytes / 2048;
    for (int p = 0; p < n; p++)
        wrong += ((char *)in)[(size_t)p * INTEGERS * sizeof(int)] != p;
    MPI_Type_free(&type);
    free(out);
    free(in);
    return wrong;
}

/* --- memory --- */

/* Large exchanges in place on several communicators leave no memory behind for each. */
static int memory_stays_free(void)
{
    int wrong = 0;
    MPI_Comm comms[5];
    long before = 0;
    for (int i = 0; i < 5; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        wrong += exchange(comms[i], 6 << 20, 1);
        before = i == 0 ? resident_kib("VmRSS:") : before;
    }
    wrong += resident_kib("VmRSS:") - before > 100 << 10;
    for (int i = 0; i < 5; i++)
        MPI_Comm_free(&comms[i]);
    return wrong;
}

/* One rank has no memory for a copy of its blocks, which only an exchange by a list needs. */
static int one_without_memory(void)
{
    int rank, n, wrong = 0, count = 8 << 20;
    struct rlimit limit;
    long pages = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    exchange(MPI_COMM_WORLD, 1, 1);
    exchange(MPI_COMM_WORLD, 100, 1);
    int *in = malloc((size_t)n * (size_t)count * sizeof *in);
    for (int i = 0; i < n * count; i++)
        in[i] = rank * 1000003 + i;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        return 1;
    fclose(file);
    getrlimit(RLIMIT_AS, &limit);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)getpagesize() + ((rlim_t)count * sizeof *in) * 2;
    if (rank == 1)
        setrlimit(RLIMIT_AS, &limit);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, MPI_COMM_WORLD);
    limit.rlim_cur = before;
    setrlimit(RLIMIT_AS, &limit);
    for (int i = 0; i < n * count; i++)
        wrong += in[i] != i / count * 1000003 + rank * count + i % count;
    free(in);
    return wrong;
}

/* A second round through 17 sizes allocates nothing, if mallocs.c is loaded. */
static int many_sizes(void)
{
    int wrong = 0;
    for (int round = 0; round < 2; round++) {
        if (round == 1 && mallocs_begin)
            mallocs_begin();
        for (int i = 1; i <= 17; i++)
            wrong += exchange(MPI_COMM_WORLD, i, 0);
    }
    return wrong + (mallocs_end && mallocs_end());
}

static int n_handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    n_handled++;
}

/* Exchanges blocks of 1.5 MiB between 3 ranks by MPI_Alltoallv. Returns the class of the error. */
static int exchange_unequal(MPI_Comm comm)
{
    enum { BYTES = 3 << 19 };
    int class, counts[] = {BYTES, BYTES, BYTES}, places[] = {0, BYTES, 2 * BYTES};
    char *out = calloc(3, BYTES), *in = calloc(3, BYTES);
    MPI_Error_class(MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, comm), &class);
    free(out);
    free(in);
    return class;
}

/* Rank 1 of 3 has no memory: for blocks that arrive there, one of them for rank 2; for another room behind a large
 * exchange; for a communicator. Needs mallocs.c, and modulo 1,1 for unequal blocks. */
static int one_is_refused(void)
{
    int rank, code, class, wrong = 0;
    MPI_Errhandler handler;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    if (rank == 1)
        mallocs_fail(1 << 20, (4 << 20) - 1);
    wrong += exchange_unequal(MPI_COMM_WORLD) != (rank == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    wrong += n_handled != (rank == 0 ? 0 : 1);
    if (rank == 1)
        mallocs_fail(4 << 20, 4 << 20);
    wrong += exchange(MPI_COMM_WORLD, 6 << 20, 1);
    if (rank == 1)
        mallocs_fail(0, 64 << 20);
    wrong += exchange(MPI_COMM_WORLD, 2, 1);
    n_handled = 0;
    code = MPI_Alltoall(&rank, 1, MPI_INT, &class, 1, MPI_INT, MPI_COMM_SELF);
    MPI_Error_class(code, &class);
    wrong += class != (rank == 1 ? MPI_ERR_NO_MEM : MPI_SUCCESS) || n_handled != (rank == 1);
    MPI_Errhandler_free(&handler);
    return wrong;
}

/* --- mistakes --- */

typedef int (*Alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);

/* Makes mistake number k by a function. Returns the class of the error; -1: there is no such mistake. */
static int mistake(int k, Alltoall alltoall, int *in, int *out, MPI_Comm comm)
{
    int code, class;
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    switch (k) {
    case 0: code = alltoall(out, 2, MPI_DATATYPE_NULL, in, 2, MPI_INT, comm); break;
    case 1: code = alltoall(out, 2, MPI_INT, in, 2, MPI_DATATYPE_NULL, comm); break;
    case 2: code = alltoall(out, 1, type, in, 1, type, comm); break;
    case 3: code = alltoall(out, -1, MPI_INT, in, 2, MPI_INT, comm); break;
    case 4: code = alltoall(out, 2, MPI_INT, MPI_IN_PLACE, 2, MPI_INT, comm); break;
    case 5: code = alltoall(in, 2, MPI_INT, in, 2, MPI_INT, comm); break;
    case 6: code = alltoall(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_NULL); break;
#ifndef OPEN_MPI    /* to which NULL is an address */
    case 7: code = alltoall(out, 2, MPI_INT, NULL, 2, MPI_INT, comm); break;
    case 8: code = alltoall(NULL, 2, MPI_INT, in, 2, MPI_INT, comm); break;
    case 9: {
        MPI_Comm freed;
        MPI_Comm_dup(comm, &freed);
        MPI_Comm old = freed;
        MPI_Comm_free(&freed);
        code = alltoall(out, 2, MPI_INT, in, 2, MPI_INT, old);
        break;
    }
    case 10: {
        MPI_Datatype old = type;
        MPI_Type_free(&type);
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Datatype other = type;
        MPI_Type_free(&type);
        MPI_Type_dup(MPI_INT, &type);
        code = alltoall(out, 1, other == type ? old : other, in, 2, MPI_INT, comm);
        break;
    }
    case 11: case 12: {     /* NULL, with a type that has no absolute addresses, and behind it one that has them */
        MPI_Aint address;
        MPI_Datatype absolute;
        MPI_Get_address(in, &address);
        MPI_Type_create_hindexed_block(1, 2, &address, MPI_INT, &absolute);
        MPI_Type_commit(&absolute);
        MPI_Type_commit(&type);
        code = alltoall(NULL, k == 11 ? 2 : 1, k == 11 ? MPI_INT : type, MPI_BOTTOM, 1, absolute, comm);
        MPI_Type_free(&absolute);
        break;
    }
#endif
    default: code = -1;
    }
    MPI_Type_free(&type);
    if (code == -1)
        return -1;
    MPI_Error_class(code, &class);
    return class;
}

/* A mistake is the error that the library says it is, once, and to the same handler. */
static int mistakes(void)
{
    int n, wrong = 0, said = 0;
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    wrong += exchange(comm, 2, 0);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    int *out = calloc(2 * (size_t)n, sizeof *out), *in = calloc(2 * (size_t)n, sizeof *in);
    for (int k = 0; said >= 0; k++) {
        n_handled = 0;
        said = mistake(k, PMPI_Alltoall, in, out, comm);
        int handled = n_handled;
        n_handled = 0;
        int class = mistake(k, MPI_Alltoall, in, out, comm);
        if (class != said || n_handled != handled) {
            printf("mistake %d: class %d, told %d times; by the library %d, %d\n", k, class, n_handled, said, handled);
            wrong++;
        }
    }
    free(out);
    free(in);
    wrong += exchange(comm, 2, 0);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    return wrong;
}

/* --- other processes' memory --- */

/* Stands for the memory of a device, which only MPI may touch. */
static char *device;
static size_t device_bytes;
static int n_touched;

int cuPointerGetAttribute(void *data, int attribute, unsigned long pointer);
int cuPointerGetAttribute(void *data, int attribute, unsigned long pointer)
{
    if (!device || pointer < (unsigned long)device || pointer >= (unsigned long)device + device_bytes)
        return 1;
    *(unsigned *)data = 2;
    return 0;
}

/* Opens the page that was touched, and counts who has touched it if this is libecube-mpi. */
static void touched(int signal, siginfo_t *info, void *context)
{
    void *frames[16];
    int n = backtrace(frames, 16);
    if ((char *)info->si_addr < device || (char *)info->si_addr >= device + device_bytes)
        _exit(3);
    for (int i = 2; i < n; i++) {
        Dl_info where;
        if (!dladdr(frames[i], &where) || strstr(where.dli_fname, "libc.so"))
            continue;
        n_touched += strstr(where.dli_fname, "libecube") != NULL;
        break;
    }
    mprotect(device, device_bytes, PROT_READ | PROT_WRITE);
}

static int device_memory(void)
{
    int rank, n, wrong = 0;
    void *first[1];
    struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int *out = malloc((size_t)n * 2 * sizeof *out);
    for (int i = 0; i < 2 * n; i++)
        out[i] = 100 * rank + i;
    backtrace(first, 1);        /* loads what it needs */
    sigaction(SIGSEGV, &action, NULL);
    device_bytes = (size_t)getpagesize();
    device = mmap(NULL, device_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Alltoall(out, 2, MPI_INT, device, 2, MPI_INT, MPI_COMM_WORLD);
    mprotect(device, device_bytes, PROT_READ);
    for (int i = 0; i < 2 * n; i++)
        wrong += ((int *)device)[i] != 100 * (i / 2) + 2 * rank + i % 2;
    mprotect(device, device_bytes, PROT_NONE);
    MPI_Alltoall(device, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * n; i++)
        wrong += out[i] != 100 * rank + i;
    return wrong + n_touched;
}

/* --- the rest --- */

static int nothing(void)
{
    return 0;
}

/* Whether GLib is loaded. */
static int no_glib(void)
{
    char line[512];
    int found = 0, wrong = exchange(MPI_COMM_WORLD, 2, 0);
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && fgets(line, sizeof line, file))
        found |= strstr(line, "libglib") != NULL;
    if (file)
        fclose(file);
    return wrong + found;
}

static int plain_exchange(void)
{
    return exchange(MPI_COMM_WORLD, 2, 0);
}

#if MPI_VERSION >= 4
/* A program without MPI_Init. */
static int only_sessions(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "ecube", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    int rank, wrong = exchange(comm, 2, 0) + exchange(comm, 2, 1);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        puts(wrong ? "wrong" : "right");
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return wrong > 0;
}
#endif

static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {
    {"threads", by_threads}, {"many", many_communicators}, {"callbacks", callbacks}, {"bottom", absolute_addresses},
    {"contiguous", contiguous_types}, {"memory", memory_stays_free}, {"limit", one_without_memory},
    {"sizes", many_sizes}, {"mistakes", mistakes}, {"device", device_memory}, {"glib", no_glib}, {"nothing", nothing},
    {"plain", plain_exchange}, {"refused", one_is_refused},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int level, rank, all = 0, wrong = -1;
#if MPI_VERSION >= 4
    if (strcmp(name, "sessions") == 0)
        return only_sessions();
#endif
    const char *number = getenv("OMPI_COMM_WORLD_RANK");
    number = number ? number : getenv("PMI_RANK");
    if (argc > 4 && number && atoi(number) == atoi(argv[2]))
        mallocs_fail(strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0)
            wrong = cases[i].run();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "wrong" : "right");
    MPI_Finalize();
    return all != 0;
}
