/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, gets, rows of blocks, accumulates and puts with a signal, at random; each with what it does to the
 * model, or what it has to bring.
 */
#include "protocol.h"

#include <string.h>

/* This PE's slice of a region: of the long one, where big is asked for. */
static struct flight begin(bool is_put)
{
    return (struct flight){.reads = !is_put,
                           .writes = is_put,
                           .context = (int)below(&chance, (uint64_t)contexts),
                           .pe = (int)below(&chance, (uint64_t)pes),
                           .region = (enum region)below(&chance, REGIONS)};
}

static void choose_slice(struct flight *next, size_t *start, size_t *bytes)
{
    *start = SLICES + (size_t)me * SLICE;
    *bytes = SLICE;
    if (is_big && below(&chance, 4) == 0) {
        next->region = IN_HEAP;
        *start = REGION + (size_t)me * BIG;
        *bytes = BIG;
    }
}

static size_t some_size(size_t most)
{
    static const size_t words[] = {1, 2, 4, 8, 8, 8, 16};
    if (below(&chance, 2))
        return words[below(&chance, 7)];
    if (below(&chance, 4))
        return 1 + below(&chance, 300);
    return 1 + below(&chance, most);
}

static void choose_place(struct flight *next)
{
    size_t start, room;
    choose_slice(next, &start, &room);
    next->bytes = next->buffer_bytes = some_size(room);
    next->at = start + below(&chance, room - next->bytes + 1);
    if (below(&chance, 2) && next->at % 8 <= next->at - start)
        next->at -= next->at % 8;
}

static void put(void)
{
    struct flight next = begin(true);
    choose_place(&next);
    struct flight *flight = flights_add(&next);
    fill(flight->buffer, flight->bytes, test_random(&chance));
    memcpy(model_of(next.pe, next.region) + next.at, flight->buffer, flight->bytes);
    START(next.context, put, next.pe, here(next.region, next.at), flight->buffer, flight->bytes,
          flight_left(flight));
    flights_started(flight);
}

/* Of its own slice, or of what never changes. */
static void get(void)
{
    struct flight next = begin(false);
    choose_place(&next);
    if (below(&chance, 3) == 0) {
        next.bytes = next.buffer_bytes = next.bytes < CONSTANT ? next.bytes : CONSTANT;
        next.at = below(&chance, CONSTANT - next.bytes + 1);
    }
    struct flight *flight = flights_add(&next);
    flight->expected = malloc(flight->bytes);
    memcpy(flight->expected, model_of(next.pe, next.region) + next.at, flight->bytes);
    START(next.context, get, next.pe, flight->buffer, here(next.region, next.at), flight->bytes,
          flight_left(flight));
    flights_started(flight);
}

/* Rows of blocks one after the other in a slice, with gaps: remote is where a block begins there, local
 * where it does in the buffer. */
#define MOST_ROWS 3
static size_t plan_rows(struct flight *next, struct sheaf_blocks *blocks, size_t *count)
{
    size_t start, room, used = 0, packed = 0;
    choose_slice(next, &start, &room);
    *count = 1 + below(&chance, MOST_ROWS);
    for (size_t i = 0; i < *count; i++) {
        size_t block = room > SLICE && below(&chance, 2) ? 1 + below(&chance, 20000) : some_size(200);
        size_t gap = below(&chance, 3) ? below(&chance, 40) : 0;
        size_t fits = (room - used) / (block + gap), most = below(&chance, 4) ? 6 : 60;
        most = fits < most ? fits : most;
        if (most == 0) {
            *count = i;
            break;
        }
        blocks[i] = (struct sheaf_blocks){(ptrdiff_t)(block + gap), (ptrdiff_t)block, block,
                                          1 + below(&chance, most)};
        used += blocks[i].count * (block + gap);
        packed += blocks[i].count * block;
    }
    next->at = start + below(&chance, room - used + 1);
    next->bytes = used;
    next->buffer_bytes = packed;
    return used;
}

