/* SPDX-License-Identifier: BSD-3-Clause
 * See env.h.
 */
#include "base/settings/env.h"
#include "base/settings/env_internal.h"

#include "base/log.h"
#include "base/os/host.h"
#include "base/sanitize.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum setting_kind { FLAG, SIZE, COUNT, SECONDS, CHOICE, FILE_NAME, FOLDER, TEXT, OPERATIONS, PACE, NAMES,
                    SEED, BESIDE, SECRET, NETWORKS };
static const char *const kind_names[] = {"any value", "size", "number", "seconds", "name", "file",
                                         "folder",    "text", "list",   "list",    "names", "number",
                                         "number",    "text",   "name"};

/* One row per variable. old is the spelling of OpenSHMEM 1.3 and before, or Sheaf's former one, NULL
 * where there is none; place is where in struct sheaf_settings the value goes, by kind a bool, a size, the
 * family's algorithm, a set of names' places or a string; a variable BESIDE is read by a library beside
 * this one, and the value of a SECRET is never printed. standard is the value without the variable, NULL
 * where there is none; page is the page of the book that speaks of it. Values that switch something are
 * "on" and "off", see sheaf_names_find(). */
struct setting {
    const char *name;
    const char *old;
    enum setting_kind kind;
    size_t place;
    const char *const *const *names; /* of a choice, or a set of choices */
    const char *standard;
    const char *page;
    const char *help;
};
#define SINCE "0.1.0" /* of every row until a later version brings one */
#define PLACE(field) offsetof(struct sheaf_settings, field)
#define CHOOSES(family)                                                                            \
    CHOICE, PLACE(algorithm[family]), &sheaf_algorithm_names[family], "auto", "do/collectives"

