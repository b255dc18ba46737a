/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of shim.h for the MPI whose mpi.h this is compiled with. It is a library of its own, and
 * the only place that includes mpi.h. Needs MPI 3.0.
 */
#include "base/mpi/shim.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined SHEAF_MPI_ABI && !defined MPI_ABI_VERSION
#error "ABI_INCLUDE holds an mpi.h that is not of the standard ABI"
#endif
_Static_assert(MPI_VERSION >= 3, "this MPI is older than 3.0");
_Static_assert(sizeof(MPI_Comm) <= sizeof(uint64_t), "a communicator's handle has room");
_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "a request's handle has room");
_Static_assert(sizeof(MPI_Win) <= sizeof(uint64_t), "a window's handle has room");

static MPI_Comm comm_of(const sheaf_mpi_comm *comm)
{
    MPI_Comm handle;
    memcpy(&handle, comm, sizeof handle);
    return handle;
}

static MPI_Request request_of(const sheaf_mpi_request *request)
{
    MPI_Request handle;
    memcpy(&handle, request, sizeof handle);
    return handle;
}

static MPI_Win window_of(const sheaf_mpi_window *window)
{
    MPI_Win handle;
    memcpy(&handle, window, sizeof handle);
    return handle;
}

static bool is_initialized(void)
{
    int is_there = 0;
    return MPI_Initialized(&is_there) == MPI_SUCCESS && is_there;
}

static bool is_finalized(void)
{
    int is_over = 0;
    return MPI_Finalized(&is_over) == MPI_SUCCESS && is_over;
}

static int initialize(void)
{
    int given;
    return MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &given);
}

static int finalize(void)
{
    return MPI_Finalize();
}

static int native_level(void)
{
    int given = MPI_THREAD_SINGLE;
    MPI_Query_thread(&given);
    return given;
}

static enum sheaf_mpi_level level(void)
{
    int given = native_level();
    return given == MPI_THREAD_MULTIPLE     ? SHEAF_MPI_MULTIPLE
           : given == MPI_THREAD_SERIALIZED ? SHEAF_MPI_SERIALIZED
           : given == MPI_THREAD_FUNNELED   ? SHEAF_MPI_FUNNELED
                                            : SHEAF_MPI_SINGLE;
}

static void abort_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

/* MPICH's text has many lines: of the first one, up to what follows its version. */
static void describe(char *text, size_t size)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(all, &length);
    all[strcspn(all, ",\n")] = '\0';
    for (char *tab; (tab = strchr(all, '\t')) != NULL;)
        memmove(tab, tab + 1, strlen(tab));
    char *colon = strstr(all, "Version:");
    if (colon)
        snprintf(text, size, "%.*s%s", (int)(colon - all), all,
                 colon + strlen("Version:") + strspn(colon + strlen("Version:"), " "));
    else
        snprintf(text, size, "%s", all);
}

static void words(int error, char *text, size_t size)
{
    char all[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(error, all, &length);
    all[strcspn(all, "\n")] = '\0';
    snprintf(text, size, "%s", all);
}

static int open_world(sheaf_mpi_comm *comm)
{
    MPI_Comm handle;
    int status = MPI_Comm_dup(MPI_COMM_WORLD, &handle);
    if (status != MPI_SUCCESS)
        return status;
    memcpy(comm, &handle, sizeof handle);
    return MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
}

/* What nobody has received, goodbyes to a port that was closed by then: MPICH 5 ends the program in
 * MPI_Comm_free where any is left. */
static void drop_unreceived(MPI_Comm handle)
{
    MPI_Status what;
    int is_there = 0, count = 0;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handle, &is_there, &what) == MPI_SUCCESS && is_there) {
        MPI_Get_count(&what, MPI_BYTE, &count);
        void *bytes = malloc(count > 0 ? (size_t)count : 1);
        int status = bytes ? MPI_Recv(bytes, count, MPI_BYTE, what.MPI_SOURCE, what.MPI_TAG, handle,
                                      MPI_STATUS_IGNORE)
                           : MPI_ERR_NO_MEM;
        free(bytes);
        if (status != MPI_SUCCESS)
            return;
    }
}

