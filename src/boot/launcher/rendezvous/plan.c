/* SPDX-License-Identifier: BSD-3-Clause
 * See plan.h.
 */
#include "boot/launcher/rendezvous/plan.h"

#include "base/log.h"
#include "base/os/host.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who starts processes, and in which variables it says what; best first. NULL: it does not say.
 * Those of a row are there where all that must_have are. */
static const struct source {
    const char *name;
    const char *must_have[3];
    const char *rank, *size;
    const char *host, *port; /* port: of something else there, Sheaf's is the next one */
    const char *hosts;       /* a list, "node[3-5],other": the first one */
    const char *instead;     /* how it starts processes that need no rendezvous, for messages */
} sources[] = {
    {"SHEAF_RANK and SHEAF_SIZE", {"SHEAF_RANK"}, "SHEAF_RANK", "SHEAF_SIZE", NULL, NULL, NULL, NULL},
    {"torchrun", {"RANK", "WORLD_SIZE"}, "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", NULL, NULL},
    {"a Kubernetes Job", {"JOB_COMPLETION_INDEX"}, "JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, NULL},
    {"Slurm's srun", {"SLURM_PROCID", "SLURM_STEP_NODELIST", "SLURM_STEP_NUM_TASKS"}, "SLURM_PROCID",
     "SLURM_STEP_NUM_TASKS", NULL, NULL, "SLURM_STEP_NODELIST", NULL},
    {"Flux", {"FLUX_TASK_RANK"}, "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, NULL, NULL,
     "flux run -o pmi=simple"},
    {"PALS", {"PALS_RANKID"}, "PALS_RANKID", "PMI_SIZE", NULL, NULL, NULL, "mpiexec --pmi=pmix"},
    {"LSF's jsrun", {"JSM_NAMESPACE_RANK"}, "JSM_NAMESPACE_RANK",
     "JSM_NAMESPACE_SIZE", NULL, NULL, NULL, "a jsrun that sets PMIX_NAMESPACE"},
};
#define SOURCES (sizeof sources / sizeof *sources)

/* Ports of jobs that Slurm numbers: below those that Linux hands out by itself, from 32768 on. */
enum { FIRST_PORT = 20000, PORTS = 10000 };

/* Of a variable of Sheaf's or another's; "" counts as not set. */
static const char *value_of(const char *name)
{
    const char *value = !name                        ? NULL
                        : strncmp(name, "SHEAF_", 6) ? getenv(name)
                                                     : sheaf_settings_text(name);
    return value && *value ? value : NULL;
}

static const struct source *find_source(void)
{
    for (const struct source *source = sources; source < sources + SOURCES; source++) {
        bool is_there = true;
        for (int i = 0; i < 3 && source->must_have[i]; i++)
            is_there &= value_of(source->must_have[i]) != NULL;
        if (is_there)
            return source;
    }
    return NULL;
}

static const char *size_text(const struct source *source)
{
    const char *size = value_of("SHEAF_SIZE");
    return size || !source ? size : value_of(source->size);
}

bool sheaf_rendezvous_is_there(void)
{
    const struct source *source = find_source();
    const char *size = size_text(source), *rank = source ? value_of(source->rank) : NULL;
    if (size && rank && !strcmp(size, "1") && !strcmp(rank, "0"))
        return false;
    return source || value_of("SHEAF_RENDEZVOUS") ||
           sheaf_settings_choice("SHEAF_BOOT") == SHEAF_BOOT_RENDEZVOUS;
}

__attribute__((format(printf, 1, 2))) static int refuse_plan(const char *format, ...)
{
    char text[700];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sheaf_error("SH407 %s (host %s)", text, sheaf_os_host_name().text);
    return -1;
}

/* A whole number from least to most. */
static int read_number(const char *name, const char *text, int least, int most, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    if (*text >= '0' && *text <= '9' && !*end && value >= least && value <= most)
        return 0;
    return refuse_plan("%s is \"%s\", and must be a whole number from %d to %d", name, text, least,
                       most);
}

static const char *size_name(const struct source *source)
{
    return !source->size || value_of("SHEAF_SIZE") ? "SHEAF_SIZE" : source->size;
}

static int read_place(const struct source *source, struct sheaf_rendezvous_plan *plan)
{
    const char *size = size_text(source);
    if (!size && source->instead)
        return refuse_plan("%s started rank %s, and does not say of how many: start them with %s, or set "
                           "SHEAF_SIZE and SHEAF_RENDEZVOUS, or SHEAF_BOOT=single for jobs of one process "
                           "each",
                           source->name, value_of(source->rank), source->instead);
    if (!size)
        return refuse_plan("%s is %s, and %s is not set: set it to the number of all processes, or "
                           "SHEAF_BOOT=single for jobs of one process each",
                           source->rank, value_of(source->rank), size_name(source));
    if (read_number(size_name(source), size, 1, INT32_MAX, &plan->size) != 0)
        return -1;
    return read_number(source->rank, value_of(source->rank), 0, plan->size - 1, &plan->rank);
}

/* "node[03-05,7],other" gives "node03". */
static int read_first_host(const char *list, char host[256])
{
    size_t front = strcspn(list, "[,"),
           number = list[front] == '[' ? strcspn(list + front + 1, "-,]") : 0;
    if (front + number >= 256)
        return refuse_plan("the first name of SLURM_STEP_NODELIST is longer than any host's");
    memcpy(host, list, front);
    memcpy(host + front, list + front + 1, number);
    host[front + number] = '\0';
    return 0;
}

static int split_host(const char *where, struct sheaf_rendezvous_plan *plan)
{
    const char *colon = strrchr(where, ':'), *first = where, *last = colon;
    bool is_bare_ipv6 = colon && strchr(where, ':') != colon && where[0] != '[';
    if (where[0] == '[' && colon && colon > where && colon[-1] == ']') {
        first++;
        last--;
    } else if (!colon || is_bare_ipv6) {
        last = where + strlen(where);
        colon = NULL;
    }
    if (last == first || (size_t)(last - first) >= sizeof plan->host)
        return refuse_plan("SHEAF_RENDEZVOUS is \"%.200s\", and must be HOST:PORT, [ADDRESS]:PORT or a "
                           "path with a /",
                           where);
    snprintf(plan->host, sizeof plan->host, "%.*s", (int)(last - first), first);
    return colon ? read_number("the port in SHEAF_RENDEZVOUS", colon + 1, 1, 65535, &plan->port)
                 : 0;
}

/* Without a port in SHEAF_RENDEZVOUS. */
static int read_port(const struct source *source, struct sheaf_rendezvous_plan *plan)
{
    const char *port = value_of("SHEAF_RENDEZVOUS_PORT"), *job = value_of("SLURM_JOB_ID");
    if (port)
        return read_number("SHEAF_RENDEZVOUS_PORT", port, 1, 65535, &plan->port);
    if (value_of(source->port) && !value_of("SHEAF_RENDEZVOUS")) {
        if (read_number(source->port, value_of(source->port), 1, 65534, &plan->port) != 0)
            return -1;
        plan->port++;
        return 0;
    }
    if (source->hosts && job) {
        unsigned long step =
            value_of("SLURM_STEP_ID") ? strtoul(value_of("SLURM_STEP_ID"), NULL, 10) : 0;
        plan->port = FIRST_PORT + (int)((strtoul(job, NULL, 10) * 16 + step) % PORTS);
        return 0;
    }
    return refuse_plan(
        "there is no port for the rendezvous at %s: add it to SHEAF_RENDEZVOUS, HOST:PORT, or set "
        "SHEAF_RENDEZVOUS_PORT",
        plan->host);
}

static int read_where(const struct source *source, struct sheaf_rendezvous_plan *plan)
{
    const char *where = value_of("SHEAF_RENDEZVOUS"), *host = value_of(source->host);
    if (where && strchr(where, '/')) {
        plan->way = SHEAF_RENDEZVOUS_BY_FILE;
        if (strlen(where) >= sizeof plan->where)
            return refuse_plan("SHEAF_RENDEZVOUS is a path of more than %zu letters",
                               sizeof plan->where - 1);
        snprintf(plan->where, sizeof plan->where, "%s", where);
        return 0;
    }
    if (where
            ? split_host(where, plan) != 0
            : value_of(source->hosts) && read_first_host(value_of(source->hosts), plan->host) != 0)
        return -1;
    if (!where && host)
        snprintf(plan->host, sizeof plan->host, "%s", host);
    if (!plan->host[0])
        return refuse_plan(
            "%s started rank %d of %d, and SHEAF_RENDEZVOUS is not set: %s%s%sset it to HOST:PORT of rank "
            "0 for all processes, or SHEAF_BOOT=single for jobs of one process each",
            source->name, plan->rank, plan->size, source->instead ? "start them with " : "",
            source->instead ? source->instead : "", source->instead ? ", or " : "");
    if (plan->port == 0 && read_port(source, plan) != 0)
        return -1;
    snprintf(plan->where, sizeof plan->where, strchr(plan->host, ':') ? "[%s]:%d" : "%s:%d",
             plan->host, plan->port);
    return 0;
}

/* Whoever can write the file could choose the secret, and whoever can read it has it: root's may be
 * readable, as those that containers are given are. */
static const char *why_not_trusted(const struct stat *file)
{
    if (!S_ISREG(file->st_mode))
        return "it is no regular file";
    if (file->st_uid != geteuid() && file->st_uid != 0)
        return "it belongs to another user";
    if (file->st_mode & 022)
        return "other users can write it: chmod 600";
    return file->st_uid != 0 && file->st_mode & 077 ? "other users can read it: chmod 600" : NULL;
}

static int read_secret_file(const char *path, char secret[SHEAF_SECRET_MOST + 1])
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *why = fd < 0 || fstat(fd, &file) != 0 ? strerror(errno) : why_not_trusted(&file);
    ssize_t length = why ? 0 : read(fd, secret, SHEAF_SECRET_MOST);
    if (fd >= 0)
        close(fd);
    if (why)
        return refuse_plan("SHEAF_SECRET_FILE is %.200s, which cannot be used: %s", path, why);
    secret[length > 0 ? length : 0] = '\0';
    secret[strcspn(secret, "\r\n")] = '\0';
    return 0;
}

