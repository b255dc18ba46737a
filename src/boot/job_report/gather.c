/* SPDX-License-Identifier: BSD-3-Clause
 * See gather.h.
 *
 * A frame that comes from a neighbour is checked before anything of it is used: its kind, the nodes, how
 * often it has been handed on. Parts are kept as they came, and are taken apart when all are there.
 */
#include "boot/job_report/gather.h"

#include "base/clock.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "boot/ring/ring.h"
#include "boot/job_report/parts.h"
#include "boot/job_report/stacks.h"
#include "boot/job_report/tell.h"
#include "boot/world/world.h"
#include "image/image.h"
#include "report/part.h"

#include <stdlib.h>
#include <string.h>

enum kind { QUESTION = 1, PART, KEEP };

/* Begins a frame; a part's bytes follow. */
struct head {
    uint32_t kind;
    uint32_t number; /* of the question, among those of its node */
    int32_t origin;  /* the node that asks */
    int32_t node;    /* of PART: whose */
    uint32_t steps;  /* so often it has been handed on */
    uint32_t reason; /* enum sheaf_gather_reason */
};

static struct {
    sheaf_gather_done *done; /* NULL: nothing is under way */
    enum sheaf_gather_reason reason;
    uint32_t number;
    uint64_t until_ns;
} mine;
static uint64_t other_ns[SHEAF_GATHER_REASONS];

/* Another host's question for stacks, while they are read. */
static struct {
    struct head question;
    bool is_under_way, to_next;
} stacks;

void sheaf_gather_open(void)
{
    int most = 0; /* PEs of a node */
    size_t part;
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        most = sheaf_boot_slot_of(pe) < most ? most : sheaf_boot_slot_of(pe) + 1;
    part = sheaf_report_most(most);
    if (part < SHEAF_STACKS_MOST)
        part = SHEAF_STACKS_MOST;
    sheaf_ring_accept_frames(sizeof(struct head) + part);
}

bool sheaf_gather_is_under_way(void)
{
    return mine.done != NULL;
}

uint64_t sheaf_gather_other_ns(enum sheaf_gather_reason reason)
{
    return other_ns[reason];
}

static uint64_t longest_wait(enum sheaf_gather_reason reason)
{
    bool is_stacks = reason == SHEAF_GATHER_STACKS;
    return is_stacks ? sheaf_times.stacks_most + sheaf_times.stacks_report_more : sheaf_times.report_most;
}

bool sheaf_gather_begin(enum sheaf_gather_reason reason, sheaf_gather_done *done)
{
    if (mine.done)
        return false;
    mine.done = done;
    mine.reason = reason;
    mine.number++;
    mine.until_ns = sheaf_clock_ns() + longest_wait(reason);
    sheaf_parts_clear();
    struct head head = {.kind = QUESTION, .number = mine.number, .origin = sheaf_boot.node,
                        .reason = reason};
    for (int to_next = 0; to_next < 2 && sheaf_boot.nodes > 1; to_next++)
        sheaf_ring_send(to_next, &head, sizeof head);
    return true;
}

void sheaf_gather_keep(void)
{
    struct head head = {.kind = KEEP, .origin = sheaf_boot.node};
    for (int to_next = 0; to_next < 2 && sheaf_boot.nodes > 1; to_next++)
        sheaf_ring_send(to_next, &head, sizeof head);
    sheaf_tell_keep_node(true);
}

static void finish(void)
{
    sheaf_gather_done *done = mine.done;
    struct sheaf_report report;
    if (sheaf_report_take(&report, sheaf_image.control) == 0) {
        sheaf_report_see_polls(&report, sheaf_image.control);
        if (mine.reason != SHEAF_GATHER_STACKS)
            sheaf_parts_join(&report);
        done(&report);
        sheaf_report_free(&report);
    }
    sheaf_parts_clear();
    mine.done = NULL;
}

/* This host's part, to the neighbour that the question came from. */
static void send_part(const struct head *question, bool to_next, const char *part, size_t length)
{
    struct head head = *question;
    char *frame = malloc(sizeof head + length);
    head.kind = PART;
    head.node = sheaf_boot.node;
    head.steps = 0;
    if (frame) {
        memcpy(frame, &head, sizeof head);
        memcpy(frame + sizeof head, part, length);
        sheaf_ring_send(to_next, frame, sizeof head + length);
    }
    free(frame);
}

