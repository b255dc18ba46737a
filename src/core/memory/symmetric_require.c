/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends the program where an address must be symmetric and is not, with a line that describes the address:
 * see symmetric.h.
 */
#include "core/memory/symmetric.h"

#include "base/atomic.h"
#include "base/elf/symbols.h"
#include "base/log.h"
#include "core/memory/address_text.h"
#include "core/memory/blocks.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "core/pe/job.h"
#include "image/image.h"

static const struct sheaf_segment *require_segment(const void *local, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT];
    const struct sheaf_segment *segment = sheaf_symmetric_segment(local);
    if (!segment) {
        sheaf_address_describe(local, what, sizeof what);
        sheaf_fatal("SH102 %s: %p is not symmetric: it is %s; pass the address of a static variable or of "
                    "memory from shmem_malloc", call, local, what);
    }
    return segment;
}

void sheaf_symmetric_require_ends(const void *local, size_t bytes, const char *call)
{
    if (bytes == 0)
        return;
    const struct sheaf_segment *segment = require_segment(local, call);
    const char *last = (const char *)((uintptr_t)local + bytes - 1);
    if (sheaf_unlikely(last < (const char *)local || sheaf_symmetric_segment(last) != segment))
        sheaf_fatal("SH103 %s: %zu bytes at %p reach beyond %s", call, bytes, local,
                    sheaf_segment_name(sheaf_symmetric_kind(segment)));
}

/* For the heap and for spaces: the range must lie within one block. */
static void require_block(const void *local, size_t bytes, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT];
    void *start;
    size_t size;
    if ((sheaf_blocks_find(local, &start, &size) || sheaf_space_try_find_block(local, &start, &size) ||
         sheaf_team_blocks_find(local, &start, &size)) &&
        bytes <= size - (size_t)((const char *)local - (const char *)start))
        return;
    if (sheaf_address_describe_overrun(local, bytes, what, sizeof what))
        sheaf_fatal("SH103 %s: %zu bytes at %p %s", call, bytes, local, what);
    sheaf_address_describe(local, what, sizeof what);
    sheaf_fatal("SH103 %s: %zu bytes at %p are not within one block of symmetric memory: they begin at "
                "what is %s", call, bytes, local, what);
}

/* The range must lie within one variable, where the program's symbols give the lengths of variables. */
static void require_variable(const void *local, size_t bytes, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT];
    uintptr_t start;
    size_t size;
    sheaf_symmetric_require_ends(local, bytes, call);
    if (!sheaf_symbols_find_range((uintptr_t)local, &start, &size))
        return;
    size_t at = (size_t)((uintptr_t)local - start);
    if (at >= size || bytes <= size - at)
        return;
    sheaf_address_describe(local, what, sizeof what);
    sheaf_fatal("SH103 %s: %zu bytes at %p end %zu bytes past their variable of %zu bytes: they begin at "
                "%s", call, bytes, local, bytes - (size - at), size, what);
}

void sheaf_symmetric_require_object(const void *local, size_t bytes, const char *call)
{
    if (bytes == 0)
        return;
    if (sheaf_symmetric_kind(require_segment(local, call)) == SHEAF_SEGMENT_DATA)
        require_variable(local, bytes, call);
    else
        require_block(local, bytes, call);
}

void sheaf_symmetric_require_variable(const void *dest, size_t bytes, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT];
    if (bytes == 0 || sheaf_likely(!sheaf_image_holds_constant(dest, 1)))
        return;
    sheaf_address_describe(dest, what, sizeof what);
    sheaf_fatal("SH109 %s: %p cannot be written: it is %s", call, dest, what);
}

void sheaf_symmetric_require(const void *local, size_t bytes, const char *call)
{
    if (sheaf_job_checks_args())
        sheaf_symmetric_require_object(local, bytes, call);
    else if (bytes > 0 && sheaf_unlikely(!sheaf_symmetric_is_plain(local, bytes)))
        sheaf_symmetric_require_ends(local, bytes, call);
}
