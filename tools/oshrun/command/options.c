/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line. The parser, the help and the suggestion for a misspelled option come from one table.
 */
#include "oshrun/command/options.h"

#include "base/os/os.h"
#include "base/sanitize.h"
#include "base/settings/env.h"
#include "boot/replicated_log/respawn_agent.h"
#include "oshrun/command/launcher_options.h"
#include "oshrun/command/other_library.h"
#include "oshrun/command/profile.h"
#include "oshrun/command/save_on_failure.h"
#include "oshrun/command/say.h"
#include "oshrun/command/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PES 65536

enum value { VALUE_NONE, VALUE_REQUIRED, VALUE_OPTIONAL };

struct parser {
    struct options *options;
    struct program *program; /* the program being parsed */
    char **argv;
    int argc;
    int next;
};

struct option {
    const char *names[4];
    enum value value;
    void (*apply)(struct parser *parser, const char *name, const char *value);
    const char *usage; /* NULL: the help leaves the option out */
    const char *help;  /* without a name: a heading of the help */
};

/* Enlarges a block, or ends oshrun when there is no memory: oshrun's memory is small. */
static void *grow_array(void *block, size_t count, size_t size)
{
    void *grown = reallocarray(block, count, size);
    if (!grown)
        sheaf_die(1, "out of memory");
    return grown;
}

/* Parses an integer in [low, high], or ends oshrun. */
static int parse_number(const char *name, const char *text, long low, long high)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < low || value > high)
        sheaf_die(STATUS_USAGE, "%s %s: expected a number from %ld to %ld", name, text, low, high);
    return (int)value;
}

static void apply_np(struct parser *parser, const char *name, const char *value)
{
    parser->program->npes = parse_number(name, value, 1, MAX_PES);
}

static void apply_x(struct parser *parser, const char *name, const char *value)
{
    struct program *program = parser->program;
    const char *setting = value;
    if (*value == '=' || !*value)
        sheaf_die(STATUS_USAGE, "%s %s: expected VAR or VAR=VALUE", name, value);
    if (!strchr(value, '=')) {
        const char *current = getenv(value);
        if (!current) {
            sheaf_say("%s %s: this variable is not set here; the PEs do not get it", name, value);
            return;
        }
        char *text;
        if (asprintf(&text, "%s=%s", value, current) < 0)
            sheaf_die(1, "out of memory");
        setting = text;
    }
    program->env = grow_array(program->env, (size_t)program->env_count + 1, sizeof *program->env);
    program->env[program->env_count++] = setting;
}

/* Hydra's -env, whose value is the next word. */
static void apply_env(struct parser *parser, const char *name, const char *value)
{
    char *setting;
    if (parser->next == parser->argc)
        sheaf_die(STATUS_USAGE, "%s %s: the variable's value is missing", name, value);
    if (asprintf(&setting, "%s=%s", value, parser->argv[parser->next++]) < 0)
        sheaf_die(1, "out of memory");
    apply_x(parser, name, setting);
}

