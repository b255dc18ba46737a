/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The linear image: every PE's data segment and heap as windows in this PE's address space, as far apart
 * as this PE's own data and heap. It knows slots of a file, not PEs.
 *
 *   remote address = local address + base + slot * window_stride
 */
#ifndef SHEAF_IMAGE_IMAGE_H
#define SHEAF_IMAGE_IMAGE_H

#include "base/segment.h"
#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>

/* This process's part of the image; written by image/ alone. */
struct sheaf_image {
    struct sheaf_control *control; /* of this PE's node */
    struct sheaf_control *job;     /* the area that oshrun reads: the PEs' states, their waits, the end of
                                      the job. The same as control, unless oshrun's PEs are apart
                                      (SHEAF_ONNODE=off) */
    int fd;                 /* the file that holds this PE's slot, close-on-exec */
    int slot;               /* of this PE; 0 until attached */
    uint64_t slot_offset;   /* where it begins in the file */
    uint64_t slot_size;     /* the first half is for data, the second for the heap */
    bool is_static;         /* a statically linked program: it can load no library */
    bool came_late;         /* the program loaded the library while it ran */
    uint32_t program_hash;  /* equal where the program is the same, on all hosts */
    bool has_own_file;      /* the slot is not in the file of the control area */
    char *data;             /* first byte of the shared data image; NULL when there is none */
    size_t data_length;
    bool data_is_symmetric; /* all slots run the same executable */
    char *heap;
    size_t heap_length;     /* of the range */
    size_t heap_alignment;  /* a power of two that divides the heap's address on every PE */
    bool heap_is_closed;    /* see sheaf_image_set_heap_open() */
    struct sheaf_segment segments[SHEAF_SEGMENTS]; /* set when memory is mapped; of the heap the part that
                                                      may be handed out */
    struct sheaf_segment team; /* team memory: the upper part of the heap's range, at the same distance from
                                  its start on every PE; length 0 where addresses are scarce */
    char *window;           /* first byte of all slots' windows */
    size_t window_length;
    size_t window_stride;   /* bytes from one slot's window to the next */
    uintptr_t base;         /* window address of slot 0 = local address + base */
    int windows_left;       /* slots whose windows are reserved, and not mapped yet */
    bool is_forked;         /* this process is a child that a PE forked, and no PE */
    void (*on_fork)(void);  /* called in such a child; set by core/ */
};
extern struct sheaf_image sheaf_image;

/* Finds the executable's segments. Called first. */
void sheaf_image_read_program(void);

/* Whether fd is oshrun's file of the job, and the job has that slot. Only reads. */
bool sheaf_image_is_of_job(int fd, int slot, uint64_t job_id);

/* Maps the control area of oshrun's file fd, which also holds all slots, and takes slot. Under
 * SHEAF_ONNODE=off the caller makes the slot. oshrun: its process, for messages. 0, or the reason is
 * printed. */
int sheaf_image_attach(int oshrun, int fd, int slot, uint64_t job_id);

/* The launcher with that process number has the file as its descriptor fd. Where the program closes this
 * process's own descriptor, the file is opened there again. */
void sheaf_image_note_origin(int launcher, int fd);

/* For a process that replaces the dead PE in slot. Maps the control area of file fd of process agent,
 * which also holds that PE's memory, and takes slot. -1: they are not there. */
int sheaf_image_attach_respawned(int agent, int fd, int slot, uint64_t job_id);

/* Makes a file with one slot, for this process alone until it attaches to others. 0, or -1 and errno. */
int sheaf_image_create(void);

/* For a process with a file of its own: maps the control area at the start of fd, which is another PE's
 * file or this one's. 0, or the reason is printed. The caller takes the slot afterwards. */
int sheaf_image_attach_own(int fd);
void sheaf_image_take_slot(int slot);

/* Empties the slot of what an earlier process wrote. */
void sheaf_image_empty_data(void);
void sheaf_image_empty_heap(void);

/* Before the program's constructors: makes the executable's writable segments shared memory at their own
 * addresses. Does nothing when the library was loaded later. */
int sheaf_image_share_data(void);

/* For a child that becomes the PE in place of its parent, which has not mapped anything. The second and
 * third quarter of the slot become the child's, and its variables are to be shared again. The parent's
 * stay. */
void sheaf_image_leave_parent(void);

/* Collective over the node: agrees on a layout, maps the heap and reserves all windows. heap_wish is
 * in bytes; required says that less is a failure. Returns 0, or the reason is printed. */
int sheaf_image_map(size_t heap_wish, bool required);

/* Map a slot's window, and all windows, unless they are mapped. Afterwards only: a slot's memory can be
 * accessed. Any thread may call them. 0, or the reason is printed. */
int sheaf_image_map_window(int slot);
int sheaf_image_map_windows(void);

/* The same for a process that replaces a dead PE: uses the layout of the others, does not wait for them,
 * and maps the heap that exists. */
int sheaf_image_map_again(size_t heap_wish);

/* After mapping: the heap hands out at most limit bytes, at most at this alignment; and team memory is the
 * bytes behind them up to team_end - 1 of the heap's range. */
void sheaf_image_reduce_heap(size_t limit, size_t alignment, size_t team_end);

/* For a job of one PE without launcher: a private heap and no windows. */
int sheaf_image_map_alone(size_t heap_wish, bool required);

/* Empties the heap, of which the first used bytes were handed out, so that it reads as zero: after the
 * last finalize. */
void sheaf_image_clear_heap(size_t used);

/* Closes the heap and all windows onto heaps between the last finalize and the next start. An access of
 * the program then ends it with a line that says so (core/fault). */
void sheaf_image_set_heap_open(bool is_open);
bool sheaf_image_closed_heap_holds(const void *address); /* false while it is open */

/* Gives the pages of a part of the heap back to the system; it then reads as zero. Nonzero: the system
 * refuses, as for pages that the program has locked, and the content is undefined. */
int sheaf_image_discard(void *start, size_t length);

/* Whether the address is in the executable's writable variables, shared or not. */
bool sheaf_image_holds_data(const void *address);

/* Whether all these bytes are in one range of them. */
bool sheaf_image_holds_range(const void *address, size_t bytes);

/* Whether all these bytes are constants of the program: symmetric like its variables, and read-only. */
bool sheaf_image_holds_constant(const void *address, size_t bytes);

/* The program's writable ranges, ascending: false past the last. file_length bytes came from its file. */
bool sheaf_image_data_range(int index, char **start, size_t *length, size_t *file_length);

/* Copies bytes of the image, without a sanitizer's checks. */
void sheaf_copy_image(void *to, const void *from, size_t length);

/* The executable's build-id in hexadecimal, cut; "" without one. */
const char *sheaf_image_build_id(void);

/* Whether fd still is the file with this PE's slot. */
bool sheaf_image_has_file(void);

/* The largest writable range without a gap; length 0: there is none. */
void sheaf_image_largest_data(char **start, size_t *length);

#endif
