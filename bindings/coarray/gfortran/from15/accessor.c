/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and writes of coarrays: what gfortran calls for them from version 15 on. The library does
 * not learn which elements are meant; a function of the program, an accessor, finds them in the
 * memory of the image that has them. Where that is mapped here and elements have no pointers, this
 * image calls it.
 */
#include "../../sync.h"
#include "../../team.h"
#include "../libcaf.h"
#include "remote.h"

#include <limits.h>
#include <shmemx_ft.h>
#include <stdlib.h>
#include <string.h>

#define READ  "read of a coarray"
#define WRITE "write of a coarray"

static struct {
    int hash;
    union sheaf_accessor function;
} *accessors; /* by their registration */
static int count, room;

void _gfortran_caf_register_accessor(int hash, void (*function)(void))
{
    if (count == room) {
        room = room ? 2 * room : 64;
        accessors = realloc(accessors, (size_t)room * sizeof *accessors);
        if (!accessors)
            sheaf_outcome_refuse("start", "no memory for %d accessors", room);
    }
    accessors[count].hash = hash;
    accessors[count++].function.any = function;
}

void _gfortran_caf_register_accessors_finish(void)
{
}

int _gfortran_caf_get_remote_function_index(int hash)
{
    for (int i = 0; i < count; i++)
        if (accessors[i].hash == hash)
            return i;
    sheaf_outcome_refuse("access of a coarray", "the program has no accessor %d", hash);
}

static union sheaf_accessor find(int hash)
{
    return accessors[_gfortran_caf_get_remote_function_index(hash)].function;
}

const int sheaf_thread_level = SHMEM_THREAD_MULTIPLE;

void sheaf_gfortran_begin(void)
{
    sheaf_remote_begin(find);
    sheaf_before_end = sheaf_remote_end;
}

/* Where an access goes. */
struct target {
    const char *statement;
    int pe;
    struct sheaf_coarray *coarray;
    char *near; /* NULL: the image is asked */
    struct gfortran_array array;
};

/* A team that CHANGE TEAM has entered, and the initial one. */
static bool is_entered(const struct sheaf_images *team)
{
    const struct sheaf_images *at = sheaf_current;
    while (at && at != team)
        at = at->parent;
    return team && at;
}

enum { STAT_NO_TEAM = 1, INITIAL_TEAM = -1 };

/* Finds the PE of an image that is named with its team, and gives stat; false: there is no such
 * team. */
static bool find_pe(struct target *target, int image, void **team, const int *number, int *stat)
{
    const struct sheaf_images *named = team ? *team : NULL;
    bool is_initial = number && *number == INITIAL_TEAM;
    struct sheaf_outcome outcome = {target->statement, stat, NULL, 0};
    if (is_initial)
        named = sheaf_images_at(INT_MAX);
    if (team && !is_entered(named)) {
        sheaf_outcome_bad(&outcome, STAT_NO_TEAM,
                          "TEAM= is neither the current team nor one around it");
        return false;
    }
    if (number && !is_initial && sheaf_images_of_sibling(*number) == 0) {
        sheaf_outcome_bad(&outcome, STAT_NO_TEAM, "TEAM_NUMBER=%d: there is no such team", *number);
        return false;
    }
    target->pe = named    ? sheaf_images_pe_of(target->statement, named, image)
                 : number ? sheaf_images_pe_of_sibling(target->statement, *number, image)
                          : sheaf_images_pe_of(target->statement, sheaf_current, image);
    /* Memory of an image that has failed can still be read and written. */
    if (stat)
        *stat = shmemx_pe_status(target->pe) == SHMEMX_PE_ALIVE ? 0 : SHEAF_STAT_FAILED;
    return true;
}

static void copy_array(struct gfortran_array *to, const struct gfortran_array *from)
{
    memcpy(to, from,
           offsetof(struct gfortran_array, dimensions) +
               (size_t)from->dtype.rank * sizeof *from->dimensions);
}

