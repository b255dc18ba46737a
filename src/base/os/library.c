/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "base/os/library.h"

#include <dlfcn.h>
#include <stddef.h>

/* Asked for by name: of a reference the linker would warn in every statically linked program. */
typedef void *open_library(const char *name, int flags);

void *sheaf_library_open(const char *name, const char **why)
{
    open_library *open = (open_library *)dlsym(RTLD_DEFAULT, "dlopen");
    if (!open) {
        *why = "a statically linked program can load no library";
        return NULL;
    }
    void *library = open(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        *why = dlerror();
    return library;
}

void *sheaf_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}
