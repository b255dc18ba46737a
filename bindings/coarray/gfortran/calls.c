/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statements and intrinsic procedures other than reads, writes, collectives and those of teams.
 */
#include "libcaf.h"

#include "../counter.h"
#include "../sync.h"
#include "../team.h"
#include "descriptor.h"

#include <signal.h>
#include <shmemx_ft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTCOME(STATEMENT)                                                                         \
    &(struct sheaf_outcome)                                                                        \
    {                                                                                              \
        STATEMENT, stat, text, length                                                              \
    }
#define BARE(STATEMENT) &(struct sheaf_outcome){STATEMENT, stat, NULL, 0}

/* What register is for. */
enum {
    COARRAY_STATIC,
    COARRAY_ALLOCATABLE,
    LOCK_STATIC,
    LOCK_ALLOCATABLE,
    CRITICAL,
    EVENT_STATIC,
    EVENT_ALLOCATABLE,
    COMPONENT_NAMED,     /* an allocatable component; no memory yet */
    COMPONENT_ALLOCATED, /* its memory */
    COARRAY_VIEW         /* a part of a coarray that a procedure knows as one */
};

/* A type of gfortran's descriptors beyond those that the core knows. */
enum { TYPE_CLASS = 7 };

/* libgfortran's: writes what units hold back. */
extern void _gfortran_flush_i4(const int *unit) __attribute__((weak));

void sheaf_flush_units(void)
{
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
}

void _gfortran_caf_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    sheaf_start();
    sheaf_gfortran_begin();
    sheaf_sync_team(
        sheaf_current); /* all have given their coarrays the values that they begin with */
}

void _gfortran_caf_finalize(void)
{
    SHEAF_STATEMENT("END PROGRAM");
    sheaf_stop(0);
}

static void register_component(const struct sheaf_outcome *outcome, bool is_allocated, size_t size,
                               caf_token_t *token, struct gfortran_array *data)
{
    struct sheaf_coarray *whole = sheaf_coarray_at(token), *component = sheaf_coarray_of(*token);
    if (whole)
        whole->may_point = true;
    /* A structure that was copied has the token of the one that it was copied from, and a component of a
     * component that is no array whatever was in that memory before. */
    if (!is_allocated || !component || component->owner || component->is_view || component->memory) {
        *token = component = sheaf_component_new(outcome);
        data->base = NULL;
    }
    if (is_allocated && sheaf_component_allocate(outcome, component, size))
        data->base = component->memory;
}

/* The token's place has the token of a coarray that is allocated: an allocatable component of a class. */
static bool is_token_of_other(const caf_token_t *token)
{
    const struct sheaf_coarray *coarray = sheaf_coarray_of(*token);
    return coarray && coarray->token == token && (!coarray->base || *coarray->base == coarray->memory);
}

/* Where an assignment allocates a component gfortran asks as for a coarray. A coarray's structure has no
 * component that is a coarray. */
static bool is_component(const caf_token_t *token)
{
    return sheaf_coarray_at(token) || sheaf_component_holds(token);
}

/* A coarray's memory from an address on, as a record of its own. */
static struct sheaf_coarray *view_of(const struct sheaf_outcome *outcome,
                                     const struct sheaf_coarray *whole, char *from)
{
    struct sheaf_coarray *view = sheaf_component_new(outcome);
    view->memory = from;
    view->bytes = whole->bytes - (size_t)(from - whole->memory);
    view->may_point = whole->may_point;
    view->kind = whole->kind;
    view->text = whole->text;
    view->is_view = true;
    return view;
}

