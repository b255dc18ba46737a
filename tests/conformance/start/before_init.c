/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls the routine that its argument names, before shmem_init, with addresses of its own: before_init.py looks at how that
 * ends.
 */
#include <shmem.h>

#include <dlfcn.h>
#include <stdio.h>

typedef long any_routine(void *, void *, long, long, long, long, void *, void *, void *);

int main(int argc, char **argv)
{
    static long room[64];
    if (argc != 2)
        shmem_init(); /* so that the library is linked */
    any_routine *routine = (any_routine *)dlsym(RTLD_DEFAULT, argv[argc - 1]);
    if (!routine)
        return 9;
    routine(room, room + 8, 1, 1, 1, 1, room, room, room);
    return 0;
}
