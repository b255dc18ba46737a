/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See serve.h. HTTP/1.0, of which the request's first line and its Host count. Clients may be slow, silent
 * or malicious: requests are short, connections few and their time limited, no request changes anything,
 * and a job is looked at no more often than sheaf_times.oshtop_reused.
 */
#include "serve.h"

#include "die.h"
#include "health.h"

#include "base/clock.h"
#include "base/times.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECTIONS 16
#define REQUEST     2048

struct client {
    int fd; /* -1: free */
    uint64_t until;
    char request[REQUEST + 1];
    size_t got, sent, length;
    char *answer; /* NULL: the request is not complete yet */
};

/* An answer's body, and when it was made. */
struct body {
    char *text;
    size_t length;
    uint64_t ns;
};

static struct sockaddr_un own_socket; /* sun_path[0]: removed at the end */
static struct body bodies[2];
static int job;
static bool is_tcp;

typedef void print_healths(const struct top_healths *healths, FILE *out);
static const struct page {
    const char *path, *type;
    print_healths *print;
} pages[] = {{"/health", "application/json", top_healths_print_json},
             {"/metrics", "text/plain; version=0.0.4; charset=utf-8", top_healths_print_metrics}};
#define PAGES (sizeof pages / sizeof *pages)

/* All pages tell of the same time. */
static void renew_bodies(void)
{
    uint64_t now = sheaf_clock_ns();
    if (bodies[0].text && now - bodies[0].ns < sheaf_times.oshtop_reused)
        return;
    struct top_healths *healths = top_healths_take(job);
    for (size_t i = 0; i < PAGES; i++) {
        free(bodies[i].text);
        bodies[i] = (struct body){.ns = now};
        FILE *out = healths ? open_memstream(&bodies[i].text, &bodies[i].length) : NULL;
        if (!out)
            top_die(1, "SH904 out of memory");
        pages[i].print(healths, out);
        fclose(out);
    }
    top_healths_free(healths);
}

static void answer(struct client *client, const char *status, const char *type, const char *body,
                   size_t length)
{
    size_t room = length + 256;
    client->answer = malloc(room);
    if (!client->answer)
        top_die(1, "SH904 out of memory");
    int head = snprintf(client->answer, room,
                        "HTTP/1.0 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                        "Cache-Control: no-store\r\nConnection: close\r\n\r\n",
                        status, type, length);
    memcpy(client->answer + head, body, length);
    client->length = (size_t)head + length;
    client->until = sheaf_clock_ns() + sheaf_times.oshtop_request;
}

static void refuse(struct client *client, const char *status)
{
    answer(client, status, "text/plain", status, strlen(status));
}

/* A page of the web may send its reader's browser here under a name of its own (DNS rebinding), and read
 * the answer. By a name of this host nobody can. */
static bool is_for_this_host(const char *request)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    const char *line = strcasestr(request, "\nHost:");
    if (!line || !is_tcp)
        return true;
    line += strlen("\nHost:");
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (!strncasecmp(line, names[i], length) && strchr(":\r\n \t", line[length]))
            return true;
    }
    return false;
}

static void answer_request(struct client *client)
{
    char path[32];
    if (strncmp(client->request, "GET ", 4) != 0) {
        refuse(client, "405 Method Not Allowed");
        return;
    }
    if (!is_for_this_host(client->request)) {
        refuse(client, "421 Misdirected Request");
        return;
    }
    if (sscanf(client->request, "GET %31[^ ?\r\n]", path) == 1)
        for (size_t i = 0; i < PAGES; i++)
            if (!strcmp(path, pages[i].path)) {
                renew_bodies();
                answer(client, "200 OK", pages[i].type, bodies[i].text, bodies[i].length);
                return;
            }
    refuse(client, "404 Not Found: /health and /metrics are here");
}

static void close_client(struct client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    free(client->answer);
    *client = (struct client){.fd = -1};
}

static void receive(struct client *client)
{
    ssize_t got = recv(client->fd, client->request + client->got, REQUEST - client->got, 0);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            close_client(client);
        return;
    }
    client->got += (size_t)got;
    client->request[client->got] = '\0';
    if (strstr(client->request, "\r\n\r\n") || strstr(client->request, "\n\n"))
        answer_request(client);
    else if (client->got == REQUEST || strlen(client->request) < client->got)
        refuse(client, "400 Bad Request");
}

