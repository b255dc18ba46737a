/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of private memory, by those of OpenSHMEM, whose buffers are symmetric: in pieces,
 * through two buffers. A member's buffer is written by others only while it is in the call, so no
 * barrier lies between pieces.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define PIECE 65536 /* bytes of a buffer */

static char *source_buffer, *result_buffer;

void sheaf_armci_collectives_init(void)
{
    source_buffer = shmem_malloc(2 * PIECE);
    if (!source_buffer)
        sheaf_armci_refuse("ARMCI_Init", "the symmetric heap is full");
    result_buffer = source_buffer + PIECE;
}

void sheaf_armci_collectives_fini(void)
{
    shmem_free(source_buffer);
    source_buffer = result_buffer = NULL;
}

static bool is_alone(const char *call, int scope)
{
    sheaf_armci_check_up(call);
    if (scope != SCOPE_ALL && scope != SCOPE_MASTERS && scope != SCOPE_NODE)
        sheaf_armci_refuse(call, "scope is %d, none of the SCOPE_ constants", scope);
    return scope == SCOPE_NODE;
}

static void broadcast(const char *call, char *buffer, int bytes, int root,
                      const struct sheaf_armci_group *group)
{
    sheaf_armci_check_process(call, root);
    int from = shmem_team_translate_pe(SHMEM_TEAM_WORLD, root, group->team);
    if (from < 0)
        sheaf_armci_refuse(call, "root is %d, no member of the group", root);
    if (bytes < 0)
        sheaf_armci_refuse(call, "len is %d, which is negative", bytes);
    if (bytes > 0 && !buffer)
        sheaf_armci_refuse(call, "buffer is a null pointer");
    for (int at = 0, part; at < bytes; at += part) {
        part = bytes - at < PIECE ? bytes - at : PIECE;
        if (from == group->rank)
            memcpy(source_buffer, buffer + at, (size_t)part);
        shmem_broadcastmem(group->team, result_buffer, source_buffer, (size_t)part, from);
        if (from != group->rank)
            memcpy(buffer + at, result_buffer, (size_t)part);
    }
}

void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group)
{
    WAITS
    if (!is_alone(CALL, scope))
        broadcast(CALL, buffer, bytes, root, sheaf_armci_group(CALL, group, true));
}

void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root)
{
    WAITS
    if (!is_alone(CALL, scope))
        broadcast(CALL, buffer, bytes, root, &sheaf_armci.world);
}

void armci_msg_bcast(void *buffer, int bytes, int root)
{
    WAITS
    broadcast(CALL, buffer, bytes, root, &sheaf_armci.world);
}

void armci_msg_brdcst(void *buffer, int bytes, int root)
{
    WAITS
    broadcast(CALL, buffer, bytes, root, &sheaf_armci.world);
}

/* Reductions. A logical operation is the least or greatest of zeros and ones. */
enum operation { SUM, PROD, MAX, MIN, ABSMAX, ABSMIN, OR, AND, LAND, LOR };
/* A name is found by its beginning, so a longer one comes first. */
static const struct {
    const char *name;
    enum operation operation;
} operations[] = {{"+", SUM},         {"*", PROD},        {"max", MAX}, {"min", MIN},
                  {"absmax", ABSMAX}, {"absmin", ABSMIN}, {"or", OR},   {"land", LAND},
                  {"&&", LAND},       {"lor", LOR},       {"||", LOR},  {"band", AND},
                  {"&", AND},         {"bor", OR},        {"|", OR}};

static enum operation read_operation(const char *call, const char *name)
{
    for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++)
        if (strncmp(name, operations[i].name, strlen(operations[i].name)) == 0)
            return operations[i].operation;
    sheaf_armci_refuse(call, "op is \"%.20s\", no operation", name ? name : "");
}

