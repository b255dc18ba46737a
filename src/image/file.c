/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the files that hold control areas and slots, and plans the areas: for oshrun, and for PEs
 * that another launcher started. Prints nothing: the callers know what to say.
 */
#include "image/control.h"

#include "base/os/os.h"
#include "base/sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB            ((uint64_t)1 << 20)
#define SLOT_ALIGN     (2 * MIB)
#define STRIDE_SHIFT   42 /* 4 TiB of file per PE; it is sparse */
#define SMALLEST_SHIFT 25

int sheaf_file_create(void)
{
    int fd = memfd_create("sheaf", MFD_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0600))
        return -1;
    return sheaf_os_move_up(fd);
}

/* A length beyond the limit on file sizes raises a signal, unless that is ignored. */
int sheaf_file_set_length(int fd, uint64_t room, int slots, uint64_t *stride)
{
    struct rlimit limit, raised;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    getrlimit(RLIMIT_FSIZE, &limit);
    raised = limit;
    raised.rlim_cur = raised.rlim_max;
    setrlimit(RLIMIT_FSIZE, &raised);
    sigaction(SIGXFSZ, &ignore, &before);
    int shift = STRIDE_SHIFT, failed;
    do {
        uint64_t first = room ? room : (uint64_t)1 << shift;
        failed = ftruncate(fd, (off_t)(first + ((uint64_t)slots << shift)));
    } while (failed && --shift >= SMALLEST_SHIFT);
    int error = errno;
    sigaction(SIGXFSZ, &before, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    errno = error;
    *stride = (uint64_t)1 << shift;
    return failed ? -1 : 0;
}

/* Bytes of the arena, which holds team blocks and the like. It is sparse, but every PE maps it. */
static uint64_t arena_size(int npes)
{
    uint64_t size = 256 * MIB + (uint64_t)npes * 16 * MIB;
    struct rlimit limit;
    if (size > 8192 * MIB)
        size = 8192 * MIB;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur / 16)
        size = limit.rlim_cur / 16;
    return sheaf_round_up(size, SLOT_ALIGN);
}

int sheaf_control_plan(struct sheaf_control *header, int npes, int world_npes, int nodes,
                       uint64_t room)
{
    size_t page = sheaf_os_page_size();
    *header = (struct sheaf_control){.version = SHEAF_CONTROL_VERSION,
                                     .npes = npes,
                                     .world_npes = world_npes,
                                     .nodes = nodes,
                                     .launcher_pid = getpid()};
    if (getrandom(&header->job_id, sizeof header->job_id, 0) != sizeof header->job_id)
        return -1;
    header->pes_offset = sheaf_round_up(sizeof *header, page);
    header->nodes_offset = header->pes_offset + (size_t)npes * sizeof(struct sheaf_pe);
    uint64_t end = header->nodes_offset + (size_t)nodes * sizeof(struct sheaf_node);
    if (nodes > 1) {
        header->locations_offset = end;
        end += (size_t)world_npes * sizeof(struct sheaf_pe_location);
    }
    header->names_offset = sheaf_round_up(end, page);
    header->kvs_offset = header->names_offset + SHEAF_CALL_NAMES_ROOM;
    header->arena_offset = header->kvs_offset + (uint64_t)npes * SHEAF_KVS_SIZE;
    header->arena_size = arena_size(npes);
    header->slots_offset = sheaf_round_up(header->arena_offset + header->arena_size, SLOT_ALIGN);
    if (header->slots_offset <= room)
        return 0;
    if (header->arena_offset + 16 * MIB > room) {
        errno = ENOSPC;
        return -1;
    }
    header->arena_size = room - header->arena_offset;
    header->slots_offset = room;
    return 0;
}

int sheaf_control_plan_addresses(struct sheaf_control *header)
{
    uint64_t bytes = sheaf_round_up((uint64_t)header->world_npes * sizeof(struct sheaf_address), MIB);
    if (header->arena_size < bytes + 16 * MIB)
        return -1;
    header->addresses_offset = header->arena_offset;
    header->arena_offset += bytes;
    header->arena_size -= bytes;
    return 0;
}

void sheaf_control_write(struct sheaf_control *control, const struct sheaf_control *header)
{
    *control = *header;
    for (int slot = 0; slot < control->npes; slot++) {
        sheaf_control_pe(control, slot)->world_pe = slot;
        sheaf_control_pe(control, slot)->file = -1;
        sheaf_control_pe(control, slot)->agent_file = -1;
    }
    struct sheaf_node *node = sheaf_control_node(control, 0);
    gethostname(node->host, sizeof node->host);
    node->host[sizeof node->host - 1] = '\0';
    sheaf_sanitize(node->host, 0);
}
