/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Misspelt settings: variables of the environment that have a prefix of OpenSHMEM's and that nothing of
 * Sheaf reads. The warning names the nearest setting.
 */
#include "base/settings/env.h"
#include "base/settings/env_internal.h"

#include "base/log.h"
#include "base/settings/names.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_NAME 48
#define LONGEST_LIST 400

static const char *const prefixes[] = {"SHEAF_", "SHMEM_", "SMA_"};

/* After a prefix: what environment modules and builds say of an installation, which no library reads. */
static const char *const of_installations[] = {"BASE", "BIN", "CFLAGS", "DIR", "HOME", "INC", "INCLUDE",
                                               "LDFLAGS", "LIB", "LIBS", "PATH", "PREFIX", "ROOT", NULL};

/* The rest of a name behind its prefix; NULL for a name without one. */
static const char *stem_of_name(const char *name)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return NULL;
}

static bool is_unknown(const char *name)
{
    const char *stem = stem_of_name(name);
    return stem && sheaf_names_find(of_installations, stem) < 0 && !sheaf_settings_has(name);
}

/* Whether longer, without one of its words, is shorter: SYMMETRIC_HEAP_SIZE and SYMMETRIC_SIZE. */
static bool has_one_word_more(const char *longer, const char *shorter)
{
    char words[LONGEST_NAME + 1], fewer[LONGEST_NAME + 1];
    size_t more = strlen(longer) - strlen(shorter);
    snprintf(words, sizeof words, "%s_", longer);
    snprintf(fewer, sizeof fewer, "%s_", shorter);
    for (size_t at = 0, length; words[at]; at += length) {
        length = strcspn(words + at, "_") + 1;
        bool is_same_before = strncmp(words, fewer, at) == 0;
        if (length == more && is_same_before && strcmp(words + at + length, fewer + at) == 0)
            return true;
    }
    return false;
}

/* Of what follows the prefixes. A word more or less counts as much as a letter. */
static unsigned distance_of_stems(const char *one, const char *other)
{
    unsigned letters = sheaf_names_distance(one, other);
    return letters > 1 && (has_one_word_more(one, other) || has_one_word_more(other, one)) ? 1 : letters;
}

/* The setting whose name is nearest, where 2 letters at most, and no more than a third, differ; else NULL.
 * Another prefix counts as half a letter: SHEAF_DEBUG is meant to be SHMEM_DEBUG. */
static const char *nearest_setting(const char *name)
{
    const char *stem = stem_of_name(name), *nearest = NULL;
    size_t third = strlen(stem) / 3;
    unsigned least = 2 * (third < 2 ? (unsigned)third : 2) + 2;
    for (size_t row = 0; sheaf_settings_name(row); row++) {
        const char *known = sheaf_settings_name(row);
        unsigned halves = 2 * distance_of_stems(stem, stem_of_name(known)) + (strncmp(name, known, 3) != 0);
        if (halves < least) {
            least = halves;
            nearest = known;
        }
    }
    return nearest;
}

/* The name of "NAME=value", or as much of it as has room. */
static void copy_name(const char *variable, char name[LONGEST_NAME])
{
    snprintf(name, LONGEST_NAME, "%.*s", (int)strcspn(variable, "="), variable);
}

/* Says it where a setting is near. */
static bool has_suggested(const char *name)
{
    const char *nearest = nearest_setting(name);
    bool is_sheafs = name[2] == 'E';
    if (nearest)
        sheaf_warn("SH202 %s %s: did you mean %s? (oshinfo lists them)", name,
                   is_sheafs ? "is no setting of Sheaf" : "has no effect in Sheaf", nearest);
    return nearest != NULL;
}

void sheaf_settings_warn_of_unknown(void)
{
    char name[LONGEST_NAME], list[LONGEST_LIST] = "";
    size_t length = 0, count = 0;
    for (char **variable = environ; variable && *variable; variable++) {
        copy_name(*variable, name);
        if (!is_unknown(name) || has_suggested(name))
            continue;
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                                       name);
        count++;
    }
    if (count)
        sheaf_warn("SH202 %s %s no effect in Sheaf, which has no such setting (oshinfo lists them)", list,
                   count == 1 ? "has" : "have");
}
