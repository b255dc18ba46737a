/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two processes of a limit tell each other what they need, through a folder that both see. After timing.h.
 */
#ifndef BENCH_NET_LIMITS_EXCHANGE_H
#define BENCH_NET_LIMITS_EXCHANGE_H

#include <unistd.h>

static const char *exchange_folder;

/* Files appear under their names when they are complete. */
static void publish(const char *what, const void *data, size_t length)
{
    char path[512], part[600];
    snprintf(path, sizeof path, "%s/%s.%d", exchange_folder, what, bench_me);
    snprintf(part, sizeof part, "%s.part", path);
    FILE *out = fopen(part, "wb");
    if (!out || fwrite(data, 1, length, out) != length || fclose(out) != 0 || rename(part, path) != 0) {
        perror(path);
        exit(1);
    }
}

static size_t obtain(const char *what, void *data, size_t most)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%d", exchange_folder, what, !bench_me);
    FILE *in = NULL;
    for (int tries = 0; !in && tries < 10000; tries++) {
        in = fopen(path, "rb");
        if (!in)
            usleep(1000);
    }
    if (!in) {
        perror(path);
        exit(1);
    }
    size_t length = fread(data, 1, most, in);
    fclose(in);
    return length;
}

#endif
