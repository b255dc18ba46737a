/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The older interface: start, end, questions, and memory by the word, which Cray pointers point to.
 */
#include "older.h"

void start_pes_(const int *npes)
{
    start_pes(*npes);
}

void shmem_init_(void)
{
    shmem_init();
}

void shmem_init_thread_(const int *requested, int *provided)
{
    shmem_init_thread(*requested, provided);
}

void shmem_query_thread_(int *provided)
{
    shmem_query_thread(provided);
}

void shmem_finalize_(void)
{
    shmem_finalize();
}

void shmem_global_exit_(const int *status)
{
    shmem_global_exit(*status);
}

int shmem_my_pe_(void)
{
    return shmem_my_pe();
}

int shmem_n_pes_(void)
{
    return shmem_n_pes();
}

int my_pe_(void)
{
    return shmem_my_pe();
}

int num_pes_(void)
{
    return shmem_n_pes();
}

void shmem_info_get_version_(int *major, int *minor)
{
    shmem_info_get_version(major, minor);
}

/* A text's length comes last. */
void shmem_info_get_name_(char *name, size_t length)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    sheaf_give_text(text, name, length);
}

int shmem_pe_accessible_(const int *pe)
{
    return shmem_pe_accessible(*pe);
}

int shmem_addr_accessible_(const void *address, const int *pe)
{
    return shmem_addr_accessible(address, *pe);
}

void *shmem_ptr_(const void *dest, const int *pe)
{
    return shmem_ptr(dest, *pe);
}

#define WORD           4 /* bytes */
#define BAD_LENGTH     (-1)
#define OUT_OF_MEMORY  (-2)

static void settle(const char *call, int code, int length, int *errcode, int must_end)
{
    *errcode = code;
    if (code < 0 && must_end)
        sheaf_refuse(call, code == BAD_LENGTH ? "length is %d words: expected at least 1"
                                              : "no memory for %d words", length);
}

void shpalloc_(void **address, const int *length, int *errcode, const int *must_end)
{
    void *block = *length > 0 ? shmem_malloc((size_t)*length * WORD) : NULL;
    int code = *length <= 0 ? BAD_LENGTH : block ? 0 : OUT_OF_MEMORY;
    if (code == 0)
        *address = block;
    settle("shpalloc", code, *length, errcode, *must_end);
}

/* The answer is 1 where the block lies elsewhere now. */
void shpclmove_(void **address, const int *length, int *errcode, const int *must_end)
{
    void *before = *address, *block = *length > 0 ? shmem_realloc(before, (size_t)*length * WORD) : NULL;
    int code = *length <= 0 ? BAD_LENGTH : !block ? OUT_OF_MEMORY : block != before;
    if (code >= 0)
        *address = block;
    settle("shpclmove", code, *length, errcode, *must_end);
}

void shpdeallc_(void **address, int *errcode, const int *must_end)
{
    (void)must_end; /* a block that is none ends the program in any case */
    shmem_free(*address);
    *errcode = 0;
}
