/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of algorithms alone, without PEs: what is built in, what a name from the environment
 * and a file's lines change, and which of them wins. Argument: a file that it may write.
 */
#include "coll/choice.h"
#include "base/stream.h"
#include "boot/boot.h"
#include "coll/coll.h"
#include "core/access/copy/way.h"
#include "core/team/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sheaf_sync_choose *team_choice;

void sheaf_sync_set_choice(sheaf_sync_choose *choose)
{
    team_choice = choose;
}

struct sheaf_boot sheaf_boot = {.node_npes = 2};

/* What the copies are told. */
size_t sheaf_copy_long_from;
static struct sheaf_choice_row told;

void sheaf_staging_reset(void)
{
}

void sheaf_copy_set_rules(const size_t *bytes, const uint8_t *ways, int count)
{
    told.count = (uint8_t)count;
    memcpy(told.bytes, bytes, sizeof *bytes * (size_t)count);
    memcpy(told.algorithm, ways, (size_t)count);
}

static const char *path;
static int failures;

static void expect(int line, enum sheaf_family family, int size, size_t bytes, const char *name)
{
    const char *chosen = sheaf_algorithm_names[family][sheaf_choose(family, size, bytes)];
    if (sheaf_names_find(sheaf_algorithm_names[family], name) ==
        sheaf_choose(family, size, bytes))
        return;
    printf("line %d: %s of %d PEs and %zu bytes is %s, not %s\n", line, sheaf_family_names[family],
           size, bytes, chosen, name);
    failures++;
}
#define EXPECT(family, size, bytes, name) expect(__LINE__, SHEAF_##family, size, bytes, name)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: failed: %s\n", __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
}

static int barrier_choice(int size)
{
    struct sheaf_team team = {.size = size, .note_bytes = SHEAF_NOTE_BYTES};
    team_choice(&team);
    return team.barrier;
}

/* Up to how many bytes a team's collectives take the short way of notes. */
static int by_note(enum sheaf_family family, int size)
{
    struct sheaf_team team = {.size = size, .note_bytes = SHEAF_NOTE_BYTES};
    team_choice(&team);
    return team.by_note[family];
}

static void nobody_else(void)
{
    struct sheaf_team team = {.size = 1};
    memset(team.by_note, 1, sizeof team.by_note);
    team_choice(&team);
    for (int family = 0; family < SHEAF_FAMILIES; family++)
        CHECK(team.by_note[family] == 0);
}

static void built_in(void)
{
    struct sheaf_settings settings = {0};
    CHECK(sheaf_coll_prepare(&settings) == 0);
    for (int size = 1; size <= 5000; size = size * 3 / 2 + 1) {
        CHECK(barrier_choice(size) > SHEAF_BARRIER_AUTO);
        for (int family = 0; family < SHEAF_FAMILIES; family++)
            for (size_t bytes = 0; bytes < (size_t)1 << 40; bytes = bytes * 5 / 4 + 1) {
                int chosen = sheaf_choose((enum sheaf_family)family, size, bytes);
                CHECK(chosen > 0 || family == SHEAF_COPIES);
                CHECK(bytes <= sheaf_algorithm_limit((enum sheaf_family)family, chosen));
            }
    }
    EXPECT(BROADCAST, 2, 56, "note");
    EXPECT(FCOLLECT, 8, 8, "note");
    EXPECT(REDUCE, 64, 8, "gather");
    CHECK(by_note(SHEAF_BROADCAST, 2) == 56 && by_note(SHEAF_FCOLLECT, 900) == 56);
    CHECK(by_note(SHEAF_REDUCE, 32) == 56 && by_note(SHEAF_REDUCE_EXACT, 33) == 0);
}

static void forced(void)
{
    struct sheaf_settings settings = {.tune_file = path};
    write_file("reduce any any linear\nbarrier any any linear\nbroadcast any any push\n");
    settings.algorithm[SHEAF_REDUCE] = SHEAF_REDUCE_GATHER;
    settings.algorithm[SHEAF_BARRIER] = SHEAF_BARRIER_TREE;
    CHECK(sheaf_coll_prepare(&settings) == 0);
    EXPECT(REDUCE, 2, 48, "gather");
    EXPECT(REDUCE, 2, 49, "linear"); /* more than it carries */
    EXPECT(REDUCE, 1000, 1 << 30, "linear");
    EXPECT(REDUCE_EXACT, 2, 48, "gather");
    EXPECT(REDUCE_EXACT, 2, 49, "linear");
    EXPECT(BROADCAST, 3, 1, "push");
    CHECK(by_note(SHEAF_BROADCAST, 3) == 0 && by_note(SHEAF_REDUCE, 2) == 0);
    CHECK(barrier_choice(2) == SHEAF_BARRIER_TREE);
    CHECK(barrier_choice(700) == SHEAF_BARRIER_TREE);
}