static const struct setting table[] = {
    {"SHMEM_VERSION", "SMA_VERSION", FLAG, PLACE(version), NULL, NULL, NULL,
     "print the library's version at start; any value does, also 0 or off"},
    {"SHMEM_INFO", "SMA_INFO", FLAG, PLACE(info), NULL, NULL, "do/collectives",
     "print this table at start; any value does, also 0 or off"},
    {"SHMEM_DEBUG", "SMA_DEBUG", FLAG, PLACE(debug), NULL, NULL, "do/debugging",
     "print debugging messages and check arguments; any value does, also 0 or off"},
    {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", SIZE, PLACE(heap_limit), NULL, "what memory allows",
     "understand/memory",
     "limit of the symmetric heap, bytes per PE, with k, m, g or t"},
    {"SHMEM_BARRIER_ALGORITHM", NULL, CHOOSES(SHEAF_BARRIER), "algorithm of barriers"},
    {"SHMEM_BCAST_ALGORITHM", NULL, CHOOSES(SHEAF_BROADCAST), "algorithm of broadcasts"},
    {"SHMEM_FCOLLECT_ALGORITHM", NULL, CHOOSES(SHEAF_FCOLLECT), "algorithm of fcollect"},
    {"SHMEM_REDUCE_ALGORITHM", NULL, CHOOSES(SHEAF_REDUCE), "algorithm of reductions"},
    {"SHEAF_COPY", NULL, CHOOSES(SHEAF_COPIES), "instructions that copy more than 8 bytes"},
    {"SHEAF_ENGINE", NULL, NETWORKS, PLACE(networks), &sheaf_engine_names, "auto", "do/hosts",
     "network to PEs of other hosts; \"ucx,ofi\": several, each PE is reached by one that both hosts "
     "have; off: none, for a job of one host"},
    {"SHEAF_UCX", NULL, CHOICE, PLACE(ucx), &sheaf_ucx_names, "auto", "do/hosts",
     "which UCX is loaded: this host's, or the one that came with Sheaf; auto: Sheaf's if there is one, "
     "but this host's where there is an RDMA adapter"},
    {"SHEAF_OFI_PROVIDER", NULL, TEXT, PLACE(ofi_provider), NULL, "the best one", "administer/sites",
     "libfabric's provider for SHEAF_ENGINE=ofi, \"cxi\", \"tcp\""},
    {"SHEAF_OFI_RULES", NULL, TEXT, PLACE(ofi_rules), NULL, NULL, "understand/engines",
     "for tests: rules of other providers that this one keeps, \"no-order,busy\""},
    {"SHEAF_MPI", NULL, CHOICE, PLACE(mpi), &sheaf_mpi_names, "auto", "do/mpi-network",
     "which MPI SHEAF_ENGINE=mpi and SHEAF_BOOT=mpi use"},
    {"SHEAF_MPI_INIT", NULL, CHOICE, PLACE(mpi_init), &sheaf_mpi_init_names, "auto", "do/mpi",
     "whether shmem_init initializes MPI; auto: if the program uses MPI without MPI_Init"},
    {"SHEAF_PROGRESS", NULL, CHOICE, PLACE(progress), &sheaf_progress_names, "auto", "do/mpi",
     "a thread serves PEs of other hosts while the program computes; off: only the program's calls "
     "serve them"},
    {"SHEAF_RMA", NULL, CHOICE, PLACE(rma), &sheaf_rma_names, "auto", "do/mpi-network",
     "puts and gets between hosts; native: the network carries them out; message: the target's "
     "processor does"},
    {"SHEAF_ATOMICS", NULL, CHOICE, PLACE(atomics), &sheaf_atomics_names, "auto", "understand/atomics",
     "who carries out atomic operations; cpu: processors; device: the network's adapter; hinted: the "
     "adapter, on blocks allocated with the hint; auto: as hinted, if the adapter is faster"},
    {"SHEAF_ATOMICS_USES", NULL, OPERATIONS, PLACE(atomics_uses), NULL, "all", "understand/atomics",
     "the atomic operations that the program uses, \"add64,cswap64,fetch32\""},
    {"SHEAF_ATOMICS_NATIVE", NULL, OPERATIONS, PLACE(atomics_native), NULL, "what it has",
     "understand/atomics",
     "for tests: the only atomic operations that the network is taken to have"},
    {"SHEAF_AGGREGATE", "SHEAF_GATHER", CHOICE, PLACE(aggregate), &sheaf_aggregate_names, "on",
     "do/sessions",
     "small operations to another host that are called while others are under way are sent together"},
    {"SHEAF_COPIER", NULL, COUNT, PLACE(copier), NULL, "auto", "do/tune",
     "threads per PE for long nonblocking puts and gets within the host, 1 to 64; auto: one, started by "
     "the first such call, if the host has two processors for each PE"},
    {"SHEAF_CHAOS", NULL, SEED, PLACE(chaos_seed), NULL, "off", "do/chaos",
     "for finding missing fences: operations that nothing orders are delayed at random, by this seed"},
    {"SHEAF_LEVELS", NULL, CHOICE, PLACE(levels), &sheaf_levels_names, "two", "do/collectives",
     "collectives across hosts; two: within each host, then between hosts; flat: in one step"},
    {"SHEAF_STAGING", NULL, CHOICE, PLACE(staging), &sheaf_staging_names, "auto", "do/collectives",
     "collectives of 16 KiB to 1 MiB on one host copy through a buffer; auto: if that was measured to be "
     "faster; on, stream: always, stream past the caches"},
    {"SHEAF_CPU_DOMAINS", NULL, TEXT, PLACE(cpu_domains), NULL, "what the kernel tells", "do/collectives",
     "the processors of each socket, NUMA node or shared cache, \"0-15/16-31\", for barriers by levels"},
    {"SHEAF_ONNODE", NULL, CHOICE, PLACE(onnode), &sheaf_onnode_names, "on", "do/hosts",
     "PEs of one host share memory; off: they use the network, as if on different hosts"},
    {"SHEAF_WINDOWS", NULL, CHOICE, PLACE(windows), &sheaf_windows_names, "auto", "understand/memory",
     "when a PE maps the memory of its host's other PEs; start: in shmem_init; use: each PE's at the "
     "first access; auto: start up to 16 PEs"},
    {"SHEAF_NODE_DIR", NULL, TEXT, PLACE(node_dir), NULL, "the folder of SHEAF_RENDEZVOUS, if a path",
     "do/containers",
     "folder that all containers of a host share, through which their PEs share memory"},
    {"SHEAF_BOOT", NULL, CHOICE, PLACE(boot), &sheaf_boot_names, "auto", "do/hosts",
     "how PEs that oshrun has not started find each other: by the launcher's protocol, by MPI, at a "
     "rendezvous; single: a job of one PE"},
    {"SHEAF_RANK", NULL, TEXT, PLACE(rank), NULL, "RANK, JOB_COMPLETION_INDEX or SLURM_PROCID",
     "do/launching",
     "PE number of this process at a rendezvous"},
    {"SHEAF_SIZE", NULL, TEXT, PLACE(size), NULL, "WORLD_SIZE or SLURM_STEP_NUM_TASKS", "do/launching",
     "number of processes at a rendezvous"},
    {"SHEAF_RENDEZVOUS", NULL, TEXT, PLACE(rendezvous), NULL,
     "MASTER_ADDR, or the first of SLURM_STEP_NODELIST", "do/launching",
     "where processes connect: HOST:PORT, on which rank 0 listens, or the path of a new file that all can "
     "read"},
    {"SHEAF_RENDEZVOUS_PORT", NULL, TEXT, PLACE(rendezvous_port), NULL, "MASTER_PORT + 1", "do/launching",
     "port of the rendezvous, if SHEAF_RENDEZVOUS gives none"},
    {"SHEAF_RENDEZVOUS_TIMEOUT", NULL, SECONDS, PLACE(rendezvous_ns), NULL, "60", "do/launching",
     "how long processes wait for each other at a rendezvous"},
    {"SHEAF_SECRET", NULL, SECRET, PLACE(secret), NULL, NULL, "do/launching",
     "password of a rendezvous of several hosts, the same for all processes: 16 letters or more"},
    {"SHEAF_SECRET_FILE", NULL, FILE_NAME, PLACE(secret_file), NULL, NULL, "do/launching",
     "file with the value of SHEAF_SECRET, which no other user can write"},
    {"SHEAF_FAILURE_DETECTOR", "SHEAF_LIFELINE", CHOICE, PLACE(failure_detector),
     &sheaf_failure_detector_names, "on", "administer/security",
     "hosts of a job that another launcher has started watch each other for failures"},
    {"SHEAF_LOW_JITTER", NULL, CHOICE, PLACE(low_jitter), &sheaf_low_jitter_names, "off", "do/tune",
     "for latencies without outliers: memory is locked and touched, real-time priority, isolated "
     "processors"},
    {"SHEAF_PREEMPT", "SHEAF_METRONOME", CHOICE, PLACE(preempt), &sheaf_preempt_names,
     "auto", "understand/waiting",
     "where PEs outnumber the processors and poll without calls, oshrun makes the kernel switch between "
     "them; on: whatever it costs"},
    {"SHEAF_CHECK", NULL, NAMES, PLACE(checks), &sheaf_check_names, "off", "do/checks",
     "checks while the program runs, \"args,memory\""},
    {"SHEAF_FAILURES", NULL, CHOICE, PLACE(failures), &sheaf_failures_names, "end", "do/failures",
     "when a PE dies: the job ends, or the other PEs are told (shmemx_ft.h)"},
    {"SHEAF_AGENT", NULL, FILE_NAME, PLACE(agent), NULL, "sheaf-agent as installed", "do/failures-hosts",
     "with SHEAF_FAILURES=report on several hosts: the program of the agent, one on each host"},
    {"SHEAF_STALL", NULL, SECONDS, PLACE(stall_ns), NULL, "60", "do/debugging",
     "when every PE has waited this long, a report says who waits for what; off: no report"},
    {"SHEAF_TIMEOUT", NULL, SECONDS, PLACE(timeout_ns), NULL, "off", "do/debugging",
     "time limit from shmem_init on of a job of another launcher than oshrun: it then reports who waits "
     "for what, and ends"},
    {"SHEAF_RECORD", NULL, FOLDER, PLACE(record), NULL, NULL, "do/debugging",
     "folder for the record of a job that failed, which oshwhy reads"},
    {"SHEAF_SNAPSHOT_DIR", NULL, FOLDER, PLACE(snapshot_dir), NULL, NULL, "do/survive",
     "folder for snapshots, which shmem_barrier_all writes when one is due or asked for"},
    {"SHEAF_SNAPSHOT_EVERY", NULL, SECONDS, PLACE(snapshot_every_ns), NULL, "off", "do/survive",
     "with SHEAF_SNAPSHOT_DIR: time between two snapshots"},
    {"SHEAF_SNAPSHOT_SIGNAL", NULL, TEXT, PLACE(snapshot_signal), NULL, NULL, "do/survive",
     "with SHEAF_SNAPSHOT_DIR: a snapshot is written after a PE got this signal, USR1 or USR2"},
    {"SHEAF_SNAPSHOT_COMPRESS", NULL, CHOICE, PLACE(snapshot_compress), &sheaf_compress_names, "off",
     "do/survive",
     "compression of snapshots; zstd needs libzstd.so.1"},
    {"SHEAF_BUDDY", NULL, CHOICE, PLACE(buddy), &sheaf_buddy_names, "off", "do/survive",
     "snapshots are kept in a folder local to each host, and each file has a copy on another host"},
    {"SHEAF_SAVE_ON_FAILURE", NULL, FOLDER, PLACE(save_on_failure), NULL, NULL, "do/survive",
     "folder for the PEs' symmetric memory when a job of oshrun fails, which oshdump reads"},
    {"SHEAF_RESTART", NULL, FOLDER, PLACE(restart), NULL, NULL, "do/survive",
     "snapshot that shmemx_restore reads if the program names none"},
    {"SHEAF_PACE", NULL, PACE, PLACE(pace), NULL, NULL, "do/tune",
     "for experiments: constants of waiting, \"nap_most=1ms,turns=100\"; oshinfo --pace lists them"},
    {"SHEAF_HOST", NULL, TEXT, PLACE(host), NULL, NULL, "do/noncontiguous",
     "for tests: PEs with different values count as on different hosts, even on one machine"},
    {"SHEAF_PROFILE", NULL, FOLDER, PLACE(profile), NULL, NULL, "do/profiling",
     "folder for a profile, a file for each PE, which oshprof reads"},
    {"SHEAF_TRACE", NULL, FOLDER, PLACE(trace), NULL, NULL, "do/profiling",
     "folder for a profile that also has the time of each call"},
    {"SHEAF_TRACE_EVENTS", NULL, BESIDE, PLACE(trace_events), NULL, "65536", "do/profiling",
     "number of calls in each thread's trace: the last ones are kept"},
    {"SHEAF_RACES_EXIT", NULL, BESIDE, PLACE(races_exit), NULL, "off", "do/races",
     "for programs of oshcc --check=races: exit status after a race, 1 to 255; off: the program's own"},
    {"SHEAF_RACES_MOST", NULL, BESIDE, PLACE(races_most), NULL, "100", "do/races",
     "for the same programs: number of races that are printed"},
    {"SHEAF_RACES_SIGNALS", NULL, BESIDE, PLACE(races_signals), &sheaf_switch_names, "off", "do/races",
     "for the same programs: report also accesses that a signal orders and the specification does not"},
    {"SHEAF_TUNE", NULL, FILE_NAME, PLACE(tune_file), NULL, NULL, "do/collectives",
     "file with the algorithms to use on this machine, written by oshtune"},
};

