/* SimGrid's functions, found when the first run begins: its libraries take a tenth of a second to load, and most
 * commands simulate nothing. The files of this folder include this in place of SimGrid's headers. */
#pragma once

#include <glib.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>

/* Expands to F(member, function) for each SimGrid function in use; `member` is its name in the struct SimGrid. */
#define SIMGRID_FUNCTIONS(F) \
    F(version, sg_version_get) \
    F(init, simgrid_init) \
    F(load_platform, simgrid_load_platform) \
    F(clock, simgrid_get_clock) \
    F(run, simgrid_run) \
    F(run_until, simgrid_run_until) \
    F(host_by_name, sg_host_by_name) \
    F(send, sg_host_sendto) \
    F(actor_init, sg_actor_init) \
    F(actor_start, sg_actor_start_) \
    F(actor_self, sg_actor_self) \
    F(actor_sleep, sg_actor_sleep_for) \
    F(actor_suspend, sg_actor_suspend) \
    F(actor_resume, sg_actor_resume) \
    F(actor_daemonize, sg_actor_daemonize) \
    F(sem_init, sg_sem_init) \
    F(sem_acquire, sg_sem_acquire) \
    F(sem_release, sg_sem_release) \
    F(sem_destroy, sg_sem_destroy)

#define SIMGRID_MEMBER(member, function) __typeof__(function) *member;
typedef struct {
    SIMGRID_FUNCTIONS(SIMGRID_MEMBER)
} SimGrid;

/* The functions that simgrid_load() has found; all NULL before. */
extern SimGrid simgrid;

/* Loads SimGrid at the first call. Errors: ECUBE_ERROR_INPUT if its library is missing, or not of the release that this
 * was compiled with. */
gboolean simgrid_load(GError **error);