void _gfortran_caf_register(size_t size, int type, caf_token_t *token, struct gfortran_array *data,
                            int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("ALLOCATE");
    const struct sheaf_outcome *outcome = OUTCOME("ALLOCATE");
    sheaf_start();
    if (type == COARRAY_ALLOCATABLE && is_component(token))
        type = COMPONENT_ALLOCATED;
    if (type == COMPONENT_NAMED || type == COMPONENT_ALLOCATED) {
        register_component(outcome, type == COMPONENT_ALLOCATED, size, token, data);
        return;
    }
    if (type == COARRAY_VIEW) {
        const struct sheaf_coarray *whole = sheaf_coarray_of(*token);
        if (!whole)
            sheaf_outcome_refuse("call", "the coarray is not allocated");
        *token = view_of(outcome, whole, data->base);
        return;
    }
    if (is_token_of_other(token))
        sheaf_outcome_refuse("ALLOCATE",
                             "an allocatable component of a class: gfortran passes its coarray's token, so "
                             "that no image could reach it");
    bool is_lock = type == LOCK_STATIC || type == LOCK_ALLOCATABLE || type == CRITICAL;
    bool is_event = type == EVENT_STATIC || type == EVENT_ALLOCATABLE;
    if ((is_lock || is_event) && __builtin_mul_overflow(size, sizeof(int64_t), &size))
        sheaf_outcome_refuse("ALLOCATE", "events or locks that no memory holds");
    struct sheaf_coarray *coarray = sheaf_coarray_new(outcome, size, is_lock || is_event);
    *token = coarray;
    data->base = coarray ? coarray->memory : NULL;
    if (!coarray)
        return;
    coarray->kind = is_lock ? SHEAF_OF_LOCKS : is_event ? SHEAF_OF_EVENTS : SHEAF_OF_DATA;
    coarray->token = token;
    coarray->text = data->dtype.type == SHEAF_CHARACTER ? data->dtype.length : 0;
    coarray->is_array = type == COARRAY_STATIC && size != data->dtype.length;
    /* The pointers of a structure are registered where it is allocated, and those of a static one
     * are not. */
    coarray->may_point = data->dtype.type == TYPE_CLASS ||
                         (data->dtype.type == SHEAF_DERIVED && type == COARRAY_STATIC);
    if (type == COARRAY_ALLOCATABLE && data->dtype.rank > 0)
        coarray->descriptor = data;
    if (type == COARRAY_ALLOCATABLE || type == LOCK_ALLOCATABLE || type == EVENT_ALLOCATABLE)
        coarray->base = &data->base;
}

void _gfortran_caf_deregister(caf_token_t *token, int type, int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("DEALLOCATE");
    const struct sheaf_outcome *outcome = OUTCOME("DEALLOCATE");
    struct sheaf_coarray *coarray = sheaf_coarray_of(*token);
    if (!coarray) {
        if (*token)
            sheaf_outcome_refuse("DEALLOCATE", "the variable has no token that ALLOCATE has given it");
        sheaf_outcome_good(outcome);
    } else if (coarray->is_view) {
        coarray->memory = NULL;
        sheaf_component_free(coarray);
        *token = NULL;
        sheaf_outcome_good(outcome);
    } else if (coarray->owner) {
        sheaf_coarray_free(outcome, coarray);
        *token = NULL;
    } else if (type == 1) {
        sheaf_component_release(coarray);
        sheaf_outcome_good(outcome);
    } else {
        sheaf_component_free(coarray);
        *token = NULL;
        sheaf_outcome_good(outcome);
    }
}

/* gfortran 12 passes the address of ERRMSG='s address to these three, and no version is told here:
 * the text stays as it is. */
void _gfortran_caf_sync_all(int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("SYNC ALL");
    (void)text, (void)length;
    sheaf_sync_all(BARE("SYNC ALL"));
}

void _gfortran_caf_sync_memory(int *stat, char *text, size_t length)
{
    (void)text, (void)length;
    sheaf_sync_quiet();
    sheaf_outcome_good(BARE("SYNC MEMORY"));
}

void _gfortran_caf_sync_images(int count, int *images, int *stat, char *text, size_t length)
{
    SHEAF_STATEMENT("SYNC IMAGES");
    (void)text, (void)length;
    sheaf_sync_images(BARE("SYNC IMAGES"), count, images, __builtin_return_address(0));
}