static int read_secret(struct sheaf_rendezvous_plan *plan)
{
    const char *secret = value_of("SHEAF_SECRET"), *path = value_of("SHEAF_SECRET_FILE");
    if (!secret && !path)
        return 0;
    if (secret && strlen(secret) > SHEAF_SECRET_MOST)
        return refuse_plan("SHEAF_SECRET has more than %d letters", SHEAF_SECRET_MOST);
    if (secret)
        snprintf(plan->secret, sizeof plan->secret, "%s", secret);
    else if (read_secret_file(path, plan->secret) != 0)
        return -1;
    if (strlen(plan->secret) >= SHEAF_SECRET_LEAST)
        return 0;
    return refuse_plan(
        "%s has a secret of %zu letters, which can be found by trying: take %d at least, from \"openssl "
        "rand -hex 16\"",
        secret ? "SHEAF_SECRET" : path, strlen(plan->secret), SHEAF_SECRET_LEAST);
}

/* Without a secret it connects by a local socket, or not at all. */
static int check_host(const struct sheaf_rendezvous_plan *plan)
{
    bool needs_name = sheaf_image.is_static && plan->rank != 0 && plan->way == SHEAF_RENDEZVOUS_BY_PORT &&
                      plan->secret[0] && strcmp(plan->host, "localhost") != 0;
    if (!needs_name || sheaf_contact_is_numeric(plan->host))
        return 0;
    return refuse_plan("rank 0 is at %s, and this program is linked statically, which finds no addresses "
                       "of names: give an address in SHEAF_RENDEZVOUS, as 10.0.0.1:%d",
                       plan->where, plan->port);
}