#define SETTINGS (sizeof table / sizeof *table)

/* Variables that one part of Sheaf sets for another; nobody else is to set them. */
static const struct {
    const char *name;
    const char *help;
} internal[] = {
    {"SHEAF_JOB", "the job's file and this PE in it, by oshrun"},
    {"SHEAF_RESPAWN_SLOT", "the slot of a dead PE that this new process takes, by the agent"},
    {"SHEAF_RESPAWN_AGENT", "the respawn agent that started this process, and its pipes"},
    {"SHEAF_PE_PROCESS", "the process that is the launcher's PE; its children are no PEs"},
    {"SHEAF_MPI_SOCKET", "the connection on which oshrun serves MPI in the same program"},
    {"SHEAF_PROFILE_BEGUN", "that libsheaf-profile.so is preloaded"},
    {"SHEAF_PYTHON_REPORT", "where a PE reports its state to sheafshmem.run() of Python"},
    {"SHEAF_SOAK_SECONDS", "how long each of Sheaf's own soak tests takes"},
};

/* Sheaf's own tests. */
#define TESTS_PREFIX "SHEAF_TEST_"

static const char *value_of(const struct setting *setting)
{
    const char *value = getenv(setting->name);
    return value || !setting->old ? value : getenv(setting->old);
}

static const char *name_in_use(const struct setting *setting)
{
    return getenv(setting->name) ? setting->name : setting->old;
}

