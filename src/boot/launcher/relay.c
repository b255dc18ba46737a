/* SPDX-License-Identifier: BSD-3-Clause
 * See relay.h.
 */
#include "boot/launcher/relay.h"

#include "base/log.h"
#include "base/os/library.h"
#include "boot/launcher/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE 2048

static int near_end = -1; /* of MPI's descriptor */

/* Open MPI asks PMIx; PMI2_Init stands for an MPI that speaks PMI-2. */
bool sheaf_relay_is_needed(void)
{
    return getenv("SLURM_STEP_ID") && sheaf_library_symbol(NULL, "MPI_Initialized") &&
           !sheaf_library_symbol(NULL, "ompi_mpi_comm_world") && !sheaf_library_symbol(NULL, "PMI2_Init");
}

bool sheaf_relay_has_greeted(void)
{
    int (*initialized)(int *) = sheaf_library_symbol(NULL, "MPI_Initialized"), begun = 0;
    return initialized && initialized(&begun) == 0 && begun;
}

/* Up to and with a newline. */
static bool read_line(char *line)
{
    for (size_t used = 0; used < LINE - 1; used++) {
        ssize_t got;
        while ((got = read(near_end, &line[used], 1)) < 0 && errno == EINTR)
            ;
        if (got != 1)
            return false;
        line[used + 1] = '\0';
        if (line[used] == '\n')
            return true;
    }
    return false;
}

static bool reply(const char *line)
{
    size_t length = strlen(line);
    return send(near_end, line, length, MSG_NOSIGNAL) == (ssize_t)length;
}

/* A request of many lines, of which the last of several has one answer. */
static bool is_answered(const char *line)
{
    static int commands = 1, command = 1;
    static bool is_spawning;
    if (strcmp(line, "mcmd=spawn\n") == 0)
        is_spawning = true;
    if (!is_spawning)
        return strncmp(line, "cmd=abort", 9) != 0;
    sscanf(line, "totspawns=%d", &commands);
    sscanf(line, "spawnssofar=%d", &command);
    is_spawning = strcmp(line, "endcmd\n") != 0;
    return !is_spawning && command >= commands;
}

/* A request and its answer in one piece. */
static bool pass_on(char *line)
{
    bool answered = is_answered(line);
    sheaf_wire_lock();
    int failed = sheaf_wire_send(line, strlen(line));
    if (!failed && answered)
        failed = sheaf_wire_receive_line(line, LINE - 1);
    sheaf_wire_unlock();
    if (failed || !answered)
        return !failed;
    size_t length = strlen(line);
    memcpy(line + length, "\n", 2);
    return reply(line);
}

static void *relay(void *unused)
{
    char line[LINE];
    bool goes_on = true;
    (void)unused;
    while (goes_on && read_line(line)) {
        if (strncmp(line, "cmd=init ", 9) == 0)
            goes_on = reply("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
        else if (strcmp(line, "cmd=finalize\n") == 0)
            goes_on = reply("cmd=finalize_ack\n");
        else
            goes_on = pass_on(line);
    }
    close(near_end);
    return NULL;
}

static bool start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, NULL, relay, NULL) == 0;
    if (started)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

int sheaf_relay_start(void)
{
    int ends[2], given = atoi(getenv("PMI_FD"));
    bool paired = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    if (!paired || dup3(ends[1], given, O_CLOEXEC) != given) {
        sheaf_error("SH403 cannot make a connection to the launcher for MPI: %s", strerror(errno));
        return -1;
    }
    close(ends[1]);
    near_end = ends[0];
    if (start_thread())
        return 0;
    sheaf_error("SH403 cannot start the thread that passes MPI's requests to the launcher");
    return -1;
}
