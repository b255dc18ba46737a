/* SPDX-License-Identifier: BSD-3-Clause
 * See inline.h.
 */
#include "core/access/inline.h"

#include "base/atomic.h"
#include "base/log.h"
#include "core/access/accumulate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* The list is the library's own memory, since a route may lie in symmetric memory, which other PEs can
 * write. The list is consistent after every store, since a fork may come between any two. */
struct attached {
    struct sheaf_inline_route *route;
    struct attached *next;
};

static struct attached *all_attached;
static struct sheaf_inline_route current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Other threads read a route without a lock: its count is stored last, so a count other than 0 means
 * that the other fields are there. */
static void write_route(struct sheaf_inline_route *route)
{
    struct sheaf_inline_route closed = current;
    closed.count = 0;
    *route = closed;
    sheaf_store_release(&route->count, current.count);
}

static void write_routes(void)
{
    for (struct attached *at = all_attached; at; at = at->next)
        write_route(at->route);
}

/* Inline forms of atomic set and swap come without a word. */
static void tell_accumulates(void)
{
    if (all_attached && current.count > 0)
        sheaf_accumulate_meets_atomics();
}

static struct attached **find_route(const struct sheaf_inline_route *route)
{
    struct attached **link = &all_attached;
    while (*link && (*link)->route != route)
        link = &(*link)->next;
    return link;
}

static void refuse_version(const struct sheaf_inline_route *route, unsigned version)
{
    Dl_info info;
    const char *file = dladdr(route, &info) && info.dli_fname ? info.dli_fname : "this program";
    sheaf_fatal("SH129 %s was compiled with the shmemx_inline.h of another version of Sheaf (inline "
                "version %u, the library has %u): compile it again with this library's oshcc",
                file, version, SHEAF_INLINE_VERSION);
}

/* Without memory for the list, the object's inline forms call the library, as they do before
 * initialization. */
__attribute__((visibility("default"))) void
sheaf_inline_attach(struct sheaf_inline_route *route, unsigned version)
{
    if (version != SHEAF_INLINE_VERSION)
        refuse_version(route, version);
    pthread_mutex_lock(&lock);
    struct attached *entry = *find_route(route) ? NULL : malloc(sizeof *entry);
    if (entry) {
        *entry = (struct attached){route, all_attached};
        sheaf_store_release(&all_attached, entry);
        tell_accumulates();
        write_route(route);
    }
    pthread_mutex_unlock(&lock);
}

__attribute__((visibility("default"))) void
sheaf_inline_detach(struct sheaf_inline_route *route)
{
    pthread_mutex_lock(&lock);
    struct attached **link = find_route(route), *entry = *link;
    if (entry) {
        sheaf_store_release(link, entry->next);
        sheaf_store_release(&route->count, 0);
        free(entry);
    }
    pthread_mutex_unlock(&lock);
}

void sheaf_inline_open(const struct sheaf_inline_route *route)
{
    pthread_mutex_lock(&lock);
    current = *route;
    tell_accumulates();
    write_routes();
    pthread_mutex_unlock(&lock);
}

void sheaf_inline_close(void)
{
    pthread_mutex_lock(&lock);
    current = (struct sheaf_inline_route){0};
    write_routes();
    pthread_mutex_unlock(&lock);
}

bool sheaf_inline_is_used(void)
{
    return sheaf_load_acquire(&all_attached) != NULL;
}

void sheaf_inline_forked(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
