/* SPDX-License-Identifier: BSD-3-Clause
 * See env.h.
 */
#include "base/env.h"

#include "base/log.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum setting_kind { FLAG, SIZE };

/* One row per variable. old is the spelling of OpenSHMEM 1.3 and before. */
struct setting {
    const char *name;
    const char *old;
    enum setting_kind kind;
    const char *help;
};

static const struct setting table[] = {
    {"SHMEM_VERSION", "SMA_VERSION", FLAG, "print the library's version at start"},
    {"SHMEM_INFO", "SMA_INFO", FLAG, "print this table at start"},
    {"SHMEM_DEBUG", "SMA_DEBUG", FLAG, "print debugging messages and check arguments"},
    {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", SIZE,
     "limit of the symmetric heap, bytes per PE, with k, m, g or t; default: what memory allows"},
};

static const char *value_of(const struct setting *setting)
{
    const char *value = getenv(setting->name);
    return value ? value : getenv(setting->old);
}

static const char *name_in_use(const struct setting *setting)
{
    return getenv(setting->name) ? setting->name : setting->old;
}

static int suffix_shift(char letter)
{
    switch (letter) {
    case 'k': case 'K': return 10;
    case 'm': case 'M': return 20;
    case 'g': case 'G': return 30;
    case 't': case 'T': return 40;
    default: return -1;
    }
}

/* Digits, perhaps a point and digits: exact in 64 bits before the point, and rounded up after. */
int sheaf_parse_size(const char *text, size_t *bytes)
{
    uint64_t whole = 0;
    long double fraction = 0, place = 0.1L;
    bool any = false;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++, any = true)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, (uint64_t)(*at - '0'), &whole))
            return -1;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, any = true, place /= 10)
            fraction += place * (*at - '0');
    if (!any)
        return -1;

    int shift = *at ? suffix_shift(*at) : 0;
    if (shift < 0 || (whole << shift) >> shift != whole)
        return -1;
    /* The decimal digits were summed in binary: what is within their error of a whole number of
     * bytes is that number. */
    long double part = fraction * (long double)(UINT64_C(1) << shift);
    long double exact = part - part * 1e-17L;
    uint64_t rest = (uint64_t)exact;
    rest += (long double)rest < exact;
    uint64_t total = whole << shift;
    if (__builtin_add_overflow(total, rest, &total))
        return -1;
    *bytes = total;
    return 0;
}

int sheaf_settings_read(struct sheaf_settings *settings)
{
    bool *const flags[] = {&settings->version, &settings->info, &settings->debug};

    memset(settings, 0, sizeof *settings);
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        const char *value = value_of(&table[row]);
        if (!value)
            continue;
        if (table[row].kind == FLAG) {
            *flags[row] = true;
        } else if (sheaf_parse_size(value, &settings->heap_limit) == 0) {
            settings->has_heap_limit = true;
        } else {
            sheaf_error("%s=\"%s\" is not a size: give a number of bytes such as 512m, 1.5G or "
                       "1073741824",
                        name_in_use(&table[row]), value);
            return -1;
        }
    }
    return 0;
}

void sheaf_settings_print(FILE *out)
{
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        const char *value = value_of(&table[row]);
        fprintf(out, "%-21s %-9s %s\n", table[row].name,
                table[row].kind == FLAG ? "any value" : "size", table[row].help);
        fprintf(out, "%-21s now: %s%s%s\n", "", value ? "\"" : "", value ? value : "not set",
                value ? "\"" : "");
    }
    fprintf(out, "The spellings SMA_VERSION, SMA_INFO, SMA_DEBUG and SMA_SYMMETRIC_SIZE work too; "
                 "SHMEM_ wins where both are set.\n");
}