uint64_t sheaf_rendezvous_timeout(void)
{
    uint64_t ns = sheaf_settings_seconds("SHEAF_RENDEZVOUS_TIMEOUT", SHEAF_RENDEZVOUS_NS);
    return ns == 0 || ns > SHEAF_TIMES_MOST ? SHEAF_TIMES_MOST : ns;
}

int sheaf_rendezvous_plan_read(struct sheaf_rendezvous_plan *plan)
{
    const struct source *source = find_source();
    memset(plan, 0, sizeof *plan);
    if (!source)
        return refuse_plan("a rendezvous is wanted, and SHEAF_RANK is not set: each process needs a number "
                           "of its own, from 0 to SHEAF_SIZE - 1");
    plan->set_by = source->name;
    plan->rank_name = "SHEAF_RANK";
    plan->size_name = "SHEAF_SIZE";
    plan->where_name = "SHEAF_RENDEZVOUS";
    plan->timeout_ns = sheaf_rendezvous_timeout();
    if (read_place(source, plan) != 0 || read_where(source, plan) != 0 || read_secret(plan) != 0 ||
        check_host(plan) != 0)
        return -1;
    plan->is_root = plan->rank == 0;
    snprintf(plan->root, sizeof plan->root, "rank 0 at %s", plan->where);
    return 0;
}
