/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/settings/env.c: sizes as the specification writes them, old and new spellings, defaults, and one
 * line for each kind of value that cannot be parsed.
 */
#include "unit.h"

#include "base/settings/env.h"

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
    CHECK(settings.engine == 0 && settings.progress == 0 && settings.rma == 0 && settings.host == NULL);
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
    CHECK(settings.engine == sheaf_names_find(sheaf_engine_names, "none") && settings.engine > 0);
    CHECK(settings.atomics_uses == (sheaf_amo_bit(SHEAF_AMO_ADD, 8) | sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP, 8)));
    CHECK(settings.onnode == SHEAF_ONNODE_OFF && strcmp(settings.host, "there") == 0);
    unsetenv("SHMEM_BARRIER_ALGORITHM");
    unsetenv("SHEAF_ENGINE");
    unsetenv("SHEAF_ATOMICS_USES");
    unsetenv("SHEAF_ONNODE");
    unsetenv("SHEAF_HOST");
}

static unsigned checks_of(const char *value)
{
    setenv("SHEAF_CHECK", value, 1);
    unsigned checks = read_all().checks;
    unsetenv("SHEAF_CHECK");
    return checks;
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
    free(text);
}

int main(void)
{
    clearenv();
    check_sizes();
    check_defaults();
    check_spellings();
    check_values();
    check_checks();
    check_refused("SHMEM_SYMMETRIC_SIZE", "", "is not a size");
    check_refused("SHMEM_SYMMETRIC_SIZE", "1.5q", "512m");
    check_refused("SHMEM_REDUCE_ALGORITHM", "Tree", "recursive-doubling");
    check_refused("SHEAF_RMA", "native ", "native");
    check_refused("SHEAF_ONNODE", "no", "must be one of: on, off");
    check_refused("SHEAF_ATOMICS_NATIVE", "add65", "cswap");
    static const char *const lists[] = {"arg", "args,", ",args", "args memory", ",", "args,,memory", "ARGS"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        check_refused("SHEAF_CHECK", lists[i], "a list, without spaces, of: args, memory");
    check_refused("SHEAF_PACE", "nonsense=1", "nonsense");
    check_print();
    check_defaults();
    return 0;
}
