/* SPDX-License-Identifier: BSD-3-Clause
 * See card.h.
 */
#include "boot/world/card.h"

#include "base/os/os.h"
#include "base/os/process.h"
#include "base/settings/env.h"
#include "base/tame.h"
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT(number)  TEXT_OF(number)
#define TEXT_OF(text) #text

/* Of the library, and of what PEs share in memory. */
static const char version[] = SHEAF_VERSION "/" TEXT(SHEAF_CONTROL_VERSION);

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t length)
{
    for (const unsigned char *at = bytes; length--; at++)
        hash = (hash ^ *at) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t add_namespace(uint64_t hash, const char *path)
{
    struct stat namespace = {0};
    if (stat(path, &namespace) != 0)
        namespace.st_ino = 0;
    return add_bytes(hash, &namespace.st_ino, sizeof namespace.st_ino);
}

/* Descriptors of another process can be opened where both have the same kernel, process numbers,
 * user, and namespace of users. SHEAF_HOST lets one machine be several. */
static uint64_t host_identity(const char *host)
{
    char boot[64] = "";
    uid_t user = geteuid();
    const char *played = sheaf_settings_text("SHEAF_HOST");
    sheaf_os_read_file("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    uint64_t hash = add_bytes(UINT64_C(14695981039346656037), boot, strlen(boot));
    hash = add_namespace(hash, "/proc/self/ns/pid");
    hash = add_namespace(hash, "/proc/self/ns/user");
    hash = add_bytes(hash, &user, sizeof user);
    hash = add_bytes(hash, host, strlen(host) + 1);
    return played ? add_bytes(hash, played, strlen(played)) : hash;
}

bool sheaf_card_is_apart(void)
{
    return sheaf_settings_choice("SHEAF_ONNODE") == SHEAF_ONNODE_OFF;
}

/* A PE that is apart is a node of its own, and all else follows as for several hosts. */
static void identify(struct sheaf_card *card)
{
    card->host_identity = card->identity = host_identity(card->host);
    card->is_apart = sheaf_card_is_apart();
    if (!card->is_apart)
        return;
    card->identity = add_bytes(card->identity, &card->pid, sizeof card->pid);
    card->identity = add_bytes(card->identity, &card->started, sizeof card->started);
}

void sheaf_card_fill(struct sheaf_card *card)
{
    struct stat file;
    const char *played = sheaf_settings_text("SHEAF_HOST");
    memset(card, 0, sizeof *card);
    memcpy(card->magic, SHEAF_CARD_MAGIC, sizeof card->magic);
    snprintf(card->version, sizeof card->version, "%s", version);
    gethostname(card->host, sizeof card->host - 1);
    struct sheaf_process self = sheaf_process_self();
    card->pid = self.pid;
    card->started = self.started;
    identify(card);
    if (played)
        snprintf(card->host, sizeof card->host, "%s", played);
    card->data_length = sheaf_image.data_length;
    card->executable = sheaf_image.program_hash;
    card->file = sheaf_image.fd;
    if (fstat(sheaf_image.fd, &file) == 0)
        card->file_inode = file.st_ino;
}

bool sheaf_census_create(struct sheaf_census *census, int npes)
{
    size_t count = (size_t)npes;
    *census = (struct sheaf_census){.npes = npes};
    census->node_of = malloc(count * sizeof *census->node_of);
    return census->node_of != NULL;
}

void sheaf_census_destroy(struct sheaf_census *census)
{
    free(census->node_of);
    free(census->node);
    free(census->identity);
    free(census->npes_of);
}

/* Doubles when the number of nodes is a power of two. */
static bool grow(struct sheaf_census *census)
{
    size_t count = (size_t)census->nodes, room = count ? 2 * count : 1;
    if ((count & (count - 1)) != 0)
        return true;
    void *node = realloc(census->node, room * sizeof *census->node);
    census->node = node ? node : census->node;
    void *identity = realloc(census->identity, room * sizeof *census->identity);
    census->identity = identity ? identity : census->identity;
    void *npes_of = realloc(census->npes_of, room * sizeof *census->npes_of);
    census->npes_of = npes_of ? npes_of : census->npes_of;
    return node && identity && npes_of;
}

/* PEs mostly follow each other on a node or go round the nodes in turn: the search begins at the
 * node of the one before. */
static int find(const struct sheaf_census *census, int pe, uint64_t identity)
{
    int start = pe > 0 ? census->node_of[pe - 1] : 0;
    for (int i = 0; i < census->nodes; i++) {
        int node = start + i < census->nodes ? start + i : start + i - census->nodes;
        if (census->identity[node] == identity)
            return node;
    }
    return -1;
}

bool sheaf_census_add(struct sheaf_census *census, int pe, const struct sheaf_card *card)
{
    if (pe == 0)
        census->first = *card;
    int node = find(census, pe, card->identity);
    if (node < 0) {
        if (!grow(census))
            return false;
        node = census->nodes++;
        census->identity[node] = card->identity;
        census->npes_of[node] = 0;
        census->node[node].leader = pe;
        census->node[node].home = node;
        snprintf(census->node[node].host, sizeof census->node[node].host, "%s", card->host);
        sheaf_tame(census->node[node].host, 0);
    }
    census->node_of[pe] = node;
    census->npes_of[node]++;
    if (!census->differs && (card->executable != census->first.executable ||
                             card->data_length != census->first.data_length))
        census->differs = pe;
    if (!census->misfit && strcmp(card->version, census->first.version) != 0) {
        census->misfit = pe;
        census->other = *card;
    }
    if (!census->misfit && !census->disagrees && card->is_apart != census->first.is_apart) {
        census->disagrees = pe;
        census->other = *card;
    }
    return true;
}
