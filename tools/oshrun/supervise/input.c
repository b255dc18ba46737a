/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the terminal only while the PE has read all its input. So lines typed for the shell during a long
 * job stay the shell's, except one.
 */
#include "oshrun/supervise/input.h"

#include "oshrun/command/say.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void make_pipe(struct input *input, struct spawn *spawn, int pe)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        sheaf_die(1, "cannot make a pipe for standard input: %s", strerror(errno));
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    input->writer = ends[1];
    input->remote = ends[0];
    spawn->pes[pe].input = ends[0];
}

void sheaf_input_create(struct input *input, const struct options *options, struct spawn *spawn)
{
    *input = (struct input){.writer = -1, .remote = -1};
    int pe = options->stdin_pe;
    for (int i = 0; i < options->npes; i++)
        if (spawn->pes[i].foreground)
            pe = i;
    if (pe < 0)
        return;
    if (isatty(0) && !spawn->pes[pe].foreground) {
        make_pipe(input, spawn, pe);
    } else {
        spawn->pes[pe].input = 0;
        input->given = !isatty(0);
    }
}

void sheaf_input_close_remote(struct input *input)
{
    if (input->remote >= 0)
        close(input->remote);
    input->remote = -1;
    int null = input->given ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (null >= 0) {
        dup2(null, 0);
        close(null);
    }
}

static void stop_input(struct input *input)
{
    close(input->writer);
    input->writer = -1;
}

bool sheaf_input_wants(const struct input *input)
{
    int unread = 0;
    if (input->writer < 0 || input->start < input->end || tcgetpgrp(0) != getpgrp())
        return false;
    return ioctl(input->writer, FIONREAD, &unread) == 0 && unread == 0;
}

void sheaf_input_move(struct input *input, bool readable)
{
    if (input->writer < 0)
        return;
    if (readable && input->start == input->end) {
        ssize_t length = read(0, input->held, sizeof input->held);
        if (length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN)) {
            stop_input(input);
            return;
        }
        input->start = 0;
        input->end = length > 0 ? (size_t)length : 0;
    }
    if (input->start == input->end)
        return;
    ssize_t length = write(input->writer, input->held + input->start, input->end - input->start);
    if (length >= 0)
        input->start += (size_t)length;
    else if (errno != EAGAIN && errno != EINTR)
        stop_input(input);
}
