/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/settings/env.c: sizes as the specification writes them, old and new spellings, defaults, and one
 * line for each kind of value that cannot be parsed.
 */
#include "unit.h"

#include "base/settings/env.h"
#include "boot/replicated_log/respawn_agent.h"
#include "image/control.h"

static void check_sizes(void)
{
    static const struct { const char *text; size_t bytes; } sizes[] = {
        {"0", 0}, {"1", 1}, {"0.1", 1}, {"1.", 1}, {".5m", 524288}, {"3.1M", 3250586}, {"2k", 2048},
        {"2K", 2048}, {"1.5g", 1610612736}, {"1.0000000001k", 1025}, {"0.2k", 205}, {"0.125k", 128},
        {"20kk", 20480}, {"16777215t", UINT64_C(16777215) << 40},
        {"18446744073709551615", UINT64_MAX},
    };
    static const char *const none[] = {"", ".", "k", "-1", "+1", " 1", "1x", "x", "0x10", ".k",
                                       "16777216t", "18446744073709551616", "18446744073709551615.1"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t bytes = 99;
        printf("size %s\n", sizes[i].text);
        CHECK(sheaf_parse_size(sizes[i].text, &bytes) == 0 && bytes == sizes[i].bytes);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        size_t bytes = 99;
        printf("no size %s\n", none[i]);
        CHECK(sheaf_parse_size(none[i], &bytes) == -1 && bytes == 99);
    }
}

static struct sheaf_settings read_all(void)
{
    struct sheaf_settings settings;
    CHECK(sheaf_settings_read(&settings) == 0);
    return settings;
}

static void check_defaults(void)
{
    struct sheaf_settings settings = read_all();
    CHECK(!settings.version && !settings.info && !settings.debug && !settings.has_heap_limit);
    for (int family = 0; family < SHEAF_FAMILIES; family++)
        CHECK(settings.algorithm[family] == 0);
    CHECK(settings.networks == 0 && settings.progress == 0 && settings.rma == 0 && settings.host == NULL);
    CHECK(settings.atomics_uses == 0 && settings.tune_file == NULL);
    CHECK(memcmp(&settings.pace, &sheaf_pace_defaults, sizeof settings.pace) == 0);
}

/* A flag is set by any value; SHMEM_ wins where the old spelling is set too. */
static void check_spellings(void)
{
    setenv("SMA_DEBUG", "", 1);
    setenv("SHMEM_INFO", "0", 1);
    setenv("SMA_SYMMETRIC_SIZE", "4k", 1);
    struct sheaf_settings settings = read_all();
    CHECK(settings.debug && settings.info && !settings.version);
    CHECK(settings.has_heap_limit && settings.heap_limit == 4096);
    setenv("SHEAF_METRONOME", "on", 1);
    setenv("SHEAF_GATHER", "off", 1);
    setenv("SHEAF_LIFELINE", "off", 1);
    settings = read_all();
    CHECK(settings.preempt == SHEAF_PREEMPT_ON && settings.aggregate == SHEAF_AGGREGATE_OFF);
    CHECK(sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == SHEAF_FAILURE_DETECTOR_OFF);
    unsetenv("SHEAF_METRONOME");
    unsetenv("SHEAF_GATHER");
    unsetenv("SHEAF_LIFELINE");
    setenv("SHMEM_SYMMETRIC_SIZE", "8k", 1);
    CHECK(read_all().heap_limit == 8192);
    setenv("SMA_SYMMETRIC_SIZE", "nonsense", 1);
    CHECK(read_all().heap_limit == 8192);
    unsetenv("SHMEM_SYMMETRIC_SIZE");
    struct sheaf_settings none;
    CHECK(sheaf_settings_read(&none) == -1 && strstr(unit_said, "SMA_SYMMETRIC_SIZE=\"nonsense\""));
    unsetenv("SMA_SYMMETRIC_SIZE");
    unsetenv("SMA_DEBUG");
    unsetenv("SHMEM_INFO");
}

