/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agents of two nodes, which this machine plays: they have nothing of the process that starts them but what
 * they need. They meet, and both control areas have the same deaths in the same order, one of each node. Agents
 * end with their PEs. One that cannot start says why. On loopback (UCX_NET_DEVICES=lo). Arguments: sheaf-agent, the
 * PEs of a node, and how many files an agent may open: fewer than PEs, and it ends these and itself.
 */
#include "base/os/process.h"
#include "boot/replicated_log/agent.h"
#include "boot/replicated_log/passed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 2, MOST_PES = 2048, PATIENCE_MS = 20000, MOST_KIB = 65536 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: failed: %s (errno %d)\n", __LINE__, #condition, errno);               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static struct sheaf_control *areas[NODES];
static int files[NODES];
static pid_t pes[MOST_PES];
static int node_pes;
static char *agent;

/* A process that waits for its end: this one's end too. */
static struct sheaf_process start_pe(void)
{
    int said[2];
    struct sheaf_process self;
    CHECK(pipe(said) == 0);
    const pid_t test = getpid(), pid = fork();
    if (pid == 0) {
        self = sheaf_process_self();
        if (write(said[1], &self, sizeof self) != sizeof self)
            _exit(1);
        while (getppid() == test)
            poll(NULL, 0, 1000);
        _exit(0);
    }
    CHECK(pid > 0 && read(said[0], &self, sizeof self) == sizeof self);
    close(said[0]);
    close(said[1]);
    return self;
}

/* The lower half of the PEs is on node 0. */
static void fill(struct sheaf_control *area, int node)
{
    area->node = node;
    area->reports_failures = 1;
    for (int other = 0; other < NODES; other++) {
        struct sheaf_node *there = sheaf_control_node(area, other);
        there->leader = other * node_pes;
        there->host_node = other;
        snprintf(there->host, sizeof there->host, "host-%c", 'a' + other);
    }
    for (int pe = 0; pe < NODES * node_pes; pe++)
        *sheaf_control_location(area, pe) = (struct sheaf_pe_location){pe / node_pes, pe % node_pes, SHEAF_PE_THERE, 0, 0, 0};
    for (int slot = 0; slot < node_pes; slot++) {
        struct sheaf_pe *entry = sheaf_control_pe(area, slot);
        const struct sheaf_process process = start_pe();
        entry->world_pe = node * node_pes + slot;
        entry->pid = pes[entry->world_pe] = process.pid;
        entry->started = process.started;
        entry->state = SHEAF_PE_INITIALIZED;
        entry->presence = SHEAF_PE_THERE;
    }
}

static void make_area(int node)
{
    struct sheaf_control header;
    CHECK(sheaf_control_plan(&header, node_pes, NODES * node_pes, NODES, UINT64_C(1) << 36) == 0);
    files[node] = sheaf_file_create();
    CHECK(files[node] >= 0 && ftruncate(files[node], (off_t)header.slots_offset) == 0);
    areas[node] = mmap(NULL, header.slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, files[node], 0);
    CHECK(areas[node] != MAP_FAILED);
    header.magic = SHEAF_CONTROL_MAGIC;
    sheaf_control_write(areas[node], &header);
    fill(areas[node], node);
}

static int start_agent(int node, char address[SHEAF_MESH_ADDRESS], int *outbox)
{
    int ends[2], passed = sheaf_passed_create(areas[node]);
    CHECK(pipe2(ends, O_CLOEXEC) == 0 && passed >= 0);
    const int passed_files[] = {files[node], ends[0], passed};
    int failed = sheaf_process_start_apart(agent, passed_files, 3, PATIENCE_MS * SHEAF_MILLISECOND);
    int error = errno;
    if (!failed)
        CHECK(sheaf_passed_address(passed, address) == 0);
    close(passed);
    close(ends[0]);
    *outbox = ends[1];
    errno = error;
    return failed;
}

/* A number that a line of /proc/PID/status begins with. */
static long status_of(pid_t pid, const char *name)
{
    char path[64], line[256];
    long value = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtol(line + strlen(name), NULL, 10);
    fclose(file);
    return value;
}

