/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one PE's engine writes to another's: the headers of the active messages, and the blob that
 * a PE publishes. Both sides are builds of the same version on machines of one byte order. An
 * operation is a handle of the origin's (operation.c), which the answer brings back. No header holds a
 * pointer that its receiver follows without a look: admit.c checks all of them.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_WIRE_H
#define SHEAF_ENGINE_MESSAGE_STREAM_WIRE_H

#include "base/segment.h"
#include "engine/verbs/adapter.h"

#include <stdint.h>

/* Changed with every change of this file. */
#define SHEAF_MSG_WIRE_VERSION 15u
#define SHEAF_MSG_MAGIC        0x53585543u /* "CUXS" */

/* What a PE publishes; its transport's address follows. */
struct sheaf_msg_blob {
    uint32_t magic;
    uint32_t version;
    uint64_t segments[SHEAF_SEGMENTS]; /* where they begin in its address space */
    char transport[16];
    uint64_t length;     /* of the transport's address */
    uint64_t has_keys;   /* its memory is registered, and may be reached by the network itself */
    uint64_t has_lanes;  /* its atomic operations are the adapter's, past the transport */
    uint64_t incarnation;       /* which process of its PE it is */
};

enum sheaf_msg_kind {
    SHEAF_MSG_PUT,         /* data */
    SHEAF_MSG_PUT_WORD,    /* up to 8 bytes, which the header has */
    SHEAF_MSG_PUT_SIGNAL,  /* data, and a signal after it */
    SHEAF_MSG_GET,         /* answered by DATA, or RESULT for up to 8 bytes */
    SHEAF_MSG_AMO,         /* answered by RESULT where operation is not 0 */
    SHEAF_MSG_ADD,         /* data that is added, whole numbers */
    SHEAF_MSG_ROWS,        /* rows with their data; answered by DONE where operation is not 0 */
    SHEAF_MSG_GET_ROWS,    /* rows; answered by one ROWS_DATA */
    SHEAF_MSG_ROWS_DATA,   /* data of whole rows */
    SHEAF_MSG_DONE,
    SHEAF_MSG_DATA,        /* data */
    SHEAF_MSG_RESULT,
    SHEAF_MSG_KEY,         /* of a part of the memory; answered by KEY_DATA */
    SHEAF_MSG_KEY_DATA,    /* the key, or nothing where the part is not registered */
    SHEAF_MSG_LANE,        /* the sender's end of a connection of the adapter; answered by KEY_DATA, the
                              other end */
    SHEAF_MSG_LANE_KEY,    /* as KEY, for the adapter's atomic operations */
    SHEAF_MSG_BATCH,       /* entries, done in order; answered by BATCH_DATA where operation is not 0 */
    SHEAF_MSG_BATCH_DATA,  /* what the entries ask for, each from a multiple of 8 bytes on */
    SHEAF_MSG_SEND,        /* data of a collective's message, all of it or in order */
    SHEAF_MSG_SEND_WORD,   /* up to 8 bytes of one, which the header has */
    SHEAF_MSG_ACKNOWLEDGE, /* count messages without an answer have been carried out */
    SHEAF_MSG_KINDS
};

/* Before the header of every message. */
struct sheaf_msg_seal {
    uint64_t key[2];  /* the job's */
    uint32_t origin;  /* the sender's PE number */
    uint8_t kind;     /* enum sheaf_msg_kind */
    uint8_t from;     /* 1: the sender's worker is its service worker; 2 more for each incarnation before */
    uint16_t acknowledges; /* so many messages of the worker that this one goes to, as ACKNOWLEDGE does */
};