static void apply_wdir(struct parser *parser, const char *name, const char *value)
{
    struct stat status;
    if (stat(value, &status))
        sheaf_die(STATUS_USAGE, "%s %s: %s", name, value, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        sheaf_die(STATUS_USAGE, "%s %s: not a directory", name, value);
    parser->program->wdir = value;
}

static void apply_bind(struct parser *parser, const char *name, const char *value)
{
    if (!strcmp(value, "core") || !strcmp(value, "cores"))
        parser->options->binding = BIND_CORE;
    else if (!strcmp(value, "none"))
        parser->options->binding = BIND_NONE;
    else
        sheaf_die(STATUS_USAGE, "%s %s: expected core or none", name, value);
}

static void apply_mpi(struct parser *parser, const char *name, const char *value)
{
    static const char *const words[] = {
        [MPI_AUTO] = "auto", [MPI_PMIX] = "pmix", [MPI_PMI1] = "pmi1", [MPI_NONE] = "none"};
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        if (strcmp(value, words[i]) == 0) {
            parser->options->mpi = (enum mpi_service)i;
            return;
        }
    sheaf_die(STATUS_USAGE, "%s %s: expected auto, pmix, pmi1 or none", name, value);
}

static void apply_heap(struct parser *parser, const char *name, const char *value)
{
    size_t bytes;
    if (sheaf_parse_size(value, &bytes))
        sheaf_die(STATUS_USAGE, "%s %s: expected a size such as 512M or 1.5g", name, value);
    parser->options->heap = value;
}

static void apply_tag_output(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    (void)value;
    parser->options->tag_output = true;
}

static void apply_output(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    parser->options->output = value;
}

static void apply_timeout(struct parser *parser, const char *name, const char *value)
{
    uint64_t ns;
    if (sheaf_parse_seconds(value, &ns) != 0 || ns == 0)
        sheaf_die(STATUS_USAGE, "%s %s: expected a number of seconds, such as 60 or 0.5", name, value);
    parser->options->timeout_ns = ns + 1;
}

static void apply_end_with(struct parser *parser, const char *name, const char *value)
{
    parser->options->end_with = parse_number(name, value, 1, INT_MAX);
}

static void apply_spare(struct parser *parser, const char *name, const char *value)
{
    parser->options->spares = parse_number(name, value, 0, SHEAF_MOST_SPARES);
}

static void apply_respawn_agent(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    sheaf_die(STATUS_USAGE, "%s=%s must be the only option, before the program", name, value);
}

static void apply_stdin(struct parser *parser, const char *name, const char *value)
{
    if (!strcmp(value, "none"))
        parser->options->stdin_pe = -1;
    else
        parser->options->stdin_pe = parse_number(name, value, 0, MAX_PES - 1);
}

/* value: a list of PEs, NULL for all. In the word behind the option it would be taken for the program. */
static void choose_pes(const struct parser *parser, const char *name, const char *value,
                       struct pe_choice *choice)
{
    const char *word = parser->next < parser->argc ? parser->argv[parser->next] : "";
    if (!value && *word && !word[strspn(word, "0123456789,-")] && *word != '-')
        sheaf_die(STATUS_USAGE, "%s %s: write %s=%s", name, word, name, word);
    *choice = (struct pe_choice){.wanted = true, .list = value};
}

static void apply_gdb(struct parser *parser, const char *name, const char *value)
{
    choose_pes(parser, name, value, &parser->options->gdb);
}

static void apply_valgrind(struct parser *parser, const char *name, const char *value)
{
    choose_pes(parser, name, value, &parser->options->valgrind);
}

static void apply_no_aslr(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    (void)value;
    parser->options->no_aslr = true;
}

static void apply_quiet(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    (void)value;
    parser->options->quiet = true;
}

static void apply_hosts(struct parser *parser, const char *name, const char *value)
{
    sheaf_hosts_add(&parser->options->hosts, name, value);
}

static void apply_hostfile(struct parser *parser, const char *name, const char *value)
{
    sheaf_hosts_read(&parser->options->hosts, name, value);
}

static void apply_launcher(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    parser->options->launcher = value;
}

static void apply_as(struct parser *parser, const char *name, const char *value)
{
    parser->options->as = sheaf_other_library_named(name, value);
}

static void apply_dry_run(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    (void)value;
    parser->options->dry_run = true;
}

static void apply_profile(struct parser *parser, const char *name, const char *value)
{
    parser->options->profile = sheaf_profile_prepare(name, value, "SHEAF_PROFILE");
}

static void apply_trace(struct parser *parser, const char *name, const char *value)
{
    parser->options->trace = sheaf_profile_prepare(name, value, "SHEAF_TRACE");
}

static void apply_snapshot_dir(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    sheaf_snapshot_set_dir(name, value);
}

static void apply_snapshot_every(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    sheaf_snapshot_set_every(name, value);
}

static void apply_snapshot_signal(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    sheaf_snapshot_set_signal(name, value);
}

static void apply_restart(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    parser->options->restart = value;
}

static void apply_save_on_failure(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    sheaf_save_on_failure_set(name, value);
}

static void apply_why(struct parser *parser, const char *name, const char *value)
{
    if (!value && parser->next < parser->argc && parser->argv[parser->next][0] != '-')
        value = parser->argv[parser->next++];
    parser->options->why = true;
    parser->options->why_pid = value ? parse_number(name, value, 1, INT_MAX) : 0;
}

static void apply_json(struct parser *parser, const char *name, const char *value)
{
    (void)name;
    (void)value;
    parser->options->json = true;
}

static void apply_stacks(struct parser *parser, const char *name, const char *value)
{
    if (value && strcmp(value, "here") != 0)
        sheaf_die(STATUS_USAGE, "%s=%s: expected %s or %s=here", name, value, name, name);
    parser->options->stacks = true;
    parser->options->stacks_here = value != NULL;
}

static void apply_version(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    (void)name;
    (void)value;
    puts("oshrun (Sheaf) " SHEAF_VERSION ", OpenSHMEM 1.6");
    exit(0);
}

static void apply_help(struct parser *parser, const char *name, const char *value);

#define HELP_LINE   "  %-22s %s"
#define HELP_INDENT "                         "

#define HEADING(text) {{NULL}, VALUE_NONE, NULL, NULL, text}

static const struct option table[] = {
    HEADING("Start"),
    {{"-n", "-np", "--np", "--ntasks"}, VALUE_REQUIRED, apply_np, "-n N, -np N, --np N",
     "number of PEs (default: the number of CPUs)"},
    {{"-x"}, VALUE_REQUIRED, apply_x, "-x VAR[=VALUE]",
     "environment variable for the PEs; may be repeated"},
    {{"-env", "-genv"}, VALUE_REQUIRED, apply_env, NULL, NULL},
    {{"--wdir", "--wd", "--chdir", "-D"}, VALUE_REQUIRED, apply_wdir, "--wdir DIR",
     "working directory of the PEs"},
    {{"--bind", "--bind-to", "--cpu-bind"}, VALUE_REQUIRED, apply_bind, "--bind core|none",
     "one core per PE, or none (default: a share of the cores each,\n" HELP_INDENT
     "when there are not more PEs than CPUs)"},
    {{"--mpi"}, VALUE_REQUIRED, apply_mpi, "--mpi auto|pmix|pmi1|none",
     "how the PEs' MPI finds oshrun: Open MPI by PMIx, MPICH by PMI-1\n" HELP_INDENT
     "(default: by what the program is linked with)"},
    {{"--heap"}, VALUE_REQUIRED, apply_heap, "--heap SIZE",
     "limit of the symmetric heap per PE, such as 512M or 1.5g"},
    {{"--tag-output", "-l", "--label", "--prepend-rank"}, VALUE_NONE, apply_tag_output, "--tag-output",
     "begin each line of output with \"[PE] \""},
    {{"--output"}, VALUE_REQUIRED, apply_output, "--output DIR",
     "write each PE's output and errors to a file in DIR"},
    {{"--stdin"}, VALUE_REQUIRED, apply_stdin, "--stdin PE|none",
     "which PE reads standard input (default: 0)"},
    {{"--as"}, VALUE_REQUIRED, apply_as, "--as ompi|sos",
     "the program was linked with Open MPI's or Sandia's OpenSHMEM: run it\n" HELP_INDENT
     "unchanged with Sheaf; see docs/do/binaries.md"},
    {{"--end-with"}, VALUE_REQUIRED, apply_end_with, "--end-with PID",
     "end the job when process PID, which starts oshrun, has ended"},
    {{"-q", "--quiet"}, VALUE_NONE, apply_quiet, "-q, --quiet",
     "do not print why the job ended"},
    HEADING("Several hosts"),
    {{"--hosts", "--host", "-H", "--nodelist"}, VALUE_REQUIRED, apply_hosts, "--hosts HOST[:N],...",
     "run N PEs on each of these hosts; a launcher starts them"},
    {{"--hostfile", "--machinefile", "-f"}, VALUE_REQUIRED, apply_hostfile, "--hostfile FILE",
     "the hosts from a file of lines \"HOST slots=N\""},
    {{"--launcher"}, VALUE_REQUIRED, apply_launcher, "--launcher NAME",
     "srun, prterun, mpirun or mpiexec.hydra (default: the first\n" HELP_INDENT
     "of them that is installed)"},
    {{"--dry-run"}, VALUE_NONE, apply_dry_run, "--dry-run",
     "print the launcher's command line and start nothing"},
    HEADING("A hang, a crash"),
    {{"--timeout"}, VALUE_REQUIRED, apply_timeout, "--timeout SECONDS",
     "end a job that takes longer: print what each PE waits for, status 124"},
    {{"--why"}, VALUE_OPTIONAL, apply_why, "--why [PID]",
     "print what each PE of a running job waits for; PID is its oshrun's"},
    {{"--json"}, VALUE_NONE, apply_json, "--json", "with --why: print JSON, with every PE's last calls"},
    {{"--stacks"}, VALUE_OPTIONAL, apply_stacks, "--stacks[=here]",
     "with --why: print also the stacks of the PEs' threads, by gdb or\n" HELP_INDENT
     "eu-stack; here: of this host's PEs only"},
    {{"--gdb"}, VALUE_OPTIONAL, apply_gdb, "--gdb[=PE,...]", "run all PEs, or these, in gdb"},
    {{"--valgrind"}, VALUE_OPTIONAL, apply_valgrind, "--valgrind[=PE,...]",
     "run all PEs, or these, in valgrind, with a heap of 64M if\n" HELP_INDENT
     "--heap is not given"},
    {{"--no-aslr"}, VALUE_NONE, apply_no_aslr, "--no-aslr",
     "the same addresses in every run"},
    {{"--save-on-failure"}, VALUE_REQUIRED, apply_save_on_failure, "--save-on-failure DIR",
     "when the job fails, write all PEs' symmetric memory to DIR, for oshdump"},
    HEADING("Where the time goes"),
    {{"--profile"}, VALUE_REQUIRED, apply_profile, "--profile DIR",
     "write a file per PE to DIR, which oshprof shows"},
    {{"--trace"}, VALUE_REQUIRED, apply_trace, "--trace DIR",
     "the same, and DIR/trace.json with the time of each call"},
    HEADING("Checkpoints, deaths of PEs"),
    {{"--snapshot-dir"}, VALUE_REQUIRED, apply_snapshot_dir, "--snapshot-dir DIR",
     "write snapshots of symmetric memory to DIR; see docs/do/survive.md"},
    {{"--snapshot-every"}, VALUE_REQUIRED, apply_snapshot_every, "--snapshot-every SECONDS",
     "write one in the first shmem_barrier_all after each SECONDS"},
    {{"--snapshot-signal"}, VALUE_REQUIRED, apply_snapshot_signal, "--snapshot-signal USR1|USR2",
     "write one in the next shmem_barrier_all after oshrun got this signal"},
    {{"--restart"}, VALUE_REQUIRED, apply_restart, "--restart DIR",
     "start from the newest snapshot in DIR, which shmemx_restore reads: as\n" HELP_INDENT
     "many PEs, the same heap"},
    {{"--spare"}, VALUE_REQUIRED, apply_spare, "--spare N",
     "with SHEAF_FAILURES=report: start N processes that can replace dead\n" HELP_INDENT
     "PEs (shmemx_respawn); with --hosts: N on each host"},
    {{"--respawn-agent", "--stand-in"}, VALUE_REQUIRED, apply_respawn_agent, "--respawn-agent=N",
     "for launchers, before the program, without other options: the process\n" HELP_INDENT
     "stays and starts up to N replacements of dead PEs on each host"},
    HEADING("This command"),
    {{"--version", "-V"}, VALUE_NONE, apply_version, "--version", "print the version"},
    {{"--help", "-h"}, VALUE_NONE, apply_help, "--help", "print this help"},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static void apply_help(struct parser *parser, const char *name, const char *value)
{
    (void)parser;
    (void)name;
    (void)value;
    puts("usage: oshrun [options] program [argument...] [: [options] program [argument...]]...\n"
         "Runs an OpenSHMEM program on several PEs, of this machine or of --hosts.\n");
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].usage)
            printf(HELP_LINE "\n", table[i].usage, table[i].help);
        else if (!table[i].names[0])
            printf("%s%s:\n", i ? "\n" : "", table[i].help);
    printf(HELP_LINE "\n", "--", "end of the options");
    exit(0);
}

