/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The procedures of PRIF, the Parallel Runtime Interface for Fortran, that flang 22 calls with
 * -fcoarray: procedures of a module prif. Arguments are addresses; those of absent ones are NULL.
 */
#ifndef SHEAF_COARRAY_FLANG_PRIF_H
#define SHEAF_COARRAY_FLANG_PRIF_H

#include "descriptor.h"

#pragma GCC visibility push(default) /* nothing else is seen from outside */

#define PRIF(NAME) _QMprifPprif_##NAME

/* The last arguments of most procedures: STAT=, and ERRMSG= in one of two forms. */
#define PRIF_REPLY int *stat, struct flang_array *message, struct flang_array *allocatable

/* In a procedure with these: reply and outcome, and the rest of its block as this statement. */
#define PRIF_STATEMENT(NAME)                                                                       \
    SHEAF_STATEMENT(NAME);                                                                         \
    struct flang_reply reply;                                                                      \
    const struct sheaf_outcome *outcome =                                                          \
        sheaf_flang_ask(&reply, NAME, stat, message, allocatable)

void PRIF(init)(int *stat);
void PRIF(stop)(const bool *quiet, const int *status, const char *text, size_t length);
void PRIF(error_stop)(const bool *quiet, const int *status, const char *text, size_t length);
void PRIF(fail_image)(void);

void PRIF(num_images)(int *images);
void PRIF(num_images_with_team)(const struct flang_array *team, int *images);
void PRIF(num_images_with_team_number)(const int64_t *number, int *images);
void PRIF(this_image_no_coarray)(const struct flang_array *team, int *image);

void PRIF(sync_all)(PRIF_REPLY);
void PRIF(sync_images)(const struct flang_array *images, PRIF_REPLY);
void PRIF(sync_memory)(PRIF_REPLY);
void PRIF(sync_team)(const struct flang_array *team, PRIF_REPLY);

void PRIF(form_team)(const int64_t *number, struct flang_array *team, const int *index, PRIF_REPLY);
void PRIF(change_team)(const struct flang_array *team, PRIF_REPLY);
void PRIF(end_team)(PRIF_REPLY);
void PRIF(get_team)(const int *level, struct flang_array *team);
void PRIF(team_number)(const struct flang_array *team, int64_t *number);

void PRIF(co_broadcast)(const struct flang_array *array, const int *image, PRIF_REPLY);
void PRIF(co_sum)(const struct flang_array *array, const int *image, PRIF_REPLY);
void PRIF(co_min)(const struct flang_array *array, const int *image, PRIF_REPLY);
void PRIF(co_max)(const struct flang_array *array, const int *image, PRIF_REPLY);
void PRIF(co_min_character)(const struct flang_array *array, const int *image, PRIF_REPLY);
void PRIF(co_max_character)(const struct flang_array *array, const int *image, PRIF_REPLY);

/* Calls of flang's run-time library, which knows no images in version 22: the linker puts these in
 * their place (--wrap). */
void __wrap__FortranAStopStatement(int status, bool is_error, bool is_quiet);
void __wrap__FortranAStopStatementText(const char *text, size_t length, bool is_error,
                                       bool is_quiet);
void __wrap__FortranAFailImageStatement(void);

#pragma GCC visibility pop

#endif
