/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boot/ alone, without the layers above: connects, prints one line with all that boot.h says of
 * this PE and the world, and has all PEs tell each other values of several sizes, twice.
 */
#include "boot/boot.h"
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, int pe)
{
    printf("PE %d: failed: %s of PE %d\n", sheaf_boot.pe, what, pe);
    fflush(stdout);
    sheaf_boot_abort(1);
    _Exit(1);
}

static unsigned char byte_of(int pe, int round, size_t at)
{
    return (unsigned char)(pe * 31 + round * 7 + (int)(at % 251));
}

static void tell(const char *key, size_t bytes, int round)
{
    unsigned char *value = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        value[i] = byte_of(sheaf_boot.pe, round, i);
    if (sheaf_boot_put(key, value, bytes) != 0)
        fail("put", sheaf_boot.pe);
    free(value);
}

static void hear(const char *key, size_t bytes, int round)
{
    for (int pe = 0; pe < sheaf_boot.npes; pe++) {
        unsigned char *value;
        size_t length;
        if (sheaf_boot_get(pe, key, (void **)&value, &length) != 0 || length != bytes)
            fail(key, pe);
        for (size_t i = 0; i < bytes; i++)
            if (value[i] != byte_of(pe, round, i))
                fail("bytes", pe);
        free(value);
    }
}

static void print_world(void)
{
    char line[4096];
    int used = snprintf(line, sizeof line, "pe=%d npes=%d node=%d nodes=%d slot=%d node_npes=%d host=%s",
                        sheaf_boot.pe, sheaf_boot.npes, sheaf_boot.node, sheaf_boot.nodes,
                        sheaf_boot.slot, sheaf_boot.node_npes, sheaf_boot_host_of(sheaf_boot.pe));
    used += snprintf(line + used, sizeof line - (size_t)used, " near=");
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%d,", sheaf_boot_pe_at(slot));
    used += snprintf(line + used, sizeof line - (size_t)used, " locations=");
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%d:%d:%s,",
                         sheaf_boot_node_of(pe), sheaf_boot_slot_of(pe), sheaf_boot_host_of(pe));
    used += snprintf(line + used, sizeof line - (size_t)used, " leaders=");
    for (int node = 0; node < sheaf_boot.nodes; node++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%d,", sheaf_boot_leader_of(node));
    printf("%s\n", line);
    fflush(stdout);
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        void *value;
        size_t length;
        if (sheaf_boot_connect() != 0) {
            sheaf_boot_abort(1);
            return 1;
        }
        if (round == 0)
            print_world();
        tell("small", 5, round);
        tell("large", 3000, round);
        if (sheaf_boot_fence() != 0)
            return 1;
        hear("small", 5, round);
        hear("large", 3000, round);
        if (sheaf_boot_get(0, "none", &value, &length) == 0)
            fail("a value that nobody put", 0);
        tell("empty", 0, round);
        sheaf_boot_fence();
        hear("empty", 0, round);
        sheaf_boot_fence();
    }
    sheaf_boot_disconnect();
    return 0;
}
