/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/access/route.c on nodes that are imagined: which PEs the fast path serves, where their copies lie,
 * when it is closed, and what the slow way refuses.
 */
#include "unit.h"

#include "boot/boot.h"
#include "core/memory/check.h"
#include "core/access/chaos/chaos.h"
#include "core/access/counters.h"
#include "core/access/inline.h"
#include "core/pe/job.h"
#include "core/pe/poll.h"
#include "core/access/route.h"
#include "core/memory/symmetric.h"
#include "image/image.h"

#define BASE   0x10000u /* of slot 0's window */
#define STRIDE 0x1000u

/* What route.c needs of others. A node's PEs are those with its number in `nodes`. */
struct sheaf_image sheaf_image = {.base = BASE, .window_stride = STRIDE};
struct sheaf_boot sheaf_boot;
struct sheaf_job sheaf_job;
unsigned sheaf_space_count;
bool sheaf_poll_counts;
size_t sheaf_copier_from = SIZE_MAX;
bool sheaf_copier_has_threads;
bool sheaf_chaos_is_on;
static int stored_to = -1;
static int windows_mapped; /* calls that map one */
static bool is_counted;
static char data[64], other[64];
static const int *nodes;
static bool is_up, is_inline_open;
static unsigned inline_count, whole_checks, end_checks;

int sheaf_boot_node_of(int pe)
{
    return nodes[pe];
}

int sheaf_boot_slot_of(int pe)
{
    int slot = 0;
    for (int lower = 0; lower < pe; lower++)
        slot += nodes[lower] == nodes[pe];
    return slot;
}

int sheaf_boot_pe_at(int slot)
{
    int pe = 0;
    while (nodes[pe] != sheaf_boot.node || sheaf_boot_slot_of(pe) != slot)
        pe++;
    return pe;
}

void sheaf_image_largest_data(char **start, size_t *length)
{
    *start = data;
    *length = sizeof data;
}

int sheaf_image_map_window(int slot)
{
    (void)slot;
    windows_mapped++;
    return 0;
}

int sheaf_image_map_windows(void)
{
    sheaf_image.windows_left = 0;
    return 0;
}

_Noreturn void sheaf_end_job(void)
{
    exit(1);
}

void sheaf_inline_open(const struct sheaf_inline_route *route)
{
    is_inline_open = true;
    inline_count = route->count;
}

void sheaf_chaos_expect_stores(int pe)
{
    stored_to = pe;
}

void sheaf_inline_close(void)
{
    is_inline_open = false;
}

void sheaf_job_require(const char *call)
{
    (void)call;
    CHECK(is_up);
}

_Noreturn void sheaf_check_bytes_refuse(size_t count, size_t element_bytes, const char *call)
{
    printf("%s: %zu elements of %zu bytes\n", call, count, element_bytes);
    exit(1);
}

void sheaf_check_thread(const char *call)
{
    (void)call;
}

void sheaf_symmetric_require(const void *local, size_t bytes, const char *call)
{
    (void)local, (void)bytes, (void)call;
    whole_checks++;
}

void sheaf_symmetric_require_ends(const void *local, size_t bytes, const char *call)
{
    (void)local, (void)bytes, (void)call;
    end_checks++;
}

bool sheaf_symmetric_in_world(const void *local)
{
    return sheaf_segment_holds(&sheaf_image.segments[SHEAF_SEGMENT_DATA], (uintptr_t)local, 1);
}

bool sheaf_symmetric_on(const void *local, int pe)
{
    (void)pe;
    return sheaf_symmetric_in_world(local);
}

void sheaf_space_require_member_now(const void *local, int pe, const char *call)
{
    (void)local, (void)pe, (void)call;
}

void sheaf_team_blocks_require_member(const void *local, int pe, const char *call)
{
    (void)local, (void)pe, (void)call;
}

/* PE pe of a job whose PEs are on these nodes. */
static void open_as(int pe, const int *placed, int npes)
{
    nodes = placed;
    sheaf_boot = (struct sheaf_boot){.pe = pe, .npes = npes, .node = placed[pe]};
    for (int other_pe = 0; other_pe < npes; other_pe++)
        sheaf_boot.node_npes += placed[other_pe] == placed[pe];
    sheaf_boot.slot = sheaf_boot_slot_of(pe);
    sheaf_job.pe = pe;
    sheaf_job.npes = npes;
    is_up = true;
    sheaf_route_open(is_counted);
}

