/* SPDX-License-Identifier: BSD-3-Clause
 * See sockets.h.
 */
#include "engine/sockets.h"

#include "base/times.h"

#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void sheaf_sockets_each(void (*visit)(int fd, const void *argument), const void *argument)
{
    DIR *descriptors = opendir("/proc/self/fd");
    struct dirent *entry;
    while (descriptors && (entry = readdir(descriptors)) != NULL)
        if (entry->d_name[0] != '.')
            visit(atoi(entry->d_name), argument);
    if (descriptors)
        closedir(descriptors);
}

/* Whether the other end is silent: probes or data were sent again and again, or could not be sent although
 * the window is open. */
static bool is_silent(int fd, uint64_t ns)
{
    const uint32_t most_ms = (uint32_t)sheaf_times_ms(ns);
    const uint32_t unheard_ms = (uint32_t)sheaf_times_ms(sheaf_times.peer_unheard);
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        info.tcpi_last_ack_recv <= most_ms || info.tcpi_last_data_recv <= most_ms)
        return false;
    return info.tcpi_probes > 1 || (info.tcpi_unacked > 0 && info.tcpi_retransmits > 1) ||
           (info.tcpi_unacked == 0 && info.tcpi_notsent_bytes > 0 &&
            info.tcpi_snd_wnd > info.tcpi_snd_mss && info.tcpi_busy_time > unheard_ms);
}

bool sheaf_socket_is_unheard(int fd)
{
    return is_silent(fd, sheaf_times.peer_unheard);
}

bool sheaf_socket_is_lost(int fd)
{
    return is_silent(fd, sheaf_times.peer_lost);
}
