/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls in words, for exceptions.
 */
#include "torch.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[SHEAF_KINDS] = {
    [SHEAF_BARRIER] = "barrier",
    [SHEAF_BROADCAST] = "broadcast",
    [SHEAF_ALLREDUCE] = "all_reduce",
    [SHEAF_REDUCE] = "reduce",
    [SHEAF_ALLGATHER] = "all_gather",
    [SHEAF_GATHER] = "gather",
    [SHEAF_SCATTER] = "scatter",
    [SHEAF_REDUCE_SCATTER] = "reduce_scatter",
    [SHEAF_ALLTOALL] = "all_to_all",
    [SHEAF_SEND] = "send",
    [SHEAF_RECV] = "recv",
};
static const char *const types[SHEAF_TYPES] = {
    "bytes",   "bool",     "uint8",   "int8",    "int16",     "int32",      "int64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "complex32",
};
static const char *const combines[SHEAF_COMBINES] = {"sum", "avg", "product", "min",
                                                     "max", "and", "or",      "xor"};

const char *sheaf_describe_kind(enum sheaf_torch_kind kind)
{
    return kinds[kind];
}

static void describe_call(const struct sheaf_announcement *what, char *text, size_t size)
{
    const char *kind = what->kind < SHEAF_KINDS ? kinds[what->kind] : "a call of another version";
    const char *type = what->type < SHEAF_TYPES ? types[what->type] : "?";
    const char *combine = what->combine < SHEAF_COMBINES ? combines[what->combine] : "?";
    unsigned long bytes = what->bytes;
    switch (what->kind) {
    case SHEAF_ALLREDUCE:
    case SHEAF_REDUCE_SCATTER:
        snprintf(text, size, "%s(%lu bytes, %s, %s)", kind, bytes, type, combine);
        break;
    case SHEAF_REDUCE:
        snprintf(text, size, "%s(%lu bytes, %s, %s, to rank %u)", kind, bytes, type, combine,
                 what->root);
        break;
    case SHEAF_BROADCAST:
    case SHEAF_SCATTER:
        snprintf(text, size, "%s(%lu bytes, %s, from rank %u)", kind, bytes, type, what->root);
        break;
    case SHEAF_GATHER:
        snprintf(text, size, "%s(%lu bytes, %s, to rank %u)", kind, bytes, type, what->root);
        break;
    case SHEAF_ALLGATHER:
        snprintf(text, size, "%s(%lu bytes, %s)", kind, bytes, type);
        break;
    case SHEAF_ALLTOALL:
        snprintf(text, size, "%s(%s)", kind, type);
        break;
    default:
        snprintf(text, size, "%s", kind);
        break;
    }
}

static void describe_message(const struct sheaf_operation *operation, char *text, size_t size)
{
    char other[32] = "any rank";
    if (operation->root >= 0)
        snprintf(other, sizeof other, "rank %d", operation->root);
    snprintf(text, size, "rank %d of group %s: %s(%lu bytes, %s %s, tag %ld)",
             operation->group->rank, operation->group->name, kinds[operation->kind],
             (unsigned long)operation->bytes, operation->kind == SHEAF_SEND ? "to" : "from", other,
             (long)operation->tag);
}

static struct sheaf_announcement announcement(const struct sheaf_operation *operation)
{
    return (struct sheaf_announcement){.kind = operation->kind,
                                       .type = operation->type,
                                       .combine = operation->combine,
                                       .root = (uint32_t)operation->root,
                                       .bytes = operation->bytes,
                                       .call = operation->number};
}

/* The rank, its group and the call. */
void sheaf_describe(const struct sheaf_operation *operation, char *text, size_t size)
{
    char call[128];
    if (operation->kind >= SHEAF_SEND) {
        describe_message(operation, text, size);
        return;
    }
    struct sheaf_announcement what = announcement(operation);
    describe_call(&what, call, sizeof call);
    struct sheaf_group *group = operation->group;
    snprintf(text, size, "rank %d of group %s: %s, call %lu", group->rank, group->name, call,
             (unsigned long)(operation->number - group->calls_before));
}

/* Describes the last call that rank has announced. The table keeps two announcements of each rank. */
static void describe_last(struct sheaf_group *group, int rank, char *text, size_t size)
{
    struct sheaf_announcement *last = sheaf_memory_table(group, group->step, rank);
    struct sheaf_announcement *other = sheaf_memory_table(group, group->step + 1, rank);
    char call[128];
    last = other->step > last->step ? other : last;
    if (last->call <= group->calls_before) {
        snprintf(text, size, "rank %d has made no call of this group", rank);
        return;
    }
    describe_call(last, call, sizeof call);
    snprintf(text, size, "rank %d's last call was %.90s, call %lu", rank, call,
             (unsigned long)(last->call - group->calls_before));
}

/* Text of an exception after so many seconds: the ranks that have not come to the collective, or that no
 * rank has met the message. */
void sheaf_describe_missing(struct sheaf_operation *operation, double seconds, char *text,
                            size_t size)
{
    struct sheaf_group *group = operation->group;
    char what[SHEAF_TORCH_TEXT], last[160] = "";
    sheaf_describe(operation, what, sizeof what);
    int missing = 0;
    for (int i = 0; i < group->size && operation->kind < SHEAF_SEND; i++) {
        struct sheaf_announcement *their = sheaf_memory_table(group, group->step, i);
        if (sheaf_memory_reached(group, &their->step, group->step))
            continue;
        if (missing++ == 0)
            describe_last(group, i, last, sizeof last);
    }
    if (operation->kind >= SHEAF_SEND)
        snprintf(text, size, "%.150s has not met its counterpart within the timeout of %.4g s", what,
                 seconds);
    else
        snprintf(text, size,
                 "%.90s: %d of %d ranks have not come within the timeout of %.4g s: %.100s", what,
                 missing, group->size, seconds, last);
}

static bool differs(const struct sheaf_operation *operation, const struct sheaf_announcement *their,
                    int rank)
{
    bool is_alltoall = operation->kind == SHEAF_ALLTOALL && their->kind == SHEAF_ALLTOALL;
    uint64_t expected = is_alltoall ? operation->out[rank].bytes : operation->bytes;
    return their->kind != operation->kind || their->type != operation->type ||
           their->combine != operation->combine || their->root != (uint32_t)operation->root ||
           their->bytes != expected;
}

/* Whether a rank has announced another call than this one. */
bool sheaf_describe_difference(struct sheaf_operation *operation, char *text, size_t size)
{
    struct sheaf_group *group = operation->group;
    char call[128], what[SHEAF_TORCH_TEXT];
    for (int i = 0; i < group->size; i++) {
        struct sheaf_announcement *their = sheaf_memory_table(group, group->step, i);
        if (!differs(operation, their, i))
            continue;
        sheaf_describe(operation, what, sizeof what);
        describe_call(their, call, sizeof call);
        if (their->kind == SHEAF_ALLTOALL && operation->kind == SHEAF_ALLTOALL &&
            their->type == operation->type)
            snprintf(text, size, "%.120s: rank %d sends %lu bytes, and %lu are expected", what, i,
                     (unsigned long)their->bytes, (unsigned long)operation->out[i].bytes);
        else
            snprintf(text, size, "%.120s: rank %d calls %.100s", what, i, call);
        return true;
    }
    return false;
}
