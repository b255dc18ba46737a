/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often a start and an end over UCX ask the kernel what the network's interfaces are able to do: UCX opens
 * a socket for each question. And how often they look through all descriptors of the process. Both counts are
 * those of the parts of the C library that this program stands in for.
 */
#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For each interface, and apart from these. */
#define SOCKETS_EACH 24
#define SOCKETS 16

static int sockets, looks;

int socket(int domain, int type, int protocol)
{
    __atomic_add_fetch(&sockets, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_socket, domain, type, protocol);
}

DIR *opendir(const char *name)
{
    DIR *(*real)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    if (strcmp(name, "/proc/self/fd") == 0)
        __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
    return real(name);
}

static int count_interfaces(void)
{
    DIR *folder = opendir("/sys/class/net");
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

int main(void)
{
    int interfaces = count_interfaces();
    shmem_init();
    int looked = __atomic_load_n(&looks, __ATOMIC_RELAXED);
    int me = shmem_my_pe();
    shmem_finalize();
    int opened = __atomic_load_n(&sockets, __ATOMIC_RELAXED);
    printf("PE %d: %d sockets with %d interfaces, %d looks\n", me, opened, interfaces, looked);
    CHECK(opened > 0 && opened <= SOCKETS + SOCKETS_EACH * interfaces);
    CHECK(looked == 0);
}
