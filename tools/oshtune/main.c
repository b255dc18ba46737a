/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshtune: measures every algorithm of the collectives on this machine, in rounds, and writes the
 * file that SHEAF_TUNE names.
 */
#include "tune.h"

#include "../common/standard_output.h"
#include "../common/status.h"
#include "base/clock.h"
#include "base/os/os.h"
#include "base/os/user_file.h"
#include "base/sanitize.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WANTED_ROUNDS = 5, CROWDING = 4, MOST_PES = 64 };

static void print_help(void)
{
    puts("usage: oshtune [options]\n"
         "Measures the collectives' algorithms on this machine and writes the file that SHEAF_TUNE\n"
         "names.\n"
         "  -o, --output FILE        the file to write (sheaf.tune)\n"
         "  -s, --seconds SECONDS    time to spend, about (60)\n"
         "  -p, --pes LIST           numbers of PEs, powers of two (2,4,... up to 4 per CPU)\n"
         "  -m, --measurements FILE  also write every median, with minimum and maximum\n"
         "  -q, --quiet              no progress on standard error\n"
         "      --version, --help");
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheaf_print_sanitized(stderr, "oshtune: ", format, arguments);
    va_end(arguments);
}

static _Noreturn void refuse(const char *option, const char *value, const char *expected)
{
    say("SH951 %s %s: expected %s", option, value, expected);
    exit(STATUS_USAGE);
}

/* A word that is no option, or none of oshtune's. */
static _Noreturn void refuse_word(const char *word)
{
    say("SH951 unknown option %s; oshtune --help lists them", *word ? word : "\"\"");
    exit(STATUS_USAGE);
}

static void default_counts(struct options *options)
{
    int most = sheaf_os_usable_cpus() * CROWDING;
    for (int pes = 2; pes <= most && pes <= MOST_PES; pes *= 2)
        options->counts[options->count_count++] = pes;
}

static void parse_counts(struct options *options, const char *list)
{
    const char *at = list;
    options->count_count = 0;
    do {
        char *end;
        long pes = strtol(at, &end, 10);
        int previous = options->count_count ? options->counts[options->count_count - 1] : 1;
        if (end == at || pes <= previous || pes > 1 << 16 || pes & (pes - 1) ||
            (*end && *end != ',') || options->count_count == MOST_COUNTS)
            refuse("--pes", list, "an ascending list of powers of two such as 2,4,8");
        options->counts[options->count_count++] = (int)pes;
        at = end + 1;
        if (!*end)
            return;
    } while (true);
}

static double parse_seconds(const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds <= 86400))
        refuse("--seconds", text, "a number of seconds up to 86400");
    return seconds;
}

static void parse(int argc, char **argv, struct options *options)
{
    enum { VERSION = 256, HELP };
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'},  {"seconds", required_argument, NULL, 's'},
        {"pes", required_argument, NULL, 'p'},     {"measurements", required_argument, NULL, 'm'},
        {"quiet", no_argument, NULL, 'q'},         {"version", no_argument, NULL, VERSION},
        {"help", no_argument, NULL, HELP},         {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:s:p:m:q", longs, NULL)) != -1;) {
        switch (option) {
        case 'o': options->output = optarg; break;
        case 's': options->seconds = parse_seconds(optarg); break;
        case 'p': parse_counts(options, optarg); break;
        case 'm': options->measurements = optarg; break;
        case 'q': options->quiet = true; break;
        case VERSION: puts("oshtune (Sheaf) " SHEAF_VERSION); exit(0);
        case HELP: print_help(); exit(0);
        case ':':
            say("SH951 %s needs a value; oshtune --help says which", argv[optind - 1]);
            exit(STATUS_USAGE);
        default: refuse_word(argv[optind - 1]);
        }
    }
    if (optind < argc)
        refuse_word(argv[optind]);
}

/* to: the place of the job's number of PEs. */
static void keep(void *to, const struct subject *subject, size_t bytes, double ns)
{
    size_t sizes[MOST_SIZES];
    int count = tune_sizes(subject, sizes);
    for (int i = 0; i < count; i++) {
        struct samples *samples = tune_samples(*(const int *)to, subject, i);
        if (sizes[i] == bytes && samples->count < MOST_ROUNDS)
            samples->ns[samples->count++] = ns;
    }
}

