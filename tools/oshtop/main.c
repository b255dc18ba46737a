/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshtop: what the PEs of a job do, live. It reads what they have written about themselves anyway;
 * they do nothing for it.
 */
#include "die.h"
#include "job.h"
#include "screen.h"
#include "serve.h"
#include "table.h"
#include "view.h"

#include "../common/standard_output.h"
#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: oshtop [OPTION]... [JOB]\n"
    "Shows what the PEs of jobs of yours on this host do: waiting or computing, in which call,\n"
    "where, processor time, heap, operations per second. JOB is the process id of an oshrun or of\n"
    "a PE; without it all jobs are shown. On a terminal it is live; elsewhere each snapshot is a\n"
    "table.\n\n"
    "  -d, --interval SECONDS  between two snapshots: 0.1 to 3600, 1 where it is not given\n"
    "  -s, --sort COLUMN       by pe, host, state, since, cpu, heap, near, far or call\n"
    "  -r, --reverse           the other way round\n"
    "  -f, --filter TEXT       only PEs whose host, state, call or place holds TEXT\n"
    "  -n, --count N           ends after N snapshots\n"
    "  -1, --once              one snapshot, its rates over one interval\n"
    "  --plain                 tables, on a terminal too\n"
    "  --json                  JSON, one object on a line for each snapshot\n"
    "  --serve[=PATH|:PORT]    answers programs that ask for the health of jobs, until a signal ends it:\n"
    "                          GET /health is JSON, GET /metrics is for Prometheus, by HTTP on a Unix\n"
    "                          socket of yours (oshtop.socket in $XDG_RUNTIME_DIR or /tmp/oshtop-UID),\n"
    "                          or on a port of 127.0.0.1\n"
    "  --version               print the version\n"
    "  --help                  print this help\n\n"
    "Keys: q quit, s next column to sort by, r reverse, p pause, + and - interval, arrows and\n"
    "Page Up, Page Down scroll. NEAR, operations within the host, is shown of jobs with a\n"
    "profile (oshrun --profile DIR), FAR of jobs on several hosts.\n";

struct options {
    struct top_view view;
    const char *serve; /* NULL: no endpoint */
    double interval;
    long count; /* of snapshots; 0: no end */
    int pid;
    bool is_plain, as_json, is_once;
};

static double number(const char *name, const char *value, double least, double most, bool is_whole)
{
    char *end;
    errno = 0;
    double result = strtod(value, &end);
    if (end == value || *end || errno || !(result >= least && result <= most) ||
        (is_whole && result != (double)(long)result))
        top_die(STATUS_USAGE, "SH951 %s %s: expected a number from %.10g to %.10g", name, value, least,
                most);
    return result;
}

static void set_column(struct options *options, const char *value)
{
    options->view.column = top_view_column(value);
    if (options->view.column < 0)
        top_die(STATUS_USAGE, "SH951 --sort %s: expected %s", value, top_columns);
}

/* Those that stand alone; false: it is none of them. */
static bool apply_word(struct options *options, const char *word)
{
    if (!strcmp(word, "--reverse") || !strcmp(word, "-r"))
        options->view.is_reversed = true;
    else if (!strcmp(word, "--once") || !strcmp(word, "-1"))
        options->is_once = true;
    else if (!strcmp(word, "--plain"))
        options->is_plain = true;
    else if (!strcmp(word, "--json"))
        options->as_json = true;
    else if (!strcmp(word, "--serve"))
        options->serve = "";
    else
        return false;
    return true;
}

static void apply_value(struct options *options, const char *name, const char *value)
{
    if (!strcmp(name, "--interval") || !strcmp(name, "-d"))
        options->interval = number("--interval", value, 0.1, 3600, false);
    else if (!strcmp(name, "--count") || !strcmp(name, "-n"))
        options->count = (long)number("--count", value, 1, 1e9, true);
    else if (!strcmp(name, "--sort") || !strcmp(name, "-s"))
        set_column(options, value);
    else if (!strcmp(name, "--serve"))
        options->serve = value;
    else
        options->view.filter = value;
}

static bool takes_value(const char *name)
{
    static const char *const names[] = {"--interval", "-d",       "--count", "-n",     "--sort",
                                        "-s",         "--filter", "-f",      "--serve"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* "--name value" or "--name=value"; how many words it took. */
static int apply_option(struct options *options, char **words)
{
    char name[32];
    const char *sign = strchr(words[0], '=');
    snprintf(name, sizeof name, "%.*s", sign ? (int)(sign - words[0]) : 31, words[0]);
    if (!sign && apply_word(options, name))
        return 1;
    if (!takes_value(name) || (sign && name[1] != '-'))
        top_die(STATUS_USAGE, "SH951 unknown option %s; oshtop --help lists them", words[0]);
    if (sign ? !sign[1] && strcmp(name, "--serve") : !words[1] || !*words[1])
        top_die(STATUS_USAGE, "SH951 %s needs a value; oshtop --help says which", name);
    apply_value(options, name, sign ? sign + 1 : words[1]);
    return sign ? 1 : 2;
}

static void read_options(struct options *options, char **argv)
{
    *options = (struct options){.interval = 1};
    for (char **word = argv + 1; *word;) {
        if (!strcmp(*word, "--help") || !strcmp(*word, "-h"))
            exit(fputs(help, stdout) < 0);
        if (!strcmp(*word, "--version"))
            exit(puts("oshtop (Sheaf) " SHEAF_VERSION) < 0);
        if (**word == '-') {
            word += apply_option(options, word);
            continue;
        }
        if (options->pid)
            top_die(STATUS_USAGE, "SH951 one JOB at most: %s", *word);
        options->pid = (int)number("JOB", *word++, 1, INT_MAX, true);
    }
    if (options->is_once && options->count)
        top_die(STATUS_USAGE, "SH951 --once and --count exclude each other");
    if (options->serve && (options->is_once || options->count || options->as_json || options->is_plain))
        top_die(STATUS_USAGE,
                "SH951 --serve prints no snapshots: it excludes --once, --count, --json, --plain");
}

static void print(const struct top_jobs *jobs, const struct options *options)
{
    if (options->as_json)
        top_json_print(jobs, &options->view, stdout);
    else
        top_table_print(jobs, &options->view, stdout);
    if (fflush(stdout))
        top_die(1, "SH952 cannot write: %s", strerror(errno));
}

static void sleep_for(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) && errno == EINTR)
        continue;
}

