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
    int32_t pid;      /* negative: of another container, see container.h */
    uint64_t started; /* clock ticks from the machine's start, as in /proc; 0: not known, any will do */
};

/* This process; started is 0 where there is no /proc. */
struct sheaf_process sheaf_process_self(void);

/* A child of this process, which has not been waited for: until then no other process has its number.
 * */
struct sheaf_process sheaf_process_of_child(int pid);

/* Whether it has not ended. */
bool sheaf_process_is_there(const struct sheaf_process *process);

/* Whether the process with that number has ended, also where its parent has not asked for its status.
 * */
bool sheaf_process_has_ended(int pid);

/* A descriptor that tells of its end by POLLIN. -1 and errno; ESRCH when it has ended and its parent
 * knows, or when its number is another's. Linux 5.3. */
int sheaf_process_watch(const struct sheaf_process *process);

/* Starts the program at path with files as its descriptors 3, 4, ..., count of them, and this process's
 * environment but for the loader's variables (LD_PRELOAD). It goes on by itself: its first process
 * ends at once, and is waited for. Into the descriptor behind those it writes an int: 0 once it has
 * started, or an errno. 0, or -1 and errno: why it cannot be started, what it has written, EIO where
 * it has ended without, ETIMEDOUT where it has not within so long, and is killed. */
#define SHEAF_PROCESS_MOST_FILES 8
int sheaf_process_start_apart(const char *path, const int *files, int count, uint64_t within_ns);

/* -1 and errno; ESRCH when the process has ended, or its number is another's; EINVAL: it is in another
 * container. */
int sheaf_process_signal(const struct sheaf_process *process, int signal);

/* Holds on to what that process has open as descriptor file, which must be an anonymous file
 * (memfd) of this user, with that inode (0: any), and of one device with the descriptor like (-1:
 * any). Where both are given they tell which file is meant, whichever process has the number. Returns a
 * descriptor that can be neither read nor written, for sheaf_process_open_held; or -1
 * and errno: ESRCH as above, ESTALE when that descriptor is another file, ENOENT when it is none. */
int sheaf_process_hold_file(const struct sheaf_process *process, int file, uint64_t inode, int like);

/* Opens that very file. -1 and errno. */
int sheaf_process_open_held(int held, int flags);

/* Both, for reading and writing. Of a process of another container file is not used: it has passed
 * one. */
int sheaf_process_open_file(const struct sheaf_process *process, int file, uint64_t inode, int like);

/* A pipe that another process of this user has told of: by its number there, and by its inode, should
 * the process be another by now. A descriptor of one's own, closed by exec. -1 and errno; ESTALE when
 * that descriptor is another file. */
int sheaf_process_open_pipe(int32_t pid, int fd, uint32_t inode, int flags);

#endif
