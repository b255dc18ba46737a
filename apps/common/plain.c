/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, messages, rounds. Knows no library that an application is written to.
 */
#include "plain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Its bytes, not a pointer: a checkpoint that is restored may replace it, by those of an earlier run. */
static char app_name[64] = "app";

/* One line. */
static void print(FILE *file, const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(file, "%s: %s\n", app_name, text);
}

int app_fail(const char *format, ...)
{
    if (app_rank() != 0)
        return 1;
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    print(stderr, format, arguments);
    va_end(arguments);
    return 1;
}

void app_say(const char *format, ...)
{
    if (app_rank() != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    print(stdout, format, arguments);
    va_end(arguments);
}

double app_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double app_timed_after(void (*prepare)(void *state), void (*work)(void *state), void *state, long rounds)
{
    static double seconds[APP_ROUNDS_MOST];
    for (long round = 0; round < rounds; round++) {
        prepare(state);
        app_barrier();
        double begin = app_seconds();
        work(state);
        seconds[round] = app_max_double(app_seconds() - begin);
    }
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    return seconds[rounds / 2];
}

static void prepare_nothing(void *state)
{
    (void)state;
}

double app_timed(void (*work)(void *state), void *state, long rounds)
{
    return app_timed_after(prepare_nothing, work, state, rounds);
}

void app_report(double seconds, double operations, const char *what, ...)
{
    char text[512], rate[64] = "";
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    if (operations > 0 && seconds > 0)
        snprintf(rate, sizeof rate, ", %.2f Mop/s", operations / seconds * 1e-6);
    app_say("%s on %d %s: %.6f s%s", text, app_workers(), app_unit, seconds, rate);
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
            printf(": %s (default %.*s)", option->choices, (int)strcspn(choice_word(option), "|"),
                   choice_word(option));
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
        app_fail("%s: '%s' is not a whole number from %.0f to %.0f", option->name, text, option->least,
                 option->most);
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
        app_fail("%s: '%s' is not a number from %g to %g", option->name, text, option->least, option->most);
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

int app_read(int argc, char **argv, const char *summary, const struct app_option *options)
{
    if (argc > 0) {
        const char *slash = strrchr(argv[0], '/');
        snprintf(app_name, sizeof app_name, "%s", slash != NULL ? slash + 1 : argv[0]);
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
    if (good && help && app_rank() == 0)
        print_help(summary, options);
    return !good ? 1 : help ? 0 : APP_RUN;
}

int app_start(int argc, char **argv, const char *summary, const struct app_option *options)
{
    const int status = app_read(argc, argv, summary, options);
    return app_agree(status == 1) != 0 ? 1 : status;
}
