/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A stream is one PE's standard output or error; a sink is oshrun's. Streams append complete lines to
 * their sink's queue. Only a line that stays unfinished, such as a prompt, or one of more than 64 KiB is
 * written in pieces; then the sink records whose line is unfinished.
 */
#include "oshrun/supervise/output.h"

#include "base/clock.h"
#include "base/os/user_file.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "oshrun/command/output_folder.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_LIMIT   ((size_t)64 << 10)
#define QUEUE_LIMIT  ((size_t)1 << 20) /* in bytes; while the queue is full, the PEs wait */
#define MOST_READY   64                /* streams that are read at a time */
#define PIPE_CHUNK   ((size_t)4096)    /* in bytes; a ready pipe accepts this many without blocking */

struct stream {
    int fd;              /* -1 at its end */
    int pe;              /* -1: oshrun itself */
    struct sink *sink;
    char *text;          /* the unfinished line */
    size_t length;
    uint64_t since_ns;   /* since when it is unfinished */
};

struct sink {
    int fd;
    int error;           /* errno of the write that failed; later text is dropped */
    bool is_terminal;
    bool is_file;        /* never blocks */
    char *queue;
    size_t start;        /* written so far */
    size_t end;
    size_t capacity;
    const struct stream *open; /* the stream whose line is unfinished on the sink; NULL: none */
    int streams;         /* epoll: its streams. A poll would look at all whenever one has something */
    int slot;            /* of that among the polled descriptors; -1: the queue is full */
};

struct output {
    bool tag;
    int count;
    struct stream *streams; /* two per PE */
    struct stream own;
    struct sink sinks[2];   /* standard output and error; only the first where both are the same file */
    struct sink *error_sink;
    int *remote;            /* the PEs' ends, until the PEs have started */
    int remote_count;
};

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        sheaf_die(1, "out of memory");
    return block;
}

