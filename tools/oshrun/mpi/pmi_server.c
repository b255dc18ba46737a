/* SPDX-License-Identifier: BSD-3-Clause
 * See pmi_server.h.
 */
#include "oshrun/mpi/pmi_server.h"

#include "oshrun/command/say.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 64
/* The most reads from a PE that has exited: its socket holds less than that, and programs that it
 * started may keep writing. */
#define LAST_READS 256

struct connection {
    int fd;       /* -1: closed */
    char *input;  /* PMI_LINE bytes, allocated with the first input; NULL before */
    size_t used;  /* bytes of input */
    struct pmi_client client;
};

struct pmi_server {
    int epoll; /* -1: this job serves no MPI */
    struct connection *connections;
    struct pmi_job job;
    struct pmi_news news;
};

static void close_connection(struct connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
    free(connection->input);
    connection->input = NULL;
    connection->used = 0;
}

static bool connect_pe(struct pmi_server *server, struct spawn *spawn, int pe)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    server->connections[pe].fd = ends[0];
    spawn->pes[pe].mpi = ends[1];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)pe};
    return epoll_ctl(server->epoll, EPOLL_CTL_ADD, ends[0], &event) == 0;
}

static bool connect_all(struct pmi_server *server, const struct options *options, struct spawn *spawn)
{
    for (int i = 0; i < options->program_count; i++) {
        const struct program *program = &options->programs[i];
        for (int pe = program->first_pe; pe < program->first_pe + program->npes; pe++) {
            server->connections[pe].client.appnum = i;
            if (!connect_pe(server, spawn, pe))
                return false;
        }
    }
    return true;
}

static void give_up_sockets(struct pmi_server *server, const struct options *options, struct spawn *spawn)
{
    if (!options->quiet)
        fprintf(stderr, "oshrun: MPI in the PEs would find itself alone, there are no sockets for it: %s; "
                "raise the limit on open files (ulimit -n)\n", strerror(errno));
    for (int pe = 0; pe < server->job.npes; pe++) {
        close_connection(&server->connections[pe]);
        if (spawn->pes[pe].mpi >= 0)
            close(spawn->pes[pe].mpi);
        spawn->pes[pe].mpi = -1;
    }
    if (server->epoll >= 0)
        close(server->epoll);
    server->epoll = -1;
}

struct pmi_server *sheaf_pmi_server_create(const struct options *options, struct spawn *spawn)
{
    struct pmi_server *server = calloc(1, sizeof *server);
    if (!server || !(server->connections = calloc((size_t)options->npes, sizeof *server->connections)))
        sheaf_die(1, "out of memory");
    server->job.npes = options->npes;
    snprintf(server->job.name, sizeof server->job.name, "sheaf_%016llx",
             (unsigned long long)spawn->job->control->job_id);
    char nodes[PMI_VALUE];
    snprintf(nodes, sizeof nodes, "(vector,(0,1,%d))", options->npes);
    if (sheaf_pmi_store_put(&server->job.store, "PMI_process_mapping", nodes) != PMI_PUT_DONE)
        sheaf_die(1, "out of memory");
    for (int pe = 0; pe < options->npes; pe++)
        server->connections[pe].fd = -1;
    server->epoll = -1;
    bool is_wanted = options->mpi == MPI_PMI1 || options->mpi == MPI_BOTH;
    if (options->npes == 1 || !is_wanted) /* an MPI without a launcher takes itself for a job of one PE */
        return server;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (server->epoll < 0 || !connect_all(server, options, spawn))
        give_up_sockets(server, options, spawn);
    return server;
}

int sheaf_pmi_server_descriptor(const struct pmi_server *server)
{
    return server->epoll;
}

static void refuse_pe(struct pmi_server *server, int pe, const char *why)
{
    sheaf_pmi_news_set(&server->news, (struct pmi_news){PMI_MISBEHAVED, pe, EXIT_FAILURE, why});
    close_connection(&server->connections[pe]);
}