/* Another file that is open there under any number but the standard ones. */
static bool has_open(pid_t pid, const char *name)
{
    char path[64], link[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    CHECK(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        found |= strstr(link, name) != NULL;
    }
    closedir(folder);
    return found;
}

static bool has_variable(pid_t pid, const char *name)
{
    static char text[1 << 20];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *file = fopen(path, "r");
    CHECK(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (char *at = text; at < text + length; at += strlen(at) + 1)
        if (strncmp(at, name, strlen(name)) == 0)
            return true;
    return false;
}

/* Nothing of this process's: memory, files, libraries that were loaded before all others. */
static void check_apart(int node)
{
    const pid_t pid = areas[node]->agent_pid;
    CHECK(status_of(pid, "VmRSS:") > 0 && status_of(pid, "VmRSS:") < MOST_KIB);
    CHECK(!has_open(pid, "not-for-agents") && has_open(getpid(), "not-for-agents"));
    CHECK(!has_variable(pid, "LD_") && has_variable(pid, "UCX_NET_DEVICES="));
    CHECK(status_of(pid, "NSsid:") != getsid(0));
}

/* Where a job's PEs have given the agent something else it says why it does not start. */
static void refuse_to_start(void)
{
    char address[SHEAF_MESH_ADDRESS];
    int outbox;
    areas[0]->locations_offset += 8;
    CHECK(start_agent(0, address, &outbox) == -1 && errno == EINVAL);
    areas[0]->locations_offset -= 8;
    areas[0]->version++;
    CHECK(start_agent(0, address, &outbox) == -1 && errno == EPROTO);
    areas[0]->version--;
    CHECK(areas[0]->agent_pid == 0);
}

static void introduce(int outbox, int node, const char *address)
{
    _Alignas(8) char whole[SHEAF_REQUEST_MOST];
    struct sheaf_agent_request *request = (struct sheaf_agent_request *)whole;
    size_t bytes = sizeof *request + strlen(address) + 1;
    *request = (struct sheaf_agent_request){(uint32_t)bytes, SHEAF_REQUEST_REACH, (uint16_t)node};
    strcpy((char *)(request + 1), address);
    CHECK(write(outbox, whole, bytes) == (ssize_t)bytes);
}

static bool await(const uint32_t *word, uint32_t value)
{
    for (int ms = 0; ms < PATIENCE_MS && sheaf_load_acquire(word) != value; ms++)
        poll(NULL, 0, 1);
    return sheaf_load_acquire(word) == value;
}

static void check_death(uint32_t deaths, int pe)
{
    for (int node = 0; node < NODES; node++) {
        CHECK(await(&areas[node]->deaths, deaths));
        CHECK(areas[node]->dead[deaths - 1] == pe + 1);
        CHECK(sheaf_control_location(areas[node], pe)->presence == SHEAF_PE_DEAD);
    }
}

static void end_all(void)
{
    int status;
    for (int pe = 0; pe < NODES * node_pes; pe++) {
        sheaf_store_release(&sheaf_control_pe(areas[pe / node_pes], pe % node_pes)->state,
                            (uint32_t)SHEAF_PE_FINALIZED);
        kill(pes[pe], SIGKILL);
        CHECK(waitpid(pes[pe], NULL, 0) == pes[pe]);
    }
    for (int node = 0; node < NODES; node++)
        CHECK(waitpid(areas[node]->agent_pid, &status, 0) == areas[node]->agent_pid && status == 0);
}

/* A process that agents are to have nothing of. */
static void become_heavy(void)
{
    const size_t bytes = 2 * (size_t)MOST_KIB << 10;
    memset(malloc(bytes), 1, bytes);
    CHECK(memfd_create("not-for-agents", 0) >= 0);
    setenv("UCX_NET_DEVICES", "lo", 1);
    setenv("LD_PRELOAD", "", 1);
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0); /* agents' status comes here */
}

/* Of what it may have the agent takes all. */
static void limit_files(rlim_t files_of_agent)
{
    const struct rlimit limit = {files_of_agent < 64 ? files_of_agent : 64, files_of_agent};
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* It could not see all PEs die. */
static void end_short_of_files(void)
{
    char address[SHEAF_MESH_ADDRESS];
    int outbox, status;
    CHECK(start_agent(0, address, &outbox) == 0);
    CHECK(waitpid(areas[0]->agent_pid, &status, 0) == areas[0]->agent_pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    for (int pe = 0; pe < node_pes; pe++)
        CHECK(waitpid(pes[pe], &status, 0) == pes[pe] && WIFSIGNALED(status));
}

int main(int argc, char **argv)
{
    char addresses[NODES][SHEAF_MESH_ADDRESS];
    int outboxes[NODES];
    CHECK(argc == 4);
    agent = argv[1];
    node_pes = atoi(argv[2]);
    CHECK(node_pes > 1 && node_pes <= MOST_PES / NODES);
    for (int node = 0; node < NODES; node++)
        make_area(node);
    become_heavy();
    refuse_to_start();
    limit_files((rlim_t)atoi(argv[3]));
    if (atoi(argv[3]) < node_pes) {
        end_short_of_files();
        return 0;
    }
    for (int node = 0; node < NODES; node++)
        CHECK(start_agent(node, addresses[node], &outboxes[node]) == 0);
    for (int node = 0; node < NODES; node++)
        introduce(outboxes[node], 1 - node, addresses[1 - node]);
    for (int node = 0; node < NODES; node++)
        CHECK(await(&areas[node]->agent_is_ready, 1));
    for (int node = 0; node < NODES; node++)
        check_apart(node);
    kill(pes[node_pes + 1], SIGKILL);
    check_death(1, node_pes + 1);
    kill(pes[0], SIGKILL);
    check_death(2, 0);
    end_all();
    return 0;
}