/* Returns what the accessor takes as the coarray, or NULL where the image is to be asked. */
static void *aim(struct target *target, caf_token_t token, const struct gfortran_array *array)
{
    target->coarray = token;
    if (target->coarray && target->coarray->is_here && !target->coarray->memory)
        sheaf_outcome_refuse(
            target->statement,
            "a subscript that is a function's array, of an image that this one asks for "
            "its coarray: assign the subscript to a variable first");
    if (!target->coarray || !target->coarray->memory)
        sheaf_outcome_refuse(target->statement, "the coarray is not allocated");
    bool is_mine = target->pe == shmem_my_pe() || target->coarray->is_here;
    target->near = is_mine                      ? target->coarray->memory
                   : target->coarray->may_point ? NULL
                                                : shmem_ptr(target->coarray->memory, target->pe);
    if (array)
        copy_array(&target->array, array);
    target->array.base = target->near;
    return !target->near ? NULL : array ? (void *)&target->array : target->near;
}

static struct sheaf_request request_for(const struct target *target, enum sheaf_access access,
                                        int index, const void *arguments, size_t bytes,
                                        const struct gfortran_array *array)
{
    struct sheaf_request request = {.access = access,
                                    .accessor = accessors[index].hash,
                                    .image = sheaf_current->image,
                                    .memory =
                                        shmemx_owner_address(target->coarray->memory, target->pe),
                                    .arguments = arguments,
                                    .arguments_bytes = bytes,
                                    .has_array = array};
    if (array)
        copy_array(&request.array, array);
    return request;
}

/* What an access reads into: an array that keeps its place or not, or a scalar. */
struct dest {
    size_t bytes;
    void **scalar; /* the address of its place, which may be given another */
    struct gfortran_array *array;
    size_t *length;
    bool may_move;
};

/* Gives an array what the accessor or the reply has in memory of its own. */
static void give_array(const struct dest *dest, struct gfortran_array *made, size_t bytes,
                       char *place)
{
    if (dest->may_move) {
        free(place);
        copy_array(dest->array, made);
        return;
    }
    if (made->base != place && made->base) {
        size_t room_there = sheaf_gfortran_bytes(dest->array);
        memcpy(place, made->base, bytes < room_there ? bytes : room_there);
        free(made->base);
    }
}

/* In a profile the rest of the block is an event of this name: the accessor's loads and stores are
 * no calls. */
#define SHEAF_EVENT(NAME)                                                                          \
    __attribute__((cleanup(end_event))) const char *event = (NAME);                                \
    if (sheaf_is_observed)                                                                         \
    shmemx_event_begin(event)
static void end_event(const char **event)
{
    if (sheaf_is_observed)
        shmemx_event_end(*event);
}

static void read_here(void *memory, int index, void *arguments, const struct dest *dest,
                      const size_t *length)
{
    struct sheaf_coarray token = {.is_here = true, .memory = arguments};
    SHEAF_EVENT(READ);
    int32_t is_new = 0;
    if (!dest->array) {
        accessors[index].function.read(arguments, &sheaf_current->image, dest->scalar, &is_new,
                                       memory, &token, 0, dest->length, length);
        return;
    }
    struct gfortran_array made;
    char *place = dest->array->base;
    copy_array(&made, dest->array);
    made.base = NULL; /* the accessor may give it another size */
    accessors[index].function.read(arguments, &sheaf_current->image, &made, &is_new, memory, &token,
                                   0, dest->length, length);
    give_array(dest, &made, made.base ? sheaf_gfortran_bytes(&made) : 0, place);
}

static void read_there(const struct target *target, struct sheaf_request *request,
                       const struct dest *dest, const size_t *length)
{
    struct sheaf_reply reply;
    request->is_array = dest->array;
    request->has_length = length;
    request->length = length ? *length : 0;
    request->has_other_length = dest->length;
    request->other_length = dest->length ? *dest->length : 0;
    request->bytes = dest->bytes;
    if (dest->array)
        copy_array(&request->other, dest->array);
    sheaf_remote_ask(READ, request, &reply, target->pe);
    if (dest->array) {
        reply.array.base = reply.data;
        give_array(dest, &reply.array, reply.bytes, dest->array->base);
    } else {
        size_t room_there = dest->bytes * (dest->length ? *dest->length : 1);
        memcpy(*dest->scalar, reply.data, reply.bytes < room_there ? reply.bytes : room_there);
        free(reply.data);
    }
    if (dest->length)
        *dest->length = reply.length;
}

