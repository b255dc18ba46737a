/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes of other containers of this machine. Their numbers mean nothing here. Each has passed
 * descriptors instead (boot/containers), and is known by the slot in which it is listed with them. The
 * functions of process.h take such a process by a negative number.
 */
#ifndef SHEAF_BASE_CONTAINER_H
#define SHEAF_BASE_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>

/* What a process has passed. */
enum sheaf_container_descriptor {
    SHEAF_CONTAINER_PROCESS, /* its own process: poll() tells of its end */
    SHEAF_CONTAINER_MEMORY,  /* the anonymous file with its memory */
    SHEAF_CONTAINER_PIPE,    /* the writing end of its wake pipe; PROCESS once more: it has none */
    SHEAF_CONTAINER_FILES
};

/* The number by which the process in a slot is known, and whether a number is such a one. */
static inline int32_t sheaf_container_number(int slot)
{
    return -2 - slot;
}

static inline bool sheaf_container_is_number(int32_t pid)
{
    return pid <= -2;
}

/* The namespace of the process's number, for a process of this /proc; pid 0: this process. The low half of
 * its inode number; 0: /proc does not say. */
uint32_t sheaf_container_namespace(int pid);

/* Lists a process. The descriptors are the list's from then on. False: there is no memory. Called
 * before any other thread looks at the list. */
bool sheaf_container_list(int slot, const int files[SHEAF_CONTAINER_FILES]);

/* The descriptor, which stays the list's. -1 and ESRCH: no process is listed by that number. */
int sheaf_container_file(int32_t pid, enum sheaf_container_descriptor which);

/* As in process.h, for a number that sheaf_container_is_number() knows. */
bool sheaf_container_has_ended(int32_t pid);
int sheaf_container_copy(int32_t pid, enum sheaf_container_descriptor which);

#endif
