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

/* Functions, file names without folders, C++ names as written; and with folders, and what is inline. */
#define PLACES "-fsC"
#define FRAMES "-fiC"

/* With offsets the tool ends behind them, else it reads them. */
static void start(struct sheaf_addr2line *session, const char *file, const char *options,
                  const uint64_t *offsets, size_t count)
{
    char numbers[SHEAF_ADDR2LINE_MOST][24];
    char *words[SHEAF_ADDR2LINE_MOST + 5] = {"addr2line", (char *)options, "-e", (char *)file};
    int ends[2];
    for (size_t i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "0x%llx", (unsigned long long)offsets[i]);
        words[4 + i] = numbers[i];
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

/* Two lines. "??" and "heat.c:?" are what it does not know, and line 0 is none. path: with folders, where
 * the tool was asked for them. */
static bool take_frame(struct sheaf_addr2line *session, uint64_t until, struct sheaf_source_line *line,
                       char *path, size_t size)
{
    struct sheaf_source_line got;
    if (!read_line(session, until, got.function, sizeof got.function) ||
        !read_line(session, until, path, size))
        return false;
    path[strcspn(path, " ")] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(got.place, sizeof got.place, "%.*s", (int)sizeof got.place - 1, slash ? slash + 1 : path);
    const char *number = strrchr(got.place, ':');
    if (got.place[0] == '?' || !number || number[1] == '?' || strcmp(number, ":0") == 0)
        got.place[0] = '\0';
    if (got.function[0] == '?')
        got.function[0] = '\0';
    *line = got;
    return true;
}

static bool take_answer(struct sheaf_addr2line *session, uint64_t until, struct sheaf_source_line *line)
{
    char path[256];
    return take_frame(session, until, line, path, sizeof path);
}

/* The compiler's headers and the system's: vector loads, templates. */
static bool is_of_system(const char *path)
{
    return strncmp(path, "/usr/include/", 13) == 0 || strstr(path, "/include/c++/") ||
           strstr(path, "/lib/gcc/") || strstr(path, "/lib/clang/");
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
    start(session, file, PLACES, NULL, 0);
}

bool sheaf_addr2line_ask(struct sheaf_addr2line *session, uint64_t offset, uint64_t most_ns,
                         struct sheaf_source_line *line)
{
    char number[24];
    uint64_t until = sheaf_clock_ns() + most_ns;
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

size_t sheaf_addr2line(const char *file, const uint64_t *offsets, size_t count, uint64_t most_ns,
                       struct sheaf_source_line *lines)
{
    size_t answered = 0;
    struct sheaf_addr2line session = {.descriptor = -1};
    uint64_t until = sheaf_clock_ns() + most_ns;
    if (count > SHEAF_ADDR2LINE_MOST)
        count = SHEAF_ADDR2LINE_MOST;
    memset(lines, 0, count * sizeof *lines);
    if (count > 0)
        start(&session, file, PLACES, offsets, count);
    while (session.descriptor >= 0 && answered < count && take_answer(&session, until, &lines[answered]))
        answered++;
    sheaf_addr2line_close(&session);
    return answered;
}

bool sheaf_addr2line_of_program(const char *file, uint64_t offset, uint64_t most_ns,
                                struct sheaf_source_line *line)
{
    char path[1024];
    struct sheaf_addr2line session = {.descriptor = -1};
    struct sheaf_source_line frame;
    uint64_t until = sheaf_clock_ns() + most_ns;
    bool is_found = false, is_first = true;
    *line = (struct sheaf_source_line){0};
    start(&session, file, FRAMES, &offset, 1);
    while (session.descriptor >= 0 && !is_found && take_frame(&session, until, &frame, path, sizeof path)) {
        is_found = frame.place[0] && !is_of_system(path);
        if (is_first || is_found)
            *line = frame;
        is_first = false;
    }
    sheaf_addr2line_close(&session);
    return !is_first;
}