void _gfortran_caf_get_from_remote(caf_token_t token, struct gfortran_array *source,
                                   const size_t *length, int image, size_t bytes, void **dest_data,
                                   size_t *dest_length, struct gfortran_array *dest, bool may_move,
                                   int index, void *arguments, size_t arguments_bytes, int *stat,
                                   void **team, const int *team_number)
{
    SHEAF_ACCESS();
    struct target target = {.statement = READ};
    if (!find_pe(&target, image, team, team_number, stat))
        return;
    struct dest to = {bytes, dest_data, dest, dest_length, may_move};
    void *memory = aim(&target, token, source);
    if (memory) {
        read_here(memory, index, arguments, &to, length);
        return;
    }
    struct sheaf_request request =
        request_for(&target, ACCESS_READ, index, arguments, arguments_bytes, source);
    read_there(&target, &request, &to, length);
}

int32_t _gfortran_caf_is_present_on_remote(caf_token_t token, int image, int index, void *arguments,
                                           size_t bytes)
{
    SHEAF_ACCESS();
    struct sheaf_coarray *coarray = token;
    if (!coarray || !coarray->memory)
        return 0;
    struct target target = {.statement = "ALLOCATED", .pe = sheaf_images_pe("ALLOCATED", image)};
    struct sheaf_reply reply;
    struct sheaf_request request;
    target.coarray = coarray;
    request = request_for(&target, ACCESS_LOOK, index, arguments, bytes, coarray->descriptor);
    request.by_pointer = SHEAF_GFORTRAN >= 16 && !coarray->is_array;
    sheaf_remote_ask("ALLOCATED", &request, &reply, target.pe);
    return reply.is_present;
}

/* What an access writes: an array without gaps or with them, or a scalar. */
struct source {
    size_t bytes;
    const void *scalar;
    const struct gfortran_array *array;
    const size_t *length;
};

static bool is_joined(const struct gfortran_array *array)
{
    ptrdiff_t stride = 1;
    for (int i = 0; i < array->dtype.rank; i++) {
        if (array->dimensions[i].stride != stride)
            return false;
        stride *= array->dimensions[i].upper - array->dimensions[i].lower + 1;
    }
    return array->span == 0 || array->span == (ptrdiff_t)array->dtype.length;
}

/* made: the array without gaps, in a buffer that the caller frees. */
static char *pack(struct gfortran_array *made, const struct gfortran_array *array)
{
    struct sheaf_section section;
    sheaf_gfortran_section(array, NULL, 0, &section);
    copy_array(made, array);
    made->base = sheaf_section_pack(WRITE, &section);
    made->span = (ptrdiff_t)array->dtype.length;
    made->offset = 0;
    ptrdiff_t stride = 1;
    for (int i = 0; i < array->dtype.rank; i++) {
        made->dimensions[i].stride = stride;
        made->offset -= (size_t)(array->dimensions[i].lower * stride);
        stride *= section.dimensions[i].count;
    }
    return made->base;
}

static void write_here(const struct target *target, void *memory, int index, void *arguments,
                       const struct source *source, const size_t *length)
{
    struct sheaf_coarray token = {.is_here = true, .memory = arguments};
    SHEAF_EVENT(WRITE);
    struct gfortran_array copy;
    char *kept = NULL;
    const void *from = source->array ? (const void *)source->array : source->scalar;
    /* Accessors take an array without gaps; this image's own may overlap what is written. */
    if (source->array && (target->pe == shmem_my_pe() || !is_joined(source->array))) {
        kept = pack(&copy, source->array);
        from = &copy;
    }
    accessors[index].function.write(arguments, &sheaf_current->image, memory, from, &token, 0,
                                    length, source->length);
    free(kept);
}

