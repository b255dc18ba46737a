/* SPDX-License-Identifier: BSD-3-Clause
 * See interface.h.
 */
#include "hosts/interface.h"

#include "base/times.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Whether list, "eth0,ib0", has name. */
static bool contains_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

enum choice { NAMED, OTHERS };

/* NAMED: what UCX_NET_DEVICES has the network engine use. Loopback has to be named. */
static bool is_chosen(enum choice choice, const struct ifaddrs *each)
{
    const char *given = getenv("UCX_NET_DEVICES");
    bool is_loopback = each->ifa_flags & IFF_LOOPBACK;
    if (!given || !*given || strcmp(given, "all") == 0)
        given = "^";
    if (choice == OTHERS)
        return !is_loopback;
    if (given[0] == '^')
        return !is_loopback && !contains_name(given + 1, each->ifa_name);
    return contains_name(given, each->ifa_name);
}

/* False for what another host cannot reach. */
static bool print_address(const struct sockaddr *address, char text[INET6_ADDRSTRLEN])
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    if (address->sa_family == AF_INET)
        return inet_ntop(AF_INET, &four->sin_addr, text, INET6_ADDRSTRLEN) != NULL;
    return address->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr) &&
           inet_ntop(AF_INET6, &six->sin6_addr, text, INET6_ADDRSTRLEN) != NULL;
}

static int choose_addresses(enum choice choice, const struct ifaddrs *all,
                            char addresses[SHEAF_INTERFACES][INET6_ADDRSTRLEN])
{
    int count = 0;
    for (const struct ifaddrs *each = all; each && count < SHEAF_INTERFACES; each = each->ifa_next)
        if (each->ifa_addr && each->ifa_flags & IFF_UP && is_chosen(choice, each))
            count += print_address(each->ifa_addr, addresses[count]);
    return count;
}

/* Adapters have names that are no interface's: then any will do. */
int sheaf_interface_list(char addresses[SHEAF_INTERFACES][INET6_ADDRSTRLEN])
{
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0)
        return 0;
    int count = choose_addresses(NAMED, all, addresses);
    if (count == 0)
        count = choose_addresses(OTHERS, all, addresses);
    freeifaddrs(all);
    return count;
}

/* Room for either family; the port lies at the same place in both. */
struct endpoint {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    };
    socklen_t length;
};

static int open_socket(const char *address, int port, struct endpoint *end)
{
    *end = (struct endpoint){.length = sizeof end->four};
    end->four.sin_family = AF_INET;
    end->four.sin_port = htons((uint16_t)port);
    if (inet_pton(AF_INET, address, &end->four.sin_addr) != 1) {
        *end = (struct endpoint){.length = sizeof end->six};
        end->six.sin6_family = AF_INET6;
        end->six.sin6_port = htons((uint16_t)port);
        if (inet_pton(AF_INET6, address, &end->six.sin6_addr) != 1) {
            errno = EINVAL;
            return -1;
        }
    }
    return socket(end->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int sheaf_interface_close_failed(int fd)
{
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static void set_number(int fd, int level, int option, int value)
{
    setsockopt(fd, level, option, &value, sizeof value);
}

int sheaf_interface_listen(const char *address, int backlog, int *port)
{
    struct endpoint end;
    int fd = open_socket(address, *port, &end);
    if (fd < 0)
        return -1;
    if (*port != 0) /* which the former job may have left a second ago */
        set_number(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (bind(fd, &end.any, end.length) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, &end.any, &end.length) != 0)
        return sheaf_interface_close_failed(fd);
    *port = ntohs(end.four.sin_port);
    return fd;
}

int sheaf_interface_connect(const char *address, int port)
{
    struct endpoint end;
    int fd = open_socket(address, port, &end);
    if (fd < 0)
        return -1;
    set_number(fd, SOL_SOCKET, SO_REUSEADDR, 1); /* its port may be a listener's soon */
    if (connect(fd, &end.any, end.length) != 0 && errno != EINPROGRESS)
        return sheaf_interface_close_failed(fd);
    return fd;
}

/* Without a free descriptor accept() fails in either case. */
static bool has_caller(int listener)
{
    struct pollfd event = {.fd = listener, .events = POLLIN};
    return poll(&event, 1, 0) == 1;
}

int sheaf_interface_accept(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), error = errno;
    bool is_none = error == EAGAIN || error == EINTR || error == ECONNABORTED;
    if (fd < 0)
        errno = is_none || !has_caller(listener) ? EAGAIN : error;
    return fd;
}

void sheaf_interface_keep_asking(int fd, uint64_t unanswered_ns)
{
    set_number(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_number(fd, IPPROTO_TCP, TCP_KEEPIDLE, sheaf_times_s(sheaf_times.host_probe));
    set_number(fd, IPPROTO_TCP, TCP_KEEPINTVL, sheaf_times_s(sheaf_times.host_probe));
    set_number(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
    set_number(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, sheaf_times_ms(unanswered_ns));
    set_number(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

bool sheaf_interface_is_unacknowledged(int fd, uint64_t ns)
{
    struct tcp_info info = {0};
    socklen_t bytes = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes) == 0 && info.tcpi_unacked > 0 &&
           info.tcpi_last_ack_recv * SHEAF_MILLISECOND >= ns;
}
