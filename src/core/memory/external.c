/* SPDX-License-Identifier: BSD-3-Clause
 * See external.h.
 */
#include "core/memory/external.h"

#include "base/log.h"
#include "core/pe/public_extensions.h"

#include <stdint.h>
#include <stdio.h>

struct sheaf_segment sheaf_external_heap;

static struct {
    int type, index;
} device;

static const char *const names[] = {
    [SHMEMX_EXTERNAL_HEAP_ZE] = "Level Zero",
    [SHMEMX_EXTERNAL_HEAP_CUDA] = "CUDA",
};
#define NAMES (int)(sizeof names / sizeof *names)

void sheaf_external_create(void *base, size_t size, int device_type, int device_index, const char *call)
{
    if (sheaf_external_heap.length)
        sheaf_fatal("SH123 %s: there is an external heap at %p already: a PE has one", call,
                    (void *)sheaf_external_heap.start);
    if (!base || size == 0 || size > UINTPTR_MAX - (uintptr_t)base)
        sheaf_fatal("SH123 %s: base is %p and size %zu; expected the first byte and the length of the "
                    "memory", call, base, size);
    if (device_type < 0 || device_type >= NAMES)
        sheaf_fatal("SH123 %s: device_type is %d; expected SHMEMX_EXTERNAL_HEAP_ZE (%d) or "
                    "SHMEMX_EXTERNAL_HEAP_CUDA (%d)",
                    call, device_type, SHMEMX_EXTERNAL_HEAP_ZE, SHMEMX_EXTERNAL_HEAP_CUDA);
    device.type = device_type;
    device.index = device_index;
    sheaf_external_heap = (struct sheaf_segment){base, size};
}

void sheaf_external_forget(void)
{
    sheaf_external_heap = (struct sheaf_segment){0};
}

void sheaf_external_describe(char *text, size_t size)
{
    snprintf(text, size, "in the external heap of %zu bytes (%s device %d)", sheaf_external_heap.length,
             names[device.type], device.index);
}