const char *sheaf_settings_name(size_t row)
{
    return row < SETTINGS ? table[row].name : NULL;
}

bool sheaf_settings_has(const char *name)
{
    for (size_t row = 0; row < SETTINGS; row++)
        if (strcmp(name, table[row].name) == 0 || (table[row].old && strcmp(name, table[row].old) == 0))
            return true;
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
        if (strcmp(name, internal[i].name) == 0)
            return true;
    return strncmp(name, TESTS_PREFIX, sizeof TESTS_PREFIX - 1) == 0;
}

/* NULL where the table has none of that name, which scripts/check-settings finds. */
static const struct setting *find_setting(const char *name)
{
    for (size_t row = 0; row < SETTINGS; row++)
        if (strcmp(name, table[row].name) == 0)
            return &table[row];
    return NULL;
}

const char *sheaf_settings_text(const char *name)
{
    const struct setting *setting = find_setting(name);
    return setting ? value_of(setting) : NULL;
}

int sheaf_settings_choice(const char *name)
{
    const struct setting *setting = find_setting(name);
    const char *value = setting ? value_of(setting) : NULL;
    int place = value ? sheaf_names_find(*setting->names, value) : 0;
    return place < 0 ? 0 : place;
}

unsigned sheaf_settings_networks(void)
{
    const char *value = sheaf_settings_text("SHEAF_ENGINE");
    unsigned networks = 0;
    return value && sheaf_names_parse_networks(value, &networks) == 0 ? networks : 0;
}

