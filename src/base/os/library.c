/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "base/os/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Asked for by name: of a reference the linker would warn in every statically linked program. */
typedef void *open_library(const char *name, int flags);
typedef int find_file(const void *address, Dl_info *info);

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

bool sheaf_library_is_from(void *function, const char *name)
{
    Dl_info info;
    find_file *find = (find_file *)dlsym(RTLD_DEFAULT, "dladdr");
    if (!find || !find(function, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *file = slash ? slash + 1 : info.dli_fname;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && (file[length] == '.' || file[length] == '\0');
}