/* The first snapshot has no rates: where there is to be one alone, it is the second. */
static void run_plain(struct top_jobs *jobs, const struct options *options)
{
    top_jobs_take(jobs);
    if (options->is_once) {
        sleep_for(options->interval);
        top_jobs_take(jobs);
        print(jobs, options);
        return;
    }
    for (long done = 0;;) {
        print(jobs, options);
        if (++done == options->count || !top_jobs_run(jobs))
            return;
        if (!options->as_json)
            putchar('\n');
        sleep_for(options->interval);
        top_jobs_take(jobs);
    }
}

/* What the keys have changed. */
struct live {
    struct options options;
    int from, last; /* lines */
    bool is_paused, is_over;
};

static void draw(const struct top_jobs *jobs, struct live *live)
{
    char head[200], clock[16], *text = NULL;
    size_t length;
    time_t now = time(NULL);
    struct tm parts;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        top_die(1, "SH904 out of memory");
    top_table_print(jobs, &live->options.view, out);
    fclose(out);
    strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&now, &parts));
    snprintf(head, sizeof head,
             "oshtop  %s  every %g s%s  by %s%s%s%.60s   q quit  s sort  r reverse  p pause  +/-",
             clock, live->options.interval, live->is_paused ? " (paused)" : "",
             top_view_column_name(live->options.view.column),
             live->options.view.is_reversed ? ", reversed" : "",
             live->options.view.filter ? "  only " : "",
             live->options.view.filter ? live->options.view.filter : "");
    if (live->from > live->last)
        live->from = live->last;
    live->last = top_screen_draw(head, text, live->from);
    free(text);
}

static void scroll(struct live *live, int lines)
{
    live->from += lines;
    if (live->from > live->last)
        live->from = live->last;
    if (live->from < 0)
        live->from = 0;
}

static void change_interval(struct options *options, double factor)
{
    double interval = options->interval * factor;
    options->interval = interval < 0.1 ? 0.1 : interval > 3600 ? 3600 : interval;
}

static void obey(struct live *live, int key)
{
    struct top_view *view = &live->options.view;
    switch (key) {
    case 'q':
    case TOP_KEY_END:
        live->is_over = true;
        break;
    case 's':
        view->column = top_view_next_column(view->column);
        break;
    case 'r':
        view->is_reversed = !view->is_reversed;
        break;
    case 'p':
        live->is_paused = !live->is_paused;
        break;
    case '+':
    case '-':
        change_interval(&live->options, key == '+' ? 2 : 0.5);
        break;
    case TOP_KEY_UP:
    case TOP_KEY_DOWN:
        scroll(live, key == TOP_KEY_UP ? -1 : 1);
        break;
    case TOP_KEY_PAGE_UP:
    case TOP_KEY_PAGE_DOWN:
        scroll(live, key == TOP_KEY_PAGE_UP ? -top_screen_page() : top_screen_page());
        break;
    default:
        break;
    }
}

static void obey_until(struct top_jobs *jobs, struct live *live, uint64_t since)
{
    int key;
    do {
        uint64_t until = since + (uint64_t)(live->options.interval * 1e9);
        key = top_screen_key(until);
        if (key == TOP_KEY_NONE)
            return;
        obey(live, key);
        if (!live->is_over)
            draw(jobs, live);
    } while (!live->is_over);
}

/* The last snapshot stays on the screen that was there before. */
static void run_live(struct top_jobs *jobs, const struct options *options)
{
    struct live live = {.options = *options};
    long done = 0;
    top_jobs_take(jobs);
    while (!live.is_over) {
        uint64_t since = sheaf_clock_ns();
        draw(jobs, &live);
        if (++done == options->count || !top_jobs_run(jobs))
            break;
        obey_until(jobs, &live, since);
        if (!live.is_over && !live.is_paused)
            top_jobs_take(jobs);
    }
    top_screen_close();
    if (!live.is_over)
        top_table_print(jobs, &live.options.view, stdout);
}

int main(int argc, char **argv)
{
    struct options options;
    struct top_jobs jobs;
    (void)argc;
    sheaf_standard_output_watch();
    read_options(&options, argv);
    if (options.serve)
        top_serve(options.serve, options.pid);
    top_jobs_open(&jobs, options.pid);
    bool is_plain = options.is_plain || options.as_json || options.is_once;
    if (!is_plain && top_screen_open())
        run_live(&jobs, &options);
    else
        run_plain(&jobs, &options);
    top_jobs_close(&jobs);
    return 0;
}