static uintptr_t window_of(int slot)
{
    return (uintptr_t)data + BASE + (uintptr_t)slot * STRIDE;
}

static const int blocks[] = {0, 0, 1, 1, 1, 2}, cyclic[] = {0, 1, 0, 1}, alone[] = {0};

static void check_near(void)
{
    open_as(3, blocks, 6);
    CHECK(is_inline_open && inline_count == 3);
    for (int pe = -3; pe < 9; pe++) {
        bool near = pe >= 2 && pe <= 4;
        CHECK(sheaf_route_is_near(pe) == near && sheaf_route_is_near_for_atomics(pe) == near);
        CHECK(sheaf_route_is_near_for_reads(pe) == near && sheaf_route_is_near_for_fetches(pe) == near);
    }
    CHECK(sheaf_route_near(data, 2) == (void *)window_of(0));
    CHECK(sheaf_route_near(data, 3) == data);
    CHECK(sheaf_route_near(data, 4) == (void *)window_of(2));
    CHECK(sheaf_route_to(data, 8, 4, "call") == (void *)window_of(2) && end_checks == 0);
    CHECK(sheaf_route_to(data, 8, 5, "call") == NULL && end_checks == 1 && whole_checks == 0);
    CHECK(sheaf_route_to(data, 8, 0, "call") == NULL && end_checks == 2);
    open_as(0, alone, 1);
    CHECK(sheaf_route_is_near(0) && !sheaf_route_is_near(1) && sheaf_route_near(data, 0) == data);
}

/* Numbers that are not consecutive: everything goes the slow way, and arrives. */
static void check_cyclic(void)
{
    open_as(1, cyclic, 4);
    CHECK(!sheaf_route_is_near(1) && !sheaf_route_is_near(3) && inline_count == 0);
    CHECK(sheaf_route_to(data, 8, 3, "call") == (void *)window_of(1));
    CHECK(sheaf_route_to(data, 8, 2, "call") == NULL);
    CHECK(sheaf_route_pointer(data, 3) == (void *)window_of(1));
    CHECK(sheaf_route_pointer(data, 1) == data && sheaf_route_pointer(data, 0) == NULL);
}

static void check_pointer(void)
{
    open_as(3, blocks, 6);
    CHECK(sheaf_route_pointer(data, 3) == data && sheaf_route_pointer(data, 2) == (void *)window_of(0));
    CHECK(sheaf_route_pointer(other, 3) == NULL && sheaf_route_pointer(other, 2) == NULL);
    CHECK(sheaf_route_pointer(data, 5) == NULL && sheaf_route_pointer(data, -1) == NULL);
    CHECK(sheaf_route_pointer(data, 6) == NULL);
}

static void check_refused(void)
{
    open_as(3, blocks, 6);
    CHECK(ENDS_WITH(sheaf_route_to(data, 8, 6, "shmem_call"), "shmem_call: PE 6 is out of range"));
    CHECK(ENDS_WITH(sheaf_route_to(data, 8, -1, "shmem_call"), "PE -1 is out of range: this job has PEs 0 to 5"));
}

/* Where arguments are checked and with counters no call takes the fast path; where polls count, reads do not. */
static void check_closed(void)
{
    sheaf_job.settings.checks = 1U << SHEAF_CHECK_ARGS;
    open_as(3, blocks, 6);
    CHECK(!sheaf_route_is_near(3) && sheaf_route.comparisons == 0 && sheaf_route.tests == 0);
    whole_checks = 0;
    CHECK(sheaf_route_to(data, 8, 4, "call") == (void *)window_of(2) && whole_checks == 1);
    sheaf_job.settings.checks = 0;
    is_counted = true;
    open_as(3, blocks, 6);
    CHECK(!sheaf_route_is_near(3) && sheaf_route.comparisons > 0);
    is_counted = false;
    sheaf_poll_counts = true;
    open_as(3, blocks, 6);
    CHECK(sheaf_route_is_near(3) && sheaf_route_is_near_for_atomics(3));
    CHECK(!sheaf_route_is_near_for_reads(3) && !sheaf_route_is_near_for_fetches(3));
    CHECK(sheaf_route.comparisons > 0 && sheaf_route.tests == 0);
    sheaf_poll_counts = false;
}

