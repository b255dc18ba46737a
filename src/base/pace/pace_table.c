/* SPDX-License-Identifier: BSD-3-Clause
 * See pace_table.h.
 */
#include "base/pace/pace_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define STANDARD(name, unit, standard, least, most, why) .name = (standard),
const struct sheaf_pace_table sheaf_pace_defaults = {SHEAF_PACE_TABLE(STANDARD)};
struct sheaf_pace_table sheaf_pace_table = {SHEAF_PACE_TABLE(STANDARD)};

/* All that SHEAF_PACE may name. */
struct values {
    struct sheaf_pace_table table;
    struct sheaf_times times;
};

#define SHORTEST UINT64_C(1000)
#define LONGEST  SHEAF_TIMES_MOST

static const struct constant {
    const char *name;
    enum sheaf_pace_unit unit;
    uint64_t standard, least, most; /* a fixed one has one value */
    const char *why;
    size_t place; /* in struct values */
} constants[] = {
#define CONSTANT(name, unit, standard, least, most, why)                                           \
    {#name, SHEAF_PACE_##unit, standard, least, most, why, offsetof(struct values, table.name)},
    SHEAF_PACE_TABLE(CONSTANT)
#define TIME(name, ns, why)                                                                        \
    {#name, SHEAF_PACE_NS, ns, SHORTEST, LONGEST, why, offsetof(struct values, times.name)},
#define FIXED_TIME(name, ns, why)                                                                  \
    {#name, SHEAF_PACE_NS, ns, ns, ns, why, offsetof(struct values, times.name)},
    SHEAF_TIMES(TIME, FIXED_TIME)
};
#define CONSTANTS (sizeof constants / sizeof constants[0])

/* What must not be above what. */
#define PAIR(lower, upper)                                                                         \
    {offsetof(struct values, table.lower), offsetof(struct values, table.upper)}
static const struct {
    size_t lower, upper;
} pairs[] = {
    PAIR(shared_leave, shared_enter),
    PAIR(crowd_leave, crowd_enter),
    PAIR(pause_least, pause_most),
    PAIR(pause_least_crowded, pause_most_crowded),
    PAIR(nap_least, nap_most),
    PAIR(nap_most, nap_most_crowded),
    PAIR(left_pause_least, left_pause_most),
    PAIR(held_pause_least, held_pause_most),
};

/* The largest that divides a value is the one to print. */
static const struct suffix {
    enum sheaf_pace_unit unit;
    const char *text;
    uint64_t factor;
} suffixes[] = {
    {SHEAF_PACE_NS, "s", 1000000000}, {SHEAF_PACE_NS, "ms", 1000000}, {SHEAF_PACE_NS, "us", 1000},
    {SHEAF_PACE_NS, "ns", 1},         {SHEAF_PACE_BYTES, "m", 1 << 20}, {SHEAF_PACE_BYTES, "k", 1 << 10},
    {SHEAF_PACE_PERCENT, "%", 1},
};
#define SUFFIXES (sizeof suffixes / sizeof suffixes[0])

static const char *const examples[] = {
    [SHEAF_PACE_TIMES] = "a number such as 4",
    [SHEAF_PACE_PERCENT] = "a percentage such as 25%",
    [SHEAF_PACE_NS] = "a time such as 2ms, with ns, us, ms or s",
    [SHEAF_PACE_BYTES] = "a number of bytes such as 64k, with k or m",
};

static uint64_t *value_of(struct values *values, size_t place)
{
    return (uint64_t *)((char *)values + place);
}

static uint64_t value_in(const struct values *values, size_t place)
{
    return *(const uint64_t *)((const char *)values + place);
}

static bool is_fixed(const struct constant *constant)
{
    return constant->least == constant->most;
}

static void print_value(enum sheaf_pace_unit unit, uint64_t value, char *text, size_t size)
{
    for (size_t i = 0; i < SUFFIXES; i++)
        if (suffixes[i].unit == unit && value != 0 && value % suffixes[i].factor == 0) {
            snprintf(text, size, "%" PRIu64 "%s", value / suffixes[i].factor, suffixes[i].text);
            return;
        }
    snprintf(text, size, "%" PRIu64, value);
}

static bool find_factor(enum sheaf_pace_unit unit, const char *text, size_t length, uint64_t *factor)
{
    *factor = 1;
    for (size_t i = 0; length && i < SUFFIXES; i++)
        if (suffixes[i].unit == unit && strlen(suffixes[i].text) == length &&
            !memcmp(suffixes[i].text, text, length)) {
            *factor = suffixes[i].factor;
            return true;
        }
    return length == 0;
}

static bool read_value(enum sheaf_pace_unit unit, const char *text, size_t length, uint64_t *value)
{
    size_t digits = 0;
    uint64_t factor;
    *value = 0;
    for (; digits < length && text[digits] >= '0' && text[digits] <= '9'; digits++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(text[digits] - '0'), value))
            return false;
    return digits > 0 && find_factor(unit, text + digits, length - digits, &factor) &&
           !__builtin_mul_overflow(*value, factor, value);
}

static const struct constant *find(const char *name, size_t length)
{
    static const char former[] = "agent_beat_unanswered";
    if (length == sizeof former - 1 && !memcmp(former, name, length)) {
        name = "heartbeat_unanswered";
        length = strlen(name);
    }
    for (size_t i = 0; i < CONSTANTS; i++)
        if (strlen(constants[i].name) == length && !memcmp(constants[i].name, name, length))
            return &constants[i];
    return NULL;
}

static const struct constant *at_place(size_t place)
{
    size_t i = 0;
    while (constants[i].place != place)
        i++;
    return &constants[i];
}

/* One "name=value" of so many characters. */
static int read_one(const char *text, size_t length, struct values *values, char *why, size_t size)
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length;
    const struct constant *constant = equals ? find(text, name_length) : NULL;
    char least[32], most[32];
    uint64_t value;
    if (!constant) {
        snprintf(why, size, "\"%.*s\" is not NAME=VALUE with a name that oshinfo --pace prints",
                 (int)length, text);
        return -1;
    }
    if (!read_value(constant->unit, equals + 1, length - name_length - 1, &value)) {
        snprintf(why, size, "\"%.*s\" is not %s", (int)length, text, examples[constant->unit]);
        return -1;
    }
    if (value < constant->least || value > constant->most) {
        print_value(constant->unit, constant->least, least, sizeof least);
        print_value(constant->unit, constant->most, most, sizeof most);
        if (is_fixed(constant))
            snprintf(why, size, "\"%.*s\": %s is fixed", (int)length, text, constant->name);
        else
            snprintf(why, size, "\"%.*s\" is not between %s and %s", (int)length, text, least, most);
        return -1;
    }
    *value_of(values, constant->place) = value;
    return 0;
}

static int check_pairs(const struct values *values, char *why, size_t size)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct constant *lower = at_place(pairs[i].lower), *upper = at_place(pairs[i].upper);
        char one[32], other[32];
        if (value_in(values, lower->place) <= value_in(values, upper->place))
            continue;
        print_value(lower->unit, value_in(values, lower->place), one, sizeof one);
        print_value(upper->unit, value_in(values, upper->place), other, sizeof other);
        snprintf(why, size, "%s is %s and must not be above %s, which is %s", lower->name, one,
                 upper->name, other);
        return -1;
    }
    return 0;
}

