/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-1: one line of fields per question and answer. Hydra's and other MPICH-style launchers.
 */
#include "boot/launcher/launcher.h"

#include "base/log.h"
#include "boot/launcher/relay.h"
#include "boot/launcher/wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 2048

static int my_pe, world_size;
static char store_name[256];

/* Sends a line, and unless answer is NULL reads one that must begin with cmd=answer. reply is
 * LINE bytes. */
__attribute__((format(printf, 3, 4))) static int
ask(const char *answer, char *reply, const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sheaf_wire_lock();
    int failed = sheaf_wire_send(line, (size_t)length);
    if (!failed && answer)
        failed = sheaf_wire_receive_line(reply, LINE);
    sheaf_wire_unlock();
    if (failed || !answer)
        return failed;
    char command[64];
    sheaf_wire_field(reply, "cmd", " ", command, sizeof command);
    if (strcmp(command, answer) == 0)
        return 0;
    line[strcspn(line, " \n")] = '\0';
    sheaf_error("SH403 the launcher answers %s with \"%.200s\", which is not PMI-1", line, reply);
    return -1;
}

static int put_text(const char *key, const char *text)
{
    char reply[LINE], result[16];
    if (ask("put_result", reply, "cmd=put kvsname=%s key=%s value=%s\n", store_name, key, text) != 0)
        return -1;
    if (sheaf_wire_field(reply, "rc", " ", result, sizeof result) && atoi(result) == 0)
        return 0;
    sheaf_error("SH403 the launcher refuses the value %s: %.200s", key, reply);
    return -1;
}

static int get_text(int pe, const char *key, char *text, size_t size)
{
    char reply[LINE], result[16];
    (void)pe;
    if (ask("get_result", reply, "cmd=get kvsname=%s key=%s\n", store_name, key) != 0)
        return -1;
    if (!sheaf_wire_field(reply, "rc", " ", result, sizeof result) || atoi(result) != 0)
        return -1;
    return sheaf_wire_field(reply, "value", " ", text, size) ? 0 : -1;
}

static struct sheaf_wire_store store = {put_text, get_text, 64, 512};

/* The launcher's limits may be larger than what it was seen to take in one line. */
static void read_limits(const char *reply)
{
    char number[16];
    if (sheaf_wire_field(reply, "keylen_max", " ", number, sizeof number) && atoi(number) > 0 &&
        atoi(number) < 64)
        store.key_size = (size_t)atoi(number);
    if (sheaf_wire_field(reply, "vallen_max", " ", number, sizeof number) && atoi(number) > 64)
        store.text_size = atoi(number) < 768 ? (size_t)atoi(number) : 768;
}

static int greet(void)
{
    char reply[LINE], result[16];
    if (ask("response_to_init", reply, "cmd=init pmi_version=1 pmi_subversion=1\n") != 0) {
        sheaf_error("SH405 the launcher does not answer this PE: the first shmem_init must come before "
                    "MPI_Finalize, which ends the connection that both share");
        return -1;
    }
    if (sheaf_wire_field(reply, "rc", " ", result, sizeof result) && atoi(result) != 0) {
        sheaf_error("SH403 the launcher does not speak PMI-1: %.200s", reply);
        return -1;
    }
    return 0;
}

static int pmi1_open(int *pe, int *npes)
{
    char reply[LINE];
    bool shares = sheaf_relay_is_needed(), greeted = shares && sheaf_relay_has_greeted();
    if (sheaf_wire_open(pe, npes) != 0 || (!greeted && greet() != 0))
        return -1;
    my_pe = *pe;
    world_size = *npes;
    if (ask("maxes", reply, "cmd=get_maxes\n") != 0)
        return -1;
    read_limits(reply);
    if (ask("my_kvsname", reply, "cmd=get_my_kvsname\n") != 0)
        return -1;
    sheaf_wire_field(reply, "kvsname", " ", store_name, sizeof store_name);
    return shares && !greeted ? sheaf_relay_start() : 0;
}

static int pmi1_put(const char *key, const void *value, size_t bytes)
{
    return sheaf_wire_put(&store, my_pe, key, value, bytes);
}

static int pmi1_get(int pe, const char *key, void **value, size_t *bytes)
{
    return sheaf_wire_get(&store, pe, key, value, bytes);
}

static int pmi1_fence(void)
{
    char reply[LINE];
    return ask("barrier_out", reply, "cmd=barrier_in\n");
}

static int pmi1_near(int *pes, int most)
{
    char mapping[1024];
    if (get_text(my_pe, "PMI_process_mapping", mapping, sizeof mapping) != 0)
        return 0;
    return sheaf_wire_near(mapping, my_pe, world_size, pes, most);
}

static int pmi1_lowest_near(void)
{
    int lowest;
    return pmi1_near(&lowest, 1) == 1 ? lowest : -1;
}

static void pmi1_abort(int status)
{
    char reply[LINE];
    ask(NULL, reply, "cmd=abort exitcode=%d\n", status);
}

static void pmi1_end(void)
{
    char reply[LINE];
    ask("finalize_ack", reply, "cmd=finalize\n");
}

static bool is_end_deferred;

/* The launcher closes the connection at the first farewell. An MPI in this process says its own on it
 * when it is finalized, or, as MPICH 5 does, in a handler of exit(): SIGPIPE if the connection were closed
 * by then. */
static void pmi1_close(void)
{
    is_end_deferred = sheaf_relay_has_greeted();
    if (!is_end_deferred)
        pmi1_end();
}

/* After all handlers of exit(). */
__attribute__((destructor)) static void end_last(void)
{
    if (is_end_deferred)
        pmi1_end();
}

const struct sheaf_launcher sheaf_launcher_pmi1 = {
    .name = "PMI-1",
    .setting = "pmi1",
    .is_there = sheaf_wire_is_there,
    .open = pmi1_open,
    .put = pmi1_put,
    .fence = pmi1_fence,
    .get = pmi1_get,
    .lowest_near = pmi1_lowest_near,
    .near = pmi1_near,
    .watch = sheaf_wire_watch,
    .closed = sheaf_wire_closed,
    .abort = pmi1_abort,
    .close = pmi1_close,
    .end = pmi1_end,
};
