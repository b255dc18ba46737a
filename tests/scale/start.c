/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the start of a job costs by the model: start.h. Each PE does what shmem_init does through the launcher: it tells who it is,
 * finds its node, agrees on the heap, tells its network address. Prints a line with tabs for each launcher and number of
 * PEs: name, nodes, PEs, nanoseconds, fences, questions of the PE that has most, values, their bytes, the most bytes that
 * one daemon sends, and the most memory that a PE holds meanwhile for each PE of the job, which must be below 100 bytes.
 * The same for nodes that are one machine, whose processors also start daemons and PEs. Arguments: launchers.tsv, hosts.tsv, and
 * optionally the most PEs.
 */
#include "start.h"

#include "simulation.h"
#include "unit.h"

#include "base/os/process.h"
#include "base/times.h"
#include "boot/boot.h"
#include "boot/node.h"
#include "boot/world/pe_record.h"
#include "core/pe/job.h"
#include "image/image.h"

#include <sys/mman.h>

#define ADDRESS      ((size_t)200) /* bytes that a PE tells of its network: 48 and UCX's own, 60 to 300 */
#define RING_ADDRESS ((size_t)60)

struct sheaf_image sheaf_image;

static struct {
    const struct sheaf_launcher *launcher;
    int per_node;
    char **areas;        /* by node */
    size_t area_bytes;
    bool *is_attached;   /* by PE */
    uint32_t *is_started; /* by node: its daemon */
    const struct start_launcher *kind;
    bool is_on_host;
    double ended;
} job;

/* The descriptor is a PE: its file is the node's memory. */
void *start_map(size_t bytes, int protection, int flags, int fd, long offset)
{
    (void)protection, (void)flags, (void)offset;
    CHECK(fd % job.per_node == 0 && bytes <= job.area_bytes);
    return job.areas[fd / job.per_node];
}

void sheaf_pe_record_fill(struct sheaf_pe_record *record)
{
    *record = (struct sheaf_pe_record){.magic = SHEAF_PE_RECORD_MAGIC, .version = "model", .pid = sim_me->pe + 1,
                                       .identity = (uint64_t)sim_me->node + 1, .host_identity = (uint64_t)sim_me->node + 1,
                                       .file = sim_me->pe, .data_length = 4096, .executable = 7};
    snprintf(record->host, sizeof record->host, "node-%d", sim_me->node);
}

bool sheaf_pe_record_is_apart(void)
{
    return false;
}

int sheaf_process_open_file(const struct sheaf_process *process, int fd, uint64_t inode, int own)
{
    (void)fd, (void)inode, (void)own;
    return process->pid - 1;
}

bool sheaf_process_has_ended(int pid)
{
    (void)pid;
    return false;
}

bool sheaf_process_is_there(const struct sheaf_process *process)
{
    (void)process;
    return true;
}

void sheaf_os_futex_wait(uint32_t *word, uint32_t value, uint64_t ns)
{
    (void)ns;
    if (*word == value)
        sim_wait_for_word(word, value, NULL);
}

void sheaf_os_futex_wake(uint32_t *word)
{
    sim_wake(word);
}

int sheaf_image_attach_own(int fd)
{
    (void)fd;
    job.is_attached[sim_me->pe] = true;
    sheaf_image.control = (struct sheaf_control *)job.areas[sim_me->node];
    return 0;
}

int sheaf_boot_put(const char *key, const void *value, size_t bytes)
{
    return job.launcher->put(key, value, bytes);
}

int sheaf_boot_get(int pe, const char *key, void **value, size_t *bytes)
{
    return job.launcher->get(pe, key, value, bytes);
}

int sheaf_boot_fence(void)
{
    return job.launcher->fence();
}

void sheaf_watch_hosts_publish(void)
{
    char address[RING_ADDRESS] = "";
    if (sim_me->slot == 0)
        CHECK(sheaf_boot_put("ring", address, sizeof address) == 0);
}

void sheaf_watch_hosts_hold(void)
{
    void *address;
    size_t bytes;
    if (sim_me->slot != 0)
        return;
    CHECK(sheaf_boot_get((sim_me->node + 1) % sim_nodes * job.per_node, "ring", &address, &bytes) == 0);
    start_free(address);
}

static void set_process(void)
{
    int pe = sim_me->pe;
    start_set_node(pe);
    start_set_pmi1(pe, sheaf_job.npes);
    start_set_pmi2(pe, sheaf_job.npes);
    sheaf_image.fd = pe;
    sheaf_image.control = job.is_attached[pe] ? (struct sheaf_control *)job.areas[sim_me->node] : NULL;
}

/* The first PE of a node computes what its daemon does. */
static void start_process(void)
{
    uint32_t *is_started = &job.is_started[sim_me->node];
    if (sim_me->slot == 0) {
        sim_work(job.kind->node);
        *is_started = 1;
        sim_wake(is_started);
    }
    while (*is_started == 0)
        sim_wait_for_word(is_started, 0, NULL);
    sim_work(job.kind->process);
}