int sheaf_pace_parse(const char *text, struct sheaf_pace_table *table, struct sheaf_times *times, char *why,
                     size_t size)
{
    struct values changed = {*table, *times};
    for (;;) {
        size_t length = strcspn(text, ",");
        if (read_one(text, length, &changed, why, size) != 0)
            return -1;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    if (check_pairs(&changed, why, size) != 0)
        return -1;
    *table = changed.table;
    *times = changed.times;
    return 0;
}

void sheaf_pace_print(FILE *out, const struct sheaf_pace_table *table, const struct sheaf_times *times)
{
    const struct values values = {*table, *times};
    for (size_t i = 0; i < CONSTANTS; i++) {
        const struct constant *constant = &constants[i];
        uint64_t value = value_in(&values, constant->place);
        char now[32], otherwise[32];
        print_value(constant->unit, value, now, sizeof now);
        print_value(constant->unit, constant->standard, otherwise, sizeof otherwise);
        if (constant->place == offsetof(struct values, times))
            fputs("\nTimes and limits of waits; (fixed): SHEAF_PACE does not change it\n", out);
        fprintf(out, "%-24s%-9s", constant->name, now);
        if (is_fixed(constant))
            fputs("(fixed) ", out);
        else if (value != constant->standard)
            fprintf(out, "(default %s) ", otherwise);
        fprintf(out, "%s\n", constant->why);
    }
}