/* On a terminal one line that changes. */
static void show(const struct options *options, int pes, int round, double left)
{
    bool terminal = isatty(STDERR_FILENO);
    if (!options->quiet)
        fprintf(stderr, "%soshtune: round %d, %d PEs, %.0f s left%s", terminal ? "\r\033[K" : "", round,
                pes, left > 0 ? left : 0, terminal ? "" : "\n");
}

/* Every algorithm once in one job, so that those compared with each other were measured close
 * together. */
static int run_round(const struct options *options, int round, double budget, uint64_t end)
{
    for (int i = 0; i < options->count_count; i++) {
        double left = ((double)end - (double)sheaf_clock_ns()) / 1e9;
        if (round > 1 && left <= 0)
            return 0;
        show(options, options->counts[i], round, left);
        if (tune_run_job(options->counts[i], budget, keep, &i) != 0)
            return -1;
    }
    return 0;
}

/* Rounds until the time is over; the first one is finished in any case. Returns their number. */
static int run_rounds(const struct options *options)
{
    uint64_t end = sheaf_clock_ns() + (uint64_t)(options->seconds * 1e9);
    double budget = options->seconds / WANTED_ROUNDS / options->count_count;
    int round = 0;
    while (round < MOST_ROUNDS && (round == 0 || sheaf_clock_ns() < end))
        if (run_round(options, ++round, budget, end) != 0)
            return -1;
    if (!options->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    return round;
}

/* Opens a file beside path, which takes its place only once it is complete. */
static FILE *begin_file(const char *path, char *temporary, size_t size)
{
    const char *why = "its name is too long";
    struct stat there;
    int fd = -1;
    if (!*path)
        why = "its name is empty";
    else if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        why = "it is a folder";
    else if (snprintf(temporary, size, "%s.new", path) < (int)size)
        fd = sheaf_user_file_write(temporary, 0, &why);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        say("SH952 cannot write %s: %s", path, fd < 0 ? why : strerror(errno));
    return file;
}

static int end_file(FILE *file, const char *temporary, const char *path)
{
    bool failed = ferror(file);
    failed |= fclose(file) != 0;
    if (!failed && rename(temporary, path) == 0)
        return 0;
    say("SH952 cannot write %s: %s", path, strerror(errno));
    remove(temporary);
    return -1;
}

/* Better said before a minute of measuring than after it. */
static int try_file(const char *path)
{
    char temporary[4096];
    FILE *file = path ? begin_file(path, temporary, sizeof temporary) : NULL;
    if (!file)
        return path ? -1 : 0;
    fclose(file);
    return remove(temporary);
}

static int write_files(const struct options *options, int rounds)
{
    char temporary[4096];
    FILE *file = begin_file(options->output, temporary, sizeof temporary);
    if (!file)
        return -1;
    tune_write_rules(file, options, rounds);
    if (end_file(file, temporary, options->output) != 0 || !options->measurements)
        return options->measurements ? -1 : 0;
    file = begin_file(options->measurements, temporary, sizeof temporary);
    if (!file)
        return -1;
    tune_write_measurements(file, options);
    return end_file(file, temporary, options->measurements);
}

int main(int argc, char **argv)
{
    struct options options = {.seconds = 60, .output = "sheaf.tune"};
    if (argc > 1 && !strcmp(argv[1], "--measure"))
        return tune_measure(argc - 2, argv + 2);
    sheaf_standard_output_watch();
    default_counts(&options);
    parse(argc, argv, &options);
    if (try_file(options.output) != 0 || try_file(options.measurements) != 0)
        return 1;
    int rounds = run_rounds(&options);
    if (rounds < 0 || write_files(&options, rounds) != 0)
        return 1;
    char *shown = strdup(options.output);
    if (shown)
        sheaf_sanitize(shown, 0);
    printf("wrote %s; to use it: export SHEAF_TUNE=%s\n", shown, shown);
    free(shown);
    return 0;
}
