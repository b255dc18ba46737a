/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the file that SHEAF_TUNE names: one rule per line, as docs/do/collectives.md describes. A line
 * that cannot be parsed ends the program with its number and the wrong word.
 */
#include "coll/choice.h"

#include "base/log.h"
#include "base/os/user_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4, LONGEST_LINE = 512 };

/* The current line, for messages, and the function that gets the rules. */
struct reader {
    const char *path;
    int line;
    sheaf_tune_add *add;
};

static int refuse_word(const struct reader *reader, const char *word, const char *reason)
{
    sheaf_error("SH204 SHEAF_TUNE: %s, line %d: \"%s\" %s", reader->path, reader->line, word, reason);
    return -1;
}

/* Finds word among names, of which the first skipped ones are not accepted. */
static int parse_name(const struct reader *reader, const char *word, const char *const *names,
                      int skipped)
{
    char accepted[256], reason[300];
    int found = sheaf_names_find(names, word);
    if (found >= skipped)
        return found;
    sheaf_names_print(names + skipped, accepted, sizeof accepted);
    snprintf(reason, sizeof reason, "must be one of: %s", accepted);
    return refuse_word(reader, word, reason);
}

static int parse_pes(const struct reader *reader, const char *word, int *pes)
{
    char *end;
    errno = 0;
    long value = strtol(word, &end, 10);
    if (!strcmp(word, "any"))
        value = SHEAF_ANY_PES;
    else if (*end || errno || value < 1 || value > 1 << 30 || value & (value - 1))
        return refuse_word(reader, word, "is no number of PEs: give a power of two, or any");
    *pes = (int)value;
    return 0;
}

static int parse_bytes(const struct reader *reader, const char *word, struct sheaf_rule *rule)
{
    size_t limit = sheaf_algorithm_limit(rule->family, rule->algorithm);
    char reason[100];
    rule->bytes = SHEAF_ANY_BYTES;
    if (strcmp(word, "any") && sheaf_parse_size(word, &rule->bytes) != 0)
        return refuse_word(reader, word, "is no size: give a number of bytes such as 56, 4k, 1m, or any");
    if (rule->family == SHEAF_BARRIER && rule->bytes != SHEAF_ANY_BYTES)
        return refuse_word(reader, word, "must be any: a barrier carries no bytes");
    if (rule->bytes <= limit)
        return 0;
    snprintf(reason, sizeof reason, "is more than the %zu bytes that %s carries", limit,
             sheaf_algorithm_names[rule->family][rule->algorithm]);
    return refuse_word(reader, word, reason);
}

static int parse_rule(const struct reader *reader, char *const words[WORDS])
{
    struct sheaf_rule rule;
    int family = parse_name(reader, words[0], sheaf_family_names, 0);
    if (family < 0)
        return -1;
    rule.family = (enum sheaf_family)family;
    rule.algorithm = parse_name(reader, words[3], sheaf_algorithm_names[family], 1);
    if (rule.algorithm < 0 || parse_pes(reader, words[1], &rule.pes) != 0 ||
        parse_bytes(reader, words[2], &rule) != 0)
        return -1;
    if (reader->add(&rule) != 0)
        return refuse_word(reader, words[0], "has too many lines for this number of PEs");
    return 0;
}

static int parse_line(const struct reader *reader, char *line)
{
    char *words[WORDS + 1], *rest = NULL;
    int count = 0;
    line[strcspn(line, "#\n")] = '\0';
    for (char *word = strtok_r(line, " \t\r", &rest); word && count <= WORDS;
         word = strtok_r(NULL, " \t\r", &rest))
        words[count++] = word;
    if (count == 0)
        return 0;
    if (count != WORDS)
        return refuse_word(reader, words[count - 1],
                           count < WORDS ? "ends the line too soon: give operation, PEs, bytes, algorithm"
                                    : "is one word too many: give operation, PEs, bytes, algorithm");
    return parse_rule(reader, words);
}

static int read_lines(FILE *file, struct reader *reader)
{
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, file)) {
        reader->line++;
        if (!strchr(line, '\n') && !feof(file)) {
            line[20] = '\0';
            return refuse_word(reader, line, "begins a line that is too long");
        }
        if (parse_line(reader, line) != 0)
            return -1;
    }
    return 0;
}

int sheaf_tune_file_read(const char *path, sheaf_tune_add *add)
{
    struct reader reader = {.path = path, .add = add};
    const char *why = NULL;
    FILE *file = sheaf_user_file_read(path, &why);
    int failed = file ? read_lines(file, &reader) : 0;
    if (!file || ferror(file)) {
        sheaf_error("SH204 SHEAF_TUNE: cannot read \"%s\": %s", path, why ? why : strerror(errno));
        failed = -1;
    }
    if (file)
        fclose(file);
    return failed;
}
