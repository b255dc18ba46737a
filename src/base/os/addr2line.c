/* SPDX-License-Identifier: BSD-3-Clause
 * See addr2line.h.
 */
#include "base/os/addr2line.h"

#include "base/clock.h"
#include "base/os/tool.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* With offsets the tool ends behind them, else it reads them. */
static void start(struct sheaf_addr2line *session, const char *file, const uint64_t *offsets, size_t count)
{
    char numbers[SHEAF_ADDR2LINE_MOST][24];
    char *words[SHEAF_ADDR2LINE_MOST + 7] = {"addr2line", "-f", "-s", "-C", "-e", (char *)file};
    int ends[2];
    for (size_t i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "0x%llx", (unsigned long long)offsets[i]);
        words[6 + i] = numbers[i];
    }
    session->descriptor = -1;
    session->at = session->end = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    if (sheaf_tool_start(words, count > 0 ? -1 : ends[1], ends[1], &session->tool) == 0)
        session->descriptor = ends[0];
    else
        close(ends[0]);
    close(ends[1]);
}

static bool read_more(struct sheaf_addr2line *session, uint64_t until)
{
    struct pollfd ready = {.fd = session->descriptor, .events = POLLIN};
    uint64_t now = sheaf_clock_ns();
    if (now >= until || poll(&ready, 1, (int)((until - now) / SHEAF_MILLISECOND) + 1) != 1)
        return false;
    ssize_t bytes = read(session->descriptor, session->bytes, sizeof session->bytes);
    session->at = 0;
    session->end = bytes > 0 ? (size_t)bytes : 0;
    return bytes > 0;
}

static bool read_line(struct sheaf_addr2line *session, uint64_t until, char *line, size_t size)
{
    size_t length = 0;
    for (;;) {
        if (session->at == session->end && !read_more(session, until))
            return false;
        char next = session->bytes[session->at++];
        if (next == '\n')
            break;
        if (length + 1 < size)
            line[length++] = next;
    }
    line[length] = '\0';
    return true;
}

/* Two lines. "??" and "heat.c:?" are what it does not know, and line 0 is none. */
static bool take_answer(struct sheaf_addr2line *session, uint64_t until, struct sheaf_source_line *line)
{
    struct sheaf_source_line got;
    if (!read_line(session, until, got.function, sizeof got.function) ||
        !read_line(session, until, got.place, sizeof got.place))
        return false;
    got.place[strcspn(got.place, " ")] = '\0';
    const char *number = strrchr(got.place, ':');
    if (got.place[0] == '?' || !number || number[1] == '?' || strcmp(number, ":0") == 0)
        got.place[0] = '\0';
    if (got.function[0] == '?')
        got.function[0] = '\0';
    *line = got;
    return true;
}

void sheaf_addr2line_close(struct sheaf_addr2line *session)
{
    if (session->descriptor < 0)
        return;
    close(session->descriptor);
    session->descriptor = -1;
    kill(session->tool, SIGKILL);
    waitpid(session->tool, NULL, 0);
}

void sheaf_addr2line_open(struct sheaf_addr2line *session, const char *file)
{
    start(session, file, NULL, 0);
}

bool sheaf_addr2line_ask(struct sheaf_addr2line *session, uint64_t offset, uint64_t patience,
                         struct sheaf_source_line *line)
{
    char number[24];
    uint64_t until = sheaf_clock_ns() + patience;
    size_t length = (size_t)snprintf(number, sizeof number, "0x%llx\n", (unsigned long long)offset);
    *line = (struct sheaf_source_line){0};
    if (session->descriptor < 0)
        return false;
    if (send(session->descriptor, number, length, MSG_NOSIGNAL) == (ssize_t)length &&
        take_answer(session, until, line))
        return true;
    sheaf_addr2line_close(session); /* an answer that came late would be taken for the next one's */
    return false;
}

size_t sheaf_addr2line(const char *file, const uint64_t *offsets, size_t count, uint64_t patience,
                       struct sheaf_source_line *lines)
{
    size_t answered = 0;
    struct sheaf_addr2line session = {.descriptor = -1};
    uint64_t until = sheaf_clock_ns() + patience;
    if (count > SHEAF_ADDR2LINE_MOST)
        count = SHEAF_ADDR2LINE_MOST;
    memset(lines, 0, count * sizeof *lines);
    if (count > 0)
        start(&session, file, offsets, count);
    while (session.descriptor >= 0 && answered < count && take_answer(&session, until, &lines[answered]))
        answered++;
    sheaf_addr2line_close(&session);
    return answered;
}
