/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host's part of a report: it arrives as it was sent, and what is no part, or one of other PEs, is
 * refused. Whatever else a stranger writes into it is made harmless: texts, numbers, paths. A report of many
 * PEs that do different things stays short. Then 100,000
 * parts with bytes changed by seed, which the whole report is printed of. Arguments: [seed].
 */
#include "report/part.h"

#include "report/internal.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PES    3
#define TEAM   77
#define CHANGE 100000
#define MANY   300

static const int32_t far_pes[PES] = {4, 5, 7};
static const struct sheaf_report_part far_part = {PES, far_pes, "b"};
static const char names[] = "\0shmem_barrier_all\0shmem_malloc";

static void fill_pe(struct sheaf_report_pe *pe, int number, uint32_t calls, const char *path)
{
    *pe = (struct sheaf_report_pe){.pe = number, .pid = 1, .state = SHEAF_PE_INITIALIZED, .is_here = 1,
                                   .wait_ns = 5000000000};
    snprintf(pe->host, sizeof pe->host, "elsewhere");
    snprintf(pe->recorder.path, sizeof pe->recorder.path, "%s", path);
    snprintf(pe->board.call, sizeof pe->board.call, "shmem_barrier_all");
    snprintf(pe->board.file, sizeof pe->board.file, "%s", path);
    pe->board.kind = SHEAF_WAIT_COLLECTIVE;
    pe->board.team = TEAM;
    pe->board.site = 0x1234;
    pe->recorder.teams[0] = (struct sheaf_team_line){TEAM, calls, 0, 1, 8, SHEAF_TEAM_IS_WORLD};
    pe->recorder.begun = calls;
    for (uint32_t call = 1; call <= calls; call++)
        pe->recorder.records[call % SHEAF_RECORDS] =
            (struct sheaf_record){.number = call, .ended = call < calls, .team = TEAM,
                                  .progress = call, .call = 1, .root = SHEAF_RECORD_NO_ROOT};
}

static void make(struct sheaf_report *report, int npes, const int32_t *numbers, const char *path)
{
    *report = (struct sheaf_report){.world_npes = 8, .prefix = "", .npes = npes};
    report->pes = calloc((size_t)npes, sizeof *report->pes);
    report->names = malloc(sizeof names);
    CHECK(report->pes && report->names);
    memcpy(report->names, names, sizeof names);
    report->names_length = sizeof names;
    for (int i = 0; i < npes; i++)
        fill_pe(&report->pes[i], numbers[i], numbers[i] == 5 ? 20 : 21, path);
}

static void make_near(struct sheaf_report *report)
{
    make(report, 2, (const int32_t[]){0, 6}, "/near/program");
}

static char *make_part(const char *path, size_t *length)
{
    struct sheaf_report report;
    make(&report, PES, far_pes, path);
    char *bytes = sheaf_report_pack(&report, SHEAF_REPORT_CALLS, length);
    CHECK(bytes && *length <= sheaf_report_most(PES));
    sheaf_report_free(&report);
    return bytes;
}

static char *print(const struct sheaf_report *report)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    sheaf_report_print(report, out);
    sheaf_report_print_json(report, out);
    fclose(out);
    return text;
}

static void check_whole(void)
{
    struct sheaf_report report;
    size_t length;
    char *bytes = make_part("/near/program", &length);
    make_near(&report);
    CHECK(sheaf_report_unpack(&report, &far_part, bytes, length) == 0);
    CHECK(sheaf_report_add_unknown(&report, &(struct sheaf_report_part){1, (const int32_t[]){2}, "c"}) == 0);
    CHECK(report.npes == 6);
    const int32_t order[] = {0, 2, 4, 5, 6, 7};
    for (int i = 0; i < 6; i++)
        CHECK(report.pes[i].pe == order[i]);
    const struct sheaf_report_pe *far_pe = &report.pes[3];
    CHECK(!strcmp(far_pe->host, "b") && !far_pe->is_here && far_pe->recorder.begun == 20);
    CHECK(!strcmp(far_pe->recorder.path, "/near/program") && far_pe->wait_ns == 5000000000);
    CHECK(sheaf_report_call(far_pe, 0)->number == 20 && sheaf_report_call(far_pe, 7)->number == 13);
    char *text = print(&report);
    CHECK(strstr(text, "PEs 0,4,6,7 wait for PE 5 in shmem_barrier_all"));
    CHECK(strstr(text, "(call 21 of the world team). PE 5: it waits in shmem_barrier_all at program+0x1234 "
                       "(call 20 of the world team)"));
    for (int i = 0; i < 6; i++) {
        snprintf(report.pes[i].recorder.called, sizeof report.pes[i].recorder.called, "image");
        report.pes[i].recorder.called_number = report.pes[i].pe == 7 ? 70 : report.pes[i].pe + 1;
    }
    free(text);
    text = print(&report);
    CHECK(strstr(text, "PEs 0,4,6,7 (images 1,5,7,70) wait for PE 5 (image 6) in shmem_barrier_all"));
    CHECK(strstr(text, "PE 5 (image 6) waits for PE 2 (image 3) in shmem_barrier_all"));
    CHECK(strstr(text, "PE 2 (image 3) ") && strstr(text, "its host does not answer"));
    free(text);
    free(bytes);
    sheaf_report_free(&report);
}

