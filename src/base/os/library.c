/* SPDX-License-Identifier: BSD-3-Clause
 * See library.h.
 */
#include "base/os/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

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

/* False where nobody can tell. */
static bool find_function(const void *function, Dl_info *info)
{
    find_file *find = (find_file *)dlsym(RTLD_DEFAULT, "dladdr");
    return find && find(function, info) && info->dli_fname;
}

bool sheaf_library_is_from(void *function, const char *name)
{
    Dl_info info;
    if (!find_function(function, &info))
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *file = slash ? slash + 1 : info.dli_fname;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 && (file[length] == '.' || file[length] == '\0');
}

/* For the program itself dladdr() has argv[0]: a name alone where a shell has found the program by PATH. */
bool sheaf_library_path(void *function, char *path, size_t size)
{
    Dl_info info, program;
    if (!find_function(function, &info))
        return false;
    bool is_program = find_function((void *)getauxval(AT_PHDR), &program) &&
                      program.dli_fbase == info.dli_fbase;
    ssize_t length = is_program ? readlink("/proc/self/exe", path, size - 1) : -1;
    if (length >= 0)
        path[length] = '\0';
    else
        length = snprintf(path, size, "%s", is_program ? (char *)getauxval(AT_EXECFN) : info.dli_fname);
    return (size_t)length < size - 1;
}

bool sheaf_library_beside(const char *file, const char *to_library, char *path, size_t size)
{
    const char *const folders[] = {".", "../lib", to_library};
    char own[4096];
    bool is_known = sheaf_library_path((void *)sheaf_library_beside, own, sizeof own);
    const char *slash = is_known ? strrchr(own, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(path, size, "%.*s/%s/%s", (int)(slash - own), own, folders[i], file);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
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
