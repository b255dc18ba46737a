/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one PE's engine sends to another's: the headers of the active messages, and the blob that a PE
 * publishes. Both sides are builds of the same version on machines of one byte order. A message names an
 * operation by a handle of the origin's (operation.c), which the answer returns. No receiver follows an
 * address in a header before admit.c has checked it.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_WIRE_H
#define SHEAF_ENGINE_MESSAGE_STREAM_WIRE_H

#include "base/segment.h"
#include "engine/verbs/adapter.h"

#include <stdint.h>

/* Changed with every change of this file, and of the longest message of a transport. */
#define SHEAF_MSG_WIRE_VERSION 22u
#define SHEAF_MSG_MAGIC        0x53585543u /* "CUXS" */

/* The address record that a PE publishes; its transport's address follows. */
struct sheaf_msg_blob {
    uint32_t magic;
    uint32_t version;
    uint64_t segments[SHEAF_SEGMENTS]; /* start addresses of the segments in the PE's address space */
    char transport[16];
    uint64_t length;     /* of the transport's address */
    uint64_t has_keys;   /* its memory is registered, so the network may access it by itself */
    uint64_t has_lanes;  /* the adapter carries out its atomic operations, past the transport */
    uint64_t incarnation;       /* incarnation of the PE */
};

enum sheaf_msg_kind {
    SHEAF_MSG_PUT,         /* data */
    SHEAF_MSG_PUT_PART,    /* data; the next message acknowledges it too, which has more of the same put */
    SHEAF_MSG_PUT_WORD,    /* up to 8 bytes, in the header */
    SHEAF_MSG_PUT_SIGNAL,  /* data, and a signal after it */
    SHEAF_MSG_GET,         /* answered by DATA, or RESULT for up to 8 bytes */
    SHEAF_MSG_AMO,         /* answered by RESULT where operation is not 0 */
    SHEAF_MSG_AMO_PART,    /* without a result; a later message acknowledges it too */
    SHEAF_MSG_ASK,         /* has no effect but its acknowledgement */
    SHEAF_MSG_ADD,         /* data to be added, whole numbers */
    SHEAF_MSG_ADD_PART,    /* data to be added; the next message acknowledges it too, as of PUT_PART */
    SHEAF_MSG_ROWS,        /* rows with their data; answered by DONE where operation is not 0 */
    SHEAF_MSG_GET_ROWS,    /* rows; answered by one ROWS_DATA */
    SHEAF_MSG_ROWS_DATA,   /* data of whole rows */
    SHEAF_MSG_DONE,
    SHEAF_MSG_DATA,        /* data */
    SHEAF_MSG_RESULT,
    SHEAF_MSG_KEY,         /* asks for the key of a part of the memory; answered by KEY_DATA */
    SHEAF_MSG_KEY_DATA,    /* the key; empty: the part is not registered */
    SHEAF_MSG_LANE,        /* the sender's end of a connection of the adapter; answered by KEY_DATA, the
                              other end */
    SHEAF_MSG_LANE_KEY,    /* as KEY, for the adapter's atomic operations */
    SHEAF_MSG_BATCH,       /* entries, carried out in order; answered by BATCH_DATA where operation is not
                              0 */
    SHEAF_MSG_BATCH_DATA,  /* results of the entries, each beginning at a multiple of 8 bytes */
    SHEAF_MSG_SEND,        /* data of a collective's message: all of it, or the next part */
    SHEAF_MSG_SEND_WORD,   /* up to 8 bytes of a collective's message, in the header */
    SHEAF_MSG_ACKNOWLEDGE, /* so many messages without an answer have been carried out */
    SHEAF_MSG_CREDIT,      /* asks for credit: may so many bytes of data come? Answered by DONE */
    SHEAF_MSG_KINDS
};

/* The common header, before the header of every message. */
struct sheaf_msg_common_header {
    uint64_t key[2];  /* the job's */
    uint32_t origin;  /* the sender's PE number */
    uint8_t kind;     /* enum sheaf_msg_kind */
    uint8_t from;     /* 2 x the sender's incarnation, + 1 if its worker is its service worker */
    uint16_t acknowledges; /* so many messages of the receiving worker are acknowledged, as by
                              ACKNOWLEDGE */
};

struct sheaf_msg_put {
    uint64_t address;
};
struct sheaf_msg_word {
    uint64_t value; /* the bytes as they lie in memory, first byte first */
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
    uint64_t operation; /* 0: no result is wanted; the operation counts as a put */
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
    uint64_t offset; /* offset in the whole answer of the data that follows */
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
    uint64_t operation; /* 0: no results are wanted; the batch counts as a put */
    uint64_t answer_bytes;
};
struct sheaf_msg_send {
    uint64_t tag;
    uint64_t bytes;  /* of the whole message */
    uint64_t offset; /* offset in the message of the data that follows */
    uint64_t stamp;  /* see sheaf_engine's send */
};
struct sheaf_msg_send_word {
    uint64_t tag;
    uint64_t value;  /* the bytes as they lie in memory, first byte first */
    uint32_t bytes;
    uint32_t stamp;
};
struct sheaf_msg_acknowledge {
    uint64_t count;
};
struct sheaf_msg_credit {
    uint64_t operation;
    uint64_t bytes;
};

/* An entry of BATCH: one word with operation and address, then its operands, padded to words. The address
 * has 48 bits, which programs get by default. For puts and gets the other 16 bits hold the number of bytes
 * less one. For atomic operations they hold the operation (enum sheaf_amo) and the flags below. */
#define SHEAF_MSG_ENTRY_ADDRESS ((UINT64_C(1) << 48) - 1)
#define SHEAF_MSG_ENTRY_BYTES   0x0fffu /* of a put or a get: bytes less one, so up to 4096 */
#define SHEAF_MSG_ENTRY_KIND    0xf000u
#define SHEAF_MSG_ENTRY_PUT     0x0000u
#define SHEAF_MSG_ENTRY_GET     0x1000u
#define SHEAF_MSG_ENTRY_AMO     0x2000u
#define SHEAF_MSG_AMO_OPERATION 0x0007u
#define SHEAF_MSG_AMO_IS_LONG   0x0008u /* 8 bytes, else 4 */
#define SHEAF_MSG_AMO_IS_ONE    0x0010u /* the operand is 1, and omitted */
#define SHEAF_MSG_AMO_HAS_REPLY 0x0020u /* the answer has a word for the result */

/* A row in the data of ROWS, before its own data. The data of GET_ROWS consists of rows alone. */
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
    struct sheaf_msg_credit credit;
};

/* A message's beginning as it travels: the common header, then the header of its kind. */
struct sheaf_msg_envelope {
    struct sheaf_msg_common_header common;
    union sheaf_msg_header header;
};

#endif