/* What nothing orders is late: no operation takes the fast path, and whose address is had is known. */
static void check_chaos(void)
{
    sheaf_chaos_is_on = true;
    is_inline_open = false;
    open_as(3, blocks, 6);
    CHECK(!is_inline_open && !sheaf_route_is_near(3) && !sheaf_route_is_near_for_atomics(3));
    CHECK(sheaf_route_pointer(data, 3) == data && stored_to == -1);
    CHECK(sheaf_route_pointer(data, 2) == (void *)window_of(0) && stored_to == 2);
    sheaf_chaos_is_on = false;
}

static void check_atomics(void)
{
    open_as(3, blocks, 6);
    sheaf_route_open_atomics(false);
    CHECK(sheaf_route_is_near(3) && !is_inline_open);
    CHECK(!sheaf_route_is_near_for_atomics(3) && !sheaf_route_is_near_for_fetches(3));
    sheaf_route_open_atomics(true);
    CHECK(sheaf_route_is_near_for_atomics(3) && sheaf_route_is_near_for_fetches(3) && is_inline_open);
    sheaf_route_close();
    CHECK(!sheaf_route_is_near(3) && !sheaf_route_is_near_for_reads(3) && !is_inline_open);
    CHECK(!sheaf_route_is_near_for_atomics(3) && !sheaf_route_is_near_for_fetches(3));
    CHECK(sheaf_route.comparisons == 0 && sheaf_route.tests == 0);
}

/* Reaches a near PE so often that mapping all windows is cheaper than further calls by the slow way. */
static void call_often(void)
{
    for (int call = 0; call < 2000; call++)
        CHECK(sheaf_route_to(data, 8, 4, "call") == (void *)window_of(2));
}

/* Windows that are not mapped at start: the slow way maps those of the PEs that are accessed. The fast path opens when
 * all are mapped, as far as it may. */
static void check_windows(void)
{
    is_inline_open = false;
    sheaf_image.windows_left = 2;
    open_as(3, blocks, 6);
    CHECK(!sheaf_route_is_near(3) && !sheaf_route_is_near_for_reads(3) && !sheaf_route_is_near_for_atomics(3));
    CHECK(!is_inline_open && windows_mapped == 0);
    CHECK(sheaf_route_to(data, 8, 5, "call") == NULL && windows_mapped == 0);
    CHECK(sheaf_route_to(data, 8, 4, "call") == (void *)window_of(2) && windows_mapped == 1);
    CHECK(sheaf_route_pointer(data, 2) == (void *)window_of(0) && windows_mapped == 2);
    CHECK(!sheaf_route_is_near(4));
    call_often();
    CHECK(sheaf_image.windows_left == 0 && sheaf_route_is_near(4) && sheaf_route_is_near_for_atomics(4));
    CHECK(sheaf_route_is_near_for_reads(4) && is_inline_open && inline_count == 3);
}

static void check_windows_of_held_route(void)
{
    sheaf_image.windows_left = 2;
    open_as(3, blocks, 6);
    sheaf_route_open_atomics(false);
    sheaf_route_hold();
    call_often();
    CHECK(sheaf_image.windows_left == 0 && !sheaf_route_is_near(4) && !is_inline_open);
    sheaf_route_let_go();
    CHECK(sheaf_route_is_near(4) && !sheaf_route_is_near_for_atomics(4));
    sheaf_route_close();
}

int main(void)
{
    sheaf_image.segments[SHEAF_SEGMENT_DATA] = (struct sheaf_segment){data, sizeof data};
    check_near();
    check_cyclic();
    check_pointer();
    check_refused();
    check_closed();
    check_chaos();
    check_atomics();
    check_windows();
    check_windows_of_held_route();
    return 0;
}
