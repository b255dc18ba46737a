/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one PE's engine writes to another's: the headers of the active messages, and the blob that
 * a PE publishes. Both sides are builds of the same version on machines of one byte order. An
 * operation is a handle of the origin's (message.c), which the answer brings back. No header holds a
 * pointer that its receiver follows without a look: admit.c checks all of them.
 */
#ifndef SHEAF_ENGINE_UCX_WIRE_H
#define SHEAF_ENGINE_UCX_WIRE_H

#include "engine/ucx/adapter.h"

#include <stdint.h>

/* Changed with every change of this file. */
#define SHEAF_UCX_WIRE_VERSION 10u
#define SHEAF_UCX_MAGIC        0x53585543u /* "CUXS" */

/* What a PE publishes; its UCX address follows. */
struct sheaf_ucx_blob {
    uint32_t magic;
    uint32_t version;
    uint64_t segments[SHEAF_SEGMENTS]; /* where they begin in its address space */
    uint64_t length;     /* of the UCX address */
    uint64_t has_keys;   /* its memory is registered, and may be reached by the network itself */
    uint64_t is_gated;   /* connections begin with the job's key */
    uint64_t has_lanes;  /* its atomic operations are the adapter's, past UCX */
};

enum sheaf_ucx_message {
    SHEAF_UCX_PUT,         /* data */
    SHEAF_UCX_PUT_WORD,    /* up to 8 bytes, which the header has */
    SHEAF_UCX_PUT_SIGNAL,  /* data, and a signal after it */
    SHEAF_UCX_GET,         /* answered by DATA, or RESULT for up to 8 bytes */
    SHEAF_UCX_AMO,         /* answered by RESULT where operation is not 0 */
    SHEAF_UCX_ADD,         /* data that is added, whole numbers */
    SHEAF_UCX_ROWS,        /* rows with their data; answered by DONE where operation is not 0 */
    SHEAF_UCX_GET_ROWS,    /* rows; answered by one ROWS_DATA */
    SHEAF_UCX_ROWS_DATA,   /* data of whole rows */
    SHEAF_UCX_DONE,
    SHEAF_UCX_DATA,        /* data */
    SHEAF_UCX_RESULT,
    SHEAF_UCX_KEY,         /* of a part of the memory; answered by KEY_DATA */
    SHEAF_UCX_KEY_DATA,    /* the key, or nothing where the part is not registered */
    SHEAF_UCX_LANE,        /* the sender's end of a connection of the adapter; answered by KEY_DATA, the
                              other end */
    SHEAF_UCX_LANE_KEY,    /* as KEY, for the adapter's atomic operations */
    SHEAF_UCX_BATCH,       /* entries, done in order; answered by BATCH_DATA where operation is not 0 */
    SHEAF_UCX_BATCH_DATA,  /* what the entries ask for, each from a multiple of 8 bytes on */
    SHEAF_UCX_SEND,        /* data of a collective's message, all of it or in order */
    SHEAF_UCX_SEND_WORD,   /* up to 8 bytes of one, which the header has */
    SHEAF_UCX_ACKNOWLEDGE, /* count messages without an answer have been carried out */
    SHEAF_UCX_MESSAGES
};

/* Before the header of every message. */
struct sheaf_ucx_seal {
    uint64_t key[2];  /* the job's */
    uint32_t origin;  /* the sender's PE number */
    uint32_t message; /* enum sheaf_ucx_message */
};