static void put_rows(void)
{
    struct flight next = begin(true);
    struct sheaf_blocks blocks[MOST_ROWS];
    struct sheaf_row row[MOST_ROWS];
    size_t count;
    if (plan_rows(&next, blocks, &count) == 0)
        return;
    struct flight *flight = flights_add(&next);
    fill(flight->buffer, flight->buffer_bytes, test_random(&chance));
    const unsigned char *from = flight->buffer;
    size_t at = next.at;
    for (size_t i = 0; i < count; i++) {
        row[i] = (struct sheaf_row){here(next.region, at), from, blocks[i]};
        for (size_t block = 0; block < blocks[i].count; block++) {
            memcpy(model_of(next.pe, next.region) + at, from, blocks[i].block_bytes);
            from += blocks[i].block_bytes;
            at += (size_t)blocks[i].dest_stride;
        }
    }
    struct sheaf_rows rows = {row, count};
    START(next.context, put_rows, next.pe, &rows, NULL, below(&chance, 2), flight_left(flight));
    flights_started(flight);
}

static void get_rows(void)
{
    struct flight next = begin(false);
    struct sheaf_blocks blocks[MOST_ROWS];
    struct sheaf_row row[MOST_ROWS];
    size_t count;
    if (plan_rows(&next, blocks, &count) == 0)
        return;
    struct flight *flight = flights_add(&next);
    flight->expected = malloc(flight->buffer_bytes);
    unsigned char *expected = flight->expected, *to = flight->buffer;
    size_t at = next.at;
    for (size_t i = 0; i < count; i++) {
        struct sheaf_blocks mine = {blocks[i].source_stride, blocks[i].dest_stride, blocks[i].block_bytes,
                                    blocks[i].count};
        row[i] = (struct sheaf_row){to, here(next.region, at), mine};
        for (size_t block = 0; block < mine.count; block++) {
            memcpy(expected, model_of(next.pe, next.region) + at, mine.block_bytes);
            expected += mine.block_bytes;
            to += mine.block_bytes;
            at += (size_t)mine.source_stride;
        }
    }
    struct sheaf_rows rows = {row, count};
    START(next.context, get_rows, next.pe, &rows, flight_left(flight));
    flights_started(flight);
}

/* Many small puts one after the other, side by side: more than one batch holds. */
static void put_many(void)
{
    struct flight next = begin(true);
    size_t piece = 1 + below(&chance, 64), count = 1 + below(&chance, is_big ? 2000 : 20);
    if (count * piece > SLICE)
        count = SLICE / piece;
    next.bytes = next.buffer_bytes = count * piece;
    next.at = SLICES + (size_t)me * SLICE + below(&chance, SLICE - next.bytes + 1);
    struct flight *flight = flights_add(&next);
    flight->is_waited = false;
    fill(flight->buffer, flight->bytes, test_random(&chance));
    memcpy(model_of(next.pe, next.region) + next.at, flight->buffer, flight->bytes);
    for (size_t at = 0; at < next.bytes; at += piece)
        START(next.context, put, next.pe, here(next.region, next.at + at), flight->buffer + at, piece,
              NULL);
}

/* Whole numbers, so that all orders of additions come to the same sum. */
static void write_number(enum sheaf_number number, void *to, long value)
{
    int as_int = (int)value;
    float as_float = (float)value;
    double as_double = (double)value;
    if (number == SHEAF_INT)
        memcpy(to, &as_int, sizeof as_int);
    else if (number == SHEAF_LONG)
        memcpy(to, &value, sizeof value);
    else if (number == SHEAF_FLOAT)
        memcpy(to, &as_float, sizeof as_float);
    else
        memcpy(to, &as_double, sizeof as_double);
}