struct sheaf_msg_put {
    uint64_t address;
};
struct sheaf_msg_word {
    uint64_t value; /* its first bytes in memory */
    uint64_t bytes;
};
struct sheaf_msg_put_word {
    struct sheaf_msg_put put;
    struct sheaf_msg_word word;
};
struct sheaf_msg_put_signal {
    struct sheaf_msg_put put;
    uint64_t object;
    uint64_t value;
    uint64_t add;
};
struct sheaf_msg_get {
    uint64_t operation;
    uint64_t address;
    uint64_t bytes;
};
struct sheaf_msg_amo {
    uint64_t operation; /* 0: no result is wanted, and it counts as a put */
    uint64_t address;
    uint64_t operand;
    uint64_t compare;
    uint32_t code; /* enum sheaf_amo */
    uint32_t bytes;
};
struct sheaf_msg_scale {
    uint64_t number; /* enum sheaf_number; SHEAF_NUMBERS: the data is stored, not added */
    uint64_t alpha[2];
};
struct sheaf_msg_add {
    struct sheaf_msg_put put;
    struct sheaf_msg_scale scale;
};
struct sheaf_msg_rows {
    uint64_t operation; /* 0: counts as a put */
    struct sheaf_msg_scale scale;
};
struct sheaf_msg_done {
    uint64_t operation;
};
struct sheaf_msg_data {
    uint64_t operation;
    uint64_t offset; /* of the data that follows in the whole answer */
};
struct sheaf_msg_result {
    uint64_t operation;
    struct sheaf_msg_word word;
};
struct sheaf_msg_key {
    uint64_t operation;
    uint64_t part;
};
struct sheaf_msg_lane {
    uint64_t operation;
    struct sheaf_adapter_end end;
};
struct sheaf_msg_batch_call {
    uint64_t operation; /* 0: no results are wanted, and it counts as a put */
    uint64_t answer_bytes;
};
struct sheaf_msg_send {
    uint64_t tag;
    uint64_t bytes;  /* of the whole message */
    uint64_t offset; /* of the data that follows in it */
    uint64_t stamp;  /* see sheaf_engine's send */
};
struct sheaf_msg_send_word {
    uint64_t tag;
    uint64_t value;  /* its first bytes in memory */
    uint32_t bytes;
    uint32_t stamp;
};
struct sheaf_msg_acknowledge {
    uint64_t count;
};

/* An entry of BATCH: what to do and where, in one word, then what goes with it, filled up to words. The
 * address has 48 bits, as programs have them unless they ask for more. The rest says what: for puts and
 * gets how many bytes there are behind the first, else the operation (enum sheaf_amo) and how it is
 * meant. */
#define SHEAF_MSG_ENTRY_ADDRESS ((UINT64_C(1) << 48) - 1)
#define SHEAF_MSG_ENTRY_BYTES   0x0fffu /* of a put or a get, less one: up to 4096 */
#define SHEAF_MSG_ENTRY_KIND    0xf000u
#define SHEAF_MSG_ENTRY_PUT     0x0000u
#define SHEAF_MSG_ENTRY_GET     0x1000u
#define SHEAF_MSG_ENTRY_AMO     0x2000u
#define SHEAF_MSG_AMO_OPERATION 0x0007u
#define SHEAF_MSG_AMO_IS_LONG   0x0008u /* 8 bytes, else 4 */
#define SHEAF_MSG_AMO_IS_ONE    0x0010u /* the operand is 1, and left out */
#define SHEAF_MSG_AMO_HAS_REPLY 0x0020u /* a word of the answer */

/* In the data of ROWS, each before its own data; the data of GET_ROWS is nothing else. */
struct sheaf_msg_row {
    uint64_t address;
    int64_t stride;
    uint32_t block_bytes;
    uint32_t count;
};

union sheaf_msg_header {
    struct sheaf_msg_put put;
    struct sheaf_msg_put_word put_word;
    struct sheaf_msg_put_signal put_signal;
    struct sheaf_msg_get get;
    struct sheaf_msg_amo amo;
    struct sheaf_msg_add add;
    struct sheaf_msg_rows rows;
    struct sheaf_msg_done done;
    struct sheaf_msg_data data;
    struct sheaf_msg_result result;
    struct sheaf_msg_key key;
    struct sheaf_msg_lane lane;
    struct sheaf_msg_batch_call batch;
    struct sheaf_msg_send send;
    struct sheaf_msg_send_word send_word;
    struct sheaf_msg_acknowledge acknowledge;
};

/* As it travels: the seal, and as much of the header as the message has. */
struct sheaf_msg_envelope {
    struct sheaf_msg_seal seal;
    union sheaf_msg_header header;
};

#endif