static int parse_time(const char *value, uint64_t *ns)
{
    if (!sheaf_names_is_off(value))
        return sheaf_parse_seconds(value, ns);
    *ns = 0;
    return 0;
}

uint64_t sheaf_settings_seconds(const char *name, uint64_t otherwise_ns)
{
    const char *value = sheaf_settings_text(name);
    uint64_t ns = otherwise_ns;
    return value && parse_time(value, &ns) != 0 ? 0 : ns;
}

/* Each host has an environment of its own. */
__attribute__((format(printf, 1, 2))) static int refuse(const char *format, ...)
{
    char text[600];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sheaf_error("SH201 %s (host %s)", text, sheaf_os_host_name().text);
    return -1;
}

static int suffix_shift(char letter)
{
    switch (letter) {
    case 'k': case 'K': return 10;
    case 'm': case 'M': return 20;
    case 'g': case 'G': return 30;
    case 't': case 'T': return 40;
    default: return -1;
    }
}

/* Digits, perhaps a point and digits: exact in 64 bits before the point, and rounded up after. */
int sheaf_parse_size(const char *text, size_t *bytes)
{
    uint64_t whole = 0;
    long double fraction = 0, place = 0.1L;
    bool any = false;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++, any = true)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, (uint64_t)(*at - '0'), &whole))
            return -1;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, any = true, place /= 10)
            fraction += place * (*at - '0');
    if (!any)
        return -1;

    int shift = *at ? suffix_shift(*at) : 0;
    if (shift < 0 || (whole << shift) >> shift != whole)
        return -1;
    /* The decimal digits were summed in binary: what is within their error of a whole number of
     * bytes is that number. */
    long double part = fraction * (long double)(UINT64_C(1) << shift);
    long double exact = part - part * 1e-17L;
    uint64_t rest = (uint64_t)exact;
    rest += (long double)rest < exact;
    uint64_t total = whole << shift;
    if (__builtin_add_overflow(total, rest, &total))
        return -1;
    *bytes = total;
    return 0;
}

int sheaf_parse_seconds(const char *text, uint64_t *ns)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0 && seconds <= 1e9))
        return -1;
    *ns = (uint64_t)(seconds * 1e9);
    return 0;
}

static int read_seconds(const struct setting *setting, const char *value, uint64_t *place)
{
    if (parse_time(value, place) == 0)
        return 0;
    return refuse("%s is \"%s\", and must be a number of seconds such as 60 or 0.5, or off", setting->name,
                  value);
}

static int read_size(const struct setting *setting, const char *value,
                     struct sheaf_settings *settings)
{
    settings->has_heap_limit = sheaf_parse_size(value, &settings->heap_limit) == 0;
    if (!settings->has_heap_limit)
        return refuse("%s=\"%s\" is not a size: give a number of bytes such as 512m, 1.5G or 1073741824",
                      name_in_use(setting), value);
    return 0;
}

