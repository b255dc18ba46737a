/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The format: a header, then the PEs' words. Runs of zero words, which are most, are only counted.
 */
#include "report/part.h"

#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC     UINT64_C(0x0074726170666873)
#define MOST_RUN  0xffff
#define WORDS     (sizeof(struct sheaf_report_pe) / sizeof(uint64_t))
_Static_assert(sizeof(struct sheaf_report_pe) % sizeof(uint64_t) == 0, "a PE is whole words");

struct header {
    uint64_t magic;
    uint32_t version; /* of the control area, whose structures these are */
    int32_t npes;
    uint64_t names; /* digest of the names of calls */
};

/* A number of zero words, then a number of words that follow. */
struct run {
    uint16_t zeros, words;
    uint32_t padding;
};

static uint64_t digest_of_names(const struct sheaf_report *report)
{
    uint64_t sum = 1;
    for (size_t i = 0; i < report->names_length; i++)
        sum = (sum ^ (unsigned char)report->names[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* The header of a run takes one word, and every run except the last contains at least one word. */
size_t sheaf_report_most(int npes)
{
    return sizeof(struct header) + ((size_t)npes * WORDS * 2 + 1) * sizeof(uint64_t);
}

/* Removes all calls except the last few. */
static void forget_calls(struct sheaf_report_pe *pe, uint32_t calls)
{
    for (int i = 0; i < SHEAF_RECORDS; i++)
        if (pe->recorder.begun - pe->recorder.records[i].number >= calls)
            pe->recorder.records[i] = (struct sheaf_record){0};
}

static size_t count_zeros(const uint64_t *words, size_t count)
{
    size_t zeros = 0;
    while (zeros < count && zeros < MOST_RUN && words[zeros] == 0)
        zeros++;
    return zeros;
}

static size_t count_others(const uint64_t *words, size_t count)
{
    size_t others = 0;
    while (others < count && others < MOST_RUN && words[others] != 0)
        others++;
    return others;
}

static char *pack_words(const uint64_t *words, size_t count, char *at)
{
    while (count > 0) {
        size_t zeros = count_zeros(words, count), others = count_others(words + zeros, count - zeros);
        struct run run = {.zeros = (uint16_t)zeros, .words = (uint16_t)others};
        memcpy(at, &run, sizeof run);
        memcpy(at + sizeof run, words + zeros, others * sizeof *words);
        at += sizeof run + others * sizeof *words;
        words += zeros + others;
        count -= zeros + others;
    }
    return at;
}

char *sheaf_report_pack(const struct sheaf_report *report, uint32_t calls, size_t *length)
{
    struct header header = {MAGIC, SHEAF_CONTROL_VERSION, report->npes, digest_of_names(report)};
    struct sheaf_report_pe *pe = malloc(sizeof *pe);
    char *bytes = malloc(sheaf_report_most(report->npes)), *at = bytes + sizeof header;
    if (!pe || !bytes) {
        free(pe);
        free(bytes);
        return NULL;
    }
    memcpy(bytes, &header, sizeof header);
    for (int i = 0; i < report->npes; i++) {
        *pe = report->pes[i];
        forget_calls(pe, calls);
        at = pack_words((const uint64_t *)(const void *)pe, WORDS, at);
    }
    free(pe);
    *length = (size_t)(at - bytes);
    return bytes;
}

/* Unpacks exactly count words from exactly length bytes; false where that does not fit. */
static bool unpack_words(const char *at, size_t length, uint64_t *words, size_t count)
{
    struct run run;
    while (length >= sizeof run) {
        memcpy(&run, at, sizeof run);
        at += sizeof run;
        length -= sizeof run;
        if (run.zeros > count || run.words > count - run.zeros ||
            run.words > length / sizeof *words || run.zeros + run.words == 0)
            return false;
        memset(words, 0, run.zeros * sizeof *words);
        memcpy(words + run.zeros, at, run.words * sizeof *words);
        at += run.words * sizeof *words;
        length -= run.words * sizeof *words;
        words += run.zeros + run.words;
        count -= run.zeros + (size_t)run.words;
    }
    return length == 0 && count == 0;
}

static bool is_run_here(const struct sheaf_report *report, const char *path)
{
    for (int i = 0; path[0] && i < report->npes; i++) {
        const struct sheaf_report_pe *pe = &report->pes[i];
        if (pe->is_here && (!strcmp(pe->recorder.path, path) || !strcmp(pe->board.file, path)))
            return true;
    }
    return false;
}

/* The path of a file that no PE of this host runs is reduced to its name, so that it is not opened. */
static void check_file(const struct sheaf_report *report, char *file)
{
    const char *slash = strrchr(file, '/');
    if (slash && !is_run_here(report, file))
        memmove(file, slash + 1, strlen(slash + 1) + 1);
}

static void check_pe(const struct sheaf_report *report, struct sheaf_report_pe *pe,
                     const struct sheaf_report_part *of, bool has_names)
{
    sheaf_report_sanitize(pe);
    snprintf(pe->host, sizeof pe->host, "%s", of->host);
    check_file(report, pe->board.file);
    check_file(report, pe->recorder.path);
    for (int i = 0; i < SHEAF_RECORDS && !has_names; i++)
        pe->recorder.records[i].call = UINT32_MAX;
}

static struct sheaf_report_pe *make_room(struct sheaf_report *report, int npes)
{
    size_t count = (size_t)report->npes + (size_t)npes;
    struct sheaf_report_pe *pes = reallocarray(report->pes, count, sizeof *pes);
    if (!pes)
        return NULL;
    report->pes = pes;
    return pes + report->npes;
}

static void add_pes(struct sheaf_report *report, int npes)
{
    report->npes += npes;
    sheaf_report_sort(report);
}

int sheaf_report_unpack(struct sheaf_report *report, const struct sheaf_report_part *of,
                        const char *bytes, size_t length)
{
    struct header header;
    if (length < sizeof header)
        return -1;
    memcpy(&header, bytes, sizeof header);
    struct sheaf_report_pe *pes = NULL;
    if (header.magic == MAGIC && header.version == SHEAF_CONTROL_VERSION && header.npes == of->npes)
        pes = make_room(report, of->npes);
    if (!pes || !unpack_words(bytes + sizeof header, length - sizeof header, (uint64_t *)(void *)pes,
                              (size_t)of->npes * WORDS))
        return -1;
    for (int i = 0; i < of->npes; i++)
        if (pes[i].pe != of->pes[i])
            return -1;
    for (int i = 0; i < of->npes; i++)
        check_pe(report, &pes[i], of, header.names == digest_of_names(report));
    add_pes(report, of->npes);
    return 0;
}

int sheaf_report_add_unknown(struct sheaf_report *report, const struct sheaf_report_part *of)
{
    struct sheaf_report_pe *pes = make_room(report, of->npes);
    if (!pes)
        return -1;
    for (int i = 0; i < of->npes; i++) {
        pes[i] = (struct sheaf_report_pe){.pe = of->pes[i], .life = SHEAF_LIFE_UNKNOWN};
        snprintf(pes[i].host, sizeof pes[i].host, "%s", of->host);
    }
    add_pes(report, of->npes);
    return 0;
}