/* Nobody who is known is missing: then one of those who are not may be. */
static void check_unknown(void)
{
    struct sheaf_report report;
    make_near(&report);
    CHECK(sheaf_report_add_unknown(&report, &(struct sheaf_report_part){1, (const int32_t[]){2}, "c"}) == 0);
    char *text = print(&report);
    CHECK(strstr(text, "PEs 0,6 wait for PE 2 in shmem_barrier_all"));
    CHECK(strstr(text, "PE 2: it does nothing that is known: its host does not answer"));
    free(text);
    sheaf_report_free(&report);
}

static void check_refused(void)
{
    static const int32_t others[PES] = {4, 5, 6};
    struct sheaf_report report;
    size_t length;
    char *bytes = make_part("/near/program", &length);
    make_near(&report);
    for (size_t less = 0; less < length; less++) {
        char *part = malloc(less + 1);
        CHECK(part);
        memcpy(part, bytes, less);
        CHECK(sheaf_report_unpack(&report, &far_part, part, less) == -1 && report.npes == 2);
        free(part);
    }
    CHECK(sheaf_report_unpack(&report, &(struct sheaf_report_part){PES, others, "b"}, bytes, length) == -1);
    CHECK(sheaf_report_unpack(&report, &(struct sheaf_report_part){2, others, "b"}, bytes, length) == -1);
    CHECK(report.npes == 2);
    free(bytes);
    sheaf_report_free(&report);
}

/* A file that nobody here runs is not opened: it is a name without a folder. */
static void check_paths(void)
{
    struct sheaf_report report;
    size_t length;
    char *bytes = make_part("/etc/shadow\n", &length);
    make_near(&report);
    CHECK(sheaf_report_unpack(&report, &far_part, bytes, length) == 0);
    CHECK(!strcmp(report.pes[1].recorder.path, "shadow?") && !strcmp(report.pes[1].board.file, "shadow?"));
    free(bytes);
    sheaf_report_free(&report);
}

/* No two PEs do the same, at as many places: the sentences stay few, and places are looked up for a while
 * only. */
static void check_many(void)
{
    static int32_t numbers[MANY];
    struct sheaf_report report;
    for (int i = 0; i < MANY; i++)
        numbers[i] = i;
    make(&report, MANY, numbers, "/bin/sh");
    for (int i = 0; i < MANY; i++) {
        report.pes[i].board.site += (uint64_t)i;
        report.pes[i].recorder.teams[0].size = MANY;
    }
    char *text = print(&report);
    CHECK(strstr(text, "... and 288 more waits: see the rows\n") && strstr(text, "\n  PE 299 "));
    free(text);
    for (int i = 1; i < MANY; i++) {
        report.pes[i].life = SHEAF_LIFE_EXITED;
        report.pes[i].status = i;
        report.pes[i].recorder.teams[0].progress--;
    }
    text = print(&report);
    CHECK(strstr(text, "PE 6: it has exited with status 6 without shmem_finalize; the others: see their rows\n"));
    CHECK(strstr(text, "\n  PE 299 "));
    free(text);
    sheaf_report_free(&report);
}

static void check_changed(unsigned seed)
{
    size_t length;
    char *bytes = make_part("/near/program", &length), *part = malloc(length);
    int taken = 0;
    CHECK(part);
    srand(seed);
    for (int i = 0; i < CHANGE; i++) {
        struct sheaf_report report;
        memcpy(part, bytes, length);
        for (int changes = rand() % 8; changes >= 0; changes--)
            part[(size_t)rand() % length] = (char)(rand() % 3 ? rand() : 0xff);
        make_near(&report);
        if (sheaf_report_unpack(&report, &far_part, part, length) == 0) {
            taken++;
            free(i % 100 ? NULL : print(&report));
        }
        sheaf_report_free(&report);
    }
    CHECK(taken > CHANGE / 100 && taken < CHANGE);
    free(part);
    free(bytes);
}

int main(int argc, char **argv)
{
    check_whole();
    check_unknown();
    check_refused();
    check_paths();
    check_many();
    check_changed(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    puts("report: parts ok");
    return 0;
}
