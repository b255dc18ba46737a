/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of image/ share and nobody else needs.
 */
#ifndef SHEAF_IMAGE_INTERNAL_H
#define SHEAF_IMAGE_INTERNAL_H

#include "image/executable.h"
#include "image/image.h"

#include <sys/types.h>

#define SHEAF_HUGE_PAGE ((size_t)2 << 20)

/* Bits of an address that a program gets without asking for more. On AArch64 a position-independent
 * program lies at two thirds of these 48. A machine with fewer refuses what does not fit. */
#if defined(__x86_64__)
#define SHEAF_ADDRESS_BITS 47
#else
#define SHEAF_ADDRESS_BITS 48
#endif

/* Core files show this much of a large data image or heap, and none of the windows. */
#define SHEAF_DUMP_LIMIT ((size_t)64 << 20)

/* Where in sheaf_image.fd an address of the data image lies. */
static inline off_t sheaf_data_offset(const char *address)
{
    return (off_t)(sheaf_image.slot_offset + (uint64_t)(address - sheaf_image.data));
}

/* Calls use(start, length) for each run of pages in the range that hold anything: all of the
 * first file_length bytes, and what is resident after. Returns 0 or the first nonzero result. */
int sheaf_range_each_used(const struct sheaf_range *range,
                          int (*use)(char *start, size_t length, void *context), void *context);

/* Heap and data of this slot lie on this PE's NUMA node from here on, where the machine has several, the
 * kernel allows it, and nobody has set a memory policy. */
void sheaf_image_place_on_node(void);

/* The same of a memory space's own copy. */
void sheaf_image_place_space_on_node(void *start, size_t length);

/* Addresses without access: at where, or anywhere; NULL where there are none. The second leaves this
 * residue modulo alignment; the third too, and has so many unused ones above it, or half as many and so
 * on, where there are that many. */
char *sheaf_image_reserve(char *where, size_t length);
char *sheaf_image_reserve_congruent(size_t length, size_t alignment, uintptr_t residue);
char *sheaf_image_reserve_below(size_t length, size_t room, size_t alignment, uintptr_t residue);

/* Whether the address space has a limit, and what it has left, less a quarter for the program itself. */
bool sheaf_image_is_limited(void);
size_t sheaf_image_space_left(void);

/* The largest power of two that a range of so many bytes can begin at a multiple of, at least
 * SHEAF_HUGE_PAGE: what shmem_align can promise in it. */
size_t sheaf_image_best_alignment(size_t length);

/* The file from which all windows have the program's constants. -1 and errno. */
struct sheaf_constants_file {
    int fd;
    bool is_copy; /* in this PE's slot, since its program's file cannot be read */
};
int sheaf_image_open_constants(struct sheaf_constants_file *file);
void sheaf_image_close_constants(struct sheaf_constants_file *file);

/* Maps them at that distance from here; of the slot that begins there in slot_fd, those which hold
 * addresses. -1 and errno. */
int sheaf_image_map_constants(uintptr_t distance, int slot_fd, uint64_t slot_offset,
                              const struct sheaf_constants_file *file);

/* Copies so much of the image to that place of this PE's file. */
int sheaf_image_copy_to_file(const char *start, size_t length, uint64_t offset);

/* Maps a part of a file over reserved addresses. -1 and errno. */
int sheaf_image_map_shared(char *where, size_t length, int fd, uint64_t offset);

/* The file with another PE's slot: sheaf_image.fd, or a descriptor that the caller closes. -1, and the
 * reason is printed. */
int sheaf_image_open_slot(int slot);

/* Whether shared memory has huge pages where a mapping asks for them: then the mapping by which a page is
 * touched first must ask, and that may be another PE's. */
bool sheaf_image_asks_for_huge_pages(void);

/* In a forked child: memory spaces become private. */
void sheaf_image_fork_spaces(void);

/* Registers the handlers that keep a forked child out of the job's memory. */
int sheaf_image_watch_forks(void);

#endif
