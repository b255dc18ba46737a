/* SPDX-License-Identifier: BSD-3-Clause
 * The copy of a control area: see report.h.
 */
#include "report/internal.h"

#include "base/clock.h"
#include "base/sanitize.h"
#include "base/times.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The writer makes sequence odd while it writes. If it died in between, the sequence stays odd, and the
 * board is not shown. */
static struct sheaf_board read_board(const struct sheaf_pe *pe)
{
    struct sheaf_board copy = {0};
    for (int tries = 0; tries < 1000; tries++) {
        uint32_t before = sheaf_load_acquire(&pe->board.sequence);
        memcpy(&copy, &pe->board, sizeof copy);
        sheaf_fence_loads();
        if (before % 2 == 0 && before == sheaf_load_relaxed(&pe->board.sequence)) {
            copy.call[sizeof copy.call - 1] = '\0';
            copy.file[sizeof copy.file - 1] = '\0';
            copy.source[sizeof copy.source - 1] = '\0';
            copy.detail[sizeof copy.detail - 1] = '\0';
            return copy;
        }
    }
    return (struct sheaf_board){0};
}

static uint64_t wait_of(const struct sheaf_board *board)
{
    uint64_t now = sheaf_clock_ns();
    return board->kind != SHEAF_WAIT_NONE && now > board->since_ns ? now - board->since_ns : 0;
}

uint64_t sheaf_report_wait_ns(const struct sheaf_pe *entry)
{
    struct sheaf_board board = read_board(entry);
    return wait_of(&board);
}

/* Entries that the PE wrote during the copy are dropped; such a PE is making progress. */
static void read_recorder(const struct sheaf_pe *entry, struct sheaf_recorder *copy)
{
    uint32_t begun = sheaf_load_acquire(&entry->recorder.begun);
    memcpy(copy, &entry->recorder, sizeof *copy);
    sheaf_fence_loads();
    uint32_t later = sheaf_load_relaxed(&entry->recorder.begun);
    for (uint32_t i = 0; i < SHEAF_RECORDS; i++) {
        struct sheaf_record *record = &copy->records[i];
        if (record->number == 0 || record->number > begun ||
            later - record->number >= SHEAF_RECORDS)
            *record = (struct sheaf_record){0};
    }
    copy->begun = begun;
    copy->path[sizeof copy->path - 1] = '\0';
    copy->name[sizeof copy->name - 1] = '\0';
    sheaf_sanitize(copy->name, 0);
}

/* The process's state in /proc, 'T' for a stopped one, 0 where there is no such process, and the time
 * that it has run. The name of the program, in brackets, may contain any characters, so fields are
 * counted from its closing bracket. */
static char state_of(int pid, uint64_t *cpu_ns)
{
    char path[32], text[1024], state = 0;
    unsigned long long user, kernel;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *end = strrchr(text, ')');
    if (end && sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state, &user,
                      &kernel) == 3)
        *cpu_ns = (user + kernel) * (SHEAF_SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
    return state;
}

void sheaf_report_look(struct sheaf_report_pe *pe, int pid)
{
    char state = state_of(pid, &pe->cpu_ns);
    bool is_gone = state == 'Z' || state == 'X' || (kill(pid, 0) && errno == ESRCH);
    pe->pid = pid;
    pe->is_here = !is_gone;
    if (is_gone)
        pe->life = SHEAF_LIFE_GONE;
    else if (state == 'T')
        pe->life = SHEAF_LIFE_STOPPED;
}

/* Numbers of other containers mean something to the PEs that have met them, and to nobody else. */
static void find_process(struct sheaf_report_pe *pe, const struct sheaf_pe *entry)
{
    int32_t pid = sheaf_load_relaxed(&entry->pid);
    bool is_apart = sheaf_container_is_number(pid);
    bool has_met = is_apart && sheaf_container_file(pid, SHEAF_CONTAINER_PROCESS) >= 0;
    int32_t here = has_met ? sheaf_control_pid_here(entry) : is_apart ? 0 : pid;
    pe->pid = sheaf_control_pid_shown(entry);
    pe->cpu_ns = SHEAF_CPU_UNKNOWN;
    if (here > 0)
        sheaf_report_look(pe, here);
    else if (has_met && sheaf_container_has_ended(pid))
        pe->life = SHEAF_LIFE_GONE;
}

static void take_pe(struct sheaf_report_pe *pe, struct sheaf_control *control, int slot)
{
    const struct sheaf_pe *entry = sheaf_control_pe(control, slot);
    pe->pe = entry->world_pe;
    pe->state = sheaf_load_acquire(&entry->state);
    pe->board = read_board(entry);
    pe->wait_ns = wait_of(&pe->board);
    if (entry->own_host[0])
        snprintf(pe->host, sizeof pe->host, "%.*s", (int)sizeof entry->own_host, entry->own_host);
    else
        snprintf(pe->host, sizeof pe->host, "%.59s", sheaf_control_host(control, control->node));
    sheaf_sanitize(pe->host, 0);
    pe->usage = entry->usage;
    read_recorder(entry, &pe->recorder);
    find_process(pe, entry);
}

int sheaf_report_take(struct sheaf_report *report, struct sheaf_control *control)
{
    size_t length = control->names_length;
    *report = (struct sheaf_report){.world_npes = control->world_npes, .prefix = "oshrun: "};
    report->pes = calloc((size_t)control->npes, sizeof *report->pes);
    report->names = calloc(1, SHEAF_CALL_NAMES_ROOM + 1);
    if (!report->pes || !report->names) {
        sheaf_report_free(report);
        return -1;
    }
    report->npes = control->npes;
    report->names_length = length < SHEAF_CALL_NAMES_ROOM ? length : SHEAF_CALL_NAMES_ROOM;
    memcpy(report->names, (const char *)control + control->names_offset, report->names_length);
    for (int slot = 0; slot < control->npes; slot++)
        take_pe(&report->pes[slot], control, slot);
    return 0;
}

static bool may_poll(const struct sheaf_report_pe *pe)
{
    return sheaf_report_is_alive(pe) && pe->state == SHEAF_PE_INITIALIZED && !sheaf_report_waits(pe) &&
           !sheaf_report_open_call(pe);
}

void sheaf_report_see_polls(struct sheaf_report *report, struct sheaf_control *control)
{
    const struct timespec pause = {.tv_nsec = (long)sheaf_times.report_polls};
    int some = 0;
    for (int i = 0; i < report->npes; i++)
        some += may_poll(&report->pes[i]);
    if (some)
        nanosleep(&pause, NULL);
    for (int i = 0; i < report->npes; i++) {
        struct sheaf_report_pe *pe = &report->pes[i];
        const struct sheaf_pe *entry = sheaf_control_pe(control, i);
        pe->is_polling = may_poll(pe) && sheaf_load_relaxed(&entry->usage.polls) != pe->usage.polls &&
                    sheaf_load_relaxed(&entry->recorder.begun) == pe->recorder.begun;
    }
}

void sheaf_report_free(struct sheaf_report *report)
{
    free(report->pes);
    free(report->names);
    *report = (struct sheaf_report){0};
    sheaf_report_forget_tool();
}

void sheaf_report_set_life(struct sheaf_report *report, int index, enum sheaf_report_life life,
                           int status)
{
    report->pes[index].life = (int32_t)life;
    report->pes[index].status = status;
    report->pes[index].is_here &= life <= SHEAF_LIFE_STOPPED;
}
