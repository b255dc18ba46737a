/* SPDX-License-Identifier: BSD-3-Clause
 * See address_text.h. Also runs in a fault handler: no allocation, no stdio stream.
 */
#include "core/memory/address_text.h"

#include "base/os/os.h"
#include "core/memory/blocks.h"
#include "core/memory/symmetric.h"
#include "core/memory/external.h"
#include "core/memory/space.h"
#include "image/image.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Without /proc: whether the page is there, and nothing about it. */
static bool is_resident(uintptr_t address)
{
    unsigned char resident;
    uintptr_t page = address & ~(uintptr_t)(sheaf_os_page_size() - 1);
    return mincore((void *)page, 1, &resident) == 0;
}

/* The line of /proc/self/maps that holds address: its path, "" for none. */
static bool find_mapping(uintptr_t address, char *path, size_t size)
{
    char buffer[4096];
    size_t used = 0;
    bool found = false;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        snprintf(path, size, "private memory");
        return is_resident(address);
    }
    for (ssize_t got; !found && (got = read(fd, buffer + used, sizeof buffer - 1 - used)) > 0;) {
        used += (size_t)got;
        buffer[used] = '\0';
        char *line = buffer, *end;
        for (; !found && (end = strchr(line, '\n')); line = end + 1) {
            unsigned long start, stop;
            int at = 0;
            *end = '\0';
            if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &stop, &at) == 2 &&
                address >= start && address < stop) {
                snprintf(path, size, "%s", at ? line + at : "");
                found = true;
            }
        }
        used = strlen(line);
        memmove(buffer, line, used);
    }
    close(fd);
    return found;
}

bool sheaf_address_is_mapped(const void *address)
{
    char path[256];
    return find_mapping((uintptr_t)address, path, sizeof path);
}

/* Nothing allocated there: say how far past the nearest block below, if one is near. */
static void describe_heap(const char *address, char *text, size_t size)
{
    void *start;
    size_t length;
    if (sheaf_blocks_try_find(address, &start, &length)) {
        snprintf(text, size, "in a block of %zu bytes of the symmetric heap", length);
        return;
    }
    for (size_t back = 1; back <= 4096 && sheaf_symmetric_segment(address - back); back++)
        if (sheaf_blocks_try_find(address - back, &start, &length)) {
            snprintf(text, size, "%zu bytes past the end of a block of %zu bytes of the symmetric heap",
                     (size_t)(address - ((char *)start + length)), length);
            return;
        }
    snprintf(text, size, "in the symmetric heap's range, in no allocated block");
}

void sheaf_address_describe(const void *address, char *text, size_t size)
{
    char path[256] = "";
    const struct sheaf_segment *segment = sheaf_symmetric_segment(address);
    const struct sheaf_space *space = segment ? sheaf_space_of(address) : NULL;
    if (segment == &sheaf_image.segments[SHEAF_SEGMENT_HEAP])
        describe_heap(address, text, size);
    else if (space)
        sheaf_space_describe(space, address, text, size);
    else if (segment)
        snprintf(text, size, "a static variable of the program");
    else if (sheaf_segment_holds(&sheaf_external_heap, (uintptr_t)address, 1))
        sheaf_external_describe(text, size);
    else if ((uintptr_t)address < 65536)
        snprintf(text, size, "a null pointer%s", address ? " with an offset" : "");
    else if (sheaf_image_holds_data(address))
        snprintf(text, size, "a static variable, and these PEs run different programs");
    else if (!find_mapping((uintptr_t)address, path, sizeof path))
        snprintf(text, size, "not mapped at all");
    else if (strncmp(path, "[stack", 6) == 0)
        snprintf(text, size, "on the stack");
    else if (strcmp(path, "[heap]") == 0 || path[0] == '\0')
        snprintf(text, size, "private memory (malloc, or a thread's stack)");
    else
        snprintf(text, size, "in %s", path);
}
