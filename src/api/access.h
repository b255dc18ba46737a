/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the bodies of put, get and atomic routines share. A put is a route and a copy, so that
 * it is complete on return whatever form the caller chose; what it reads was read then.
 */
#ifndef SHEAF_API_ACCESS_H
#define SHEAF_API_ACCESS_H

#include "core/route.h"

#include <string.h>

static inline void sheaf_put(void *dest, const void *source, size_t bytes, int pe,
                             const char *call)
{
    void *remote = sheaf_route_to(dest, bytes, pe, call);
    if (bytes != 0) /* both pointers may be null then, which memcpy does not take */
        memcpy(remote, source, bytes);
    sheaf_fence_copy();
}

static inline void sheaf_get(void *dest, const void *source, size_t bytes, int pe,
                             const char *call)
{
    const void *remote = sheaf_route_to(source, bytes, pe, call);
    if (bytes != 0)
        memcpy(dest, remote, bytes);
    sheaf_fence_copy();
}

/* PE pe's copy of the symmetric object at pointer, in a routine's body. */
#define SHEAF_REMOTE(TYPE, pointer)                                                                \
    ((TYPE *)sheaf_route_to((pointer), sizeof(TYPE), pe, call))

#endif
