/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The linear image: every PE's data segment and heap as windows in this PE's address space, as far
 * apart as this PE's own data and heap. Knows slots of a file, not PEs' meaning.
 *
 *   remote address = local address + base + slot * window_stride
 */
#ifndef SHEAF_IMAGE_IMAGE_H
#define SHEAF_IMAGE_IMAGE_H

#include "base/segment.h"
#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>

/* What this process knows of the image; written by image/ alone. */
struct sheaf_image {
    struct sheaf_control *control; /* of my node */
    struct sheaf_control *job;     /* where oshrun looks: the PEs' states, what they wait for, how the job
                                      ends; control but where oshrun's PEs are apart (SHEAF_ONNODE=off) */
    int fd;                 /* the file that holds my slot, close-on-exec */
    int slot;               /* mine; 0 until attached */
    uint64_t slot_offset;   /* where it begins in the file */
    uint64_t slot_size;     /* its first half is for data, its second for the heap */
    bool is_static;         /* a statically linked program: it can load no library */
    bool came_late;         /* the program loaded the library while it ran */
    uint32_t program_hash;  /* equal where the program is the same, on all hosts */
    bool has_own_file;      /* my slot is not in the file of the control area */
    char *data;             /* first byte of the shared data image; NULL when there is none */
    size_t data_length;
    bool data_is_symmetric; /* all slots run the same executable */
    char *heap;
    size_t heap_length;     /* of the range */
    size_t heap_alignment;  /* a power of two that divides the heap's address on every PE */
    bool heap_is_closed;    /* see sheaf_image_set_heap_open() */
    struct sheaf_segment segments[SHEAF_SEGMENTS]; /* from mapping on; of the heap what may be handed out */
    char *window;           /* first byte of all slots' windows */
    size_t window_length;
    size_t window_stride;   /* bytes from one slot's window to the next */
    uintptr_t base;         /* window address of slot 0 = local address + base */
    bool is_forked;         /* this process is a child that a PE forked: no PE itself */
    void (*on_fork)(void);  /* called in such a child; set by core/ */
};
extern struct sheaf_image sheaf_image;

/* First of all: finds the executable's segments. */
void sheaf_image_read_program(void);

/* Whether fd is oshrun's file of the job, and the job has that slot: it is read, nothing else. */
bool sheaf_image_is_of_job(int fd, int slot, uint64_t job_id);

/* Maps the control area of oshrun's file fd, which holds all slots too, and takes slot; where the
 * job's PEs are apart the slot is the caller's to make. oshrun: its process, for messages. 0, or the reason
 * is printed. */
int sheaf_image_attach(int oshrun, int fd, int slot, uint64_t job_id);

/* Maps the control area of file fd of that process, which keeps it and the memory of the PE in slot, which
 * is dead, and takes slot. -1: they are not there. */
int sheaf_image_attach_place(int agent, int fd, int slot, uint64_t job_id);

/* Makes a file with one slot, for this process alone until it attaches to others. 0, or -1 and
 * errno. */
int sheaf_image_create(void);

/* With a file of its own: maps the control area at the start of fd, another PE's file or this
 * one's. 0, or the reason is printed. The slot is the caller's to take after that. */
int sheaf_image_attach_own(int fd);
void sheaf_image_take_slot(int slot);

/* Drops what an earlier process left in the slot. */
void sheaf_image_empty_data(void);
void sheaf_image_empty_heap(void);

/* Before the program's constructors: makes the executable's writable segments shared memory, in
 * place. Without effect when the library was loaded later. */
int sheaf_image_share_data(void);

/* A child whose parent has not mapped anything is going to be the PE in its stead: the second and third
 * quarter of the slot are its own, and its variables are to be shared once more. The parent's stay. */
void sheaf_image_leave_parent(void);

/* Collective over the node: agrees on a layout and maps all windows and the heap. heap_wish is
 * in bytes; required says that less is a failure. Returns 0, or the reason is printed. */
int sheaf_image_map(size_t heap_wish, bool required);

/* The same for a process that takes a dead one's place: with the layout that the others have, whom it
 * does not wait for, and onto the heap that is there. */
int sheaf_image_map_again(size_t heap_wish);

/* After it: no more than this of the heap is handed out, at no more than this alignment. */
void sheaf_image_reduce_heap(size_t limit, size_t alignment);

/* A job of one PE without launcher: a private heap and no windows. */
int sheaf_image_map_alone(size_t heap_wish, bool required);

/* The heap, whose first used bytes were handed out, is empty again and reads as zero: after the
 * last finalize. */
void sheaf_image_clear_heap(size_t used);

/* Closed, between the last finalize and the next start, the heap and the windows onto the others' may
 * not be touched: an access of the program ends it with a line that says so (core/fault). */
void sheaf_image_set_heap_open(bool is_open);
bool sheaf_image_closed_heap_holds(const void *address); /* false while it is open */

/* Gives the pages of a part of the heap back to the system; it reads as zero then. Nonzero when the
 * system refuses, as it does for pages that the program has locked: then nothing is sure. */
int sheaf_image_discard(void *start, size_t length);

/* Where the executable's writable variables lie, shared or not. */
bool sheaf_image_holds_data(const void *address);

/* Whether so many bytes do, in one piece. */
bool sheaf_image_holds_range(const void *address, size_t bytes);

/* Whether all of them are constants of the program: symmetric as its variables are, and nobody may write
 * them. */
bool sheaf_image_holds_constant(const void *address, size_t bytes);

/* The program's writable ranges, ascending: false past the last. What came from the program's file is
 * file_length bytes. */
bool sheaf_image_data_range(int index, char **start, size_t *length, size_t *file_length);

/* Copies bytes of the image, without a sanitizer's checks. */
void sheaf_copy_image(void *to, const void *from, size_t length);

/* Hexadecimal, cut; "" without one. */
const char *sheaf_image_build_id(void);

/* Whether fd still is the file with this PE's slot. */
bool sheaf_image_has_file(void);

/* The largest such range without a gap; length 0 when there is none. */
void sheaf_image_largest_data(char **start, size_t *length);

#endif
