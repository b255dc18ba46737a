/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun's messages about the end of a job.
 */
#include "oshrun/supervise/supervise.h"

#include "oshrun/command/say.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* A text of any length, for the output queue. */
struct text {
    FILE *stream;
    char *content;
    size_t length;
};

static FILE *open_text(struct text *text)
{
    text->stream = open_memstream(&text->content, &text->length);
    if (!text->stream)
        sheaf_die(1, "out of memory");
    return text->stream;
}

static void send_text(struct supervisor *supervisor, struct text *text)
{
    fclose(text->stream);
    sheaf_output_message(supervisor->output, text->content);
    free(text->content);
}

void sheaf_message_pe(FILE *out, const struct supervisor *supervisor, int pe)
{
    fprintf(out, "PE %d (%s, pid %d)", pe, supervisor->spawn->pes[pe].program->name,
            supervisor->pes[pe].pid);
}

void sheaf_message_board(struct supervisor *supervisor)
{
    struct text text;
    sheaf_board_print(open_text(&text), supervisor->job, supervisor->pes);
    send_text(supervisor, &text);
}

/* Whether every PE has exited by itself with that status. */
static bool all_exited_with(const struct supervisor *supervisor, int status)
{
    for (int pe = 0; pe < supervisor->options->npes; pe++)
        if (!supervisor->pes[pe].exited || !WIFEXITED(supervisor->pes[pe].status) ||
            WEXITSTATUS(supervisor->pes[pe].status) != status)
            return false;
    return true;
}

void sheaf_message_culprit(struct supervisor *supervisor)
{
    struct text text;
    if (supervisor->is_explained || supervisor->options->quiet || supervisor->culprit < 0)
        return;
    int npes = supervisor->options->npes, status = supervisor->pes[supervisor->culprit].status;
    FILE *out = open_text(&text);
    fputs("oshrun: ", out);
    if (WIFSIGNALED(status)) {
        sheaf_message_pe(out, supervisor, supervisor->culprit);
        fprintf(out, " was killed by signal %d (%s%s) [SH905]\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)), WCOREDUMP(status) ? ", core dumped" : "");
    } else if (npes > 1 && all_exited_with(supervisor, WEXITSTATUS(status))) {
        fprintf(out, "all %d PEs exited with status %d [SH905]\n", npes, WEXITSTATUS(status));
    } else {
        sheaf_message_pe(out, supervisor, supervisor->culprit);
        fprintf(out, " exited with status %d [SH905]\n", WEXITSTATUS(status));
    }
    send_text(supervisor, &text);
    supervisor->is_explained = true;
}