static void open_sink(struct sink *sink, int fd)
{
    struct stat status;
    *sink = (struct sink){.fd = fd, .is_terminal = isatty(fd), .streams = epoll_create1(EPOLL_CLOEXEC)};
    if (sink->streams < 0)
        sheaf_die_at_start();
    sink->is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static bool same_file(int a, int b)
{
    struct stat left, right;
    return !fstat(a, &left) && !fstat(b, &right) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino && left.st_rdev == right.st_rdev;
}

/* Opens DIR/pe-N, with as many digits as the last PE's number has, so that the files list in order. */
static int open_file(const struct options *options, int pe)
{
    char *path, last[16];
    int digits = snprintf(last, sizeof last, "%d", options->npes - 1);
    if (asprintf(&path, "%s/pe-%0*d", options->output, digits, pe) < 0)
        sheaf_die(1, "out of memory");
    const char *why;
    int fd = sheaf_user_file_write(path, O_APPEND, &why);
    if (fd < 0)
        sheaf_die(1, "--output: %s: %s", path, why);
    free(path);
    return fd;
}

/* Makes a pipe whose reading end becomes a stream; returns the writing end. */
static int open_stream(struct output *output, int pe, struct sink *sink)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        sheaf_die(1, "cannot make a pipe for PE %d: %s%s", pe, strerror(errno), sheaf_limit_of(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    struct stream *stream = &output->streams[output->count++];
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    *stream = (struct stream){.fd = ends[0], .pe = pe, .sink = sink};
    if (epoll_ctl(sink->streams, EPOLL_CTL_ADD, ends[0], &event) != 0)
        sheaf_die(1, "cannot wait for the output of PE %d: %s", pe, strerror(errno));
    return ends[1];
}

struct output *sheaf_output_create(const struct options *options, struct spawn *spawn)
{
    struct output *output = allocate(1, sizeof *output);
    size_t npes = (size_t)options->npes;
    output->tag = options->tag_output;
    output->streams = allocate(2 * npes, sizeof *output->streams);
    output->remote = allocate(2 * npes, sizeof *output->remote);
    open_sink(&output->sinks[0], 1);
    open_sink(&output->sinks[1], 2);
    output->error_sink = &output->sinks[same_file(1, 2) ? 0 : 1];
    output->own = (struct stream){.fd = -1, .pe = -1, .sink = output->error_sink};
    if (options->output)
        free(sheaf_output_folder_make("--output", options->output, 0777));
    for (int pe = 0; pe < options->npes; pe++) {
        struct spawn_pe *it = &spawn->pes[pe];
        if (it->foreground)
            continue;
        if (options->output) {
            it->output = it->error = open_file(options, pe);
            output->remote[output->remote_count++] = it->output;
            continue;
        }
        it->output = open_stream(output, pe, &output->sinks[0]);
        it->error = open_stream(output, pe, output->error_sink);
        output->remote[output->remote_count++] = it->output;
        output->remote[output->remote_count++] = it->error;
    }
    return output;
}

void sheaf_output_close_remote(struct output *output)
{
    for (int i = 0; i < output->remote_count; i++)
        close(output->remote[i]);
    output->remote_count = 0;
}

static bool is_full(const struct sink *sink)
{
    return sink->end - sink->start >= QUEUE_LIMIT;
}

static void enqueue_text(struct sink *sink, const char *text, size_t length)
{
    if (sink->error)
        return;
    if (sink->start == sink->end)
        sink->start = sink->end = 0;
    if (sink->end + length > sink->capacity && sink->start) {
        memmove(sink->queue, sink->queue + sink->start, sink->end - sink->start);
        sink->end -= sink->start;
        sink->start = 0;
    }
    if (sink->end + length > sink->capacity) {
        size_t capacity = (sink->end + length) * 2;
        char *queue = realloc(sink->queue, capacity);
        if (!queue)
            sheaf_die(1, "out of memory");
        sink->queue = queue;
        sink->capacity = capacity;
    }
    memcpy(sink->queue + sink->end, text, length);
    sink->end += length;
}

/* Queues one line, or a piece of one that does not end in a newline. */
static void emit_line(const struct output *output, struct stream *stream, const char *text,
                      size_t length)
{
    struct sink *sink = stream->sink;
    if (sink->open && sink->open != stream) {
        enqueue_text(sink, "\n", 1);
        sink->open = NULL;
    }
    if (output->tag && stream->pe >= 0 && !sink->open) {
        char tag[16];
        enqueue_text(sink, tag, (size_t)snprintf(tag, sizeof tag, "[%d] ", stream->pe));
    }
    enqueue_text(sink, text, length);
    sink->open = text[length - 1] == '\n' ? NULL : stream;
}

static void emit_text(const struct output *output, struct stream *stream, const char *text, size_t length)
{
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t line = newline ? (size_t)(newline - text) + 1 : length;
        if (!output->tag && newline)
            line = (size_t)((const char *)memrchr(text, '\n', length) - text) + 1;
        emit_line(output, stream, text, line);
        text += line;
        length -= line;
    }
}

/* Queues the complete lines; with all set, or when one line fills the buffer, also the rest. */
static void release_lines(const struct output *output, struct stream *stream, bool all)
{
    const char *newline = stream->length ? memrchr(stream->text, '\n', stream->length) : NULL;
    size_t whole = newline ? (size_t)(newline - stream->text) + 1 : 0;
    if (all || (!newline && stream->length == LINE_LIMIT))
        whole = stream->length;
    emit_text(output, stream, stream->text, whole);
    if (whole) {
        memmove(stream->text, stream->text + whole, stream->length - whole);
        stream->length -= whole;
        stream->since_ns = sheaf_clock_ns();
    }
    if (!stream->length) {
        free(stream->text);
        stream->text = NULL;
    }
}

static void finish_stream(const struct output *output, struct stream *stream)
{
    release_lines(output, stream, true);
    epoll_ctl(stream->sink->streams, EPOLL_CTL_DEL, stream->fd, NULL); /* the proxy may have it as well */
    close(stream->fd);
    stream->fd = -1;
}

/* Reads once. Returns false when nothing was there. */
static bool receive_stream(const struct output *output, struct stream *stream)
{
    if (!stream->text) {
        stream->text = malloc(LINE_LIMIT);
        if (!stream->text)
            sheaf_die(1, "out of memory");
        stream->since_ns = sheaf_clock_ns();
    }
    ssize_t length = read(stream->fd, stream->text + stream->length, LINE_LIMIT - stream->length);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
        release_lines(output, stream, false);
        return false;
    }
    if (length <= 0) {
        finish_stream(output, stream);
        return false;
    }
    stream->length += (size_t)length;
    release_lines(output, stream, false);
    return true;
}

