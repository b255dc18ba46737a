/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library loaded with dlopen after start: its globals are not symmetric and stay its PE's own,
 * while it can communicate on the program's variables and on the heap. Argument: the library.
 */
#include "check.h"

#include <dlfcn.h>

static long cell;

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), previous = (me + npes - 1) % npes;
    long *heap = shmem_calloc(1, sizeof *heap);
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library)
        printf("%s\n", dlerror());
    CHECK(library && heap);
    long *in_data = dlsym(library, "plugin_in_data"), *in_bss = dlsym(library, "plugin_in_bss");
    long (*exchange)(long *, long) = (long (*)(long *, long))dlsym(library, "plugin_exchange");
    CHECK(in_data && in_bss && exchange);
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_addr_accessible(in_data, pe), 0);
        CHECK_EQ(shmem_addr_accessible(in_bss, pe), 0);
        CHECK(shmem_ptr(in_data, pe) == NULL);
    }
    *in_data += me;
    shmem_barrier_all();
    CHECK_EQ(*in_data, 17 + me);
    CHECK_EQ(exchange(&cell, 50 + me), 50 + previous);
    CHECK_EQ(exchange(heap, 60 + me), 60 + previous);
    CHECK_EQ(*in_bss, 2);
    shmem_barrier_all();
    CHECK(dlclose(library) == 0);
    return test_finish();
}