static const char *without_dashes(const char *name)
{
    return name + strspn(name, "-");
}

/* The first option that begins with these letters, 3 or more; NULL: none. */
static const char *option_that_begins(const char *letters)
{
    size_t length = strlen(letters);
    for (size_t i = 0; length >= 3 && i < TABLE_SIZE; i++)
        for (size_t k = 0; k < 4 && table[i].names[k]; k++)
            if (strncmp(letters, without_dashes(table[i].names[k]), length) == 0)
                return table[i].names[k];
    return NULL;
}

/* Names the option that begins so, or the nearest: at most a third of the letters differ, rounded up. */
_Noreturn static void unknown(const char *name)
{
    const char *letters = without_dashes(name), *best = option_that_begins(letters);
    unsigned least = best ? 0 : (unsigned)((strnlen(letters, 64) + 2) / 3) + 1;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        for (size_t k = 0; k < 4 && table[i].names[k]; k++) {
            unsigned differ = sheaf_names_distance(letters, without_dashes(table[i].names[k]));
            if (differ < least && differ < strlen(letters)) {
                least = differ;
                best = table[i].names[k];
            }
        }
    if (best)
        sheaf_die(STATUS_USAGE, "unknown option %s; did you mean %s?", name, best);
    sheaf_die(STATUS_USAGE, "unknown option %s; oshrun --help lists them", name);
}