static void check_values(void)
{
    setenv("SHMEM_BARRIER_ALGORITHM", "tree", 1);
    setenv("SHEAF_ENGINE", "none", 1);
    setenv("SHEAF_ATOMICS_USES", "add64,cswap64", 1);
    setenv("SHEAF_ONNODE", "off", 1);
    setenv("SHEAF_HOST", "there", 1);
    struct sheaf_settings settings = read_all();
    CHECK(settings.algorithm[SHEAF_BARRIER] == SHEAF_BARRIER_TREE);
    CHECK(settings.networks == 1U << SHEAF_ENGINE_OFF);
    CHECK(settings.atomics_uses == (sheaf_amo_bit(SHEAF_AMO_ADD, 8) | sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP,
                                                                                    8)));
    CHECK(settings.onnode == SHEAF_ONNODE_OFF && strcmp(settings.host, "there") == 0);
    unsetenv("SHMEM_BARRIER_ALGORITHM");
    unsetenv("SHEAF_ENGINE");
    unsetenv("SHEAF_ATOMICS_USES");
    unsetenv("SHEAF_ONNODE");
    unsetenv("SHEAF_HOST");
}

/* One network or a list of them, in any order; what is no network stands alone. */
static void check_networks(void)
{
    static const char *const wrong[] = {"ucx,auto", "off,ofi", "ucx,", "ucx, ofi", "uxc", ""};
    struct sheaf_settings none;
    setenv("SHEAF_ENGINE", "mpi,ucx", 1);
    CHECK(read_all().networks == (1U << SHEAF_ENGINE_UCX | 1U << SHEAF_ENGINE_MPI));
    CHECK(sheaf_settings_networks() == (1U << SHEAF_ENGINE_UCX | 1U << SHEAF_ENGINE_MPI));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("SHEAF_ENGINE", wrong[i], 1);
        CHECK(sheaf_settings_read(&none) == -1 && strstr(unit_said, "ucx,ofi"));
        CHECK(sheaf_settings_networks() == 0);
    }
    unsetenv("SHEAF_ENGINE");
}

static unsigned checks_of(const char *value)
{
    setenv("SHEAF_CHECK", value, 1);
    unsigned checks = read_all().checks;
    unsetenv("SHEAF_CHECK");
    return checks;
}

/* off has other spellings where a value switches something, and a seed of 0 is a seed. */
static void check_switches(void)
{
    static const char *const offs[] = {"off", "0", "no", "none"}, *const ons[] = {"on", "1", "yes"};
    for (size_t i = 0; i < sizeof offs / sizeof *offs; i++) {
        setenv("SHEAF_BUDDY", ons[i % 3], 1);
        setenv("SHEAF_AGGREGATE", offs[i], 1);
        setenv("SHEAF_ENGINE", offs[i], 1);
        setenv("SHEAF_CHECK", offs[i], 1);
        setenv("SHEAF_STALL", offs[i], 1);
        setenv("SHEAF_COPIER", offs[i], 1);
        setenv("SHEAF_CHAOS", offs[i], 1);
        struct sheaf_settings settings = read_all();
        CHECK(settings.buddy == SHEAF_BUDDY_ON && settings.aggregate == SHEAF_AGGREGATE_OFF);
        CHECK(settings.networks == 1U << SHEAF_ENGINE_OFF && settings.checks == 0 && settings.stall_ns == 0);
        CHECK(settings.copier == 0 && settings.has_chaos == !strcmp(offs[i], "0"));
    }
    for (const char *const *name = (const char *const[]){"SHEAF_BUDDY", "SHEAF_AGGREGATE", "SHEAF_ENGINE",
                                                         "SHEAF_CHECK",
                                                          "SHEAF_STALL", "SHEAF_COPIER", "SHEAF_CHAOS", NULL}; *name; name++)
        unsetenv(*name);
    CHECK(sheaf_names_find(sheaf_failures_names, "off") == -1 && sheaf_names_find(sheaf_aggregate_names,
                                                                                  "") == -1);
}

/* A list of names in any order; SHMEM_DEBUG checks arguments too. */
static void check_checks(void)
{
    CHECK(read_all().checks == 0 && checks_of("") == 0);
    CHECK(checks_of("args") == 1U << SHEAF_CHECK_ARGS && checks_of("memory") == 1U << SHEAF_CHECK_MEMORY);
    CHECK(checks_of("memory,args") == (1U << SHEAF_CHECK_ARGS | 1U << SHEAF_CHECK_MEMORY));
    setenv("SHMEM_DEBUG", "1", 1);
    CHECK(read_all().checks == 1U << SHEAF_CHECK_ARGS);
    unsetenv("SHMEM_DEBUG");
}