static void close_world(sheaf_mpi_comm *comm)
{
    MPI_Comm handle = comm_of(comm);
    drop_unreceived(handle);
    MPI_Comm_free(&handle);
}

static void barrier(const sheaf_mpi_comm *comm)
{
    MPI_Barrier(comm_of(comm));
}

static void place(int *rank, int *size)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int most_tag(void)
{
    int *most, is_set;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &is_set);
    return is_set ? *most : 32767;
}

static int gather_counts(const sheaf_mpi_comm *comm, int mine, int *counts)
{
    return MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, comm_of(comm));
}

static int gather(const sheaf_mpi_comm *comm, const void *mine, int bytes, void *all, const int *counts,
                  const int *places)
{
    return MPI_Allgatherv(mine, bytes, MPI_BYTE, all, counts, places, MPI_BYTE, comm_of(comm));
}

static int send(const sheaf_mpi_comm *comm, const void *bytes, int count, int rank, int tag,
                sheaf_mpi_request *request)
{
    MPI_Request handle;
    int status = MPI_Isend(bytes, count, MPI_BYTE, rank, tag, comm_of(comm), &handle);
    memcpy(request, &handle, sizeof handle);
    return status;
}

static int receive(const sheaf_mpi_comm *comm, void *bytes, int count, int source, int tag,
                   sheaf_mpi_request *request)
{
    MPI_Request handle;
    int from = source < 0 ? MPI_ANY_SOURCE : source;
    int status = MPI_Irecv(bytes, count, MPI_BYTE, from, tag, comm_of(comm), &handle);
    memcpy(request, &handle, sizeof handle);
    return status;
}

static int test(sheaf_mpi_request *request, bool *has_ended, struct sheaf_mpi_arrival *end)
{
    MPI_Request handle = request_of(request);
    MPI_Status what;
    int is_over = 0, count = 0;
    int status = MPI_Test(&handle, &is_over, &what);
    memcpy(request, &handle, sizeof handle);
    *has_ended = is_over || status != MPI_SUCCESS;
    if (status == MPI_SUCCESS && is_over && end) {
        MPI_Get_count(&what, MPI_BYTE, &count);
        *end = (struct sheaf_mpi_arrival){what.MPI_SOURCE, count > 0 ? (size_t)count : 0};
    }
    return status;
}

static void cancel(sheaf_mpi_request *request)
{
    MPI_Request handle = request_of(request);
    MPI_Cancel(&handle);
    memcpy(request, &handle, sizeof handle);
}

static int least(const sheaf_mpi_comm *comm, int *value)
{
    int own = *value;
    return MPI_Allreduce(&own, value, 1, MPI_INT, MPI_MIN, comm_of(comm));
}

static int first_elsewhere(const sheaf_mpi_comm *comm)
{
    MPI_Comm here;
    MPI_Group all, near, far;
    int first = MPI_UNDEFINED, zero = 0, count;
    if (MPI_Comm_split_type(comm_of(comm), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) != MPI_SUCCESS)
        return -1;
    MPI_Comm_group(comm_of(comm), &all);
    MPI_Comm_group(here, &near);
    MPI_Group_difference(all, near, &far);
    MPI_Group_size(far, &count);
    if (count > 0)
        MPI_Group_translate_ranks(far, 1, &zero, all, &first);
    MPI_Group_free(&all);
    MPI_Group_free(&near);
    if (count > 0)
        MPI_Group_free(&far);
    MPI_Comm_free(&here);
    return first == MPI_UNDEFINED ? -1 : first;
}

/* Locked once for all: nobody uses MPI's locks to keep others out. */
static int window_open(const sheaf_mpi_comm *comm, void *start, size_t bytes, sheaf_mpi_window *window,
                       bool *is_unified)
{
    MPI_Win handle;
    int *model, is_set = 0;
    int status = MPI_Win_create(start, (MPI_Aint)bytes, 1, MPI_INFO_NULL, comm_of(comm), &handle);
    if (status != MPI_SUCCESS)
        return status;
    memcpy(window, &handle, sizeof handle);
    MPI_Win_set_errhandler(handle, MPI_ERRORS_RETURN);
    MPI_Win_get_attr(handle, MPI_WIN_MODEL, &model, &is_set);
    *is_unified = is_set && *model == MPI_WIN_UNIFIED;
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, handle);
}