static void file(void)
{
    struct sheaf_settings settings = {.tune_file = path};
    write_file("# a comment\n\n"
               "broadcast 2   32   push\t# the first that fits wins\n"
               "broadcast 2   4k   pull\r\n"
               "broadcast 2   16   note\n"
               "broadcast 8   any  binomial\n"
               "fcollect  any 0.5m ring\n"
               "barrier   4   any  linear\n"
               "reduce-exact 16 8k ring\n"
               "reduce    16  any  tree");
    CHECK(sheaf_coll_prepare(&settings) == 0);
    EXPECT(BROADCAST, 2, 8, "push");
    EXPECT(BROADCAST, 2, 32, "push");
    EXPECT(BROADCAST, 2, 33, "pull");
    EXPECT(BROADCAST, 2, 4096, "pull");
    EXPECT(BROADCAST, 2, 4097, "binomial");
    EXPECT(BROADCAST, 3, 8, "binomial");
    EXPECT(BROADCAST, 8, 8, "binomial");
    EXPECT(BROADCAST, 9, 8, "note"); /* built in from here on */
    EXPECT(FCOLLECT, 100, 524288, "ring");
    EXPECT(FCOLLECT, 100, 524289, "linear");
    EXPECT(REDUCE, 16, 8, "tree");
    EXPECT(REDUCE_EXACT, 16, 8192, "ring");
    EXPECT(REDUCE_EXACT, 16, 8193, "tree");
    EXPECT(REDUCE, 17, 8, "note");
    CHECK(by_note(SHEAF_REDUCE, 16) == 0 && by_note(SHEAF_REDUCE, 17) > 0);
    CHECK(barrier_choice(2) == SHEAF_BARRIER_LINEAR);
    CHECK(barrier_choice(4) == SHEAF_BARRIER_LINEAR);
    CHECK(barrier_choice(5) == SHEAF_BARRIER_CENTRAL);
}

/* As many lines as a row takes still leave room for what is built in. */
static void full(void)
{
    struct sheaf_settings settings = {.tune_file = path};
    char text[40 * SHEAF_GIVEN_RULES], *end = text;
    for (int i = 1; i <= SHEAF_GIVEN_RULES; i++)
        end += sprintf(end, "reduce any %d linear\n", i);
    write_file(text);
    CHECK(sheaf_coll_prepare(&settings) == 0);
    EXPECT(REDUCE, 40, SHEAF_GIVEN_RULES, "linear");
    EXPECT(REDUCE, 40, 48, "gather");
    EXPECT(REDUCE, 40, 56, "note");
    EXPECT(REDUCE, 40, 57, "shares");
}

static bool is_told(int rule, size_t bytes, int way)
{
    return rule < told.count && told.bytes[rule] == bytes && told.algorithm[rule] == way;
}

/* Copies learn by themselves; a name holds for all, a file's lines for what they say. */
static void copies(void)
{
    struct sheaf_settings settings = {0};
    CHECK(sheaf_coll_prepare(&settings) == 0 && told.count == 1 && is_told(0, SIZE_MAX, SHEAF_COPY_AUTO));
    settings.algorithm[SHEAF_COPIES] = SHEAF_COPY_MEMCPY;
    CHECK(sheaf_coll_prepare(&settings) == 0 && is_told(0, SIZE_MAX, SHEAF_COPY_MEMCPY));
    settings.algorithm[SHEAF_COPIES] = SHEAF_COPY_STREAM;
    CHECK(sheaf_coll_prepare(&settings) == (sheaf_stream_way() ? 0 : -1));
    settings.algorithm[SHEAF_COPIES] = SHEAF_COPY_VECTOR;
    CHECK(sheaf_coll_prepare(&settings) == (sheaf_vector_way() ? 0 : -1));
    if (!sheaf_stream_way())
        return;
    settings.algorithm[SHEAF_COPIES] = SHEAF_COPY_AUTO;
    settings.tune_file = path;
    write_file("copy 2 4m memcpy\ncopy 2 any stream\ncopy 4 any memcpy\n");
    CHECK(sheaf_coll_prepare(&settings) == 0 && told.count == 2);
    CHECK(is_told(0, 4 << 20, SHEAF_COPY_MEMCPY) && is_told(1, SIZE_MAX, SHEAF_COPY_STREAM));
    EXPECT(COPIES, 4, 8 << 20, "memcpy");
    EXPECT(COPIES, 5, 8 << 20, "auto");
    write_file("copy any 1m stream\n");
    CHECK(sheaf_coll_prepare(&settings) == 0 && told.count == 2);
    CHECK(is_told(0, 1 << 20, SHEAF_COPY_STREAM) && is_told(1, SIZE_MAX, SHEAF_COPY_AUTO));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    path = argv[1];
    built_in();
    nobody_else();
    forced();
    file();
    full();
    copies();
    remove(path);
    return failures > 0;
}