/* Other launchers accept long options with one dash. */
static const struct option *lookup(const char *name)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        for (size_t k = 0; k < 4 && table[i].names[k]; k++)
            if (!strcmp(name, table[i].names[k]) ||
                (strlen(name) > 2 && !strcmp(name, table[i].names[k] + 1)))
                return &table[i];
    return NULL;
}

/* The number in "-n4" and "-np4". */
static const char *number_within(const char *word)
{
    const char *digits = word + (strncmp(word, "-np", 3) == 0 ? 3 : 2);
    bool is_number = *digits && !digits[strspn(digits, "0123456789")];
    return strncmp(word, "-n", 2) == 0 && is_number ? digits : NULL;
}

/* Parses the option at parser->next and its value, which may be behind "=" or in the next word. */
static void parse_option(struct parser *parser)
{
    char *word = parser->argv[parser->next++];
    char *equals = !strncmp(word, "--", 2) ? strchr(word, '=') : NULL;
    char *name = equals ? strndup(word, (size_t)(equals - word)) : word;
    const char *value = equals ? equals + 1 : NULL;
    if (!name)
        sheaf_die(1, "out of memory");
    const struct option *option = lookup(name);
    if (!option && number_within(word)) {
        apply_np(parser, "-n", number_within(word));
        return;
    }
    if (!option) {
        int words = sheaf_launcher_option_skip(name, value, parser->argv + parser->next);
        if (words < 0)
            unknown(name);
        parser->next += words;
        return;
    }
    if (option->value == VALUE_NONE && value)
        sheaf_die(STATUS_USAGE, "%s takes no value", name);
    if (option->value == VALUE_REQUIRED && !value && parser->next < parser->argc)
        value = parser->argv[parser->next++];
    if (option->value == VALUE_REQUIRED && (!value || !*value))
        sheaf_die(STATUS_USAGE, "%s needs a value: %s", name, option->usage ? option->usage : "VAR VALUE");
    option->apply(parser, name, value);
    if (name != word)
        free(name);
}