/* One line on standard error, as gfortran writes it. */
static void say_stop(const char *kind, const char *message, size_t length, bool quiet)
{
    if (!quiet)
        dprintf(STDERR_FILENO, "%s %.*s\n", kind, (int)length, message);
}

void _gfortran_caf_stop_numeric(int status, bool quiet)
{
    SHEAF_STATEMENT("STOP");
    char text[16];
    int length = snprintf(text, sizeof text, "%d", status);
    say_stop("STOP", text, (size_t)length, quiet);
    sheaf_stop(status);
}

void _gfortran_caf_stop_str(const char *message, size_t length, bool quiet)
{
    SHEAF_STATEMENT("STOP");
    say_stop("STOP", message, length, quiet || length == 0);
    sheaf_stop(0);
}

void _gfortran_caf_error_stop(int status, bool quiet)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d", status);
    say_stop("ERROR STOP", text, (size_t)length, quiet);
    sheaf_stop_error(status);
}

void _gfortran_caf_error_stop_str(const char *message, size_t length, bool quiet)
{
    say_stop("ERROR STOP", message, length, quiet);
    sheaf_stop_error(1);
}

void _gfortran_caf_fail_image(void)
{
    raise(SIGKILL);
}

int _gfortran_caf_image_status(int image, void **team)
{
    SHEAF_STATEMENT("IMAGE_STATUS");
    (void)team;
    return sheaf_sync_status(sheaf_images_pe("IMAGE_STATUS", image));
}

/* A new array of the images of the current team that have this status. */
static void list_images(struct gfortran_array *array, int status, const int *kind)
{
    size_t bytes = kind ? (size_t)*kind : sizeof(int), count = 0;
    struct sheaf_element integer = {sizeof(int), SHEAF_INTEGER, 4},
                         wanted = {bytes, SHEAF_INTEGER, (int)bytes};
    char *list = calloc((size_t)sheaf_current->images, bytes);
    if (!list)
        sheaf_outcome_refuse("FAILED_IMAGES or STOPPED_IMAGES", "no memory for %d images",
                             sheaf_current->images);
    for (int image = 1; image <= sheaf_current->images; image++)
        if (sheaf_sync_status(sheaf_current->pes[image - 1]) == status)
            sheaf_element_convert("FAILED_IMAGES", list + count++ * bytes, &wanted, (char *)&image,
                                  &integer);
    array->base = list;
    array->offset = 0;
    array->dtype.rank = 1;
    array->dtype.type = SHEAF_INTEGER;
    array->dtype.length = bytes;
    array->span = (ptrdiff_t)bytes;
    array->dimensions[0].stride = 1;
    array->dimensions[0].lower = 0;
    array->dimensions[0].upper = (ptrdiff_t)count - 1;
}

void _gfortran_caf_failed_images(struct gfortran_array *array, void **team, int *kind)
{
    (void)team;
    list_images(array, SHEAF_STAT_FAILED, kind);
}

void _gfortran_caf_stopped_images(struct gfortran_array *array, void **team, int *kind)
{
    (void)team;
    list_images(array, SHEAF_STAT_STOPPED, kind);
}

void _gfortran_caf_lock(caf_token_t token, size_t index, int image, int *acquired, int *stat,
                        char *text, size_t length)
{
    SHEAF_STATEMENT("LOCK");
    const struct sheaf_outcome *outcome = OUTCOME("LOCK");
    int pe = sheaf_images_pe("LOCK", image);
    sheaf_lock(outcome, sheaf_counter_at(outcome, token, SHEAF_OF_LOCKS, index), pe, acquired);
}

void _gfortran_caf_unlock(caf_token_t token, size_t index, int image, int *stat, char *text,
                          size_t length)
{
    SHEAF_STATEMENT("UNLOCK");
    const struct sheaf_outcome *outcome = OUTCOME("UNLOCK");
    int pe = sheaf_images_pe("UNLOCK", image);
    sheaf_unlock(outcome, sheaf_counter_at(outcome, token, SHEAF_OF_LOCKS, index), pe);
}

