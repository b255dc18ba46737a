/* SPDX-License-Identifier: BSD-3-Clause
 * See buddy.h.
 */
#include "snapshot/buddy.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/note.h"
#include "snapshot/carry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool sheaf_buddy_is_asked_for(void)
{
    return sheaf_job.settings.buddy == SHEAF_BUDDY_ONE;
}

/* By the node that the host began with: one that is lost may have its PEs on another's. */
static int host_at(const struct sheaf_team *team, int rank)
{
    return sheaf_boot_home_of(sheaf_team_world_pe(team, rank));
}

static bool has_several_hosts(const struct sheaf_team *team)
{
    int rank = 1, first = host_at(team, 0);
    while (rank < team->size && host_at(team, rank) == first)
        rank++;
    return rank < team->size;
}

bool sheaf_buddy_is_on(const struct sheaf_team *team)
{
    return sheaf_buddy_is_asked_for() && team->multinode && has_several_hosts(team);
}

bool sheaf_buddy_leads(const struct sheaf_team *team)
{
    int rank = 0, host = host_at(team, team->rank);
    while (host_at(team, rank) != host)
        rank++;
    return rank == team->rank;
}

int sheaf_buddy_name_dir(char path[PATH_MAX], const char *dir, struct sheaf_snapshot_reason *why)
{
    bool is_own = sheaf_buddy_is_asked_for();
    const char *mark = is_own ? strstr(dir, "%h") : NULL, *host = sheaf_boot_host_of(sheaf_job.pe);
    int length = mark ? snprintf(path, PATH_MAX, "%.*s%s%s", (int)(mark - dir), dir, host, mark + 2)
                      : snprintf(path, PATH_MAX, "%s", dir);
    if (length >= PATH_MAX)
        return sheaf_snapshot_explain(why, "the folder's name is too long");
    if (mark && (strchr(host, '/') || host[0] == '.' || !host[0]))
        return sheaf_snapshot_explain(why, "the host's name is \"%s\", which no folder can have", host);
    return 0;
}

void *sheaf_buddy_allocate(size_t bytes)
{
    void *got = calloc(1, bytes);
    if (!got)
        sheaf_fatal("no memory for %zu bytes about the files of snapshots", bytes);
    return got;
}

void sheaf_buddy_make_circle(const struct sheaf_team *team, struct sheaf_circle *circle)
{
    int *host = sheaf_buddy_allocate((size_t)team->size * sizeof *host), hosts = 0;
    for (int rank = 0; rank < team->size; rank++) {
        host[rank] = host_at(team, rank);
        hosts = host[rank] >= hosts ? host[rank] + 1 : hosts;
    }
    if (sheaf_circle_make(circle, host, team->size, hosts) != 0)
        sheaf_fatal("no memory for the list of %d hosts", hosts);
    free(host);
}

int sheaf_buddy_open_file(const struct sheaf_team *team, int folder, int rank, uint64_t *length,
                          struct sheaf_snapshot_reason *why)
{
    struct stat status;
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    int fd = sheaf_folder_open_file(folder, name, why);
    *length = fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
    return fd;
}

static int create_of(const struct sheaf_team *team, int folder, int rank, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    return sheaf_folder_create_file(folder, name, why);
}

/* What was received is durable. */
static void close_copy(const struct sheaf_team *team, const struct sheaf_carried *file,
                       struct sheaf_snapshot_reason *why)
{
    if (file->fd < 0)
        return;
    if (file->to == team->rank && fsync(file->fd) != 0 && !why->text[0])
        sheaf_snapshot_explain(why, "the copy of a file cannot be written: %s", strerror(errno));
    close(file->fd);
}

void sheaf_buddy_copy(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                      struct sheaf_snapshot_reason *why)
{
    struct sheaf_carried *files = sheaf_buddy_allocate((size_t)team->size * sizeof *files);
    uint64_t *lengths = sheaf_buddy_allocate((size_t)team->size * sizeof *lengths), length;
    struct sheaf_circle circle;
    sheaf_buddy_make_circle(team, &circle);
    int own = sheaf_buddy_open_file(team, folder->part, team->rank, &length, why);
    sheaf_team_exchange(team, &length, sizeof length, lengths);
    for (int rank = 0; rank < team->size; rank++) {
        files[rank] = (struct sheaf_carried){rank, circle.buddy[rank], -1, lengths[rank]};
        if (rank == team->rank)
            files[rank].fd = own;
        else if (files[rank].to == team->rank)
            files[rank].fd = create_of(team, folder->part, rank, why);
    }
    sheaf_carry(team, files, team->size, why);
    for (int rank = 0; rank < team->size; rank++)
        close_copy(team, &files[rank], why);
    free(circle.leader);
    free(files);
    free(lengths);
}
