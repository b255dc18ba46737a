/* SPDX-License-Identifier: BSD-3-Clause
 * See screen.h.
 */
#include "screen.h"

#include "base/clock.h"
#include "base/os/file_io.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

static struct termios before;
static bool has_keys;
static volatile sig_atomic_t is_open, has_resized;

static void say(const char *sequence)
{
    ssize_t written = write(STDOUT_FILENO, sequence, strlen(sequence));
    (void)written;
}

/* First it is open: a signal that comes between gives back what was changed. */
static void enter(void)
{
    is_open = 1;
    if (has_keys) {
        struct termios raw = before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    }
    say(ENTER);
}

/* Also in a signal handler. */
static void leave(void)
{
    if (!is_open)
        return;
    is_open = 0;
    say(LEAVE);
    if (has_keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void on_end(int signal_number)
{
    leave();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Stopped, it gives the terminal back for that time. */
static void on_stop(int signal_number)
{
    int kept = errno;
    (void)signal_number;
    leave();
    raise(SIGSTOP);
    enter();
    has_resized = 1;
    errno = kept;
}

static void on_resize(int signal_number)
{
    (void)signal_number;
    has_resized = 1;
}

/* A signal that the starter has had ignored stays so. */
static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

bool top_screen_open(void)
{
    static const int ends[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT,
                               SIGSEGV, SIGBUS,  SIGFPE, SIGILL,  SIGALRM, SIGUSR1,
                               SIGUSR2, SIGXCPU, SIGSYS};
    const char *terminal = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !terminal || !*terminal || !strcmp(terminal, "dumb"))
        return false;
    has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &before) == 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        handle(ends[i], on_end);
    handle(SIGTSTP, on_stop);
    handle(SIGWINCH, on_resize);
    atexit(leave);
    enter();
    return true;
}

void top_screen_close(void)
{
    leave();
}

static struct winsize size_now(void)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    struct winsize told;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &told) == 0 && told.ws_row > 0 && told.ws_col > 0)
        size = told;
    return size;
}

int top_screen_page(void)
{
    int rows = size_now().ws_row;
    return rows > 3 ? rows - 2 : 1;
}

static void put_line(const char *line, size_t length, int columns, FILE *out)
{
    if (length > (size_t)columns)
        length = (size_t)columns;
    fwrite(line, 1, length, out);
    fputs("\033[K", out);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void draw_rest(int above, int below, int columns, FILE *out)
{
    char line[80];
    int length = snprintf(line, sizeof line, "-- %d lines above, %d below: arrows, Page Up, Page Down",
                          above, below);
    fputs("\r\n", out);
    put_line(line, above || below ? (size_t)length : 0, columns, out);
}

int top_screen_draw(const char *head, const char *text, int from)
{
    struct winsize size = size_now();
    char *drawing = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&drawing, &length);
    int lines = count_lines(text), page = top_screen_page(), last = lines > page ? lines - page : 0;
    if (!out)
        return 0;
    if (from > last)
        from = last;
    fputs("\033[H\033[7m", out);
    put_line(head, strlen(head), size.ws_col, out);
    fputs("\033[0m", out);
    for (int line = 0; line < lines && line < from + page; line++) {
        size_t width = strcspn(text, "\n");
        if (line >= from) {
            fputs("\r\n", out);
            put_line(text, width, size.ws_col, out);
        }
        text += width + 1;
    }
    draw_rest(from, lines > from + page ? lines - from - page : 0, size.ws_col, out);
    fputs("\033[J", out);
    fclose(out);
    sheaf_write_fully(STDOUT_FILENO, drawing, length); /* in pieces a terminal flickers */
    free(drawing);
    return last;
}

/* The sequences of common terminals; others are nothing. */
static int decode(const char *bytes, ssize_t count)
{
    static const struct {
        const char *sequence;
        int key;
    } keys[] = {{"\033[A", TOP_KEY_UP},       {"\033[B", TOP_KEY_DOWN},
                {"\033OA", TOP_KEY_UP},       {"\033OB", TOP_KEY_DOWN},
                {"\033[5~", TOP_KEY_PAGE_UP}, {"\033[6~", TOP_KEY_PAGE_DOWN}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (count >= (ssize_t)strlen(keys[i].sequence) &&
            !strncmp(bytes, keys[i].sequence, strlen(keys[i].sequence)))
            return keys[i].key;
    return bytes[0] == '\033' ? TOP_KEY_NONE : (unsigned char)bytes[0];
}

static int read_key(void)
{
    char bytes[16];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
        return TOP_KEY_END;
    return count < 0 ? TOP_KEY_NONE : decode(bytes, count);
}

int top_screen_key(uint64_t until_ns)
{
    while (!has_resized) {
        struct pollfd keyboard = {.fd = has_keys ? STDIN_FILENO : -1, .events = POLLIN};
        uint64_t now = sheaf_clock_ns();
        if (now >= until_ns)
            return TOP_KEY_NONE;
        int ready = poll(&keyboard, 1, (int)((until_ns - now) / SHEAF_MILLISECOND) + 1);
        if (ready > 0)
            return read_key();
        if (ready < 0 && errno != EINTR)
            return TOP_KEY_NONE;
    }
    has_resized = 0;
    return TOP_KEY_RESIZED;
}