/* One by itself: what is not set, or cannot be read, is its default or 0. */
static void check_one(void)
{
    CHECK(!sheaf_settings_text("SHEAF_HOST") &&
          sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == SHEAF_FAILURE_DETECTOR_ON);
    CHECK(sheaf_settings_seconds("SHEAF_STALL", 7) == 7 && !sheaf_settings_text("PATH"));
    setenv("SHEAF_FAILURE_DETECTOR", "off", 1);
    setenv("SHEAF_STALL", "0.5", 1);
    setenv("SMA_SYMMETRIC_SIZE", "4k", 1);
    CHECK(sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == SHEAF_FAILURE_DETECTOR_OFF);
    CHECK(sheaf_settings_seconds("SHEAF_STALL", 7) == 500000000);
    CHECK(strcmp(sheaf_settings_text("SHMEM_SYMMETRIC_SIZE"), "4k") == 0);
    setenv("SHEAF_FAILURE_DETECTOR", "of", 1);
    setenv("SHEAF_STALL", "soon", 1);
    CHECK(sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == 0 && sheaf_settings_seconds("SHEAF_STALL", 7) == 0);
    unsetenv("SHEAF_FAILURE_DETECTOR");
    unsetenv("SHEAF_STALL");
    unsetenv("SMA_SYMMETRIC_SIZE");
}

/* A command's: a wrong value changes nothing, and a job refuses it. */
static void check_pace(void)
{
    setenv("SHEAF_PACE", "term_kills=1s,turns=17", 1);
    sheaf_settings_use_pace();
    CHECK(sheaf_times.term_kills == SHEAF_SECOND && sheaf_pace_table.turns == 17);
    setenv("SHEAF_PACE", "term_kills=2s,turns=x", 1);
    sheaf_settings_use_pace();
    CHECK(sheaf_times.term_kills == SHEAF_SECOND && sheaf_pace_table.turns == 17);
    unsetenv("SHEAF_PACE");
}

static void check_refused(const char *name, const char *value, const char *expected)
{
    struct sheaf_settings settings;
    setenv(name, value, 1);
    *unit_said = '\0';
    CHECK(sheaf_settings_read(&settings) == -1);
    printf("%s\n", unit_said);
    CHECK(strstr(unit_said, name) && strstr(unit_said, value) && strstr(unit_said, expected));
    unsetenv(name);
}

/* Every variable has its row: name, what it takes, what it is now. */
static void check_print(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    setenv("SHEAF_TUNE", "/a file", 1);
    sheaf_settings_print(out);
    fclose(out);
    unsetenv("SHEAF_TUNE");
    CHECK(strstr(text, "SHEAF_TUNE               file") && strstr(text, "now: \"/a file\""));
    CHECK(strstr(text, "SHMEM_BCAST_ALGORITHM") && strstr(text, "push, pull, binomial"));
    CHECK(strstr(text, "SMA_SYMMETRIC_SIZE"));
    CHECK(strstr(text, "\n" SHEAF_JOB_VARIABLE "  ") && strstr(text,
                                                               "\n" SHEAF_RESPAWN_AGENT_VARIABLE "  "));
    free(text);
}

/* What is said of the environment with one variable more; "" where nothing is. */
static const char *said_of(const char *name)
{
    setenv(name, "x", 1);
    *unit_said = '\0';
    sheaf_settings_warn_of_unknown();
    printf("%s: %s\n", name, unit_said);
    unsetenv(name);
    return unit_said;
}

static void check_suggestion(const char *name, const char *setting)
{
    char expected[100];
    const char *said = said_of(name);
    snprintf(expected, sizeof expected, "did you mean %s? (oshinfo lists them)", setting);
    CHECK(strncmp(said, name, strlen(name)) == 0 && strstr(said, expected));
}