struct sheaf_ucx_put {
    uint64_t address;
};
struct sheaf_ucx_word {
    uint64_t value; /* its first bytes in memory */
    uint64_t bytes;
};
struct sheaf_ucx_put_word {
    struct sheaf_ucx_put put;
    struct sheaf_ucx_word word;
};
struct sheaf_ucx_put_signal {
    struct sheaf_ucx_put put;
    uint64_t object;
    uint64_t value;
    uint64_t add;
};
struct sheaf_ucx_get {
    uint64_t operation;
    uint64_t address;
    uint64_t bytes;
};
struct sheaf_ucx_amo {
    uint64_t operation; /* 0: no result is wanted, and it counts as a put */
    uint64_t address;
    uint64_t operand;
    uint64_t compare;
    uint32_t code; /* enum sheaf_amo */
    uint32_t bytes;
};
struct sheaf_ucx_scale {
    uint64_t number; /* enum sheaf_number; SHEAF_NUMBERS: the data is stored, not added */
    uint64_t alpha[2];
};
struct sheaf_ucx_add {
    struct sheaf_ucx_put put;
    struct sheaf_ucx_scale scale;
};
struct sheaf_ucx_rows {
    uint64_t operation; /* 0: counts as a put */
    struct sheaf_ucx_scale scale;
};
struct sheaf_ucx_done {
    uint64_t operation;
};
struct sheaf_ucx_data {
    uint64_t operation;
    uint64_t offset; /* of the data that follows in the whole answer */
};
struct sheaf_ucx_result {
    uint64_t operation;
    struct sheaf_ucx_word word;
};
struct sheaf_ucx_key {
    uint64_t operation;
    uint64_t part;
};
struct sheaf_ucx_lane {
    uint64_t operation;
    struct sheaf_adapter_end end;
};
struct sheaf_ucx_batch_call {
    uint64_t operation; /* 0: no results are wanted, and it counts as a put */
    uint64_t answer_bytes;
};
struct sheaf_ucx_send {
    uint64_t tag;
    uint64_t bytes;  /* of the whole message */
    uint64_t offset; /* of the data that follows in it */
};
struct sheaf_ucx_send_word {
    uint64_t tag;
    struct sheaf_ucx_word word;
};
struct sheaf_ucx_acknowledge {
    uint64_t count;
};

/* An entry of BATCH: what to do and where, in one word, then what goes with it, filled up to words. The
 * address has 48 bits, as programs have them unless they ask for more. The rest says what: for puts and
 * gets how many bytes there are behind the first, else the operation (enum sheaf_amo) and how it is meant. */
#define SHEAF_UCX_ENTRY_ADDRESS ((UINT64_C(1) << 48) - 1)
#define SHEAF_UCX_ENTRY_BYTES   0x0fffu /* of a put or a get, less one: up to 4096 */
#define SHEAF_UCX_ENTRY_KIND    0xf000u
#define SHEAF_UCX_ENTRY_PUT     0x0000u
#define SHEAF_UCX_ENTRY_GET     0x1000u
#define SHEAF_UCX_ENTRY_AMO     0x2000u
#define SHEAF_UCX_AMO_OPERATION 0x0007u
#define SHEAF_UCX_AMO_IS_LONG   0x0008u /* 8 bytes, else 4 */
#define SHEAF_UCX_AMO_IS_ONE    0x0010u /* the operand is 1, and left out */
#define SHEAF_UCX_AMO_HAS_REPLY 0x0020u /* a word of the answer */

/* In the data of ROWS, each before its own data; the data of GET_ROWS is nothing else. */
struct sheaf_ucx_row {
    uint64_t address;
    int64_t stride;
    uint32_t block_bytes;
    uint32_t count;
};

union sheaf_ucx_header {
    struct sheaf_ucx_put put;
    struct sheaf_ucx_put_word put_word;
    struct sheaf_ucx_put_signal put_signal;
    struct sheaf_ucx_get get;
    struct sheaf_ucx_amo amo;
    struct sheaf_ucx_add add;
    struct sheaf_ucx_rows rows;
    struct sheaf_ucx_done done;
    struct sheaf_ucx_data data;
    struct sheaf_ucx_result result;
    struct sheaf_ucx_key key;
    struct sheaf_ucx_lane lane;
    struct sheaf_ucx_batch_call batch;
    struct sheaf_ucx_send send;
    struct sheaf_ucx_send_word send_word;
    struct sheaf_ucx_acknowledge acknowledge;
};

/* As it travels: the seal, and as much of the header as the message has. */
struct sheaf_ucx_envelope {
    struct sheaf_ucx_seal seal;
    union sheaf_ucx_header header;
};

#endif
