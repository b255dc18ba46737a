/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that gfortran calls with -fcoarray=lib, as its manual has them. SHEAF_GFORTRAN is
 * the version that a library is for: 14 for 8 to 14, 15, 16.
 */
#ifndef SHEAF_COARRAY_GFORTRAN_LIBCAF_H
#define SHEAF_COARRAY_GFORTRAN_LIBCAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default) /* nothing else is seen from outside */

struct gfortran_array;
struct gfortran_vector;
struct gfortran_reference;
typedef void *caf_token_t;

void _gfortran_caf_init(int *argc, char ***argv);
void _gfortran_caf_finalize(void);
void _gfortran_caf_register(size_t size, int type, caf_token_t *token, struct gfortran_array *data,
                            int *stat, char *text, size_t length);
void _gfortran_caf_deregister(caf_token_t *token, int type, int *stat, char *text, size_t length);

#if SHEAF_GFORTRAN <= 14
void _gfortran_caf_get(caf_token_t token, size_t offset, int image, struct gfortran_array *source,
                       struct gfortran_vector *vectors, struct gfortran_array *dest,
                       int source_kind, int dest_kind, bool may_overlap, int *stat);
void _gfortran_caf_send(caf_token_t token, size_t offset, int image, struct gfortran_array *dest,
                        struct gfortran_vector *vectors, struct gfortran_array *source,
                        int dest_kind, int source_kind, bool may_overlap, int *stat, void *team);
void _gfortran_caf_sendget(caf_token_t dest_token, size_t dest_offset, int dest_image,
                           struct gfortran_array *dest, struct gfortran_vector *dest_vectors,
                           caf_token_t source_token, size_t source_offset, int source_image,
                           struct gfortran_array *source, struct gfortran_vector *source_vectors,
                           int dest_kind, int source_kind, bool may_overlap, int *stat);
void _gfortran_caf_get_by_ref(caf_token_t token, int image, struct gfortran_array *dest,
                              struct gfortran_reference *references, int dest_kind, int source_kind,
                              bool may_overlap, bool may_allocate, int *stat, int source_type);
void _gfortran_caf_send_by_ref(caf_token_t token, int image, struct gfortran_array *source,
                               struct gfortran_reference *references, int dest_kind,
                               int source_kind, bool may_overlap, bool may_allocate, int *stat,
                               int dest_type);
void _gfortran_caf_sendget_by_ref(caf_token_t dest_token, int dest_image,
                                  struct gfortran_reference *dest_references,
                                  caf_token_t source_token, int source_image,
                                  struct gfortran_reference *source_references, int dest_kind,
                                  int source_kind, bool may_overlap, int *dest_stat,
                                  int *source_stat, int dest_type, int source_type);
int _gfortran_caf_is_present(caf_token_t token, int image, struct gfortran_reference *references);
#else
void _gfortran_caf_register_accessor(int hash, void (*function)(void));
void _gfortran_caf_register_accessors_finish(void);
int _gfortran_caf_get_remote_function_index(int hash);
void _gfortran_caf_get_from_remote(caf_token_t token, struct gfortran_array *source,
                                   const size_t *length, int image, size_t bytes, void **dest_data,
                                   size_t *dest_length, struct gfortran_array *dest, bool may_move,
                                   int index, void *arguments, size_t arguments_bytes, int *stat,
                                   void **team, const int *team_number);
int32_t _gfortran_caf_is_present_on_remote(caf_token_t token, int image, int index, void *arguments,
                                           size_t bytes);
void _gfortran_caf_send_to_remote(caf_token_t token, struct gfortran_array *dest,
                                  const size_t *length, int image, size_t bytes, const void *data,
                                  const size_t *source_length, const struct gfortran_array *source,
                                  int index, void *arguments, size_t arguments_bytes, int *stat,
                                  void **team, const int *team_number);
void _gfortran_caf_transfer_between_remotes(
    caf_token_t dest_token, struct gfortran_array *dest, size_t *dest_length, int dest_image,
    int dest_index, void *dest_arguments, size_t dest_arguments_bytes, caf_token_t source_token,
    struct gfortran_array *source, const size_t *source_length, int source_image, int source_index,
    void *source_arguments, size_t source_arguments_bytes, size_t bytes, bool is_scalar,
    int *dest_stat, int *source_stat, void **dest_team, const int *dest_team_number,
    void **source_team, const int *source_team_number);
