#include "simgrid.h"
#include "sim/text/input.h"

#include <dlfcn.h>

SimGrid simgrid;

/* Refuses a library of another release than this program was compiled with. */
static gboolean simgrid_check_release(void *library, GError **error)
{
    __typeof__(sg_version_get) *version = (__typeof__(version))dlsym(library, "sg_version_get");
    int major = 0, minor = 0, patch = 0;
    if (version)
        version(&major, &minor, &patch);
    if (major == SIMGRID_VERSION_MAJOR && minor == SIMGRID_VERSION_MINOR && patch == SIMGRID_VERSION_PATCH)
        return TRUE;
    return input_refuse(error, "the SimGrid library that was loaded is release %d.%d.%d, but ecube was compiled with "
                        "%d.%d.%d; compile it again, with `make clean all`", major, minor, patch, SIMGRID_VERSION_MAJOR,
                        SIMGRID_VERSION_MINOR, SIMGRID_VERSION_PATCH);
}

gboolean simgrid_load(GError **error)
{
    if (simgrid.version)
        return TRUE;
    void *library = dlopen(SIMGRID_LIBRARY, RTLD_LAZY);
    if (!library)
        return input_refuse(error, "SimGrid cannot be loaded: %s", dlerror());
    if (!simgrid_check_release(library, error))
        return FALSE;
#define SIMGRID_FIND(member, function) \
    if (!(simgrid.member = (__typeof__(simgrid.member))dlsym(library, #function))) \
        g_error("SimGrid has no function %s", #function);
    SIMGRID_FUNCTIONS(SIMGRID_FIND)
    return TRUE;
}