static void start_pe(void *unused)
{
    char address[ADDRESS] = "";
    (void)unused;
    if (job.is_on_host)
        start_process();
    CHECK(sheaf_node_join(job.launcher) == 0 && sheaf_boot_agree(0) == 0);
    CHECK(sheaf_boot_put("network", address, sizeof address) == 0 && sheaf_boot_fence() == 0);
    CHECK(sheaf_boot.nodes == sim_nodes && sheaf_boot_node_of(sim_me->pe) == sim_me->node &&
          sheaf_boot_slot_of(sim_me->pe) == sim_me->slot && sheaf_boot_pe_at(sim_me->slot) == sim_me->pe &&
          sheaf_boot_leader_of(sim_nodes - 1) == (sim_nodes - 1) * job.per_node);
    job.ended = sim_me->now > job.ended ? sim_me->now : job.ended;
}

static void make_job(int nodes, int per_node)
{
    struct sheaf_control header;
    size_t npes = (size_t)nodes * (size_t)per_node;
    CHECK(sheaf_control_plan(&header, per_node, (int)npes, nodes, (uint64_t)1 << 40) == 0);
    job.per_node = per_node;
    job.area_bytes = header.arena_offset;
    job.ended = 0;
    job.areas = calloc((size_t)nodes, sizeof *job.areas);
    job.is_attached = calloc(npes, sizeof *job.is_attached);
    job.is_started = calloc((size_t)nodes, sizeof *job.is_started);
    start_memory_begin((int)npes);
    for (int node = 0; node < nodes; node++) {
        job.areas[node] = mmap(NULL, job.area_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(job.areas[node] != MAP_FAILED);
    }
    sheaf_image.slot_offset = (uint64_t)1 << 40;
    sheaf_boot.has_control = true;
}

static void drop_job(int nodes)
{
    for (int node = 0; node < nodes; node++)
        munmap(job.areas[node], job.area_bytes);
    free(job.areas);
    free(job.is_attached);
    free(job.is_started);
    start_memory_end();
}

static void model(const struct start_launcher *launcher, const struct host *host, int nodes, int per_node)
{
    const struct wire wire = {.near = 100, .block = 1, .host = host};
    int npes = nodes * per_node;
    make_job(nodes, per_node);
    job.kind = launcher;
    job.is_on_host = host != NULL;
    job.launcher = start_daemons_begin(launcher, nodes, per_node);
    start_begin_nodes(npes);
    sim_on_turn = set_process;
    sim_run(nodes, per_node, 4096, &wire, start_pe, NULL);
    double held = (double)start_memory_most() / npes;
    printf("%s\t%d\t%d\t%.0f\t%d\t%ju\t%ju\t%ju\t%ju\t%.1f\n", launcher->name, nodes, npes, job.ended, start_counts.fences,
           (uintmax_t)start_counts.most_requests, (uintmax_t)start_counts.values, (uintmax_t)start_counts.bytes,
           (uintmax_t)start_counts.most_sent, held);
    fflush(stdout);
    CHECK(npes < 10000 || held < 100);
    CHECK(start_counts.most_requests <= 2 * (uint64_t)(nodes + per_node) + 16 || npes <= 1000);
    start_daemons_end();
    drop_job(nodes);
}

static const int jobs[][2] = {{10, 10}, {10, 100}, {100, 100}, {1000, 100}};

/* Nodes that are one machine, which have been measured too. */
static const int jobs_on_host[][2] = {{2, 1}, {2, 2}, {2, 4}, {4, 4}, {2, 8}, {2, 32}};

static void model_jobs(const struct start_launcher *launcher, const struct host *host, int most)
{
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i][0] * jobs[i][1] <= most)
            model(launcher, NULL, jobs[i][0], jobs[i][1]);
    for (size_t i = 0; launcher->process > 0 && i < sizeof jobs_on_host / sizeof *jobs_on_host; i++)
        if (jobs_on_host[i][0] * jobs_on_host[i][1] <= most)
            model(launcher, host, jobs_on_host[i][0], jobs_on_host[i][1]);
}

static void read_host(const char *path, struct host *host)
{
    char line[1024], name[64];
    bool is_read = false;
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (!is_read && fgets(line, sizeof line, file))
        is_read = line[0] != '#' && host_read(line, name, host);
    CHECK(is_read);
    fclose(file);
}

int main(int argc, char **argv)
{
    char line[1024];
    struct start_launcher launcher;
    struct host host;
    CHECK(argc == 3 || argc == 4);
    read_host(argv[2], &host);
    FILE *file = fopen(argv[1], "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        CHECK(sscanf(line, "%31[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%d\t%lf\t%lf", launcher.name, &launcher.request, &launcher.value,
                     &launcher.latency, &launcher.overhead, &launcher.per_byte, &launcher.children, &launcher.node,
                     &launcher.process) == 9);
        model_jobs(&launcher, &host, argc == 4 ? atoi(argv[3]) : 100000);
    }
    fclose(file);
    return 0;
}
