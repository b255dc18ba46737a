/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lists of nodes' PEs: 100,000 PEs on 1,000 nodes, in blocks and in turn, need one run each; and what
 * a list from outside must not have.
 */
#include "unit.h"

#include "boot/world/node_list.h"

enum { PES = 100000, NODES = 1000 };

static struct sheaf_pe_record record = {.magic = SHEAF_PE_RECORD_MAGIC, .version = "1", .identity = 7};
static int owners[PES];

static void forget_owners(void)
{
    for (int pe = 0; pe < PES; pe++)
        owners[pe] = -1;
}

static void check_placement(bool in_turn)
{
    static int pes[PES / NODES];
    size_t total = 0;
    forget_owners();
    for (int node = 0; node < NODES; node++) {
        size_t bytes;
        struct sheaf_pe_record found;
        for (int i = 0; i < PES / NODES; i++)
            pes[i] = in_turn ? node + i * NODES : node * (PES / NODES) + i;
        void *list = sheaf_node_list_make(&record, pes, PES / NODES, &bytes);
        CHECK(list && sheaf_node_list_read(list, bytes, pes[0], PES, node, owners, &found));
        CHECK(found.identity == 7);
        free(list);
        total += bytes;
    }
    for (int pe = 0; pe < PES; pe++)
        CHECK(owners[pe] == (in_turn ? pe % NODES : pe / (PES / NODES)));
    printf("%d PEs on %d nodes: %zu bytes of lists\n", PES, NODES, total);
    CHECK(total <= NODES * (sizeof record + 32));
}

/* Whether a list of these PEs is taken from that leader in a job of npes. */
static bool is_taken(const int *pes, int count, int leader, int npes)
{
    size_t bytes;
    struct sheaf_pe_record found;
    void *list = sheaf_node_list_make(&record, pes, count, &bytes);
    bool taken = sheaf_node_list_read(list, bytes, leader, npes, 0, owners, &found);
    free(list);
    return taken;
}

static void check_refused(void)
{
    static const int some[] = {3, 4, 9, 11, 13, 20}, down[] = {3, 9, 5}, twice[] = {3, 5, 5};
    size_t bytes;
    struct sheaf_pe_record found;
    forget_owners();
    CHECK(is_taken(some, 6, 3, 21) && owners[9] == 0 && owners[10] == -1 && owners[20] == 0);
    CHECK(!is_taken(some, 6, 3, 21)); /* they are in a list */
    forget_owners();
    CHECK(!is_taken(some, 6, 3, 20) && !is_taken(some, 0, 3, 21));
    forget_owners();
    CHECK(!is_taken(some, 6, 4, 21));
    forget_owners();
    CHECK(!is_taken(down, 3, 3, 21));
    forget_owners();
    CHECK(!is_taken(twice, 3, 3, 21));
    unsigned char *list = sheaf_node_list_make(&record, some, 6, &bytes);
    for (size_t less = 1; less <= bytes; less++) {
        forget_owners();
        CHECK(!sheaf_node_list_read(list, bytes - less, 3, 21, 0, owners, &found));
    }
    uint64_t state = 5;
    for (int run = 0; run < 100000; run++) { /* no entry of owners outside of the job is written */
        for (size_t at = sizeof record; at < bytes; at++)
            list[at] = unit_random(&state, 3) ? 0 : (unsigned char)unit_random(&state, 256);
        for (int pe = 0; pe < 22; pe++)
            owners[pe] = -1;
        sheaf_node_list_read(list, bytes, 3, 21, 0, owners, &found);
        CHECK(owners[21] == -1);
    }
    free(list);
}

int main(void)
{
    struct sheaf_pe_record other = record;
    check_placement(false);
    check_placement(true);
    check_refused();
    CHECK(sheaf_pe_records_are_alike(&record, &other));
    other.executable++;
    CHECK(!sheaf_pe_records_are_alike(&record, &other));
    return 0;
}