static void write_there(const struct target *target, struct sheaf_request *request,
                        const struct source *source, const size_t *length)
{
    struct sheaf_reply reply;
    char *packed = NULL;
    request->is_array = source->array;
    request->has_length = length;
    request->length = length ? *length : 0;
    request->has_other_length = source->length;
    request->other_length = source->length ? *source->length : 0;
    request->bytes = source->bytes * (source->length && !source->array ? *source->length : 1);
    request->data = source->scalar;
    if (source->array) {
        packed = pack(&request->other, source->array);
        request->bytes = sheaf_gfortran_bytes(&request->other);
        request->data = packed;
    }
    sheaf_remote_ask(WRITE, request, &reply, target->pe);
    free(packed);
}

static void write_to(const struct target *target, void *memory, struct gfortran_array *dest,
                     const size_t *length, int index, void *arguments, size_t arguments_bytes,
                     const struct source *from)
{
    /* An accessor takes the length of what is written, and before it that of a coarray of characters;
     * gfortran passes a component's in its place, whose accessor knows it. */
    if (length && *length && from->length && !target->coarray->text)
        length = from->length;
    if (memory) {
        write_here(target, memory, index, arguments, from, length);
        return;
    }
    struct sheaf_request request =
        request_for(target, ACCESS_WRITE, index, arguments, arguments_bytes, dest);
    write_there(target, &request, from, length);
}

void _gfortran_caf_send_to_remote(caf_token_t token, struct gfortran_array *dest,
                                  const size_t *length, int image, size_t bytes, const void *data,
                                  const size_t *source_length, const struct gfortran_array *source,
                                  int index, void *arguments, size_t arguments_bytes, int *stat,
                                  void **team, const int *team_number)
{
    SHEAF_ACCESS();
    struct target target = {.statement = WRITE};
    if (!find_pe(&target, image, team, team_number, stat))
        return;
    struct source from = {bytes, data, source, source_length};
    void *memory = aim(&target, token, dest);
    write_to(&target, memory, dest, length, index, arguments, arguments_bytes, &from);
}

void _gfortran_caf_transfer_between_remotes(
    caf_token_t dest_token, struct gfortran_array *dest, size_t *dest_length, int dest_image,
    int dest_index, void *dest_arguments, size_t dest_arguments_bytes, caf_token_t source_token,
    struct gfortran_array *source, const size_t *source_length, int source_image, int source_index,
    void *source_arguments, size_t source_arguments_bytes, size_t bytes, bool is_scalar,
    int *dest_stat, int *source_stat, void **dest_team, const int *dest_team_number,
    void **source_team, const int *source_team_number)
{
    SHEAF_ACCESS();
    if (SHEAF_GFORTRAN <= 15) /* which passes two arguments less than it declares */
        source_team = NULL, source_team_number = NULL;
    struct target from = {.statement = READ}, to = {.statement = WRITE};
    if (!find_pe(&from, source_image, source_team, source_team_number, source_stat) ||
        !find_pe(&to, dest_image, dest_team, dest_team_number, dest_stat))
        return;
    size_t length = dest_length ? *dest_length : 1, room_here = is_scalar ? bytes * length : 0;
    char *buffer = malloc(room_here ? room_here : 1);
    void *scalar = buffer;
    if (!buffer)
        sheaf_outcome_refuse(WRITE, "no memory for a copy of %zu bytes", room_here);
    struct gfortran_array array = {0};
    struct dest middle = {bytes, &scalar, is_scalar ? NULL : &array, dest_length, true};
    void *memory = aim(&from, source_token, source);
    if (memory) {
        read_here(memory, source_index, source_arguments, &middle, source_length);
    } else {
        struct sheaf_request request = request_for(
            &from, ACCESS_READ, source_index, source_arguments, source_arguments_bytes, source);
        read_there(&from, &request, &middle, source_length);
    }
    memory = aim(&to, dest_token, dest);
    struct source read = {bytes, scalar, is_scalar ? NULL : &array, source_length};
    write_to(&to, memory, dest, dest_length, dest_index, dest_arguments, dest_arguments_bytes,
             &read);
    if (!is_scalar)
        free(array.base);
    free(buffer);
}
