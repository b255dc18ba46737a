/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, messages, and the small collectives that every application uses.
 *
 * Each collective here has two result variables and takes them in turn: by the time a PE enters
 * the next but one, all PEs have entered the next, so they have read the result before last, and
 * it may be overwritten.
 */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *app_name = "app";

int app_fail(const char *format, ...)
{
    if (shmem_my_pe() != 0)
        return 1;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", app_name, text);
    return 1;
}

int app_agree(int status)
{
    static int mine, all[2], turn;
    turn ^= 1;
    mine = status;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

long app_sum_long(long value)
{
    static long mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

uint64_t app_sum_uint64(uint64_t value)
{
    static uint64_t mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

double app_max_double(double value)
{
    static double mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

void app_share(void *data, size_t bytes)
{
    static char source[APP_SHARE_BYTES], dest[APP_SHARE_BYTES];
    memcpy(source, data, bytes);
    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
    memcpy(data, dest, bytes);
    shmem_sync_all();
}

void *app_allocate(size_t count, size_t size, const char *what)
{
    size_t bytes;
    void *block = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes))
        block = shmem_malloc(bytes > 0 ? bytes : 1);
    if (block == NULL) {
        app_fail("not enough symmetric memory for %s: %zu x %zu bytes on each PE", what, count,
                 size);
        return NULL;
    }
    memset(block, 0, bytes);
    shmem_barrier_all();
    return block;
}

double app_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_operand(const struct app_option *option)
{
    return option->name[0] != '-';
}

static const char *argument_word(const struct app_option *option)
{
    switch (option->kind) {
    case APP_COUNT:
        return " N";
    case APP_REAL:
        return " X";
    case APP_TEXT:
        return is_operand(option) ? "" : " FILE";
    case APP_CHOICE:
        return " WORD";
    default:
        return "";
    }
}

/* The word that value stands for. */
static const char *choice_word(const struct app_option *option)
{
    const char *word = option->choices;
    for (int i = 0; i < *(int *)option->value; i++)
        word = strchr(word, '|') + 1;
    return word;
}

static void print_help(const char *summary, const struct app_option *options)
{
    printf("usage: %s [options]", app_name);
    for (const struct app_option *option = options; option->kind != APP_END; option++)
        if (is_operand(option))
            printf(" [%s]", option->name);
    printf("\n%s\n\n", summary);
    for (const struct app_option *option = options; option->kind != APP_END; option++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s", option->name, argument_word(option));
        printf("  %-18s %s", left, option->help);
        if (option->kind == APP_COUNT)
            printf(" (default %ld)", *(long *)option->value);
        if (option->kind == APP_REAL)
            printf(" (default %g)", *(double *)option->value);
        if (option->kind == APP_CHOICE)
            printf(": %s (default %.*s)", option->choices,
                   (int)strcspn(choice_word(option), "|"), choice_word(option));
        printf("\n");
    }
    printf("  %-18s %s\n", "--help", "print this and stop");
}

static bool parse_count(const struct app_option *option, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || (double)value < option->least ||
        (double)value > option->most) {
        app_fail("%s: '%s' is not a whole number from %.0f to %.0f", option->name, text,
                 option->least, option->most);
        return false;
    }
    *(long *)option->value = value;
    return true;
}

static bool parse_real(const struct app_option *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= option->least && value <= option->most)) {
        app_fail("%s: '%s' is not a number from %g to %g", option->name, text, option->least,
                 option->most);
        return false;
    }
    *(double *)option->value = value;
    return true;
}

static bool parse_choice(const struct app_option *option, const char *text)
{
    int index = 0;
    size_t length = strlen(text);
    for (const char *word = option->choices;; word++, index++) {
        size_t width = strcspn(word, "|");
        if (width == length && strncmp(word, text, length) == 0) {
            *(int *)option->value = index;
            return true;
        }
        word += width;
        if (*word == '\0')
            break;
    }
    app_fail("%s: '%s' is not one of %s", option->name, text, option->choices);
    return false;
}

static bool parse_value(const struct app_option *option, const char *text)
{
    switch (option->kind) {
    case APP_COUNT:
        return parse_count(option, text);
    case APP_REAL:
        return parse_real(option, text);
    case APP_CHOICE:
        return parse_choice(option, text);
    default:
        if (text[0] == '\0') {
            app_fail("%s is empty", option->name);
            return false;
        }
        *(const char **)option->value = text;
        return true;
    }
}

static const struct app_option *find_option(const struct app_option *options, const char *text,
                                            size_t length)
{
    for (const struct app_option *option = options; option->kind != APP_END; option++)
        if (strlen(option->name) == length && strncmp(option->name, text, length) == 0)
            return option;
    return NULL;
}

static bool parse_operand(const struct app_option *options, const char *text)
{
    for (const struct app_option *option = options; option->kind != APP_END; option++)
        if (is_operand(option) && *(const char **)option->value == NULL)
            return parse_value(option, text);
    app_fail("unexpected argument '%s'; see %s --help", text, app_name);
    return false;
}

/* argv[*at] is the option; moves *at on when the value is the next word. */
static bool parse_option(int argc, char **argv, int *at, const struct app_option *options)
{
    const char *text = argv[*at];
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const struct app_option *option = find_option(options, text, length);
    if (option == NULL) {
        app_fail("unknown option '%s'; see %s --help", text, app_name);
        return false;
    }
    if (option->kind == APP_FLAG) {
        if (equals != NULL) {
            app_fail("%s takes no value", option->name);
            return false;
        }
        *(bool *)option->value = true;
        return true;
    }
    if (equals != NULL)
        return parse_value(option, equals + 1);
    if (*at + 1 >= argc) {
        app_fail("%s needs a value", option->name);
        return false;
    }
    return parse_value(option, argv[++*at]);
}

int app_start(int argc, char **argv, const char *summary, const struct app_option *options)
{
    if (argc > 0) {
        const char *slash = strrchr(argv[0], '/');
        app_name = slash != NULL ? slash + 1 : argv[0];
    }
    bool good = true, help = false;
    for (int at = 1; at < argc && good && !help; at++) {
        if (strcmp(argv[at], "--help") == 0)
            help = true;
        else if (argv[at][0] == '-' && argv[at][1] != '\0')
            good = parse_option(argc, argv, &at, options);
        else
            good = parse_operand(options, argv[at]);
    }
    if (app_agree(!good) != 0)
        return 1;
    if (help) {
        if (shmem_my_pe() == 0)
            print_help(summary, options);
        return 0;
    }
    return APP_RUN;
}

void app_start_batch(bool batch)
{
#ifdef SHMEM_CTX_SESSION_BATCH
    if (batch)
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
#else
    (void)batch;
#endif
}

void app_stop_batch(bool batch)
{
#ifdef SHMEM_CTX_SESSION_BATCH
    if (batch)
        shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
#else
    (void)batch;
#endif
}
