/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another process of this machine, known by more than its number, which may be a stranger's by the
 * time it is used: by when it started too, and by its user, which must be this process's. A signal
 * reaches that process or none; a file of it is looked at before it is opened.
 */
#ifndef SHEAF_BASE_OS_PROCESS_H
#define SHEAF_BASE_OS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct sheaf_process {
    int32_t pid;
    uint64_t started; /* clock ticks from the machine's start, as in /proc; 0: not known, any will do */
};

/* This process; started is 0 where there is no /proc. */
struct sheaf_process sheaf_process_self(void);

/* Whether it has not ended. */
bool sheaf_process_is_there(const struct sheaf_process *process);

/* Whether the process with that number has ended, also where its parent has not asked for its status. */
bool sheaf_process_has_ended(int pid);

/* A descriptor that tells of its end by POLLIN. -1 and errno; ESRCH when it has ended and its parent
 * knows, or when its number is another's. Linux 5.3. */
int sheaf_process_watch(const struct sheaf_process *process);

/* Forks a process that is no child of this one, in a session of its own, and calls run(self, report) in it,
 * which does not return. Waits until that process has called sheaf_process_report(report, error), with
 * 0 or an errno, or has ended without. 0, or -1 and errno: of fork(), or what was reported. */
int sheaf_process_fork_apart(void (*run)(void *self, int report), void *self);
void sheaf_process_report(int report, int error);

/* -1 and errno; ESRCH when the process has ended, or its number is another's. */
int sheaf_process_signal(const struct sheaf_process *process, int signal);

/* Holds on to what that process has open as descriptor file, which must be an anonymous file
 * (memfd) of this user, with that inode (0: any), and of one device with the descriptor like (-1:
 * any). Returns a descriptor that can be neither read nor written, for sheaf_process_open_held; or -1
 * and errno: ESRCH as above, ESTALE when that descriptor is another file, ENOENT when it is none. */
int sheaf_process_hold_file(const struct sheaf_process *process, int file, uint64_t inode, int like);

/* Opens that very file. -1 and errno. */
int sheaf_process_open_held(int held, int flags);

/* Both, for reading and writing. */
int sheaf_process_open_file(const struct sheaf_process *process, int file, uint64_t inode, int like);

#endif
