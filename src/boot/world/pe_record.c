/* SPDX-License-Identifier: BSD-3-Clause
 * See pe_record.h.
 */
#include "boot/world/pe_record.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "base/sanitize.h"
#include "base/settings/env.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

static uint64_t namespace_of(const char *path)
{
    struct stat namespace;
    return stat(path, &namespace) == 0 ? namespace.st_ino : 0;
}

static uint64_t add_namespace(uint64_t hash, const char *path)
{
    uint64_t namespace = namespace_of(path);
    return add_bytes(hash, &namespace, sizeof namespace);
}

/* The kernel, by its last start. SHEAF_HOST lets one machine be several. */
static uint64_t identify_machine(void)
{
    char boot[64] = "";
    const char *played = sheaf_settings_text("SHEAF_HOST");
    sheaf_os_read_file("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    uint64_t hash = add_bytes(UINT64_C(14695981039346656037), boot, strlen(boot));
    return played ? add_bytes(hash, played, strlen(played)) : hash;
}

/* Descriptors of another process can be opened where both have the same kernel, process numbers,
 * user, and namespace of users. */
static uint64_t host_identity(uint64_t machine, const char *host)
{
    uid_t user = geteuid();
    uint64_t hash = add_namespace(machine, "/proc/self/ns/pid");
    hash = add_namespace(hash, "/proc/self/ns/user");
    hash = add_bytes(hash, &user, sizeof user);
    return add_bytes(hash, host, strlen(host) + 1);
}

bool sheaf_pe_record_is_apart(void)
{
    return sheaf_settings_choice("SHEAF_ONNODE") == SHEAF_ONNODE_OFF;
}

static int open_folder(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int sheaf_pe_record_open_folder(void)
{
    char path[PATH_MAX];
    const char *folder = sheaf_settings_text("SHEAF_NODE_DIR");
    const char *file = sheaf_settings_text("SHEAF_RENDEZVOUS");
    const char *end = file ? strrchr(file, '/') : NULL;
    if (folder && *folder)
        return open_folder(folder);
    if (!end || snprintf(path, sizeof path, "%.*s/", (int)(end - file), file) >= (int)sizeof path)
        return -1;
    return open_folder(path);
}

/* Where deaths are reported PEs are watched by their numbers. */
static void say_where(struct sheaf_container_identity *where, uint64_t machine)
{
    int process = sheaf_os_open_process(getpid()), folder = sheaf_pe_record_open_folder();
    struct stat file;
    if (folder < 0 && sheaf_settings_text("SHEAF_NODE_DIR"))
        sheaf_warn("SH214 SHEAF_NODE_DIR is \"%.200s\", which is no folder that this process can open: %s; "
                   "containers of this host do not share memory by it",
                   sheaf_settings_text("SHEAF_NODE_DIR"), strerror(errno));
    bool may_join = process >= 0 && !sheaf_pe_record_is_apart() &&
                    sheaf_settings_choice("SHEAF_FAILURES") != SHEAF_FAILURES_REPORT;
    if (may_join) {
        where->machine = machine;
        where->network = namespace_of("/proc/self/ns/net");
    }
    if (may_join && folder >= 0 && fstat(folder, &file) == 0) {
        where->folder = add_bytes(where->machine, &file.st_dev, sizeof file.st_dev);
        where->folder = add_bytes(where->folder, &file.st_ino, sizeof file.st_ino);
    }
    if (folder >= 0)
        close(folder);
    if (process >= 0)
        close(process);
}

/* A PE that is apart is a node of its own, and all else follows as for several hosts. */
static void identify(struct sheaf_pe_record *record, uint64_t machine)
{
    record->host_identity = record->identity = host_identity(machine, record->host);
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
    uint64_t machine = identify_machine();
    identify(record, machine);
    say_where(&record->where, machine);
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
    free(map->where);
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
    void *where = realloc(map->where, room * sizeof *map->where);
    map->where = where ? where : map->where;
    return node && identity && npes_of && where;
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

static void share_where(struct sheaf_container_identity *all, const struct sheaf_container_identity *one)
{
    if (all->machine != one->machine)
        all->machine = 0;
    if (all->network != one->network)
        all->network = 0;
    if (all->folder != one->folder)
        all->folder = 0;
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
        map->where[node] = record->where;
        map->node[node].leader = pe;
        map->node[node].host_node = node;
        snprintf(map->node[node].host, sizeof map->node[node].host, "%s", record->host);
        sheaf_sanitize(map->node[node].host, 0);
    }
    map->node_of[pe] = node;
    map->npes_of[node]++;
    share_where(&map->where[node], &record->where);
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

void sheaf_job_map_join(struct sheaf_job_map *map, int *into)
{
    int nodes = 0;
    for (int node = 0; node < map->nodes; node++) {
        if (into[node] != node) {
            into[node] = into[into[node]];
            map->npes_of[into[node]] += map->npes_of[node];
            continue;
        }
        into[node] = nodes;
        map->node[nodes] = map->node[node];
        map->node[nodes].host_node = nodes;
        map->identity[nodes] = map->identity[node];
        map->npes_of[nodes] = map->npes_of[node];
        map->where[nodes++] = map->where[node];
    }
    map->nodes = nodes;
    for (int pe = 0; pe < map->npes; pe++)
        map->node_of[pe] = into[map->node_of[pe]];
}