static void transmit(struct client *client)
{
    size_t left = client->length - client->sent;
    ssize_t sent = send(client->fd, client->answer + client->sent, left, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    client->sent += sent > 0 ? (size_t)sent : 0;
    if (sent <= 0 || client->sent == client->length)
        close_client(client);
}

/* On the socket of the user's: only the user, and root. */
static bool may_ask(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return is_tcp || (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
                      (peer.uid == geteuid() || peer.uid == 0));
}

static void accept_client(struct client *clients, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (int i = 0; fd >= 0 && i < CONNECTIONS; i++)
        if (clients[i].fd < 0 && may_ask(fd)) {
            clients[i].fd = fd;
            clients[i].until = sheaf_clock_ns() + sheaf_times.oshtop_request;
            return;
        }
    if (fd >= 0)
        close(fd);
}

/* The folder's owner is the user or root, and no other user can put another socket there. */
static void check_folder(const char *path)
{
    char folder[sizeof own_socket.sun_path];
    struct stat status;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (slash == path)
        strcpy(folder, "/");
    if (stat(folder, &status) != 0)
        top_die(1, "SH952 --serve=%s: %s: %s", path, folder, strerror(errno));
    bool is_shared = (status.st_mode & 022) && !(status.st_mode & S_ISVTX);
    if ((status.st_uid != geteuid() && status.st_uid != 0) || is_shared)
        top_die(1, "SH952 --serve=%s: other users can write the folder %s: choose one of your own", path,
                folder);
}

/* $XDG_RUNTIME_DIR, or a folder in /tmp that others cannot enter. */
static void name_own_socket(char *path, size_t size)
{
    const char *run = getenv("XDG_RUNTIME_DIR");
    char folder[64];
    struct stat status;
    if (run && run[0] == '/' && stat(run, &status) == 0 && status.st_uid == geteuid()) {
        if ((size_t)snprintf(path, size, "%s/oshtop.socket", run) >= size)
            top_die(1, "SH952 --serve: XDG_RUNTIME_DIR=%s is too long for a socket", run);
        return;
    }
    snprintf(folder, sizeof folder, "/tmp/oshtop-%u", (unsigned)geteuid());
    mkdir(folder, 0700);
    if (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() ||
        (status.st_mode & 077))
        top_die(1, "SH952 --serve: %s is no folder of yours alone: name another place, --serve=PATH",
                folder);
    snprintf(path, size, "%s/oshtop.socket", folder);
}

/* A socket that nobody serves is left of a process that was killed: it is replaced. */
static void remove_old_socket(const struct sockaddr_un *name)
{
    struct stat status;
    if (lstat(name->sun_path, &status) != 0)
        return;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_socket = S_ISSOCK(status.st_mode) && status.st_uid == geteuid();
    if (!is_socket)
        top_die(1, "SH952 --serve=%s: this is there already, and is no socket of yours", name->sun_path);
    if (fd < 0 || connect(fd, (const struct sockaddr *)name, sizeof *name) == 0)
        top_die(1, "SH952 --serve=%s: another process serves it", name->sun_path);
    close(fd);
    unlink(name->sun_path);
}

static int listen_on_path(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if ((size_t)snprintf(name.sun_path, sizeof name.sun_path, "%s", path) >= sizeof name.sun_path)
        top_die(STATUS_USAGE, "SH951 --serve=%s: the path is too long: at most %zu letters", path,
                sizeof name.sun_path - 1);
    if (!*path)
        name_own_socket(name.sun_path, sizeof name.sun_path);
    check_folder(name.sun_path);
    remove_old_socket(&name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&name, sizeof name) != 0 ||
        listen(fd, CONNECTIONS) != 0)
        top_die(1, "SH952 --serve=%s: %s", name.sun_path, strerror(errno));
    umask(before);
    own_socket = name;
    printf("serving %s\n", name.sun_path);
    return fd;
}

static int listen_on_port(const char *place)
{
    char *end;
    long port = strtol(place + 1, &end, 10);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    if (end == place + 1 || *end || port < 0 || port > 65535)
        top_die(STATUS_USAGE, "SH951 --serve=%s: expected a path, or : and a port from 0 to 65535", place);
    name.sin_port = htons((uint16_t)port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (const struct sockaddr *)&name, sizeof name) != 0 || listen(fd, CONNECTIONS) != 0 ||
        getsockname(fd, (struct sockaddr *)&name, &length) != 0)
        top_die(1, "SH952 --serve=%s: %s", place, strerror(errno));
    is_tcp = true;
    printf("serving http://127.0.0.1:%d\n", ntohs(name.sin_port));
    return fd;
}

/* How long poll may sleep: until the first connection's time is over. */
static int next_limit(struct client *clients)
{
    uint64_t now = sheaf_clock_ns(), next = UINT64_MAX;
    for (int i = 0; i < CONNECTIONS; i++) {
        if (clients[i].fd >= 0 && clients[i].until <= now)
            close_client(&clients[i]);
        if (clients[i].fd >= 0 && clients[i].until < next)
            next = clients[i].until;
    }
    return next == UINT64_MAX ? -1 : (int)((next - now) / SHEAF_MILLISECOND + 1);
}

static void serve_until_signal(int listener, int signals, struct client *clients)
{
    struct pollfd polled[CONNECTIONS + 2];
    for (;;) {
        int limit = next_limit(clients);
        polled[CONNECTIONS] = (struct pollfd){listener, POLLIN, 0};
        polled[CONNECTIONS + 1] = (struct pollfd){signals, POLLIN, 0};
        for (int i = 0; i < CONNECTIONS; i++)
            polled[i] = (struct pollfd){clients[i].fd, clients[i].answer ? POLLOUT : POLLIN, 0};
        if (poll(polled, CONNECTIONS + 2, limit) < 0)
            continue;
        if (polled[CONNECTIONS + 1].revents)
            return;
        for (int i = 0; i < CONNECTIONS; i++)
            if (clients[i].fd >= 0 && polled[i].revents)
                (clients[i].answer ? transmit : receive)(&clients[i]);
        if (polled[CONNECTIONS].revents)
            accept_client(clients, listener);
    }
}

_Noreturn void top_serve(const char *place, int pid)
{
    static struct client clients[CONNECTIONS];
    sigset_t ends;
    job = pid;
    sheaf_times.addr2line_most = sheaf_times.report_asked = sheaf_times.oshtop_places;
    sigemptyset(&ends);
    for (const int *one = (const int[]){SIGINT, SIGTERM, SIGHUP, 0}; *one; one++)
        sigaddset(&ends, *one);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int signals = signalfd(-1, &ends, SFD_CLOEXEC);
    int listener = *place == ':' ? listen_on_port(place) : listen_on_path(place);
    if (signals < 0 || fflush(stdout))
        top_die(1, "SH952 cannot write: %s", strerror(errno));
    for (int i = 0; i < CONNECTIONS; i++)
        clients[i].fd = -1;
    serve_until_signal(listener, signals, clients);
    if (own_socket.sun_path[0])
        unlink(own_socket.sun_path);
    exit(0);
}
