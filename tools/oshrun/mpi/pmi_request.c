/* SPDX-License-Identifier: BSD-3-Clause
 * See pmi_request.h.
 */
#include "oshrun/mpi/pmi_request.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct pmi_job *job;
    struct pmi_client *client;
    const char *line;
    char *answer;
    int *status;
};

/* Copies a field's value. Returns false where the field is missing or too long for the room. */
static bool copy_field(const char *line, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = line; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            continue;
        at += length + 1;
        size_t bytes = strcspn(at, " ");
        if (bytes >= size)
            return false;
        memcpy(value, at, bytes);
        value[bytes] = '\0';
        return true;
    }
    return false;
}

static bool read_number(const char *line, const char *name, int *value)
{
    char text[16], *end;
    if (!copy_field(line, name, text, sizeof text))
        return false;
    long read = strtol(text, &end, 10);
    *value = (int)read;
    return end != text && !*end && read >= INT_MIN && read <= INT_MAX;
}

__attribute__((format(printf, 2, 3))) static enum pmi_outcome answer(const struct request *request,
                                                                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(request->answer, PMI_LINE, format, arguments);
    va_end(arguments);
    return PMI_ANSWER;
}

static enum pmi_outcome serve_init(struct request *request)
{
    int version;
    bool fits = read_number(request->line, "pmi_version", &version) && version == 1;
    if (fits)
        request->client->state = PMI_UP;
    return answer(request, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=%d\n", fits ? 0 : -1);
}

static enum pmi_outcome serve_get_maxes(struct request *request)
{
    return answer(request, "cmd=maxes kvsname_max=%d keylen_max=%d vallen_max=%d\n", PMI_NAME, PMI_KEY,
                  PMI_VALUE);
}

static enum pmi_outcome serve_get_appnum(struct request *request)
{
    return answer(request, "cmd=appnum appnum=%d\n", request->client->appnum);
}

static enum pmi_outcome serve_get_my_kvsname(struct request *request)
{
    return answer(request, "cmd=my_kvsname kvsname=%s\n", request->job->name);
}

static enum pmi_outcome serve_get_universe_size(struct request *request)
{
    return answer(request, "cmd=universe_size size=%d\n", request->job->npes);
}

/* Whether a request names the job's only key-value space, and has a key. */
static bool has_key(const struct request *request, char *key)
{
    char name[PMI_NAME];
    return copy_field(request->line, "kvsname", name, sizeof name) &&
           strcmp(name, request->job->name) == 0 &&
           copy_field(request->line, "key", key, PMI_KEY) && *key;
}

static const char *store_pair(const struct request *request, const char *key, const char *value)
{
    static const char *const words[] = {NULL, "duplicate_key", "no_memory"};
    size_t cost = sheaf_pmi_store_cost(key, value);
    if (cost > PMI_MOST_BYTES - request->client->stored)
        return "no_room";
    const char *why = words[sheaf_pmi_store_put(&request->job->store, key, value)];
    if (!why)
        request->client->stored += cost;
    return why;
}

static enum pmi_outcome serve_put(struct request *request)
{
    char key[PMI_KEY], value[PMI_VALUE];
    const char *why = "bad_kvsname_key_or_value";
    if (has_key(request, key) && copy_field(request->line, "value", value, sizeof value))
        why = store_pair(request, key, value);
    return answer(request, "cmd=put_result rc=%d msg=%s\n", why ? -1 : 0, why ? why : "success");
}

static enum pmi_outcome serve_get(struct request *request)
{
    char key[PMI_KEY];
    const char *value = has_key(request, key) ? sheaf_pmi_store_get(&request->job->store, key) : NULL;
    return answer(request, "cmd=get_result rc=%d msg=%s value=%s\n", value ? 0 : -1,
                  value ? "success" : "no_such_key", value ? value : "unknown");
}

static enum pmi_outcome serve_barrier_in(struct request *request)
{
    request->client->state = PMI_IN_BARRIER;
    if (++request->job->waiting < request->job->npes)
        return PMI_NOTHING;
    answer(request, "cmd=barrier_out\n");
    return PMI_RELEASE;
}

static enum pmi_outcome serve_finalize(struct request *request)
{
    request->client->state = PMI_FINALIZED;
    return answer(request, "cmd=finalize_ack\n");
}

static enum pmi_outcome serve_abort(struct request *request)
{
    if (!read_number(request->line, "exitcode", request->status))
        *request->status = EXIT_FAILURE;
    return PMI_ABORT;
}

/* Refuses to publish names: oshrun's would end with the job, so no other job could find them. */
static enum pmi_outcome refuse_names(struct request *request)
{
    char command[32];
    copy_field(request->line, "cmd", command, sizeof command);
    command[strcspn(command, "_")] = '\0';
    return answer(request, "cmd=%s_result rc=-1 info=not_served msg=not_served\n", command);
}

static const struct {
    const char *command;
    enum pmi_state in;
    enum pmi_outcome (*serve)(struct request *request);
} requests[] = {
    {"init", PMI_UNUSED, serve_init},
    {"get_maxes", PMI_UP, serve_get_maxes},
    {"get_appnum", PMI_UP, serve_get_appnum},
    {"get_my_kvsname", PMI_UP, serve_get_my_kvsname},
    {"get_universe_size", PMI_UP, serve_get_universe_size},
    {"put", PMI_UP, serve_put},
    {"get", PMI_UP, serve_get},
    {"barrier_in", PMI_UP, serve_barrier_in},
    {"publish_name", PMI_UP, refuse_names},
    {"unpublish_name", PMI_UP, refuse_names},
    {"lookup_name", PMI_UP, refuse_names},
    {"finalize", PMI_UP, serve_finalize},
    {"abort", PMI_UP, serve_abort},
    {"abort", PMI_IN_BARRIER, serve_abort}, /* from another thread than the waiting one */
};

/* Reads the lines of a spawn request: they may contain any text, since the command's arguments do. */
static enum pmi_outcome serve_spawn(struct request *request)
{
    struct pmi_client *client = request->client;
    sscanf(request->line, "totspawns=%d", &client->commands);
    sscanf(request->line, "spawnssofar=%d", &client->command);
    client->is_spawning = strcmp(request->line, "endcmd") != 0;
    if (client->is_spawning || client->command < client->commands)
        return PMI_NOTHING;
    answer(request, "cmd=spawn_result rc=-1 status=not_served\n");
    return PMI_NO_SPAWN;
}

/* Whether a line has only letters, digits and signs, with spaces between them. */
static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] < ' ' || line[i] > '~')
            return false;
    return length > 0;
}

enum pmi_outcome sheaf_pmi_request(struct pmi_job *job, struct pmi_client *client, const char *line,
                                   size_t length, char *text, int *status)
{
    char command[32];
    struct request request = {job, client, line, text, status};
    if (client->is_spawning || (client->state == PMI_UP && strcmp(line, "mcmd=spawn") == 0))
        return serve_spawn(&request);
    if (!is_text(line, length) || !copy_field(line, "cmd", command, sizeof command))
        return PMI_WRONG;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (client->state == requests[i].in && strcmp(command, requests[i].command) == 0)
            return requests[i].serve(&request);
    return PMI_WRONG;
}

void sheaf_pmi_release(struct pmi_job *job, struct pmi_client *client)
{
    client->state = PMI_UP;
    job->waiting--;
}
