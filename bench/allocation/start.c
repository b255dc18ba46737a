/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program with MIB MiB of variables: zeros, or with -DFILLED values from the program's file. With -DWITHOUT it
 * is the same without a library: processes started by fork and exec, as many as the argument says, each of which
 * copies its filled variables into an unnamed file and maps that over them. The runner takes the time from start
 * to end.
 */
#define _GNU_SOURCE

#ifdef WITHOUT
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#else
#include <shmem.h>
#endif

/* Whole pages. The assembler makes them: a compiler takes minutes for an array of values. */
#ifdef FILLED
#define PLACE ".section .data.many,\"aw\",@progbits\n"
#else
#define PLACE ".section .bss.many,\"aw\",@nobits\n"
#endif
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
__asm__(PLACE ".balign 4096\n.globl many\nmany:\n.zero (" TEXT(MIB) " << 20) + 4096\n.previous\n");
extern char many[];

#ifdef WITHOUT
static int share(size_t bytes)
{
    int file = memfd_create("bench", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        return 1;
    char *there = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there == MAP_FAILED)
        return 1;
#ifdef FILLED
    memcpy(there, many, bytes);
#endif
    munmap(there, bytes);
    return mmap(many, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED;
}

int main(int count, char **arguments)
{
    int failed = 0, status;
    if (count > 2)
        return share(((size_t)MIB << 20) + 4096);
    for (int i = 0; i < (count > 1 ? atoi(arguments[1]) : 1); i++)
        if (fork() == 0) {
            execl(arguments[0], arguments[0], "1", "child", (char *)NULL);
            _exit(127);
        }
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}
#else
int main(void)
{
    shmem_init();
    int is_empty = many[0];
    shmem_finalize();
    return is_empty;
}
#endif