/* Parses one program: its options, its name, and its arguments up to ":" or the end. */
static void parse_program(struct parser *parser)
{
    struct options *options = parser->options;
    options->programs = grow_array(options->programs, (size_t)options->program_count + 1,
                                   sizeof *options->programs);
    parser->program = &options->programs[options->program_count++];
    *parser->program = (struct program){0};
    while (parser->next < parser->argc && parser->argv[parser->next][0] == '-') {
        if (!strcmp(parser->argv[parser->next], "--")) {
            parser->next++;
            break;
        }
        parse_option(parser);
    }
    if (options->why)
        return;
    parser->program->argv = parser->argv + parser->next;
    int first = parser->next;
    while (parser->next < parser->argc && strcmp(parser->argv[parser->next], ":"))
        parser->next++;
    if (parser->next == first)
        sheaf_die(STATUS_USAGE, "no program to run; oshrun --help says how");
    parser->argv[parser->next] = NULL;
    parser->next++;
}

/* Numbers the PEs of all programs. */
static void count_pes(struct options *options)
{
    sheaf_snapshot_restart(options);
    if (options->program_count == 1 && !options->programs[0].npes)
        options->programs[0].npes =
            options->restart_npes ? options->restart_npes
            : options->hosts.count ? sheaf_hosts_fill(&options->hosts, 0)
                                   : options->usable_cpus;
    for (int i = 0; i < options->program_count; i++) {
        struct program *program = &options->programs[i];
        if (!program->npes)
            sheaf_die(STATUS_USAGE, "each of several programs needs -n: %s has none",
                      program->argv[0]);
        program->first_pe = options->npes;
        options->npes += program->npes;
        if (options->npes > MAX_PES)
            sheaf_die(STATUS_USAGE, "more than %d PEs", MAX_PES);
    }
    if (options->hosts.count)
        sheaf_hosts_fill(&options->hosts, options->npes);
    else if (options->launcher || options->dry_run)
        sheaf_die(STATUS_USAGE, "%s is about --hosts or --hostfile, and neither is given",
                  options->launcher ? "--launcher" : "--dry-run");
}

