/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gfortran from version 15 on has for a read or write of another image: a function of the
 * program that does it in that image's memory. This image calls it where it reaches that memory;
 * else a thread of the other image does.
 */
#ifndef SHEAF_COARRAY_GFORTRAN_REMOTE_H
#define SHEAF_COARRAY_GFORTRAN_REMOTE_H

#include "../descriptor.h"

typedef void sheaf_read(void *arguments, const int *image, void *dest, int32_t *is_new,
                        void *memory, struct sheaf_coarray *arguments_token, size_t offset,
                        size_t *dest_length, const size_t *length);
typedef void sheaf_write(void *arguments, const int *image, void *memory, const void *source,
                         struct sheaf_coarray *arguments_token, size_t offset, const size_t *length,
                         const size_t *source_length);
typedef void sheaf_look(void *arguments, const int *image, int32_t *result, void *memory,
                        struct sheaf_coarray *arguments_token, size_t offset);

union sheaf_accessor {
    void (*any)(void);
    sheaf_read *read;
    sheaf_write *write;
    sheaf_look *look;
};

enum sheaf_access { ACCESS_READ, ACCESS_WRITE, ACCESS_LOOK, ACCESS_RELEASE };

/* One access. What lies behind pointers is sent along. */
struct sheaf_request {
    enum sheaf_access access;
    int accessor;    /* its hash, which is the same on all images */
    int image;       /* as the program gives it */
    void *memory;    /* the coarray's, as the other image has it; of ACCESS_RELEASE: a block of that
                        image */
    bool by_pointer; /* ACCESS_LOOK: the function takes the address of a pointer to it */
    const void *arguments;
    size_t arguments_bytes;
    bool has_array, has_length, has_other_length, is_array; /* is_array: what is read or written */
    size_t length, other_length;        /* of characters: the coarray's; the other's */
    struct gfortran_array array, other; /* the coarray; what is read or written */
    const void *data;                   /* that is written */
    size_t bytes;                       /* of it; of a scalar that is read */
};

/* What comes back: of a read, the data and the shape that they have. */
struct sheaf_reply {
    int32_t is_present;
    size_t length; /* of characters */
    struct gfortran_array array;
    size_t bytes;
    void *data; /* by malloc, for the caller to free; NULL: none */
};

/* Collective, once: starts the thread. find gives the function of a hash. */
void sheaf_remote_begin(union sheaf_accessor (*find)(int hash));
/* Once no image asks any more. */
void sheaf_remote_end(void);
/* Asks an image, and waits for its reply. */
void sheaf_remote_ask(const char *statement, const struct sheaf_request *request,
                      struct sheaf_reply *reply, int pe);

#endif
