/* SPDX-License-Identifier: BSD-3-Clause
 * Shared by the files of image/ and by no others.
 */
#ifndef SHEAF_IMAGE_INTERNAL_H
#define SHEAF_IMAGE_INTERNAL_H

#include "image/executable.h"
#include "image/image.h"

#include <sys/types.h>

#define SHEAF_HUGE_PAGE ((size_t)2 << 20)

/* Bits of an address that a program gets by default. On AArch64 a position-independent program lies at two
 * thirds of these 48 bits. On a machine with fewer bits mmap refuses addresses beyond them. */
#if defined(__x86_64__)
#define SHEAF_ADDRESS_BITS 47
#else
#define SHEAF_ADDRESS_BITS 48
#endif

/* Core files contain so much of a large data image or heap, and none of the windows. */
#define SHEAF_DUMP_LIMIT ((size_t)64 << 20)

/* The offset in sheaf_image.fd of an address in the data image. */
static inline off_t sheaf_data_offset(const char *address)
{
    return (off_t)(sheaf_image.slot_offset + (uint64_t)(address - sheaf_image.data));
}

/* Calls use(start, length) for each run of used pages in the range: the first file_length bytes, and the
 * resident pages after them. Returns 0 or the first nonzero result. */
int sheaf_range_each_used(const struct sheaf_range *range,
                          int (*use)(char *start, size_t length, void *context), void *context);

/* Places heap and data of this slot on this PE's NUMA node, where the machine has several, the kernel
 * allows it, and nobody has set a memory policy. */
void sheaf_image_place_on_node(void);

/* The same for a memory space's own copy. */
void sheaf_image_place_space_on_node(void *start, size_t length);

/* Reserves addresses without access, at where or anywhere; NULL: there are none. The second function
 * returns an address that leaves this residue modulo alignment. The third also keeps room unused addresses
 * above it, or half as many, and so on. */
char *sheaf_image_reserve(char *where, size_t length);
char *sheaf_image_reserve_congruent(size_t length, size_t alignment, uintptr_t residue);
char *sheaf_image_reserve_below(size_t length, size_t room, size_t alignment, uintptr_t residue);

/* Whether the address space has a limit; and how much of it remains, less a quarter for the program
 * itself. */
bool sheaf_image_is_limited(void);
size_t sheaf_image_space_left(void);

/* The largest power of two that the start of a range of so many bytes can be a multiple of, at least
 * SHEAF_HUGE_PAGE. It bounds the alignment of shmem_align. */
size_t sheaf_image_best_alignment(size_t length);

/* Opens the file that holds the program's constants for all windows: the program's own, or where it cannot
 * be read this PE's slot, into which they are copied. It stays open until the other function is called. -1
 * and errno. */
int sheaf_image_open_constants(void);
void sheaf_image_close_constants(void);

/* Maps the constants at that distance from their own addresses. Those that hold addresses come from the
 * slot at slot_offset in slot_fd. -1 and errno. */
int sheaf_image_map_constants(uintptr_t distance, int slot_fd, uint64_t slot_offset);

/* Copies length bytes of the image to that offset of this PE's file. */
int sheaf_image_copy_to_file(const char *start, size_t length, uint64_t offset);

/* Maps a part of a file over reserved addresses. -1 and errno. */
int sheaf_image_map_shared(char *where, size_t length, int fd, uint64_t offset);

/* Whether sheaf_image.fd still is the file with this PE's slot, or could be opened again as such. */
bool sheaf_image_require_file(void);

/* Opens the file with another PE's slot: sheaf_image.fd, or a descriptor that the caller closes. -1, and
 * the reason is printed. */
int sheaf_image_open_slot(int slot);

/* Whether shared memory has huge pages only where a mapping asks for them. The mapping that touches a page
 * first must ask, and it may be another PE's. */
bool sheaf_image_asks_for_huge_pages(void);

/* In a forked child: makes memory spaces private. */
void sheaf_image_fork_spaces(void);

/* Registers the handlers that keep a forked child out of the job's memory. */
int sheaf_image_watch_forks(void);

#endif