static int read_count(const struct setting *setting, const char *value, size_t *place)
{
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    *place = strcmp(value, "auto") == 0 ? SHEAF_COPIER_AUTO : 0;
    if (*place || sheaf_names_is_off(value))
        return 0;
    if (*value < '0' || *value > '9' || *end || count > SHEAF_COPIER_THREADS)
        return refuse("%s is \"%s\", and must be auto, off or a whole number from 1 to %d", setting->name,
                      value, SHEAF_COPIER_THREADS);
    *place = count;
    return 0;
}

static int read_seed(const struct setting *setting, const char *value, struct sheaf_settings *settings)
{
    char *end;
    bool is_seed = *value >= '0' && *value <= '9'; /* 0 is one, and not off */
    if (!is_seed && sheaf_names_is_off(value))
        return 0;
    errno = 0;
    settings->chaos_seed = strtoull(value, &end, 10);
    settings->has_chaos = is_seed && !*end && errno == 0;
    if (!settings->has_chaos)
        return refuse("%s is \"%s\", and must be off or a whole number from 0 to %llu", setting->name,
                      value, (unsigned long long)UINT64_MAX);
    return 0;
}

static int read_choice(const struct setting *setting, const char *value, int *place)
{
    const char *const *names = *setting->names;
    char accepted[256];
    *place = sheaf_names_find(names, value);
    if (*place >= 0)
        return 0;
    sheaf_names_print(names, accepted, sizeof accepted);
    return refuse("%s is \"%s\", and must be one of: %s", setting->name, value, accepted);
}

static int read_names(const struct setting *setting, const char *value, unsigned *place)
{
    char accepted[256];
    *place = 0;
    if (sheaf_names_is_off(value) || sheaf_names_parse_set(*setting->names, value, place) == 0)
        return 0;
    sheaf_names_print(*setting->names, accepted, sizeof accepted);
    return refuse("%s is \"%s\", and must be off or a list, without spaces, of: %s", setting->name, value,
                  accepted);
}

static int read_networks(const struct setting *setting, const char *value, unsigned *place)
{
    char accepted[256];
    if (sheaf_names_parse_networks(value, place) == 0)
        return 0;
    sheaf_names_print(*setting->names, accepted, sizeof accepted);
    return refuse("%s is \"%s\", and must be one of: %s; or several networks, without spaces: ucx,ofi",
                  setting->name, value, accepted);
}

static int read_operations(const struct setting *setting, const char *value, sheaf_amo_set *place)
{
    char all[128];
    if (sheaf_amo_parse(value, place) == 0)
        return 0;
    sheaf_amo_print(SHEAF_AMO_ALL, all, sizeof all);
    return refuse("%s is \"%s\", and must be a list without spaces of %s, each with 32, 64 or neither, or "
                  "all", setting->name, value, all);
}

static int read_pace(const struct setting *setting, const char *value, struct sheaf_settings *settings)
{
    char why[240];
    if (sheaf_pace_parse(value, &settings->pace, &settings->times, why, sizeof why) == 0)
        return 0;
    return refuse("%s: %s", setting->name, why);
}

static int read_setting(const struct setting *setting, const char *value,
                        struct sheaf_settings *settings)
{
    char *place = (char *)settings + setting->place;
    switch (setting->kind) {
    case FLAG:
        *(bool *)place = true;
        return 0;
    case SIZE:
        return read_size(setting, value, settings);
    case COUNT:
        return read_count(setting, value, (size_t *)place);
    case SECONDS:
        return read_seconds(setting, value, (uint64_t *)place);
    case SEED:
        return read_seed(setting, value, settings);
    case CHOICE:
        return read_choice(setting, value, (int *)place);
    case NAMES:
        return read_names(setting, value, (unsigned *)place);
    case NETWORKS:
        return read_networks(setting, value, (unsigned *)place);
    case OPERATIONS:
        return read_operations(setting, value, (sheaf_amo_set *)place);
    case PACE:
        return read_pace(setting, value, settings);
    default:
        *(const char **)place = value;
        return 0;
    }
}

