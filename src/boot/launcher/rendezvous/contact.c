/* SPDX-License-Identifier: BSD-3-Clause
 * See contact.h.
 */
#include "boot/launcher/rendezvous/contact.h"

#include "base/clock.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/os/library.h"
#include "base/sha256.h"
#include "base/times.h"
#include "boot/launcher/rendezvous/proof.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef int resolve_function(const char *host, const char *service, const struct addrinfo *hints,
                             struct addrinfo **found);
typedef void free_function(struct addrinfo *found);
typedef const char *error_words(int error);

static socklen_t fill_local(struct sockaddr_un *address, const char *name)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

bool sheaf_contact_is_own(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

/* A local socket, of the root or of a member. */
static int open_local(const char *name, int backlog)
{
    struct sockaddr_un address;
    socklen_t length = fill_local(&address, name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    int failed = backlog > 0 ? bind(fd, (struct sockaddr *)&address, length) || listen(fd, backlog)
                             : connect(fd, (struct sockaddr *)&address, length);
    if (failed)
        return sheaf_interface_close_failed(fd);
    if (backlog > 0 || sheaf_contact_is_own(fd))
        return fd;
    errno = EPERM;
    return sheaf_interface_close_failed(fd);
}

static bool await_connected(int fd, uint64_t most_ns)
{
    struct pollfd set = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t length = sizeof error;
    if (poll(&set, 1, sheaf_times_ms(most_ns)) != 1)
        errno = ETIMEDOUT;
    else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0)
        errno = error;
    else
        error = errno;
    return set.revents && error == 0;
}

int sheaf_contact_connect(const struct sheaf_contact *contact, uint64_t most_ns)
{
    if (contact->port == 0)
        return open_local(contact->address, 0);
    int fd = sheaf_interface_connect(contact->address, contact->port);
    return fd < 0 || await_connected(fd, most_ns) ? fd : sheaf_interface_close_failed(fd);
}

static void add_found(struct sheaf_contacts *contacts, const struct addrinfo *found, int port)
{
    char text[INET6_ADDRSTRLEN];
    for (; found && contacts->count < SHEAF_INTERFACES; found = found->ai_next) {
        const struct sockaddr_in *four = (const void *)found->ai_addr;
        const struct sockaddr_in6 *six = (const void *)found->ai_addr;
        bool is_four = found->ai_family == AF_INET;
        if ((is_four || found->ai_family == AF_INET6) &&
            inet_ntop(found->ai_family, is_four ? (const void *)&four->sin_addr : &six->sin6_addr,
                      text, sizeof text))
            sheaf_contacts_add(contacts, text, port);
    }
}

/* Asked for by name: of a reference the linker would warn in every statically linked program. */
static const char *resolve(const char *host, int port, struct sheaf_contacts *contacts)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (sheaf_contact_is_numeric(host)) {
        sheaf_contacts_add(contacts, host, port);
        return NULL;
    }
    resolve_function *ask = (resolve_function *)sheaf_library_symbol(NULL, "getaddrinfo");
    free_function *release = (free_function *)sheaf_library_symbol(NULL, "freeaddrinfo");
    error_words *words = (error_words *)sheaf_library_symbol(NULL, "gai_strerror");
    if (!ask && !strcmp(host, "localhost")) {
        sheaf_contacts_add(contacts, "127.0.0.1", port);
        return NULL;
    }
    if (!ask || !release)
        return "a statically linked program finds no addresses of names: give an address";
    int error = ask(host, NULL, &hints, &found);
    if (error)
        return error == EAI_SYSTEM ? strerror(errno) : words ? words(error) : "no such host";
    add_found(contacts, found, port);
    release(found);
    return NULL;
}

/* The socket's name tells nothing that the address does not; whose it is says the kernel. With a
 * secret there is one on each host, and jobs with their roots on different hosts may have the same port. */
static void name_local(const struct sheaf_rendezvous_plan *plan, char name[INET6_ADDRSTRLEN])
{
    unsigned char digest[SHEAF_SHA256_BYTES];
    uint64_t host;
    sheaf_hmac_sha256("sheaf branch", 12, plan->host, strlen(plan->host), digest);
    memcpy(&host, digest, sizeof host);
    if (plan->secret[0])
        snprintf(name, INET6_ADDRSTRLEN, "sheaf-%u-%d-%016" PRIx64, geteuid(), plan->port, host);
    else
        snprintf(name, INET6_ADDRSTRLEN, "sheaf-%u-%d", geteuid(), plan->port);
}

