/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A connection of TCP between two processes by plain calls: the client sends so many bytes, the server answers with
 * eight. Both look without sleeping. Prints the client's median, least and most time of a message in microseconds.
 * Arguments: server or client, the server's address, bytes, CPU (-1: any). TCP_BUFFER is the size of the sockets'
 * buffers; without it the kernel lets them grow. bench/net/two-speeds starts it.
 */
#include "../../timing.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGES 100
#define FIRST    20 /* not in the figures */
#define ANSWER   8
#define PORT     5040

static void bench_barrier(void)
{
}

static long bench_agree(long value)
{
    return value;
}

static int new_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), size = (int)bench_setting("TCP_BUFFER", 0);
    if (size > 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    return fd;
}

static int open_connection(int is_server, const char *address)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, address, &at.sin_addr);
    int one = 1, fd = new_socket();
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (is_server) {
        if (bind(fd, (void *)&at, sizeof at) != 0 || listen(fd, 1) != 0)
            return -1;
        fd = accept(fd, NULL, NULL);
    } else {
        for (int tries = 0; connect(fd, (void *)&at, sizeof at) != 0; tries++) {
            close(fd);
            if (tries == 1000)
                return -1;
            usleep(5000);
            fd = new_socket();
        }
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

/* Sends or receives all of it. */
static void pass(int fd, char *bytes, size_t length, int is_sent)
{
    for (size_t done = 0; done < length;) {
        ssize_t some = is_sent ? send(fd, bytes + done, length - done, 0) : recv(fd, bytes + done, length - done, 0);
        if (some > 0)
            done += (size_t)some;
        else if (some == 0 || errno != EAGAIN)
            exit(1);
        else
            sched_yield();
    }
}

int main(int count, char **arguments)
{
    if (count != 5)
        return 2;
    int is_server = strcmp(arguments[1], "server") == 0;
    size_t bytes = strtoul(arguments[3], NULL, 10);
    setenv("BENCH_CPUS", arguments[4], 1);
    if (arguments[4][0] != '-')
        bench_pin(0);
    char *data = malloc(bytes);
    double took[FIRST + MESSAGES];
    int fd = open_connection(is_server, arguments[2]);
    if (fd < 0 || !data || bytes < ANSWER)
        return 1;
    memset(data, 1, bytes);
    for (int i = 0; i < FIRST + MESSAGES; i++) {
        double since = bench_now_ns();
        pass(fd, data, bytes, !is_server);
        pass(fd, data, ANSWER, is_server);
        took[i] = (bench_now_ns() - since) / 1e3;
    }
    double median = bench_median(took + FIRST, MESSAGES);
    if (!is_server)
        printf("%.1f %.1f %.1f\n", median, took[FIRST], took[FIRST + MESSAGES - 1]);
}