static void answer(const struct head *question, bool to_next)
{
    struct sheaf_report report;
    size_t length;
    uint32_t calls = question->reason == SHEAF_GATHER_JUDGE ? SHEAF_RECORDS : SHEAF_REPORT_CALLS;
    if (sheaf_report_take(&report, sheaf_image.control) != 0)
        return;
    sheaf_report_see_polls(&report, sheaf_image.control);
    char *part = sheaf_report_pack(&report, calls, &length);
    if (part)
        send_part(question, to_next, part, length);
    free(part);
    sheaf_report_free(&report);
}

/* One at a time: whoever else asks meanwhile waits in vain, and says where to ask. */
static void begin_stacks(const struct head *question, bool to_next)
{
    if (stacks.is_under_way)
        return;
    stacks.question = *question;
    stacks.to_next = to_next;
    stacks.is_under_way = sheaf_stacks_begin();
}

/* In how many ms to look again; -1: nothing is under way. */
static int tend_stacks(void)
{
    size_t length;
    if (!stacks.is_under_way)
        return -1;
    if (!sheaf_stacks_are_ready())
        return sheaf_times_ms(sheaf_times.stacks_look);
    char *text = sheaf_stacks_take(&length);
    if (text)
        send_part(&stacks.question, stacks.to_next, text, length);
    free(text);
    stacks.is_under_way = false;
    return -1;
}

static void hand_on(const struct sheaf_ring_frame *frame, struct head head)
{
    head.steps++;
    if (head.steps >= (uint32_t)sheaf_boot.nodes)
        return;
    memcpy(frame->bytes, &head, sizeof head);
    sheaf_ring_send(!frame->is_of_next, frame->bytes, frame->length);
}

static bool is_one_enough(enum sheaf_gather_reason reason)
{
    return reason == SHEAF_GATHER_PRINT || reason == SHEAF_GATHER_JUDGE;
}

/* Both ways round a question comes to each node; its own comes home and goes no further. */
static void heed_question(const struct sheaf_ring_frame *frame, const struct head *head)
{
    if (head->origin == sheaf_boot.node)
        return;
    other_ns[head->reason] = sheaf_clock_ns();
    if (mine.done && is_one_enough(mine.reason) && head->reason == mine.reason &&
        head->origin < sheaf_boot.node)
        mine.done = NULL;
    if (head->reason == SHEAF_GATHER_STACKS)
        begin_stacks(head, frame->is_of_next);
    else
        answer(head, frame->is_of_next);
    hand_on(frame, *head);
}

static void heed_part(const struct sheaf_ring_frame *frame, const struct head *head)
{
    if (head->origin != sheaf_boot.node)
        hand_on(frame, *head);
    else if (mine.done && head->number == mine.number && head->node != sheaf_boot.node)
        sheaf_parts_keep(head->node, frame->bytes + sizeof *head, frame->length - sizeof *head);
}

static void heed_keep(const struct sheaf_ring_frame *frame, const struct head *head)
{
    if (head->origin == sheaf_boot.node)
        return;
    hand_on(frame, *head);
    sheaf_tell_keep_node(false);
}

static bool is_node(int32_t node)
{
    return node >= 0 && node < sheaf_boot.nodes;
}

static void heed(const struct sheaf_ring_frame *frame)
{
    struct head head;
    if (frame->length < sizeof head)
        return;
    memcpy(&head, frame->bytes, sizeof head);
    if (!is_node(head.origin) || !is_node(head.node) || head.steps >= (uint32_t)sheaf_boot.nodes ||
        head.reason >= SHEAF_GATHER_REASONS)
        return;
    if (head.kind == QUESTION && frame->length == sizeof head)
        heed_question(frame, &head);
    else if (head.kind == PART)
        heed_part(frame, &head);
    else if (head.kind == KEEP && frame->length == sizeof head)
        heed_keep(frame, &head);
}

int sheaf_gather_turn(void)
{
    struct sheaf_ring_frame frame;
    if (sheaf_ring_take(&frame)) {
        heed(&frame);
        free(frame.bytes);
    }
    int due = tend_stacks();
    if (!mine.done)
        return due;
    uint64_t now = sheaf_clock_ns();
    if (!sheaf_parts_are_complete() && now < mine.until_ns)
        return due >= 0 ? due : (int)((mine.until_ns - now) / SHEAF_MILLISECOND) + 1;
    finish();
    return due;
}