/* X(code, name, type, how bitwise operations are made) */
#define TYPES(X)                                                                                   \
    X(ARMCI_INT, int, int, BITWISE)                                                                \
    X(ARMCI_LONG, long, long, BITWISE)                                                             \
    X(ARMCI_LONG_LONG, longlong, long long, BITWISE)                                               \
    X(ARMCI_FLOAT, float, float, NOT_BITWISE)                                                      \
    X(ARMCI_DOUBLE, double, double, NOT_BITWISE)

#define SIZE(code, name, type, bitwise) [code] = sizeof(type),
static const size_t sizes[] = {TYPES(SIZE)};

static size_t size_of(const char *call, int type)
{
    if ((unsigned)type >= sizeof sizes / sizeof *sizes)
        sheaf_armci_refuse(call, "type is %d, none of armci_type_e", type);
    return sizes[type];
}

#define BITWISE(name, or_or_and) shmem_##name##_##or_or_and##_reduce(team, result, source, n)
#define NOT_BITWISE(name, or_or_and)                                                               \
    sheaf_armci_refuse(call, "op is one of integers, type is " #name)

#define REDUCE(code, name, type, bitwise)                                                          \
    static void reduce_##name(const char *call, enum operation operation, shmem_team_t team,       \
                              size_t n)                                                            \
    {                                                                                              \
        type *source = (type *)source_buffer, *result = (type *)result_buffer;                     \
        bool is_logical = operation == LAND || operation == LOR;                                   \
        bool is_absolute = operation == ABSMAX || operation == ABSMIN;                             \
        for (size_t i = 0; i < n && (is_logical || is_absolute); i++)                              \
            source[i] = is_logical      ? (type)(source[i] != 0)                                   \
                        : source[i] < 0 ? -source[i]                                               \
                                        : source[i];                                               \
        if (operation == SUM)                                                                      \
            shmem_##name##_sum_reduce(team, result, source, n);                                    \
        else if (operation == PROD)                                                                \
            shmem_##name##_prod_reduce(team, result, source, n);                                   \
        else if (operation == MAX || operation == ABSMAX || operation == LOR)                      \
            shmem_##name##_max_reduce(team, result, source, n);                                    \
        else if (operation == MIN || operation == ABSMIN || operation == LAND)                     \
            shmem_##name##_min_reduce(team, result, source, n);                                    \
        else if (operation == OR)                                                                  \
            bitwise(name, or);                                                                     \
        else                                                                                       \
            bitwise(name, and);                                                                    \
        (void)call;                                                                                \
    }
TYPES(REDUCE)

#define REDUCER(code, name, type, bitwise) [code] = reduce_##name,
static void (*const reducers[])(const char *, enum operation, shmem_team_t,
                                size_t) = {TYPES(REDUCER)};

static void reduce(const char *call, char *values, int n, const char *name, int type,
                   const struct sheaf_armci_group *group)
{
    size_t size = size_of(call, type), most = PIECE / size;
    enum operation operation = read_operation(call, name);
    if (n < 0)
        sheaf_armci_refuse(call, "n is %d, which is negative", n);
    if (n > 0 && !values)
        sheaf_armci_refuse(call, "x is a null pointer");
    for (size_t left = (size_t)n, part; left > 0; left -= part, values += part * size) {
        part = left < most ? left : most;
        memcpy(source_buffer, values, part * size);
        reducers[type](call, operation, group->team, part);
        memcpy(values, result_buffer, part * size);
    }
}

void armci_msg_group_gop_scope(int scope, void *values, int n, char *operation, int type,
                               ARMCI_Group *group)
{
    WAITS
    if (!is_alone(CALL, scope))
        reduce(CALL, values, n, operation, type, sheaf_armci_group(CALL, group, true));
}

void armci_msg_gop_scope(int scope, void *values, int n, char *operation, int type)
{
    WAITS
    if (!is_alone(CALL, scope))
        reduce(CALL, values, n, operation, type, &sheaf_armci.world);
}