static void window_close(sheaf_mpi_window *window)
{
    MPI_Win handle = window_of(window);
    MPI_Win_unlock_all(handle);
    MPI_Win_free(&handle);
}

static int put(const sheaf_mpi_window *window, const void *source, int count, int rank, uint64_t place,
               sheaf_mpi_request *request)
{
    MPI_Request handle;
    MPI_Aint there = (MPI_Aint)place;
    if (!request)
        return MPI_Put(source, count, MPI_BYTE, rank, there, count, MPI_BYTE, window_of(window));
    int status = MPI_Rput(source, count, MPI_BYTE, rank, there, count, MPI_BYTE, window_of(window),
                          &handle);
    memcpy(request, &handle, sizeof handle);
    return status;
}

static int get(const sheaf_mpi_window *window, void *dest, int count, int rank, uint64_t place,
               sheaf_mpi_request *request)
{
    MPI_Request handle;
    MPI_Aint there = (MPI_Aint)place;
    if (!request)
        return MPI_Get(dest, count, MPI_BYTE, rank, there, count, MPI_BYTE, window_of(window));
    int status = MPI_Rget(dest, count, MPI_BYTE, rank, there, count, MPI_BYTE, window_of(window),
                          &handle);
    memcpy(request, &handle, sizeof handle);
    return status;
}

static MPI_Datatype type_of(const struct sheaf_mpi_word *word)
{
    return word->bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
}

static int change(const struct sheaf_mpi_word *word, enum sheaf_mpi_change what, const void *operand,
                  void *before)
{
    const MPI_Op operations[SHEAF_MPI_CHANGES] = {[SHEAF_MPI_SUM] = MPI_SUM, [SHEAF_MPI_AND] = MPI_BAND,
                                                  [SHEAF_MPI_OR] = MPI_BOR, [SHEAF_MPI_XOR] = MPI_BXOR,
                                                  [SHEAF_MPI_REPLACE] = MPI_REPLACE};
    MPI_Win window = window_of(word->window);
    MPI_Aint place = (MPI_Aint)word->place;
    if (before)
        return MPI_Fetch_and_op(operand, before, type_of(word), word->rank, place, operations[what],
                                window);
    return MPI_Accumulate(operand, 1, type_of(word), word->rank, place, 1, type_of(word),
                          operations[what], window);
}

static int compare_swap(const struct sheaf_mpi_word *word, const void *compare, const void *value,
                        void *before)
{
    return MPI_Compare_and_swap(value, compare, before, type_of(word), word->rank, (MPI_Aint)word->place,
                                window_of(word->window));
}

static int flush(const sheaf_mpi_window *window, int rank)
{
    return MPI_Win_flush(rank, window_of(window));
}

__attribute__((visibility("default"))) extern const struct sheaf_mpi_shim sheaf_mpi_shim;
const struct sheaf_mpi_shim sheaf_mpi_shim = {
    .version = SHEAF_MPI_SHIM_VERSION,
    .is_initialized = is_initialized,
    .is_finalized = is_finalized,
    .initialize = initialize,
    .finalize = finalize,
    .level = level,
    .native_level = native_level,
    .abort = abort_all,
    .describe = describe,
    .words = words,
    .open = open_world,
    .close = close_world,
    .barrier = barrier,
    .place = place,
    .most_tag = most_tag,
    .gather_counts = gather_counts,
    .gather = gather,
    .send = send,
    .receive = receive,
    .test = test,
    .cancel = cancel,
    .least = least,
    .first_elsewhere = first_elsewhere,
    .window_open = window_open,
    .window_close = window_close,
    .put = put,
    .get = get,
    .change = change,
    .compare_swap = compare_swap,
    .flush = flush,
};