#endif

void _gfortran_caf_sync_all(int *stat, char *text, size_t length);
void _gfortran_caf_sync_memory(int *stat, char *text, size_t length);
void _gfortran_caf_sync_images(int count, int *images, int *stat, char *text, size_t length);
void _gfortran_caf_stop_numeric(int status, bool quiet);
void _gfortran_caf_stop_str(const char *message, size_t length, bool quiet);
void _gfortran_caf_error_stop(int status, bool quiet);
void _gfortran_caf_error_stop_str(const char *message, size_t length, bool quiet);
void _gfortran_caf_fail_image(void);
int _gfortran_caf_image_status(int image, void **team);
void _gfortran_caf_failed_images(struct gfortran_array *array, void **team, int *kind);
void _gfortran_caf_stopped_images(struct gfortran_array *array, void **team, int *kind);

void _gfortran_caf_lock(caf_token_t token, size_t index, int image, int *acquired, int *stat,
                        char *text, size_t length);
void _gfortran_caf_unlock(caf_token_t token, size_t index, int image, int *stat, char *text,
                          size_t length);
void _gfortran_caf_event_post(caf_token_t token, size_t index, int image, int *stat, char *text,
                              size_t length);
void _gfortran_caf_event_wait(caf_token_t token, size_t index, int until, int *stat, char *text,
                              size_t length);
void _gfortran_caf_event_query(caf_token_t token, size_t index, int image, int *count, int *stat);
void _gfortran_caf_atomic_define(caf_token_t token, size_t offset, int image, void *value,
                                 int *stat, int type, int kind);
void _gfortran_caf_atomic_ref(caf_token_t token, size_t offset, int image, void *value, int *stat,
                              int type, int kind);
void _gfortran_caf_atomic_cas(caf_token_t token, size_t offset, int image, void *old, void *compare,
                              void *value, int *stat, int type, int kind);
void _gfortran_caf_atomic_op(int operation, caf_token_t token, size_t offset, int image,
                             void *value, void *old, int *stat, int type, int kind);

void _gfortran_caf_co_broadcast(struct gfortran_array *array, int image, int *stat, char *text,
                                size_t length);
void _gfortran_caf_co_sum(struct gfortran_array *array, int result_image, int *stat, char *text,
                          size_t length);
void _gfortran_caf_co_min(struct gfortran_array *array, int result_image, int *stat, char *text,
                          int characters, size_t length);
void _gfortran_caf_co_max(struct gfortran_array *array, int result_image, int *stat, char *text,
                          int characters, size_t length);
void _gfortran_caf_co_reduce(struct gfortran_array *array, void (*function)(void), int flags,
                             int result_image, int *stat, char *text, int characters,
                             size_t length);

#if SHEAF_GFORTRAN <= 15
int _gfortran_caf_this_image(int distance);
int _gfortran_caf_num_images(int distance, int failed);
void _gfortran_caf_form_team(int number, void **team, int index);
void _gfortran_caf_change_team(void **team, int unused);
void _gfortran_caf_end_team(void **unused);
void _gfortran_caf_sync_team(void **team, int unused);
void *_gfortran_caf_get_team(int *level);
int _gfortran_caf_team_number(void *team); /* the team itself, or NULL */
#else
int _gfortran_caf_this_image(void *team);
int _gfortran_caf_num_images(void *team, const int32_t *number);
void _gfortran_caf_form_team(int number, void **team, const int *index, int *stat, char *text,
                             size_t length);
void _gfortran_caf_change_team(void *team, int *stat, char *text, size_t length);
void _gfortran_caf_end_team(int *stat, char *text, size_t length);
void _gfortran_caf_sync_team(void *team, int *stat, char *text, size_t length);
void *_gfortran_caf_get_team(const int32_t *level);
int _gfortran_caf_team_number(void *team); /* the team itself, or NULL */
#endif
void _gfortran_caf_random_init(bool repeatable, bool image_distinct);

#pragma GCC visibility pop

/* Once, before the program's first statement: what this version's reads and writes need.
 * Collective. */
void sheaf_gfortran_begin(void);

#endif
