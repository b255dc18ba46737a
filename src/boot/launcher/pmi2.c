/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-2: after a greeting in PMI-1's words, messages of fields that end with ";", each after its
 * length in six digits. Slurm's srun --mpi=pmi2; Hydra speaks it when greeted so.
 */
#include "boot/launcher/launcher.h"

#include "base/log.h"
#include "base/settings/env.h"
#include "boot/launcher/wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE 4096
#define DIGITS  6

static int my_pe, world_size;
static char job_name[256];

/* Sends a message; unless answer is NULL reads one whose command must be answer. reply is MESSAGE
 * bytes. */
__attribute__((format(printf, 3, 4))) static int
ask(const char *answer, char *reply, const char *format, ...)
{
    char message[DIGITS + MESSAGE], digits[DIGITS + 1];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message + DIGITS, MESSAGE, format, arguments);
    va_end(arguments);
    snprintf(digits, sizeof digits, "%*d", DIGITS, length);
    memcpy(message, digits, DIGITS);
    sheaf_wire_lock();
    int failed = sheaf_wire_send(message, (size_t)length + DIGITS);
    if (!failed && answer && !(failed = sheaf_wire_receive(digits, DIGITS))) {
        digits[DIGITS] = '\0';
        length = atoi(digits);
        failed = length <= 0 || length >= MESSAGE ? -1 : sheaf_wire_receive(reply, (size_t)length);
        reply[failed ? 0 : length] = '\0';
    }
    sheaf_wire_unlock();
    if (!answer || failed)
        return failed;
    char command[64];
    sheaf_wire_field(reply, "cmd", ";", command, sizeof command);
    if (strcmp(command, answer) == 0)
        return 0;
    sheaf_error("SH403 the launcher answers \"%.200s\" where PMI-2 has %s", reply, answer);
    return -1;
}

static bool is_done(const char *reply)
{
    char result[16];
    return !sheaf_wire_field(reply, "rc", ";", result, sizeof result) || atoi(result) == 0;
}

static int put_text(const char *key, const char *text)
{
    char reply[MESSAGE];
    if (ask("kvs-put-response", reply, "cmd=kvs-put;key=%s;value=%s;", key, text) != 0)
        return -1;
    if (is_done(reply))
        return 0;
    sheaf_error("SH403 the launcher refuses the value %s: %.200s", key, reply);
    return -1;
}

/* The value in an answer, unless that says that there is none. */
static int read_value(const char *reply, char *text, size_t size)
{
    char found[16];
    if (!is_done(reply) || (sheaf_wire_field(reply, "found", ";", found, sizeof found) &&
                            strcmp(found, "TRUE") != 0))
        return -1;
    return sheaf_wire_field(reply, "value", ";", text, size) ? 0 : -1;
}

static int get_text(int pe, const char *key, char *text, size_t size)
{
    char reply[MESSAGE];
    if (ask("kvs-get-response", reply, "cmd=kvs-get;jobid=%s;srcid=%d;key=%s;", job_name, pe,
            key) != 0)
        return -1;
    return read_value(reply, text, size);
}

static const struct sheaf_wire_store store = {put_text, get_text, 64, 768};

static int greet(void)
{
    static const char hello[] = "cmd=init pmi_version=2 pmi_subversion=0\n";
    char reply[MESSAGE], result[16];
    if (sheaf_wire_send(hello, sizeof hello - 1) != 0 ||
        sheaf_wire_receive_line(reply, sizeof reply) != 0)
        return -1;
    if (sheaf_wire_field(reply, "rc", " ", result, sizeof result) && atoi(result) == 0)
        return 0;
    sheaf_error("SH403 the launcher does not speak PMI-2: %.200s", reply);
    return -1;
}

static int pmi2_open(int *pe, int *npes)
{
    char reply[MESSAGE], number[16];
    const char *job = getenv("PMI_JOBID");
    if (sheaf_wire_open(pe, npes) != 0 || greet() != 0)
        return -1;
    snprintf(job_name, sizeof job_name, "%s", job ? job : "0");
    if (ask("fullinit-response", reply, "cmd=fullinit;pmijobid=%s;pmirank=%d;threaded=FALSE;",
            job_name, *pe) != 0 || !is_done(reply))
        return -1;
    if (sheaf_wire_field(reply, "rank", ";", number, sizeof number))
        *pe = atoi(number);
    if (sheaf_wire_field(reply, "size", ";", number, sizeof number))
        *npes = atoi(number);
    my_pe = *pe;
    world_size = *npes;
    return 0;
}

static int pmi2_put(const char *key, const void *value, size_t bytes)
{
    return sheaf_wire_put(&store, my_pe, key, value, bytes);
}

static int pmi2_get(int pe, const char *key, void **value, size_t *bytes)
{
    return sheaf_wire_get(&store, pe, key, value, bytes);
}

static int pmi2_fence(void)
{
    char reply[MESSAGE];
    if (ask("kvs-fence-response", reply, "cmd=kvs-fence;") != 0)
        return -1;
    if (is_done(reply))
        return 0;
    sheaf_error("SH403 the launcher's fence failed: %.200s", reply);
    return -1;
}

static int pmi2_near(int *pes, int most)
{
    char reply[MESSAGE], mapping[1024];
    if (ask("info-getjobattr-response", reply,
            "cmd=info-getjobattr;key=PMI_process_mapping;") != 0 ||
        read_value(reply, mapping, sizeof mapping) != 0)
        return 0;
    return sheaf_wire_near(mapping, my_pe, world_size, pes, most);
}

static int pmi2_lowest_near(void)
{
    int lowest;
    return pmi2_near(&lowest, 1) == 1 ? lowest : -1;
}

static void pmi2_abort(int status)
{
    char reply[MESSAGE];
    ask(NULL, reply, "cmd=abort;isworld=TRUE;exitcode=%d;msg=status %d;", status, status);
}

static void pmi2_close(void)
{
    char reply[MESSAGE];
    ask("finalize-response", reply, "cmd=finalize;");
}

/* Hydra leaves no sign that it speaks PMI-2 too; PMI-1 does there. */
static bool pmi2_is_there(void)
{
    return sheaf_wire_is_there() && (getenv("SLURM_STEP_ID") || sheaf_settings_text("SHEAF_BOOT"));
}

const struct sheaf_launcher sheaf_launcher_pmi2 = {
    .name = "PMI-2",
    .setting = "pmi2",
    .is_there = pmi2_is_there,
    .open = pmi2_open,
    .put = pmi2_put,
    .fence = pmi2_fence,
    .get = pmi2_get,
    .lowest_near = pmi2_lowest_near,
    .near = pmi2_near,
    .watch = sheaf_wire_watch,
    .closed = sheaf_wire_closed,
    .abort = pmi2_abort,
    .close = pmi2_close,
};