static void flush_sink(struct sink *sink)
{
    while (sink->start < sink->end && !sink->error) {
        struct pollfd ready = {.fd = sink->fd, .events = POLLOUT};
        size_t length = sink->end - sink->start;
        if (!sink->is_file && poll(&ready, 1, 0) <= 0)
            return;
        if (!sink->is_file && length > PIPE_CHUNK)
            length = PIPE_CHUNK;
        ssize_t written = write(sink->fd, sink->queue + sink->start, length);
        if (written >= 0)
            sink->start += (size_t)written;
        else if (errno == EAGAIN || errno == EINTR)
            return;
        else
            sink->error = errno;
    }
    if (sink->error)
        sink->start = sink->end = 0;
}

int sheaf_output_watch(struct output *output, struct pollfd *set)
{
    int count = 0;
    for (struct sink *sink = output->sinks; sink < output->sinks + 2; sink++) {
        sink->slot = is_full(sink) ? -1 : count;
        if (sink->slot >= 0)
            set[count++] = (struct pollfd){.fd = sink->streams, .events = POLLIN};
        if (sink->start < sink->end)
            set[count++] = (struct pollfd){.fd = sink->fd, .events = POLLOUT};
    }
    return count;
}

static void receive_streams(const struct output *output, const struct sink *sink)
{
    struct epoll_event events[MOST_READY];
    int count = epoll_wait(sink->streams, events, MOST_READY, 0);
    for (int i = 0; i < count && !is_full(sink); i++)
        receive_stream(output, events[i].data.ptr);
}

void sheaf_output_move(struct output *output, const struct pollfd *set)
{
    uint64_t now = sheaf_clock_ns();
    for (const struct sink *sink = output->sinks; sink < output->sinks + 2; sink++)
        if (sink->slot >= 0 && set[sink->slot].revents)
            receive_streams(output, sink);
    for (struct stream *stream = output->streams; stream < output->streams + output->count; stream++) {
        uint64_t delay = stream->sink->is_terminal ? sheaf_times.output_prompt : sheaf_times.output_part;
        if (stream->length && !is_full(stream->sink) && now > stream->since_ns + delay)
            release_lines(output, stream, true);
    }
    flush_sink(&output->sinks[0]);
    flush_sink(&output->sinks[1]);
}

void sheaf_output_drain(struct output *output)
{
    for (int i = 0; i < output->count; i++) {
        struct stream *stream = &output->streams[i];
        while (stream->fd >= 0 && !is_full(stream->sink))
            if (!receive_stream(output, stream) && stream->fd >= 0)
                finish_stream(output, stream);
    }
    flush_sink(&output->sinks[0]);
    flush_sink(&output->sinks[1]);
}

bool sheaf_output_has_streams(const struct output *output)
{
    for (int i = 0; i < output->count; i++)
        if (output->streams[i].fd >= 0)
            return true;
    return false;
}

bool sheaf_output_is_pending(const struct output *output)
{
    return sheaf_output_has_streams(output) || output->sinks[0].start < output->sinks[0].end ||
           output->sinks[1].start < output->sinks[1].end;
}

int sheaf_output_error(const struct output *output)
{
    return output->sinks[0].error;
}

void sheaf_output_message(struct output *output, const char *text)
{
    char *shown = strdup(text);
    if (!shown)
        sheaf_die(1, "out of memory");
    sheaf_sanitize(shown, '\n');
    if (*shown)
        emit_text(output, &output->own, shown, strlen(shown));
    free(shown);
}
