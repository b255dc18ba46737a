/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "base/os/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Asked for by name: of a reference the linker would warn in every statically linked program. */
typedef void *open_library(const char *name, int flags);
typedef int find_file(const void *address, Dl_info *info);

static void *load(const char *name, int scope, const char **why)
{
    open_library *open = (open_library *)dlsym(RTLD_DEFAULT, "dlopen");
    if (!open) {
        *why = "a statically linked program can load no library";
        return NULL;
    }
    void *library = open(name, RTLD_NOW | scope);
    if (!library)
        *why = dlerror();
    return library;
}

void *sheaf_library_open(const char *name, const char **why)
{
    return load(name, RTLD_LOCAL, why);
}

void *sheaf_library_open_for_all(const char *name, const char **why)
{
    return load(name, RTLD_GLOBAL, why);
}

void *sheaf_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

/* NULL where nobody can tell. */
static const char *file_of(void *function)
{
    Dl_info info;
    find_file *find = (find_file *)dlsym(RTLD_DEFAULT, "dladdr");
    return find && find(function, &info) ? info.dli_fname : NULL;
}

bool sheaf_library_is_from(void *function, const char *name)
{
    const char *path = file_of(function);
    if (!path)
        return false;
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && (file[length] == '.' || file[length] == '\0');
}

bool sheaf_library_path(void *function, char *path, size_t size)
{
    const char *file = file_of(function);
    return file && (size_t)snprintf(path, size, "%s", file) < size;
}

struct visitor {
    int (*visit)(const char *path, void *argument);
    void *argument;
};

static int visit_one(struct dl_phdr_info *info, size_t size, void *argument)
{
    const struct visitor *visitor = argument;
    (void)size;
    return visitor->visit(info->dlpi_name ? info->dlpi_name : "", visitor->argument);
}

void sheaf_library_visit(int (*visit)(const char *path, void *argument), void *argument)
{
    struct visitor visitor = {visit, argument};
    dl_iterate_phdr(visit_one, &visitor);
}
