/* SPDX-License-Identifier: BSD-3-Clause
 * See pe_record.h.
 */
#include "boot/world/pe_record.h"

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

bool sheaf_pe_record_is_apart(void)
{
    return sheaf_settings_choice("SHEAF_ONNODE") == SHEAF_ONNODE_OFF;
}

/* A PE that is apart is a node of its own, and all else follows as for several hosts. */
static void identify(struct sheaf_pe_record *record)
{
    record->host_identity = record->identity = host_identity(record->host);
    record->is_apart = sheaf_pe_record_is_apart();
    if (!record->is_apart)
        return;
    record->identity = add_bytes(record->identity, &record->pid, sizeof record->pid);
    record->identity = add_bytes(record->identity, &record->started, sizeof record->started);
}

void sheaf_pe_record_fill(struct sheaf_pe_record *record)
{
    struct stat file;
    const char *played = sheaf_settings_text("SHEAF_HOST");
    memset(record, 0, sizeof *record);
    memcpy(record->magic, SHEAF_PE_RECORD_MAGIC, sizeof record->magic);
    snprintf(record->version, sizeof record->version, "%s", version);
    gethostname(record->host, sizeof record->host - 1);
    struct sheaf_process self = sheaf_process_self();
    record->pid = self.pid;
    record->started = self.started;
    identify(record);
    if (played)
        snprintf(record->host, sizeof record->host, "%s", played);
    record->data_length = sheaf_image.data_length;
    record->executable = sheaf_image.program_hash;
    record->file = sheaf_image.fd;
    if (fstat(sheaf_image.fd, &file) == 0)
        record->file_inode = file.st_ino;
}

bool sheaf_job_map_create(struct sheaf_job_map *map, int npes)
{
    size_t count = (size_t)npes;
    *map = (struct sheaf_job_map){.npes = npes};
    map->node_of = malloc(count * sizeof *map->node_of);
    return map->node_of != NULL;
}

void sheaf_job_map_destroy(struct sheaf_job_map *map)
{
    free(map->node_of);
    free(map->node);
    free(map->identity);
    free(map->npes_of);
}

/* Doubles when the number of nodes is a power of two. */
static bool grow(struct sheaf_job_map *map)
{
    size_t count = (size_t)map->nodes, room = count ? 2 * count : 1;
    if ((count & (count - 1)) != 0)
        return true;
    void *node = realloc(map->node, room * sizeof *map->node);
    map->node = node ? node : map->node;
    void *identity = realloc(map->identity, room * sizeof *map->identity);
    map->identity = identity ? identity : map->identity;
    void *npes_of = realloc(map->npes_of, room * sizeof *map->npes_of);
    map->npes_of = npes_of ? npes_of : map->npes_of;
    return node && identity && npes_of;
}

/* PEs mostly follow each other on a node or go round the nodes in turn: the search begins at the
 * node of the one before. */
static int find(const struct sheaf_job_map *map, int pe, uint64_t identity)
{
    int start = pe > 0 ? map->node_of[pe - 1] : 0;
    for (int i = 0; i < map->nodes; i++) {
        int node = start + i < map->nodes ? start + i : start + i - map->nodes;
        if (map->identity[node] == identity)
            return node;
    }
    return -1;
}

bool sheaf_job_map_add(struct sheaf_job_map *map, int pe, const struct sheaf_pe_record *record)
{
    if (pe == 0)
        map->first = *record;
    int node = find(map, pe, record->identity);
    if (node < 0) {
        if (!grow(map))
            return false;
        node = map->nodes++;
        map->identity[node] = record->identity;
        map->npes_of[node] = 0;
        map->node[node].leader = pe;
        map->node[node].host_node = node;
        snprintf(map->node[node].host, sizeof map->node[node].host, "%s", record->host);
        sheaf_tame(map->node[node].host, 0);
    }
    map->node_of[pe] = node;
    map->npes_of[node]++;
    if (!map->differs && (record->executable != map->first.executable ||
                          record->data_length != map->first.data_length))
        map->differs = pe;
    if (!map->version_mismatch && strcmp(record->version, map->first.version) != 0) {
        map->version_mismatch = pe;
        map->other = *record;
    }
    if (!map->version_mismatch && !map->disagrees && record->is_apart != map->first.is_apart) {
        map->disagrees = pe;
        map->other = *record;
    }
    return true;
}