#define REDUCTIONS(letters, code, type)                                                            \
    void armci_msg_##letters(type *values, int n, char *operation)                                 \
    {                                                                                              \
        WAITS                                                                                      \
        sheaf_armci_check_up(CALL);                                                                \
        reduce(CALL, (char *)values, n, operation, code, &sheaf_armci.world);                      \
    }                                                                                              \
    void armci_msg_group_##letters(type *values, int n, char *operation, ARMCI_Group *group)       \
    {                                                                                              \
        WAITS                                                                                      \
        reduce(CALL, (char *)values, n, operation, code, sheaf_armci_group(CALL, group, true));    \
    }
REDUCTIONS(igop, ARMCI_INT, int)
REDUCTIONS(lgop, ARMCI_LONG, long)
REDUCTIONS(llgop, ARMCI_LONG_LONG, long long)
REDUCTIONS(fgop, ARMCI_FLOAT, float)
REDUCTIONS(dgop, ARMCI_DOUBLE, double)

/* Everybody gets the result, process 0 among them. */
void armci_msg_reduce_scope(int scope, void *values, int n, char *operation, int type)
{
    WAITS
    if (!is_alone(CALL, scope))
        reduce(CALL, values, n, operation, type, &sheaf_armci.world);
}

void armci_msg_reduce(void *values, int n, char *operation, int type)
{
    WAITS
    sheaf_armci_check_up(CALL);
    reduce(CALL, values, n, operation, type, &sheaf_armci.world);
}

/* Selection: everybody sees all first values, and chooses the same process. */
struct candidate {
    int contribute;
    _Alignas(8) char value[8];
};

#define IS_LESS(code, name, type, bitwise)                                                         \
    case code: {                                                                                   \
        type a, b;                                                                                 \
        memcpy(&a, one->value, sizeof a);                                                          \
        memcpy(&b, other->value, sizeof b);                                                        \
        return a < b;                                                                              \
    }

static bool is_less(const struct candidate *one, const struct candidate *other, int type)
{
    switch (type) {
        TYPES(IS_LESS)
    }
    return false;
}

void armci_msg_sel_scope(int scope, void *values, int bytes, char *operation, int type,
                         int contribute)
{
    WAITS
    size_t size = size_of(CALL, type);
    enum operation which = read_operation(CALL, operation);
    if (which != MAX && which != MIN)
        sheaf_armci_refuse(CALL, "op is \"%.20s\", neither min nor max", operation);
    if (is_alone(CALL, scope))
        return;
    if (bytes < (int)size)
        sheaf_armci_refuse(CALL, "n is %d bytes, less than a value of the type", bytes);
    struct candidate mine = {.contribute = contribute != 0}, *all;
    all = calloc((size_t)sheaf_armci.size, sizeof *all);
    if (!all)
        sheaf_armci_refuse(CALL, "no memory for %d values", sheaf_armci.size);
    if (contribute)
        memcpy(mine.value, values, size);
    shmemx_team_exchange(SHMEM_TEAM_WORLD, &mine, sizeof mine, all);
    int chosen = -1;
    for (int i = 0; i < sheaf_armci.size; i++) {
        if (!all[i].contribute)
            continue;
        if (chosen < 0 || (which == MIN ? is_less(&all[i], &all[chosen], type)
                                        : is_less(&all[chosen], &all[i], type)))
            chosen = i;
    }
    free(all);
    if (chosen >= 0)
        broadcast(CALL, values, bytes, chosen, &sheaf_armci.world);
}

void armci_msg_sel(void *values, int bytes, char *operation, int type, int contribute)
{
    WAITS
    armci_msg_sel_scope(SCOPE_ALL, values, bytes, operation, type, contribute);
}

/* Process i is above 2 i + 1 and 2 i + 2. */
void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right)
{
    bool is_one = is_alone(CALL, scope);
    int me = sheaf_armci.me, size = sheaf_armci.size;
    *root = is_one ? me : 0;
    *up = is_one || me == 0 ? -1 : (me - 1) / 2;
    *left = is_one || me > (size - 2) / 2 || 2 * me + 1 >= size ? -1 : 2 * me + 1;
    *right = is_one || *left < 0 || *left + 1 >= size ? -1 : *left + 1;
}
