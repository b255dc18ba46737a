/* SPDX-License-Identifier: BSD-3-Clause
 * See descriptor.h.
 */
#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

/* Types of elements, as flang numbers them. */
enum {
    INTEGER_FIRST = 1,
    INTEGER_LAST = 24,
    REAL_FIRST = 25, /* kinds 2, 3, 4, 8, 10 twice, 16; complex numbers behind them the same */
    COMPLEX_FIRST = 32,
    LOGICAL = 39,
    CHARACTER_1 = 40,
    CHARACTER_4 = 44
};

/* Unsigned integers and characters of kind 2 are bytes: they can be broadcast alone. */
static struct sheaf_element flang_element(const struct prif_array *array)
{
    static const int kinds[] = {2, 3, 4, 8, 10, 10, 16};
    struct sheaf_element element = {array->length, SHEAF_DERIVED, 0};
    int type = (signed char)array->kinds[0];
    if (type >= INTEGER_FIRST && type <= INTEGER_LAST) {
        element.type = SHEAF_INTEGER;
        element.kind = (int)array->length;
    } else if (type >= REAL_FIRST && type < LOGICAL) {
        element.type = type < COMPLEX_FIRST ? SHEAF_REAL : SHEAF_COMPLEX;
        element.kind = kinds[type - (type < COMPLEX_FIRST ? REAL_FIRST : COMPLEX_FIRST)];
    } else if (type == LOGICAL) {
        element.type = SHEAF_LOGICAL;
        element.kind = (int)array->length;
    } else if (type == CHARACTER_1 || type == CHARACTER_4) {
        element.type = SHEAF_CHARACTER;
        element.kind = type == CHARACTER_1 ? 1 : 4;
    }
    return element;
}

/* gfortran's types are 1 to 5 with the kind above them, and 6 and others without one. */
static struct sheaf_element gfortran_element(const struct prif_array *array)
{
    static const int types[] = {0,          SHEAF_INTEGER, SHEAF_LOGICAL,
                                SHEAF_REAL, SHEAF_COMPLEX, SHEAF_CHARACTER};
    unsigned type = array->kinds[1], kind = array->kinds[2];
    if (type < 1 || type > 5)
        return (struct sheaf_element){array->length, SHEAF_DERIVED, 0};
    return (struct sheaf_element){array->length, types[type], (int)kind};
}

void sheaf_prif_section(const char *statement, const struct prif_array *array,
                        struct sheaf_section *section)
{
    if (!array || (!array->base && array->length > 0))
        sheaf_outcome_refuse(statement, "the argument is not allocated");
    if (array->rank > SHEAF_RANK_MOST)
        sheaf_outcome_refuse(statement, "an argument of rank %d: at most %d", array->rank, SHEAF_RANK_MOST);
    section->base = array->base;
    section->element = array->version == 1 ? gfortran_element(array) : flang_element(array);
    section->rank = array->rank;
    for (int i = 0; i < section->rank; i++) {
        if (array->dimensions[i].count < 0)
            sheaf_outcome_refuse(statement, "an array of assumed size, whose end nobody knows");
        section->dimensions[i] = (struct sheaf_dimension){.count = array->dimensions[i].count,
                                                          .step = array->dimensions[i].step};
    }
}

size_t sheaf_prif_count(const char *statement, const struct prif_array *array, size_t size)
{
    if (!array || array->rank != 1 || array->length != size || array->dimensions[0].count < 0)
        sheaf_outcome_refuse(statement, "expected an array of integers of %zu bytes", size);
    return (size_t)array->dimensions[0].count;
}

void sheaf_prif_allocate(const char *statement, struct prif_array *array, size_t bytes)
{
    array->base = malloc(bytes ? bytes : 1);
    if (!array->base)
        sheaf_outcome_refuse(statement, "no memory for an argument of %zu bytes", bytes);
}

const struct sheaf_outcome *sheaf_prif_ask(struct prif_reply *reply, const char *statement,
                                           int *stat, struct prif_array *message,
                                           struct prif_array *allocatable)
{
    reply->stat = stat;
    reply->message = message;
    reply->allocatable = allocatable;
    reply->status = 0;
    reply->outcome = (struct sheaf_outcome){statement, stat ? &reply->status : NULL, reply->text,
                                            sizeof reply->text};
    return &reply->outcome;
}

int sheaf_prif_stat(int status)
{
    switch (status) {
    case SHEAF_STAT_LOCKED:
        return PRIF_STAT_LOCKED;
    case SHEAF_STAT_LOCKED_OTHER:
        return PRIF_STAT_LOCKED_OTHER_IMAGE;
    case SHEAF_STAT_UNLOCKED:
        return PRIF_STAT_UNLOCKED;
    case SHEAF_STAT_STOPPED:
        return PRIF_STAT_STOPPED_IMAGE;
    case SHEAF_STAT_FAILED:
        return PRIF_STAT_FAILED_IMAGE;
    case SHEAF_STAT_NO_MEMORY:
        return PRIF_STAT_OUT_OF_MEMORY;
    default:
        return status;
    }
}

/* Cut, or with blanks behind. */
static void give_text(struct prif_array *to, const char *text, size_t length)
{
    size_t used = length < to->length ? length : to->length;
    memcpy(to->base, text, used);
    memset(to->base + used, ' ', to->length - used);
}

void sheaf_prif_answer(struct prif_reply *reply)
{
    if (!reply->stat)
        return;
    *reply->stat = sheaf_prif_stat(reply->status);
    if (!reply->status)
        return;
    size_t length = sizeof reply->text;
    while (length > 1 && reply->text[length - 1] == ' ')
        length--;
    if (reply->allocatable) {
        free(reply->allocatable->base);
        sheaf_prif_allocate(reply->outcome.statement, reply->allocatable, length);
        reply->allocatable->length = length;
        give_text(reply->allocatable, reply->text, length);
    }
    if (reply->message && reply->message->base)
        give_text(reply->message, reply->text, length);
}
