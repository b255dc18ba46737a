/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the board and groups PEs that wait in the same call at the same place.
 */
#include "board.h"

#include "base/clock.h"
#include "options.h"
#include "site.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* One PE as the board shows it. */
struct line {
    struct sheaf_board board; /* kind NONE: not waiting */
    uint32_t state;
    bool gone;
    bool done;                /* printed */
};

struct view {
    int npes;
    struct line *lines;
    const struct job *job;
    const struct pe_process *processes;
};

/* The writer makes sequence odd while it writes. One that died in between stays odd: what it
 * wrote is then not shown. */
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
            copy.detail[sizeof copy.detail - 1] = '\0';
            return copy;
        }
    }
    return (struct sheaf_board){0};
}

uint64_t sheaf_board_wait_ns(const struct job *job, int pe)
{
    struct sheaf_board board = read_board(sheaf_control_pe(job->control, pe));
    uint64_t now = sheaf_clock_ns();
    return board.kind != SHEAF_WAIT_NONE && now > board.since_ns ? now - board.since_ns : 0;
}

static bool is_gone(const struct view *view, int pe)
{
    const struct sheaf_pe *entry = sheaf_control_pe(view->job->control, pe);
    if (view->processes)
        return view->processes[pe].exited;
    return entry->pid && kill(entry->pid, 0) && errno == ESRCH;
}

static struct view look(const struct job *job, const struct pe_process *processes)
{
    struct view view = {job->control->npes, NULL, job, processes};
    view.lines = calloc((size_t)view.npes, sizeof *view.lines);
    if (!view.lines)
        sheaf_die(1, "out of memory");
    for (int pe = 0; pe < view.npes; pe++) {
        const struct sheaf_pe *entry = sheaf_control_pe(job->control, pe);
        view.lines[pe] = (struct line){.board = read_board(entry),
                                       .state = sheaf_load_acquire(&entry->state),
                                       .gone = is_gone(&view, pe)};
    }
    return view;
}

static bool waits(const struct line *line)
{
    return !line->gone && line->board.kind != SHEAF_WAIT_NONE;
}

static bool same_wait(const struct line *a, const struct line *b)
{
    return waits(a) && waits(b) && a->board.kind == b->board.kind &&
           a->board.team == b->board.team &&
           a->board.site - a->board.site_base == b->board.site - b->board.site_base &&
           !strcmp(a->board.call, b->board.call) && !strcmp(a->board.file, b->board.file);
}

/* Its number in the job, of which other hosts may have PEs too. */
static int number_of(const struct view *view, int pe)
{
    return sheaf_control_pe(view->job->control, pe)->world_pe;
}

static bool is_followed(const struct view *view, const bool *marked, int pe)
{
    return pe + 1 < view->npes && marked[pe + 1] &&
           number_of(view, pe + 1) == number_of(view, pe) + 1;
}

/* "PE 3", "PEs 0-2,5": those marked. Returns how many. */
static int print_pes(FILE *out, const struct view *view, const bool *marked)
{
    int count = 0, printed = 0;
    for (int pe = 0; pe < view->npes; pe++)
        count += marked[pe];
    fputs(count == 1 ? "PE " : "PEs ", out);
    for (int pe = 0; pe < view->npes; pe++) {
        int last = pe;
        if (!marked[pe])
            continue;
        while (is_followed(view, marked, last))
            last++;
        fprintf(out, "%s%d", printed++ ? "," : "", number_of(view, pe));
        if (last > pe)
            fprintf(out, "%c%d", last > pe + 1 ? '-' : ',', number_of(view, last));
        pe = last;
    }
    return count;
}

static void mark_group(struct view *view, int first, bool *marked)
{
    for (int pe = 0; pe < view->npes; pe++) {
        marked[pe] = same_wait(&view->lines[first], &view->lines[pe]);
        view->lines[pe].done |= marked[pe];
    }
}

static bool name_site(const struct view *view, int pe, char *name, size_t size)
{
    const struct sheaf_board *board = &view->lines[pe].board;
    int pid = sheaf_control_pe(view->job->control, pe)->pid;
    return sheaf_site_name(board->file, pid, board->site, board->site_base, name, size);
}

/* "PEs 0-2 wait in shmem_barrier_all at heat.c:40" */
static void print_wait(FILE *out, const struct view *view, int first, const bool *marked)
{
    char place[160];
    const struct sheaf_board *board = &view->lines[first].board;
    int count = print_pes(out, view, marked);
    fprintf(out, " %s in %s", count == 1 ? "waits" : "wait", board->call[0] ? board->call : "a call");
    if (name_site(view, first, place, sizeof place))
        fprintf(out, " at %s", place);
}

