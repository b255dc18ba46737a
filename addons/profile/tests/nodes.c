/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded before a program: a machine of two memory nodes, whose CPUs are all on node 0. REMOTE says of how
 * many pages that are asked for one lies on node 1: 1 of all, 4 of each fourth, 0 of none. With -1 every
 * other 16 KiB of addresses do. Without REMOTE the kernel does not answer.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>

static void answer(long number, const long *a, int remote)
{
    static int asked;
    if (number == SYS_get_mempolicy)
        *(unsigned long *)a[1] = 3;
    else if (number == SYS_getcpu)
        *(unsigned *)a[1] = 0;
    else if (remote < 0)
        *(int *)a[4] = (int)(*(uintptr_t *)a[2] >> 14 & 1);
    else
        *(int *)a[4] = remote && asked++ % remote == 0;
}

long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_get_mempolicy && number != SYS_getcpu && number != SYS_move_pages) {
        long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
        return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (!getenv("REMOTE")) {
        errno = ENOSYS;
        return -1;
    }
    answer(number, a, atoi(getenv("REMOTE")));
    return 0;
}