/* In blocks of a few numbers, or in one that is long. */
static void add_numbers(struct flight *next, struct sheaf_scale *scale, size_t size, size_t count,
                        size_t block)
{
    struct flight *flight = flights_add(next);
    for (size_t i = 0; i < count; i++)
        write_number(scale->number, flight->buffer + i * size, (long)below(&chance, 5));
    model_lock();
    memory_accumulate(model_of(next->pe, next->region) + next->at, flight->buffer, flight->bytes, scale);
    model_unlock();
    struct sheaf_blocks blocks = {(ptrdiff_t)block, (ptrdiff_t)block, block, next->bytes / block};
    struct sheaf_row row = {here(next->region, next->at), flight->buffer, blocks};
    struct sheaf_rows rows = {&row, 1};
    START(next->context, put_rows, next->pe, &rows, scale, below(&chance, 2), flight_left(flight));
    flights_started(flight);
}

static void accumulate_long(struct flight *next)
{
    struct sheaf_scale scale = {.number = SHEAF_LONG};
    size_t count = 1 + below(&chance, BIG_SUMS / sizeof(long));
    next->region = IN_HEAP;
    next->at = REGION + PROTOCOL_PES * BIG;
    next->bytes = next->buffer_bytes = count * sizeof(long);
    write_number(scale.number, scale.alpha, 2);
    add_numbers(next, &scale, sizeof(long), count, next->bytes);
}

/* Everybody adds to the same sums, a quarter of them for each kind of number. */
static void accumulate(void)
{
    static const size_t sizes[] = {sizeof(int), sizeof(long), sizeof(float), sizeof(double)};
    struct flight next = begin(true);
    struct sheaf_scale scale = {.number = (enum sheaf_number)below(&chance, 4)};
    size_t size = sizes[scale.number], room = SUMS / 4 / size;
    size_t count = 1 + below(&chance, room);
    next.writes = false; /* in any order */
    if (is_big && below(&chance, 2)) {
        accumulate_long(&next);
        return;
    }
    next.at = SUMS_AT + SUMS / 4 * (size_t)scale.number + size * below(&chance, room - count + 1);
    next.bytes = next.buffer_bytes = count * size;
    write_number(scale.number, scale.alpha, (long)below(&chance, 3));
    add_numbers(&next, &scale, size, count, size);
}

/* The word of a mark, as a flight of its own. */
static struct flight *begin_word(const struct mark *mark, int pe, int context)
{
    struct flight next = {.writes = true, .context = context, .pe = pe, .region = mark->mark_region,
                          .at = mark->mark_at, .bytes = sizeof mark->value,
                          .buffer_bytes = sizeof mark->value};
    return flights_add(&next);
}

/* What the mark's word is to hold; with how much is added, where it is added to. */
static uint64_t choose_value(struct mark *mark, int pe, bool add)
{
    uint64_t before, value = test_random(&chance) | 1;
    unsigned char *word = model_of(pe, mark->mark_region) + mark->mark_at;
    memcpy(&before, word, sizeof before);
    mark->value = add ? before + value : value;
    memcpy(word, &mark->value, sizeof mark->value);
    return value;
}

static void send_signal(struct mark *mark, struct flight *data, const void *source, size_t bytes)
{
    bool add = below(&chance, 2);
    struct sheaf_signal_call signal = {(uint64_t *)(void *)here(mark->mark_region, mark->mark_at),
                                       choose_value(mark, data->pe, add), add};
    struct flight *word = begin_word(mark, data->pe, data->context);
    marks_publish(mark);
    START(data->context, put_signal, data->pe, here(data->region, data->at), source, bytes, &signal,
          flight_left(word));
    flights_started(word);
}

static void put_word(struct mark *mark, int pe, int context)
{
    uint64_t value = choose_value(mark, pe, false);
    struct flight *word = begin_word(mark, pe, context);
    memcpy(word->buffer, &value, sizeof value);
    marks_publish(mark);
    START(context, put, pe, here(mark->mark_region, mark->mark_at), word->buffer, sizeof value,
          flight_left(word));
    flights_started(word);
}