void sheaf_options_choose(struct pe_choice *choice, int npes, const char *option)
{
    choice->has = grow_array(NULL, (size_t)npes, sizeof *choice->has);
    memset(choice->has, choice->wanted && !choice->list, (size_t)npes * sizeof *choice->has);
    for (const char *at = choice->list; at && *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        bool bad = end == at;
        if (!bad && *end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            bad = end == at;
        }
        if (bad || (*end && *end != ',') || first < 0 || last < first || last >= npes)
            sheaf_die(STATUS_USAGE, "%s=%s: expected PEs from 0 to %d, such as 0,2-3", option,
                      choice->list, npes - 1);
        for (long pe = first; pe <= last; pe++)
            choice->has[pe] = true;
        at = *end ? end + 1 : end;
    }
    for (int pe = 0; pe < npes; pe++)
        choice->count += choice->has[pe];
    if (choice->wanted && !choice->count)
        sheaf_die(STATUS_USAGE, "%s= names no PE", option);
}

/* Checks options that exclude or need each other. */
static void check_together(const struct options *options)
{
    if (options->tag_output && options->output)
        sheaf_die(STATUS_USAGE, "--tag-output does nothing with --output; leave one out");
    if (options->mpi != MPI_AUTO && options->hosts.count)
        sheaf_die(STATUS_USAGE, "--mpi does nothing with --hosts: their launcher serves MPI; leave "
                  "one out");
    if (options->end_with && options->hosts.count)
        sheaf_die(STATUS_USAGE, "--end-with does nothing with --hosts: their launcher takes oshrun's "
                  "place; leave one out");
    if (options->stdin_pe >= options->npes)
        sheaf_die(STATUS_USAGE, "--stdin %d: the job has PEs 0 to %d", options->stdin_pe,
                  options->npes - 1);
    for (int pe = 0; pe < options->npes; pe++)
        if (options->gdb.has[pe] && options->valgrind.has[pe])
            sheaf_die(STATUS_USAGE, "PE %d cannot run in both gdb and valgrind", pe);
}

void sheaf_options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.usable_cpus = sheaf_os_usable_cpus()};
    struct parser parser = {.options = options, .argv = argv, .argc = argc, .next = 1};
    bool ended_by_colon = false;
    do {
        parse_program(&parser);
        ended_by_colon = parser.next == argc;
    } while (!options->why && parser.next < argc);
    if (options->why && parser.next < argc && !options->why_pid)
        options->why_pid = parse_number("--why", argv[parser.next++], 1, INT_MAX);
    if (options->why && parser.next < argc)
        sheaf_die(STATUS_USAGE, "--why runs no program: %s", argv[parser.next]);
    if (options->why)
        return;
    if (options->json || options->stacks)
        sheaf_die(STATUS_USAGE, "%s is about --why, which is not given",
                  options->json ? "--json" : "--stacks");
    if (ended_by_colon)
        sheaf_die(STATUS_USAGE, "no program after the last \":\"");
    count_pes(options);
    sheaf_options_choose(&options->gdb, options->npes, "--gdb");
    sheaf_options_choose(&options->valgrind, options->npes, "--valgrind");
    check_together(options);
}