/* Sends an answer. An MPI has one request outstanding, so the socket has room for its answer. */
static void send_answer(struct pmi_server *server, int pe, const char *text)
{
    size_t length = strlen(text);
    ssize_t sent = send(server->connections[pe].fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
        close_connection(&server->connections[pe]);
    else if (sent != (ssize_t)length)
        refuse_pe(server, pe, "does not read the answers to its MPI's requests");
}

static void release_barrier(struct pmi_server *server, const char *text)
{
    for (int pe = 0; pe < server->job.npes; pe++) {
        struct connection *connection = &server->connections[pe];
        if (connection->client.state != PMI_IN_BARRIER)
            continue;
        sheaf_pmi_release(&server->job, &connection->client);
        if (connection->fd >= 0)
            send_answer(server, pe, text);
    }
}

static void serve_line(struct pmi_server *server, int pe, size_t length)
{
    struct connection *connection = &server->connections[pe];
    char answer[PMI_LINE];
    int status = 0;
    switch (sheaf_pmi_request(&server->job, &connection->client, connection->input, length, answer,
                              &status)) {
    case PMI_NOTHING:
        break;
    case PMI_NO_SPAWN:
        sheaf_pmi_news_set(&server->news, (struct pmi_news){PMI_SPAWN_REFUSED, .pe = pe});
        send_answer(server, pe, answer);
        break;
    case PMI_ANSWER:
        send_answer(server, pe, answer);
        break;
    case PMI_RELEASE:
        release_barrier(server, answer);
        break;
    case PMI_ABORT:
        sheaf_pmi_news_set(&server->news, (struct pmi_news){PMI_ABORTED, pe, .status = status});
        break;
    case PMI_WRONG:
        refuse_pe(server, pe, "has sent through PMI_FD what is no request of PMI-1 at that point");
    }
}

static void serve_lines(struct pmi_server *server, int pe)
{
    struct connection *connection = &server->connections[pe];
    char *end;
    while (connection->used > 0 && (end = memchr(connection->input, '\n', connection->used))) {
        size_t length = (size_t)(end - connection->input);
        *end = '\0';
        serve_line(server, pe, length);
        if (connection->fd < 0)
            return;
        connection->used -= length + 1;
        memmove(connection->input, end + 1, connection->used);
    }
    if (connection->used == PMI_LINE)
        refuse_pe(server, pe, "has sent through PMI_FD a line longer than PMI-1 has them");
}

/* Reads once. Returns false when there was nothing to read. */
static bool receive_bytes(struct pmi_server *server, int pe)
{
    struct connection *connection = &server->connections[pe];
    if (!connection->input && !(connection->input = malloc(PMI_LINE)))
        sheaf_die(1, "out of memory");
    ssize_t got = recv(connection->fd, connection->input + connection->used, PMI_LINE - connection->used,
                       MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0) {
        close_connection(connection);
        return false;
    }
    connection->used += (size_t)got;
    serve_lines(server, pe);
    return true;
}

void sheaf_pmi_server_serve(struct pmi_server *server)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(server->epoll, events, EVENTS, 0);
    for (int i = 0; i < count; i++)
        if (server->connections[events[i].data.u32].fd >= 0)
            receive_bytes(server, (int)events[i].data.u32);
}

struct pmi_news sheaf_pmi_server_news(struct pmi_server *server)
{
    return sheaf_pmi_news_take(&server->news);
}

void sheaf_pmi_server_end(struct pmi_server *server, int pe)
{
    struct connection *connection = &server->connections[pe];
    for (int reads = 0; reads < LAST_READS && connection->fd >= 0; reads++)
        if (!receive_bytes(server, pe))
            break;
    close_connection(connection);
}

enum pmi_state sheaf_pmi_server_state(const struct pmi_server *server, int pe)
{
    return server->connections[pe].client.state;
}

int sheaf_pmi_server_waiting(const struct pmi_server *server)
{
    return server->job.waiting;
}
