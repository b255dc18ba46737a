/* SPDX-License-Identifier: BSD-3-Clause
 * See sockets.h.
 */
#include "engine/sockets.h"

#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PATIENCE_MS 3000
#define LOST_MS     15000

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

/* Probes or data were sent again and again, or could not even be sent while the window is open. */
static bool is_unheard(int fd, uint32_t patience_ms)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        info.tcpi_last_ack_recv <= patience_ms || info.tcpi_last_data_recv <= patience_ms)
        return false;
    return info.tcpi_probes > 1 || (info.tcpi_unacked > 0 && info.tcpi_retransmits > 1) ||
           (info.tcpi_unacked == 0 && info.tcpi_notsent_bytes > 0 &&
            info.tcpi_snd_wnd > info.tcpi_snd_mss && info.tcpi_busy_time > PATIENCE_MS);
}

bool sheaf_socket_is_unheard(int fd)
{
    return is_unheard(fd, PATIENCE_MS);
}

bool sheaf_socket_is_lost(int fd)
{
    return is_unheard(fd, LOST_MS);
}
