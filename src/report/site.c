/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source line of a call, by addr2line, which gets 2 s for all lines together, so that it delays the
 * end of a job only shortly. addr2line runs until it is asked about another file, or the report is done: a
 * report of 256 PEs at 256 lines took 1.3 s with a start for each line, and takes 0.02 s (a program of 100
 * KiB). Answers are cached, since PEs are at few lines.
 */
#include "report/internal.h"

#include "base/clock.h"
#include "base/os/addr2line.h"
#include "base/sanitize.h"
#include "base/times.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOST_CACHED     512

static uint64_t spent_ns; /* by addr2line */

/* A source line, found by file and offset. */
struct line {
    char file[256];
    uint64_t offset;
    char name[128];
};
static struct line cached[MOST_CACHED];
static unsigned cached_count;

static struct sheaf_addr2line tool = {.descriptor = -1};
static char tool_file[256]; /* "": it has not been started */

void sheaf_report_forget_tool(void)
{
    sheaf_addr2line_close(&tool);
    tool_file[0] = '\0';
}

static void open_tool(const char *file)
{
    if (!strcmp(tool_file, file))
        return;
    sheaf_report_forget_tool();
    snprintf(tool_file, sizeof tool_file, "%s", file);
    sheaf_addr2line_open(&tool, file);
}

/* Whether file can be opened: a name without a path is a file of another host. */
static bool is_path(const char *file)
{
    return file[0] == '/';
}

static bool ask_tool(const char *file, uint64_t offset, char *name, size_t size)
{
    struct sheaf_source_line line;
    uint64_t since = sheaf_clock_ns();
    bool is_asked = spent_ns < sheaf_times.addr2line_most && is_path(file);
    if (is_asked)
        open_tool(file);
    if (!is_asked || !sheaf_addr2line_ask(&tool, offset, sheaf_times.addr2line_most - spent_ns, &line))
        line.place[0] = '\0';
    spent_ns += sheaf_clock_ns() - since;
    snprintf(name, size, "%s", line.place);
    return name[0] != '\0';
}

/* Whether the program is not position-independent: then its addresses are those in its file. */
static bool is_fixed(const char *file)
{
    Elf64_Ehdr header;
    int fd = is_path(file) ? open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    bool is_complete = fd >= 0 && read(fd, &header, sizeof header) == sizeof header;
    if (fd >= 0)
        close(fd);
    return is_complete && !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_type == ET_EXEC;
}

/* site is a return address; the call is the instruction before it. */
static const char *name_line(const char *path, const char *file, uint64_t site, uint64_t base)
{
    const char *slash = strrchr(file, '/');
    for (unsigned i = 0; i < cached_count && i < MOST_CACHED; i++)
        if (cached[i].offset == site - base && !strcmp(cached[i].file, file))
            return cached[i].name;
    struct line *line = &cached[cached_count++ % MOST_CACHED];
    uint64_t offset = is_fixed(path) ? site : site - base;
    snprintf(line->file, sizeof line->file, "%s", file);
    line->offset = site - base;
    if (!ask_tool(path, offset - 1, line->name, sizeof line->name))
        snprintf(line->name, sizeof line->name, "%.90s+0x%llx", slash ? slash + 1 : file,
                 (unsigned long long)offset);
    sheaf_sanitize(line->name, 0);
    return line->name;
}

/* Finds the file mapping of a live PE that contains the address, and the address of the file's start. */
static bool find_mapping(int pid, uint64_t address, char *file, size_t size, uint64_t *base)
{
    char path[40], line[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        unsigned long first, last, offset;
        int name = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &first, &last, &offset, &name) < 3 || !name)
            continue;
        found = address > first && address <= last && line[name] == '/';
        if (found) {
            snprintf(file, size, "%s", line + name);
            *base = first - offset;
        }
    }
    if (maps)
        fclose(maps);
    return found;
}

/* The program of a live PE whose path is not valid here is read through /proc. */
static void name_line_in(const struct sheaf_report_pe *pe, const char *file, uint64_t site, uint64_t base,
                         char *text, size_t size)
{
    char program[32];
    const char *path = file;
    if (!is_path(file) && pe->is_here) {
        snprintf(program, sizeof program, "/proc/%d/exe", pe->pid);
        path = program;
    } else if (!is_path(file) && pe->recorder.path[0]) {
        path = pe->recorder.path;
    }
    snprintf(text, size, "%s", name_line(path, file, site, base));
}

bool sheaf_report_site(const struct sheaf_report_pe *pe, uint64_t site, char *text, size_t size)
{
    char file[256] = "";
    uint64_t base = pe->recorder.program;
    bool in_program = site > pe->recorder.program && site <= pe->recorder.program_end;
    if (!site || sheaf_recorder_is_extension(&pe->recorder, site))
        return false;
    if (in_program && pe->recorder.path[0])
        snprintf(file, sizeof file, "%s", pe->recorder.path);
    else if (pe->is_here)
        find_mapping(pe->pid, site, file, sizeof file, &base);
    if (file[0])
        name_line_in(pe, file, site, base, text, size);
    return file[0] != '\0';
}

bool sheaf_report_call_site(const struct sheaf_report_pe *pe, const struct sheaf_record *call, char *text,
                            size_t size)
{
    return sheaf_recorder_is_extension(&pe->recorder, call->site)
               ? sheaf_recorder_line(&pe->recorder, call->number, text, size)
               : sheaf_report_site(pe, sheaf_recorder_place(&pe->recorder, call), text, size);
}

bool sheaf_report_wait_site(const struct sheaf_report_pe *pe, char *text, size_t size)
{
    const struct sheaf_board *board = &pe->board;
    if (board->source[0])
        snprintf(text, size, "%s", board->source);
    else if (board->site && board->file[0] && !sheaf_recorder_is_extension(&pe->recorder, board->site))
        name_line_in(pe, board->file, board->site, board->site_base, text, size);
    else
        return false;
    return true;
}