/* A file that another user may have written is not read. */
static const char *read_file(struct sheaf_rendezvous_plan *plan, char text[SHEAF_INVITATION])
{
    struct stat file;
    int fd = open(plan->where, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT ? "the file is not there" : strerror(errno);
    bool is_own = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
                  (file.st_mode & 077) == 0;
    ssize_t length = is_own ? read(fd, text, SHEAF_INVITATION - 1) : -1;
    close(fd);
    if (!is_own)
        return "the file is another user's, or others may use it";
    text[length > 0 ? length : 0] = '\0';
    return NULL;
}

static void find_local(const struct sheaf_rendezvous_plan *plan, struct sheaf_contacts *contacts)
{
    char name[INET6_ADDRSTRLEN];
    name_local(plan, name);
    sheaf_contacts_add(contacts, name, 0);
}

const char *sheaf_contacts_resolve(const struct sheaf_rendezvous_plan *plan,
                                   struct sheaf_contacts *contacts)
{
    return plan->way == SHEAF_RENDEZVOUS_BY_PORT ? resolve(plan->host, plan->port, contacts) : NULL;
}

const char *sheaf_contacts_find(struct sheaf_rendezvous_plan *plan, struct sheaf_contacts *contacts)
{
    struct sheaf_invitation invitation;
    char text[SHEAF_INVITATION];
    *contacts = (struct sheaf_contacts){0};
    if (plan->way == SHEAF_RENDEZVOUS_BY_PORT) {
        find_local(plan, contacts);
        return NULL;
    }
    const char *why = plan->way == SHEAF_RENDEZVOUS_BY_FILE ? read_file(plan, text) : NULL;
    if (!why)
        why = sheaf_invitation_parse(plan->way == SHEAF_RENDEZVOUS_BY_FILE ? text : plan->invitation,
                                     &invitation);
    if (why)
        return why;
    snprintf(plan->secret, sizeof plan->secret, "%s", invitation.secret);
    *contacts = invitation.contacts;
    return NULL;
}

static void add_listener(struct sheaf_listeners *listeners, int fd, bool is_local)
{
    listeners->is_local[listeners->count] = is_local;
    listeners->fd[listeners->count++] = fd;
}

/* 0, or -1 and errno. port: 0 for any, which is told. */
static int listen_at(struct sheaf_listeners *listeners, const char *address, int backlog, int *port)
{
    int fd =
        listeners->count < SHEAF_CONTACTS ? sheaf_interface_listen(address, backlog, port) : -1;
    if (fd >= 0)
        add_listener(listeners, fd, false);
    return fd >= 0 ? 0 : -1;
}

static int listen_locally(struct sheaf_listeners *listeners, const char *name, int backlog)
{
    int fd = open_local(name, backlog);
    if (fd >= 0)
        add_listener(listeners, fd, true);
    return fd >= 0 ? 0 : -1;
}

bool sheaf_listeners_open_local(struct sheaf_listeners *listeners, const struct sheaf_contact *local,
                                const struct sheaf_rendezvous_plan *plan)
{
    *listeners = (struct sheaf_listeners){0};
    return listen_locally(listeners, local->address, SHEAF_BACKLOG + plan->size) == 0;
}

static bool has_listener(const char *address, int port)
{
    struct sheaf_contact contact = {.port = port};
    snprintf(contact.address, sizeof contact.address, "%s", address);
    int fd = sheaf_contact_connect(&contact, sheaf_times.rendezvous_connects);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Without a secret nobody is believed who comes by a port. With one a port is waited for, as long as the
 * processes, that another program's connection has: it keeps it for a minute after its end. */
static int listen_when_free(struct sheaf_listeners *listeners, const struct sheaf_rendezvous_plan *plan,
                            const char *address, const char **why)
{
    uint64_t until = sheaf_clock_ns() + plan->timeout_ns;
    int port = plan->port;
    while (listen_at(listeners, address, SHEAF_BACKLOG + plan->size, &port) != 0) {
        if (errno != EADDRINUSE)
            return -1;
        if (!plan->secret[0])
            return 0;
        bool is_listener = has_listener(address, port), is_late = sheaf_clock_ns() >= until;
        if (is_late && !is_listener)
            *why = "a connection of another process has the port: choose another";
        errno = EADDRINUSE;
        if (is_late || is_listener)
            return -1;
        poll(NULL, 0, sheaf_times_ms(sheaf_times.rendezvous_again_most));
    }
    return 0;
}

static bool is_loopback(const char *address)
{
    return !strncmp(address, "127.", 4) || !strcmp(address, "::1");
}

/* At the host's addresses. Where these are none of this machine's own, or only loopback for a name
 * that is not: at those of all interfaces, since a name may lead through a service, and many
 * systems give the loopback to their own name. */
static int listen_at_port(struct sheaf_listeners *listeners,
                          const struct sheaf_rendezvous_plan *plan, const char **why)
{
    struct sheaf_contacts contacts = {0};
    char interfaces[SHEAF_INTERFACES][INET6_ADDRSTRLEN];
    bool is_reached = !strcmp(plan->host, "localhost") || is_loopback(plan->host);
    *why = resolve(plan->host, plan->port, &contacts);
    for (int i = 0; i < contacts.count; i++)
        if (listen_when_free(listeners, plan, contacts.at[i].address, why) == 0)
            is_reached |= !is_loopback(contacts.at[i].address);
        else if (errno == EADDRINUSE || errno == EACCES)
            return -1;
    int count = is_reached ? 0 : sheaf_interface_list(interfaces);
    for (int i = 0; i < count; i++)
        if (listen_when_free(listeners, plan, interfaces[i], why) != 0 && errno == EADDRINUSE)
            return -1;
    return listeners->count > 0 ? 0 : -1;
}

int sheaf_listeners_invite(struct sheaf_listeners *listeners, int backlog, char text[SHEAF_INVITATION])
{
    char name[33], interfaces[SHEAF_INTERFACES][INET6_ADDRSTRLEN];
    struct sheaf_invitation invitation = {.pid = getpid()};
    *listeners = (struct sheaf_listeners){0};
    if (!sheaf_secret_make(invitation.secret) || !sheaf_secret_make(name) ||
        listen_locally(listeners, name, backlog) != 0)
        return -1;
    sheaf_contacts_add(&invitation.contacts, name, 0);
    snprintf(invitation.host, sizeof invitation.host, "%s", sheaf_os_host_name().text);
    int count = sheaf_interface_list(interfaces);
    for (int i = 0; i < count; i++) {
        int port = 0;
        if (listen_at(listeners, interfaces[i], backlog, &port) == 0)
            sheaf_contacts_add(&invitation.contacts, interfaces[i], port);
    }
    sheaf_invitation_print(&invitation, text);
    return 0;
}

/* Under a name of its own first: a reader finds all of it or nothing. */
static int write_file(struct sheaf_listeners *listeners, const struct sheaf_rendezvous_plan *plan,
                      const char *text)
{
    char name[sizeof plan->where + 40], random[33];
    struct stat file;
    if (!sheaf_secret_make(random))
        return -1;
    snprintf(name, sizeof name, "%s.%s", plan->where, random);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    size_t length = strlen(text);
    int failed = write(fd, text, length) != (ssize_t)length || fstat(fd, &file) != 0 ||
                 renameat(AT_FDCWD, name, AT_FDCWD, plan->where) != 0;
    int error = errno;
    close(fd);
    if (failed)
        unlink(name);
    else
        listeners->file_inode = file.st_ino;
    errno = error;
    return failed ? -1 : 0;
}

static int open_for_file(struct sheaf_listeners *listeners, struct sheaf_rendezvous_plan *plan)
{
    char text[SHEAF_INVITATION];
    struct sheaf_invitation invitation;
    if (sheaf_listeners_invite(listeners, SHEAF_BACKLOG + plan->size, text) != 0 ||
        write_file(listeners, plan, text) != 0)
        return -1;
    sheaf_invitation_parse(text, &invitation);
    snprintf(plan->secret, sizeof plan->secret, "%s", invitation.secret);
    return 0;
}

static int open_for_port(struct sheaf_listeners *listeners, struct sheaf_rendezvous_plan *plan,
                         const char **why)
{
    char name[INET6_ADDRSTRLEN];
    name_local(plan, name);
    bool is_open = listen_locally(listeners, name, SHEAF_BACKLOG + plan->size) == 0;
    if (!is_open && !plan->secret[0]) /* else a process of this host has come before: it is the branch */
        return -1;
    return listen_at_port(listeners, plan, why);
}

int sheaf_listeners_open(struct sheaf_listeners *listeners, struct sheaf_rendezvous_plan *plan)
{
    const char *why = NULL;
    *listeners = (struct sheaf_listeners){0};
    int failed = plan->way == SHEAF_RENDEZVOUS_BY_FILE ? open_for_file(listeners, plan)
                                                 : open_for_port(listeners, plan, &why);
    if (!failed)
        return 0;
    if (!why)
        why = errno == EADDRINUSE ? "another process listens there: choose another port"
                                  : strerror(errno);
    sheaf_error("SH411 rank %d on host %s cannot %s %s, where all %d processes are to connect: %s",
                plan->rank, sheaf_os_host_name().text,
                plan->way == SHEAF_RENDEZVOUS_BY_FILE ? "write" : "listen at", plan->where, plan->size,
                why);
    sheaf_listeners_close(listeners, plan);
    return -1;
}

/* The file may be another job's by now. */
void sheaf_listeners_remove_file(struct sheaf_listeners *listeners,
                                 const struct sheaf_rendezvous_plan *plan)
{
    struct stat file;
    if (listeners->file_inode && lstat(plan->where, &file) == 0 && file.st_ino == listeners->file_inode)
        unlink(plan->where);
    listeners->file_inode = 0;
}

void sheaf_listeners_close(struct sheaf_listeners *listeners,
                           const struct sheaf_rendezvous_plan *plan)
{
    while (listeners->count > 0)
        close(listeners->fd[--listeners->count]);
    sheaf_listeners_remove_file(listeners, plan);
}