/* The PEs that the members of a wait of the whole world still miss. */
static void print_missing(FILE *out, const struct view *view, int first, const bool *marked)
{
    char place[160];
    const struct sheaf_board *board = &view->lines[first].board;
    bool missing[view->npes];
    int count = 0;
    if (board->kind != SHEAF_WAIT_COLLECTIVE || strncmp(board->detail, "the world team", 14))
        return;
    for (int pe = 0; pe < view->npes; pe++) {
        const struct line *line = &view->lines[pe];
        bool here = marked[pe] || (waits(line) && line->board.team == board->team &&
                                   !strcmp(line->board.call, board->call));
        missing[pe] = !here;
        count += missing[pe];
    }
    if (!count)
        return;
    fputs("oshrun: ", out);
    print_pes(out, view, missing);
    fprintf(out, " never entered the %s that ", strstr(board->call, "barrier") ? "barrier" : board->call);
    int waiting = print_pes(out, view, marked);
    fprintf(out, " %s in", waiting == 1 ? "waits" : "wait");
    if (name_site(view, first, place, sizeof place))
        fprintf(out, " at %s", place);
    fputc('\n', out);
}

static void print_group(FILE *out, struct view *view, int first)
{
    bool marked[view->npes];
    const struct sheaf_board *board = &view->lines[first].board;
    uint64_t now = sheaf_clock_ns();
    double seconds = now > board->since_ns ? (double)(now - board->since_ns) / 1e9 : 0;
    mark_group(view, first, marked);
    fputs("oshrun: ", out);
    print_wait(out, view, first, marked);
    fprintf(out, " for %.1f s", seconds);
    if (board->detail[0])
        fprintf(out, " (%s)", board->detail);
    fputc('\n', out);
    print_missing(out, view, first, marked);
}

/* What a PE that does not wait does, in words that others in the same state share. */
static void describe(const struct view *view, int pe, char *text, size_t size)
{
    static const char *const states[] = {"not loaded OpenSHMEM yet", "not called shmem_init yet"};
    const struct line *line = &view->lines[pe];
    const struct pe_process *process = view->processes ? &view->processes[pe] : NULL;
    if (process && process->exited && WIFSIGNALED(process->status))
        snprintf(text, size, "killed by signal %d", WTERMSIG(process->status));
    else if (process && process->exited)
        snprintf(text, size, "exited with status %d", WEXITSTATUS(process->status));
    else if (line->gone)
        snprintf(text, size, "gone");
    else if (line->state <= SHEAF_PE_ATTACHED)
        snprintf(text, size, "running, %s", states[line->state]);
    else if (line->state == SHEAF_PE_INITIALIZED)
        snprintf(text, size, "running, not in a wait");
    else if (line->state == SHEAF_PE_FINALIZED)
        snprintf(text, size, "running, after shmem_finalize");
    else
        snprintf(text, size, "exiting");
}

static void print_others(FILE *out, struct view *view, int first)
{
    char wanted[64], text[64];
    bool marked[view->npes];
    describe(view, first, wanted, sizeof wanted);
    for (int pe = 0; pe < view->npes; pe++) {
        describe(view, pe, text, sizeof text);
        marked[pe] = !view->lines[pe].done && !waits(&view->lines[pe]) && !strcmp(text, wanted);
        view->lines[pe].done |= marked[pe];
    }
    fputs("oshrun: ", out);
    print_pes(out, view, marked);
    fprintf(out, ": %s\n", wanted);
}

void sheaf_board_print(FILE *out, const struct job *job, const struct pe_process *processes)
{
    struct view view = look(job, processes);
    for (int pe = 0; pe < view.npes; pe++)
        if (!view.lines[pe].done && waits(&view.lines[pe]))
            print_group(out, &view, pe);
    for (int pe = 0; pe < view.npes; pe++)
        if (!view.lines[pe].done)
            print_others(out, &view, pe);
    free(view.lines);
}

void sheaf_board_print_waits(FILE *out, const struct job *job, const struct pe_process *processes)
{
    struct view view = look(job, processes);
    int groups = 0;
    for (int pe = 0; pe < view.npes; pe++) {
        bool marked[view.npes];
        if (view.lines[pe].done || !waits(&view.lines[pe]))
            continue;
        mark_group(&view, pe, marked);
        fputs(groups++ ? ", " : "", out);
        print_wait(out, &view, pe, marked);
    }
    free(view.lines);
}