int sheaf_settings_read(struct sheaf_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->pace = sheaf_pace_defaults;
    settings->times = sheaf_times_defaults;
    settings->stall_ns = SHEAF_STALL_NS;
    settings->rendezvous_ns = SHEAF_RENDEZVOUS_NS;
    settings->copier = SHEAF_COPIER_AUTO;
    for (size_t row = 0; row < SETTINGS; row++) {
        const char *value = value_of(&table[row]);
        if (value && read_setting(&table[row], value, settings) != 0)
            return -1;
    }
    if (settings->debug)
        settings->checks |= 1U << SHEAF_CHECK_ARGS;
    return 0;
}

void sheaf_settings_use_pace(void)
{
    const char *value = sheaf_settings_text("SHEAF_PACE");
    char why[240];
    if (value)
        sheaf_pace_parse(value, &sheaf_pace_table, &sheaf_times, why, sizeof why);
}

bool sheaf_settings_row(size_t index, struct sheaf_setting_row *row)
{
    if (index >= SETTINGS)
        return false;
    *row = (struct sheaf_setting_row){table[index].name, table[index].help, value_of(&table[index]),
                                      table[index].standard};
    return true;
}

static void print_value(FILE *out, const struct setting *setting)
{
    const char *value = value_of(setting), *standard = setting->standard;
    char *shown = strdup(!value ? "" : setting->kind == SECRET ? "***" : value);
    if (shown)
        sheaf_sanitize(shown, 0);
    if (value)
        fprintf(out, "%-24s now: \"%s\"%s%s\n", "", shown ? shown : "", standard ? "; default: " : "",
                standard ? standard : "");
    else
        fprintf(out, "%-24s now: not set%s%s\n", "", standard ? ", which is: " : "",
                standard ? standard : "");
    free(shown);
}

/* What it takes, in words; names has room for 256. */
static const char *print_values(const struct setting *setting, char *names)
{
    static const char *const words[] = {
        [FLAG] = "any value", [SIZE] = "bytes, such as 512m", [COUNT] = "auto, off, or a number",
        [SECONDS] = "off, or seconds such as 0.5", [FILE_NAME] = "a file", [FOLDER] = "a folder",
        [TEXT] = "text", [PACE] = "NAME=VALUE,...", [SEED] = "off, or a number",
        [BESIDE] = "a number", [SECRET] = "text"};
    if (setting->names) {
        size_t used = setting->kind == NAMES ? (size_t)snprintf(names, 256, "off, or of: ") : 0;
        sheaf_names_print(*setting->names, names + used, 256 - used);
    } else if (setting->kind == OPERATIONS) {
        size_t used = (size_t)snprintf(names, 256, "all, or of: ");
        sheaf_amo_print(SHEAF_AMO_ALL, names + used, 256 - used);
    } else {
        return words[setting->kind];
    }
    return names;
}

void sheaf_settings_print(FILE *out)
{
    for (size_t row = 0; row < SETTINGS; row++) {
        const struct setting *setting = &table[row];
        char names[256];
        fprintf(out, "%-24s %-9s %s%s%s\n", setting->name, kind_names[setting->kind], setting->help,
                setting->names ? ": " : "", setting->names ? print_values(setting, names) : "");
        print_value(out, setting);
    }
    fprintf(out, "off may also be written 0, no or none, and on 1 or yes.\n"
                 "The spellings SMA_VERSION, SMA_INFO, SMA_DEBUG and SMA_SYMMETRIC_SIZE work too; "
                 "SHMEM_ wins where both are set.\nSheaf sets these itself; do not set them:\n");
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
        fprintf(out, "%-24s %s\n", internal[i].name, internal[i].help);
}

void sheaf_settings_print_tsv(FILE *out)
{
    fputs("name\told\ttype\tvalues\tdefault\tsince\tpage\thelp\n", out);
    for (size_t row = 0; row < SETTINGS; row++) {
        const struct setting *setting = &table[row];
        char names[256];
        fprintf(out, "%s\t%s\t%s\t%s\t%s\t" SINCE "\t%s\t%s\n", setting->name,
                setting->old ? setting->old : "", kind_names[setting->kind], print_values(setting, names),
                setting->standard ? setting->standard : "not set", setting->page ? setting->page : "",
                setting->help);
    }
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
        fprintf(out, "%s\t\tinternal\t\t\t" SINCE "\t\t%s\n", internal[i].name, internal[i].help);
}
