/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a command in which the kernel refuses some system calls, as containers do:
 *     refuse CALL,CALL,... COMMAND ARGUMENT...
 * Without a library: the filter is set before the command is known to need one.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define SKIP 77

static const struct {
    const char *name;
    int number;
} calls[] = {
    {"mincore", SYS_mincore},
    {"mbind", SYS_mbind},
    {"get_mempolicy", SYS_get_mempolicy},
    {"getcpu", SYS_getcpu},
    {"madvise", SYS_madvise},
    {"fallocate", SYS_fallocate},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"sched_getaffinity", SYS_sched_getaffinity},
    {"process_vm_readv", SYS_process_vm_readv},
#ifdef SYS_close_range
    {"close_range", SYS_close_range},
#endif
};

static int number_of(const char *name)
{
    for (size_t i = 0; i < LENGTH(calls); i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].number;
    return -1;
}

static int refuse(int number)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {LENGTH(code), code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **words)
{
    if (count < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 2;
    for (char *rest, *name = strtok_r(words[1], ",", &rest); name;
         name = strtok_r(NULL, ",", &rest)) {
        int number = number_of(name);
        if (number >= 0 && refuse(number) != 0) {
            printf("no filters of system calls here: %s\n", strerror(errno));
            return SKIP;
        }
    }
    execv(words[2], words + 2);
    perror(words[2]);
    return 2;
}
