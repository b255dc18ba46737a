/* SPDX-License-Identifier: BSD-3-Clause
 * See descriptor.h.
 */
#include "descriptor.h"

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

/* STAT=, as ISO_FORTRAN_ENV of flang has it. */
enum { STAT_FAILED = 101, STAT_STOPPED = 104 };

/* Unsigned integers and characters of kind 2 are bytes: they can be broadcast alone. */
static struct sheaf_element element_of(const struct flang_array *array)
{
    static const int kinds[] = {2, 3, 4, 8, 10, 10, 16};
    struct sheaf_element element = {array->length, SHEAF_DERIVED, 0};
    int type = array->type;
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

void sheaf_flang_section(const char *statement, const struct flang_array *array,
                         struct sheaf_section *section)
{
    if (!array || (!array->base && array->length > 0))
        sheaf_outcome_refuse(statement, "the argument is not allocated");
    if (array->rank > SHEAF_RANK_MOST)
        sheaf_outcome_refuse(statement, "an argument of rank %d: at most %d", array->rank, SHEAF_RANK_MOST);
    section->base = array->base;
    section->element = element_of(array);
    section->rank = array->rank;
    for (int i = 0; i < section->rank; i++) {
        if (array->dimensions[i].count < 0)
            sheaf_outcome_refuse(statement, "an array of assumed size, whose end nobody knows");
        section->dimensions[i] = (struct sheaf_dimension){.count = array->dimensions[i].count,
                                                          .step = array->dimensions[i].step};
    }
}

const struct sheaf_outcome *sheaf_flang_ask(struct flang_reply *reply, const char *statement,
                                            int *stat, struct flang_array *message,
                                            struct flang_array *allocatable)
{
    reply->stat = stat;
    reply->message = message;
    reply->allocatable = allocatable;
    reply->status = 0;
    reply->outcome = (struct sheaf_outcome){statement, stat ? &reply->status : NULL, reply->text,
                                            sizeof reply->text};
    return &reply->outcome;
}

/* Cut, or with blanks behind. */
static void give_text(struct flang_array *to, const char *text, size_t length)
{
    size_t used = length < to->length ? length : to->length;
    memcpy(to->base, text, used);
    memset(to->base + used, ' ', to->length - used);
}

void sheaf_flang_answer(struct flang_reply *reply)
{
    if (!reply->stat)
        return;
    *reply->stat = reply->status == SHEAF_STAT_STOPPED  ? STAT_STOPPED
                   : reply->status == SHEAF_STAT_FAILED ? STAT_FAILED
                                                        : reply->status;
    if (!reply->status)
        return;
    size_t length = sizeof reply->text;
    while (length > 1 && reply->text[length - 1] == ' ')
        length--;
    /* flang 22 passes a copy of an allocatable's descriptor: one that is not allocated stays so. */
    if (reply->allocatable && reply->allocatable->base)
        give_text(reply->allocatable, reply->text, length);
    if (reply->message && reply->message->base)
        give_text(reply->message, reply->text, length);
}