/* A letter too many, too few, changed, swapped; a word too many or too few; another prefix. */
static void check_misspelt(void)
{
    CHECK(strcmp(said_of("SHEAF_ENGIN"), "SHEAF_ENGIN is no setting of Sheaf: did you mean SHEAF_ENGINE? "
                                         "(oshinfo lists them)") == 0);
    check_suggestion("SHEAF_HOTS", "SHEAF_HOST");
    check_suggestion("SHEAF_PROFILER", "SHEAF_PROFILE");
    check_suggestion("SHEAF_PROGESS", "SHEAF_PROGRESS");
    check_suggestion("SHEAF_DEBUG", "SHMEM_DEBUG");
    check_suggestion("SHMEM_ENGINE", "SHEAF_ENGINE");
    check_suggestion("SHEAF_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_SIZE");
    check_suggestion("SHMEM_SYMMETRIC_HEAP_SIZE", "SHMEM_SYMMETRIC_SIZE");
    check_suggestion("SHEAF_RULES", "SHEAF_OFI_RULES");
    CHECK(strncmp(said_of("SHMEM_BCAST_ALGORITM"), "SHMEM_BCAST_ALGORITM has no effect in Sheaf: ",
                  45) == 0);
}

/* Near nothing: of other implementations, or of nobody. One line, whatever there is. */
static void check_without_effect(void)
{
    static const char *const none[] = {"SHEAF_", "SHEAF_X", "SHEAF_FROBNICATE", "SHMEM_SCAN_ALGORITHM",
                                       "SMA_SYMMETRIC_PARTITION1", "SHMEM_USE_DMAPP"};
    char name[300] = "SHEAF_LONG", both[sizeof unit_said];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const char *said = said_of(none[i]);
        CHECK(strncmp(said, none[i], strlen(none[i])) == 0 && strstr(said, " has no effect in Sheaf"));
    }
    setenv("SHEAF_FROBNICATE", "", 1);
    snprintf(both, sizeof both, "%s", said_of("SHMEM_USE_DMAPP"));
    unsetenv("SHEAF_FROBNICATE");
    CHECK(strncmp(both, "SHEAF_FROBNICATE, SHMEM_USE_DMAPP have no effect", 48) == 0);
    memset(name + 10, 'G', sizeof name - 11);
    CHECK(strstr(said_of(name), "GG has no effect"));
}

/* Settings in both spellings, what Sheaf's parts set for each other, what modules set, what is not ours. */
static void check_known(void)
{
    static const char *const names[] = {
        "SHEAF_ENGINE", "SMA_DEBUG", "SHMEM_INFO", "SHEAF_RACES_EXIT", SHEAF_JOB_VARIABLE, SHEAF_MPI_VARIABLE,
        SHEAF_RESPAWN_SLOT_VARIABLE, SHEAF_RESPAWN_AGENT_VARIABLE, "SHEAF_PE_PROCESS", "SHEAF_PROFILE_BEGUN",
        "SHEAF_PYTHON_REPORT", "SHEAF_TEST_NETNS", "SHEAF_ROOT", "SHMEM_DIR", "SHEAF", "SHM_X", "OSHEAF_X"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(strcmp(said_of(names[i]), "") == 0);
}

int main(void)
{
    clearenv();
    check_misspelt();
    check_without_effect();
    check_known();
    check_sizes();
    check_defaults();
    check_spellings();
    check_values();
    check_checks();
    check_networks();
    check_switches();
    setenv("PATH", "/bin", 1);
    check_one();
    check_pace();
    unsetenv("PATH");
    check_refused("SHMEM_SYMMETRIC_SIZE", "", "is not a size");
    check_refused("SHMEM_SYMMETRIC_SIZE", "1.5q", "512m");
    check_refused("SHMEM_REDUCE_ALGORITHM", "Tree", "recursive-doubling");
    check_refused("SHEAF_RMA", "native ", "native");
    check_refused("SHEAF_ONNODE", "never", "must be one of: on, off");
    check_refused("SHEAF_ATOMICS_NATIVE", "add65", "cswap");
    static const char *const lists[] = {"arg", "args,", ",args", "args memory", ",", "args,,memory",
                                        "ARGS"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        check_refused("SHEAF_CHECK", lists[i], "off or a list, without spaces, of: args, memory");
    check_refused("SHEAF_PACE", "nonsense=1", "nonsense");
    check_print();
    check_defaults();
    return 0;
}
