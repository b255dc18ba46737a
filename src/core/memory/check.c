/* SPDX-License-Identifier: BSD-3-Clause
 * See check.h.
 */
#include "core/memory/check.h"

#include "base/atomic.h"
#include "base/log.h"
#include "core/pe/job.h"
#include "core/pe/public.h"
#include "core/memory/address_text.h"
#include "core/memory/symmetric.h"

#include <pthread.h>

void sheaf_check_bytes_refuse(size_t count, size_t element_bytes, const char *call)
{
    if (element_bytes == 1)
        sheaf_fatal("SH105 %s: so many elements are more bytes than an address space holds; was their "
                    "number negative?", call);
    sheaf_fatal("SH105 %s: %zu elements of %zu bytes are more than an address space holds%s", call, count,
                element_bytes, (ptrdiff_t)count < 0 ? "; was their number negative?" : "");
}

void sheaf_check_apart(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                       bool may_be_same, const char *call)
{
    uintptr_t to = (uintptr_t)dest, from = (uintptr_t)source;
    if (!sheaf_job_checks_args() || (may_be_same && to == from) || dest_bytes == 0 || source_bytes == 0)
        return;
    if (to - from < source_bytes || from - to < dest_bytes)
        sheaf_fatal("SH106 %s: %zu bytes of dest at %p and %zu bytes of source at %p overlap: they must "
                    "%shave no byte in common", call, dest_bytes, dest, source_bytes, source,
                    may_be_same ? "be the same or " : "");
}

void sheaf_check_reached(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         const char *call)
{
    sheaf_symmetric_require(dest, dest_bytes, call);
    sheaf_symmetric_require(source, source_bytes, call);
}

void sheaf_check_buffers(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         bool may_be_same, const char *call)
{
    if (sheaf_likely(!sheaf_job_checks_args()))
        return;
    sheaf_check_reached(dest, dest_bytes, source, source_bytes, call);
    sheaf_check_apart(dest, dest_bytes, source, source_bytes, may_be_same, call);
}

void sheaf_check_signal(const void *dest, size_t bytes, const uint64_t *signal, const char *call)
{
    uintptr_t to = (uintptr_t)dest, at = (uintptr_t)signal;
    if (sheaf_job_checks_args() && bytes > 0 && (at - to < bytes || to - at < sizeof *signal))
        sheaf_fatal("SH106 %s: sig_addr %p lies within the %zu bytes of dest at %p: the data would change "
                    "the signal", call, (const void *)signal, bytes, dest);
}

void sheaf_check_thread(const char *call)
{
    int level = sheaf_job.thread_level;
    if (!sheaf_job_checks_args() || level >= SHMEM_THREAD_SERIALIZED ||
        pthread_equal(sheaf_job.thread, pthread_self()))
        return;
    sheaf_fatal("SH111 %s: called by another thread than the one that initialized, which %s alone lets "
                "call the library: ask shmem_init_thread for SHMEM_THREAD_SERIALIZED or "
                "SHMEM_THREAD_MULTIPLE", call,
                level == SHMEM_THREAD_SINGLE ? "SHMEM_THREAD_SINGLE" : "SHMEM_THREAD_FUNNELED");
}

void sheaf_check_count(const char *name, int count, const char *call)
{
    if (sheaf_job_checks_args() && count < 0)
        sheaf_fatal("SH105 %s: %s is %d: a number of elements is not negative", call, name, count);
}

static void check_stride(const char *name, ptrdiff_t stride, size_t block_bytes, const char *call)
{
    if (stride < (ptrdiff_t)block_bytes)
        sheaf_fatal("SH122 %s: %s is %td bytes from one block of %zu bytes to the next: blocks must not "
                    "lie over one another", call, name, stride, block_bytes);
}

void sheaf_check_strides(const struct sheaf_blocks *blocks, const char *call)
{
    if (!sheaf_job_checks_args() || blocks->count < 2 || blocks->block_bytes == 0)
        return;
    check_stride("dst", blocks->dest_stride, blocks->block_bytes, call);
    check_stride("sst", blocks->source_stride, blocks->block_bytes, call);
}

void sheaf_check_elements_now(const void *dest, const void *source, size_t alignment, const char *call)
{
    bool is_dest = ((uintptr_t)dest & (alignment - 1)) != 0;
    const void *array = is_dest ? dest : source;
    char what[SHEAF_ADDRESS_TEXT];
    if (!sheaf_job_checks_args())
        return;
    sheaf_address_describe(array, what, sizeof what);
    sheaf_fatal("SH107 %s: %s at %p does not lie at a multiple of %zu bytes, as its type's elements do: "
                "pass an array of that type, or call shmem_putmem or shmem_getmem; it is %s", call,
                is_dest ? "dest" : "source", array, alignment, what);
}

/* bytes is a power of two. A division in place of the mask would take a tenth of the time of an atomic
 * addition in a batch. */
void sheaf_check_aligned(const void *object, size_t bytes, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT];
    if (sheaf_likely(((uintptr_t)object & (bytes - 1)) == 0))
        return;
    sheaf_address_describe(object, what, sizeof what);
    sheaf_fatal("SH107 %s: the object at %p does not lie at a multiple of its %zu bytes, which atomic "
                "operations need: let it be a variable of its type, or a member of a structure that is not "
                "packed; it is %s", call, object, bytes, what);
}