/* By the network, too: nobody else changes the word meanwhile. */
static void change_word(struct mark *mark, struct flight *data)
{
    bool add = below(&chance, 2);
    struct sheaf_amo_call call = {.operation = add ? SHEAF_AMO_ADD : SHEAF_AMO_SWAP, .bytes = 8,
                                  .object = here(mark->mark_region, mark->mark_at),
                                  .operand = choose_value(mark, data->pe, add)};
    call.by_network = network_has(mark->mark_region, &call) && below(&chance, 4);
    if (!add && !call.by_network)
        call.operation = SHEAF_AMO_SET;
    struct flight *word = begin_word(mark, data->pe, data->context);
    marks_publish(mark);
    START(data->context, amo, data->pe, &call, NULL, flight_left(word));
    flights_started(word);
}

/* Data, and then whatever orders it before its mark. */
static void put_behind(struct mark *mark, struct flight *data)
{
    START(data->context, put, data->pe, here(data->region, data->at), data->buffer, data->bytes,
          flight_left(data));
    int other = (int)below(&chance, (uint64_t)contexts);
    switch (below(&chance, 4)) {
    case 0:
        flights_fence(data->context);
        put_word(mark, data->pe, data->context);
        break;
    case 1:
        flights_fence(data->context);
        change_word(mark, data);
        break;
    case 2:
        flights_fence(data->context);
        send_signal(mark, data, NULL, 0);
        break;
    default: {
        int pe = data->pe; /* the quiet ends the flight */
        flights_quiet(data->context, below(&chance, 2) ? pe : SHEAF_EVERY_PE);
        put_word(mark, pe, other);
    }
    }
}

/* The source of a put with a signal is free when its word is. */
static void put_marked(void)
{
    struct flight next = begin(true);
    bool with_signal = below(&chance, 3) == 0;
    struct mark *mark = marks_next(next.pe, some_size(1000));
    if (!mark)
        return;
    next.region = mark->data_region;
    next.at = mark->at;
    next.bytes = next.buffer_bytes = mark->bytes;
    flights_make_room(2);
    struct flight *data = flights_add(&next);
    fill(data->buffer, data->bytes, mark->number);
    memcpy(model_of(next.pe, next.region) + next.at, data->buffer, data->bytes);
    if (!with_signal) {
        put_behind(mark, data);
        return;
    }
    data->is_waited = false;
    send_signal(mark, data, data->buffer, data->bytes);
}

/* In a session or not; a context anew. */
static void change_context(void)
{
    int context = (int)below(&chance, (uint64_t)contexts);
    static const size_t operations[] = {0, 0, 1, 30, SIZE_MAX};
    if (context && below(&chance, 3) == 0)
        context_renew(context);
    else
        engine->batch(context_of(context), operations[below(&chance, 5)]);
}

static void complete(void)
{
    int context = (int)below(&chance, (uint64_t)contexts);
    if (below(&chance, 2))
        flights_fence(context);
    else
        flights_quiet(context, below(&chance, 2) ? (int)below(&chance, (uint64_t)pes) : SHEAF_EVERY_PE);
}

void operate(void)
{
    static const struct {
        const char *name;
        unsigned share; /* of 256 */
        void (*perform)(void);
    } operations[] = {
        {"put", 54, put},           {"get", 40, get},           {"put_many", 6, put_many},
        {"put_marked", 40, put_marked}, {"atomic", 50, operate_atomically},
        {"put_rows", 16, put_rows}, {"get_rows", 16, get_rows},
        {"accumulate", 16, accumulate}, {"batch, context", 6, change_context},
        {"fence, quiet", 12, complete},
    };
    unsigned dice = (unsigned)below(&chance, 256), at = 0;
    while (dice >= operations[at].share)
        dice -= operations[at++].share;
    is_doing(operations[at].name);
    trace("%s", operations[at].name);
    operations[at].perform();
    flights_look();
    is_doing("between operations");
}
