/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared libraries with inline forms that come before and after initialization and go before and
 * after finalization. Arguments: two such libraries.
 */
#include "check.h"

#include <dlfcn.h>
#include <shmemx_inline.h>

typedef long exchange(long *cell, long value);

static long cell;

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        printf("%s\n", dlerror());
    CHECK(library != NULL);
    CHECK(dlsym(library, "sheaf_inline_route_v1") == NULL);
    return library;
}

static void unload(void *library, const char *path)
{
    CHECK(dlclose(library) == 0);
    CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL); /* it is gone, and its route with it */
}

static void use(void *library, long value)
{
    exchange *call = (exchange *)dlsym(library, "plugin_exchange");
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK(call != NULL);
    CHECK_EQ(call(&cell, value + me), value + (me + npes - 1) % npes);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    void *first = load(argv[1]), *second;
    shmem_init();
    use(first, 100);
    second = load(argv[2]);
    use(second, 200);
    use(first, 300);
    unload(second, argv[2]);
    use(first, 400);
    second = load(argv[2]);
    shmem_finalize();
    unload(first, argv[1]);
    shmem_init();
    use(second, 500);
    shmem_finalize();
    unload(second, argv[2]);
    return 0;
}