void _gfortran_caf_event_post(caf_token_t token, size_t index, int image, int *stat, char *text,
                              size_t length)
{
    SHEAF_STATEMENT("EVENT POST");
    const struct sheaf_outcome *outcome = OUTCOME("EVENT POST");
    int pe = sheaf_images_pe("EVENT POST", image);
    sheaf_event_post(outcome, sheaf_counter_at(outcome, token, SHEAF_OF_EVENTS, index), pe);
}

void _gfortran_caf_event_wait(caf_token_t token, size_t index, int until, int *stat, char *text,
                              size_t length)
{
    SHEAF_STATEMENT("EVENT WAIT");
    const struct sheaf_outcome *outcome = OUTCOME("EVENT WAIT");
    sheaf_event_wait(outcome, sheaf_counter_at(outcome, token, SHEAF_OF_EVENTS, index), until);
}

void _gfortran_caf_event_query(caf_token_t token, size_t index, int image, int *count, int *stat)
{
    SHEAF_STATEMENT("EVENT_QUERY");
    const struct sheaf_outcome *outcome = BARE("EVENT_QUERY");
    int pe = sheaf_images_pe("EVENT_QUERY", image);
    *count = (int)sheaf_event_query(outcome,
                                    sheaf_counter_at(outcome, token, SHEAF_OF_EVENTS, index), pe);
}

static void *word_at(const char *statement, caf_token_t token, size_t offset, int kind)
{
    const struct sheaf_coarray *coarray = token;
    if (!sheaf_coarray_is_record(coarray) || !coarray->memory || offset > coarray->bytes ||
        coarray->bytes - offset < (size_t)kind)
        sheaf_outcome_refuse(statement, "the variable is no part of an allocated coarray");
    return coarray->memory + offset;
}

void _gfortran_caf_atomic_define(caf_token_t token, size_t offset, int image, void *value,
                                 int *stat, int type, int kind)
{
    SHEAF_STATEMENT("ATOMIC_DEFINE");
    (void)type;
    sheaf_atomic(BARE("ATOMIC_DEFINE"), SHEAF_DEFINE, word_at("ATOMIC_DEFINE", token, offset, kind),
                 kind, sheaf_images_pe("ATOMIC_DEFINE", image), value, NULL);
}

void _gfortran_caf_atomic_ref(caf_token_t token, size_t offset, int image, void *value, int *stat,
                              int type, int kind)
{
    SHEAF_STATEMENT("ATOMIC_REF");
    (void)type;
    sheaf_atomic(BARE("ATOMIC_REF"), SHEAF_FETCH, word_at("ATOMIC_REF", token, offset, kind), kind,
                 sheaf_images_pe("ATOMIC_REF", image), NULL, value);
}

void _gfortran_caf_atomic_cas(caf_token_t token, size_t offset, int image, void *old, void *compare,
                              void *value, int *stat, int type, int kind)
{
    SHEAF_STATEMENT("ATOMIC_CAS");
    (void)type;
    sheaf_atomic_cas(BARE("ATOMIC_CAS"), word_at("ATOMIC_CAS", token, offset, kind), kind,
                     sheaf_images_pe("ATOMIC_CAS", image), old, compare, value);
}

void _gfortran_caf_atomic_op(int operation, caf_token_t token, size_t offset, int image,
                             void *value, void *old, int *stat, int type, int kind)
{
    SHEAF_STATEMENT("ATOMIC_ADD, _AND, _OR or _XOR");
    (void)type;
    if (operation < SHEAF_ADD || operation > SHEAF_XOR)
        sheaf_outcome_refuse("atomic procedure", "operation %d, which is unknown", operation);
    sheaf_atomic(BARE("ATOMIC_ADD, _AND, _OR or _XOR"), (enum sheaf_atomic)operation,
                 word_at("atomic procedure", token, offset, kind), kind,
                 sheaf_images_pe("atomic procedure", image), value, old);
}
