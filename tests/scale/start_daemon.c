/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The launcher of start.h. A daemon takes request for each question of a PE, one after the other. What PEs have put goes up
 * the tree of daemons with a fence, and all of it comes down to each: it takes overhead and per_byte to send and to receive,
 * latency on its way, and value for each value. A PMIx client finds other nodes' values in memory that its daemon shares,
 * and takes request itself.
 *
 * Limits of the protocols: keys and values of PMI-1 and PMI-2, and PMI-1's lines, as MPICH has them (PMI_MAXKEYLEN 64,
 * PMI_MAXVALLEN 1024, PMIU_MAXLINE 1024; PMI2_MAX_KEYLEN 64, PMI2_MAX_VALLEN 1024). A value beyond them ends this program.
 */
#include "simulation.h"
#include "start.h"
#include "unit.h"

#include "boot/launcher/wire.h"

#define PIPE     5e3 /* nanoseconds: a socket within a node, one way */
#define MOST_KEY   64
#define MOST_VALUE 1024
#define MOST_LINE  1024

struct value {
    char *key;
    void *value;
    size_t bytes;
};

struct daemon {
    double busy_until;      /* and when it sends or receives next, in a fence */
    uint64_t bytes, values; /* put since the last fence */
    uint64_t sent;
    int arrived;            /* PEs, in the fence */
    double down, came_down;
};

struct start_counts start_counts;

static struct {
    const struct start_launcher *launcher;
    int nodes, per_node, arrived;
    struct daemon *daemons; /* the last one is the command */
    struct value *values;
    size_t count, room;
    uint64_t *requests;     /* by PE */
    char (*answer)[4096];   /* to the PE's question, and how much it has read */
    int *answer_bytes, *answer_read;
} all;

static size_t place_of(const char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = key; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    size_t place = (size_t)(hash ^ hash >> 32) % all.room;
    while (all.values[place].key && strcmp(all.values[place].key, key) != 0)
        place = (place + 1) % all.room;
    return place;
}

static void keep(const char *key, const void *value, size_t bytes)
{
    struct daemon *daemon = &all.daemons[sim_me->node];
    struct value *it = &all.values[place_of(key)];
    CHECK(!it->key && ++all.count < all.room);
    *it = (struct value){strdup(key), malloc(bytes + 1), bytes};
    memcpy(it->value, value, bytes);
    ((char *)it->value)[bytes] = '\0';
    daemon->bytes += strlen(key) + bytes + 16;
    daemon->values++;
    start_counts.values++;
    start_counts.bytes += strlen(key) + bytes;
}

static double later(double one, double other)
{
    return one > other ? one : other;
}

static void count_request(void)
{
    uint64_t mine = ++all.requests[sim_me->pe];
    start_counts.requests++;
    start_counts.most_requests = mine > start_counts.most_requests ? mine : start_counts.most_requests;
}

/* Until the daemon has answered. */
static void ask_daemon(void)
{
    struct daemon *daemon = &all.daemons[sim_me->node];
    count_request();
    sim_sleep(0);
    daemon->busy_until = later(daemon->busy_until, sim_me->now + PIPE) + all.launcher->request;
    sim_sleep_until(daemon->busy_until + PIPE);
}

static struct daemon *parent_of(int node)
{
    int children = all.launcher->children;
    return &all.daemons[children == 0 || node < children ? all.nodes : node / children - 1];
}

static void go_up(void)
{
    const struct start_launcher *launcher = all.launcher;
    for (int node = all.nodes - 1; node >= 0; node--) {
        struct daemon *daemon = &all.daemons[node], *parent = parent_of(node);
        double takes = launcher->overhead + (double)daemon->bytes * launcher->per_byte;
        daemon->busy_until += takes;
        daemon->sent += daemon->bytes;
        parent->busy_until = later(parent->busy_until, daemon->busy_until + launcher->latency) + takes;
        parent->bytes += daemon->bytes;
        parent->values += daemon->values;
    }
}

static void come_down(void)
{
    const struct start_launcher *launcher = all.launcher;
    const struct daemon command = all.daemons[all.nodes];
    double takes = launcher->overhead + (double)command.bytes * launcher->per_byte;
    for (int node = 0; node < all.nodes; node++) {
        struct daemon *daemon = &all.daemons[node], *parent = parent_of(node);
        parent->busy_until += takes;
        parent->sent += command.bytes;
        daemon->busy_until = later(daemon->busy_until, parent->busy_until + launcher->latency) + takes;
    }
    for (int node = 0; node < all.nodes; node++)
        all.daemons[node].busy_until += (double)command.values * launcher->value;
}

/* The last PE of all has come: each goes on when its daemon has told it. */
static void end_fence(void)
{
    all.daemons[all.nodes].busy_until = sim_me->now;
    go_up();
    come_down();
    start_counts.fences++;
    for (int node = 0; node <= all.nodes; node++) {
        struct daemon *daemon = &all.daemons[node];
        start_counts.most_sent = daemon->sent > start_counts.most_sent ? daemon->sent : start_counts.most_sent;
        daemon->bytes = daemon->values = 0;
    }
    all.arrived = 0;
    for (int pe = 0; pe < all.nodes * all.per_node; pe++) {
        struct daemon *daemon = &all.daemons[pe / all.per_node];
        daemon->busy_until += all.launcher->request;
        if (pe != sim_me->pe)
            sim_resume(sim_pe_of(pe), daemon->busy_until + PIPE);
    }
    sim_sleep_until(all.daemons[sim_me->node].busy_until + PIPE);
}

static void fence(void)
{
    ask_daemon();
    sim_sleep(0);
    if (++all.arrived == all.nodes * all.per_node)
        end_fence();
    else
        sim_block();
}

/* PMI-1 and PMI-2: a question as the PE writes it, and the answer. */
static const char *field(const char *message, const char *name, const char *ends, char *value, size_t size)
{
    sheaf_wire_field(message, name, ends, value, size);
    return value;
}

static void answer_with(const char *ends, const char *format, const char *value)
{
    char (*answer)[4096] = &all.answer[sim_me->pe];
    int front = *ends == ';' ? 6 : 0;
    int length = snprintf(*answer + front, sizeof *answer - 6, format, value);
    if (front) {
        char digits[7];
        snprintf(digits, sizeof digits, "%6d", length);
        memcpy(*answer, digits, 6);
    }
    CHECK(front || length <= MOST_LINE);
    all.answer_bytes[sim_me->pe] = front + length;
    all.answer_read[sim_me->pe] = 0;
}

static void put_text(const char *message, const char *ends)
{
    char key[256], value[2048];
    CHECK(strlen(field(message, "key", ends, key, sizeof key)) < MOST_KEY);
    CHECK(strlen(field(message, "value", ends, value, sizeof value)) < MOST_VALUE);
    keep(key, value, strlen(value));
    ask_daemon();
    answer_with(ends, *ends == ';' ? "cmd=kvs-put-response;rc=0;" : "cmd=put_result rc=0 msg=success%s\n", "");
}

static void get_text(const char *message, const char *ends)
{
    char key[256];
    const struct value *it = &all.values[place_of(field(message, "key", ends, key, sizeof key))];
    bool is_two = *ends == ';';
    ask_daemon();
    if (it->key)
        answer_with(ends, is_two ? "cmd=kvs-get-response;rc=0;found=TRUE;value=%s;"
                                 : "cmd=get_result rc=0 msg=success value=%s\n", it->value);
    else
        answer_with(ends, is_two ? "cmd=kvs-get-response;rc=0;found=FALSE;" : "cmd=get_result rc=-1\n", "");
}

static void answer_mapping(const char *ends)
{
    char mapping[64];
    snprintf(mapping, sizeof mapping, "(vector,(0,%d,%d))", all.nodes, all.per_node);
    ask_daemon();
    answer_with(ends, *ends == ';' ? "cmd=info-getjobattr-response;rc=0;found=TRUE;value=%s;"
                                   : "cmd=get_result rc=0 msg=success value=%s\n", mapping);
}

static void answer_question(const char *message, const char *ends)
{
    char command[64], key[256];
    field(message, "cmd", ends, command, sizeof command);
    field(message, "key", ends, key, sizeof key);
    if (strcmp(key, "PMI_process_mapping") == 0)
        answer_mapping(ends);
    else if (strcmp(command, "put") == 0 || strcmp(command, "kvs-put") == 0)
        put_text(message, ends);
    else if (strcmp(command, "get") == 0 || strcmp(command, "kvs-get") == 0)
        get_text(message, ends);
    else if (strcmp(command, "barrier_in") == 0 || strcmp(command, "kvs-fence") == 0) {
        fence();
        answer_with(ends, *ends == ';' ? "cmd=kvs-fence-response;rc=0;%s" : "cmd=barrier_out%s\n", "");
    } else
        CHECK(false);
}

int sheaf_wire_send(const char *bytes, size_t length)
{
    char message[4096];
    CHECK(length < sizeof message);
    memcpy(message, bytes, length);
    message[length] = '\0';
    if (message[length - 1] == '\n') {
        CHECK(length <= MOST_LINE);
        message[length - 1] = '\0';
        answer_question(message, " ");
    } else {
        answer_question(message + 6, ";");
    }
    return 0;
}

int sheaf_wire_receive(char *bytes, size_t length)
{
    int pe = sim_me->pe;
    CHECK(all.answer_read[pe] + (int)length <= all.answer_bytes[pe]);
    memcpy(bytes, all.answer[pe] + all.answer_read[pe], length);
    all.answer_read[pe] += (int)length;
    return 0;
}

int sheaf_wire_receive_line(char *line, size_t size)
{
    int pe = sim_me->pe, length = all.answer_bytes[pe];
    CHECK((size_t)length <= size);
    memcpy(line, all.answer[pe], (size_t)length);
    line[length - 1] = '\0';
    return 0;
}

/* PMIx. */
static int pmix_put(const char *key, const void *value, size_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "sheaf.%s.%d", key, sim_me->pe);
    keep(name, value, bytes);
    sim_sleep(all.launcher->request);
    return 0;
}

static int pmix_fence(void)
{
    fence();
    return 0;
}

static int pmix_get(int pe, const char *key, void **value, size_t *bytes)
{
    char name[64];
    snprintf(name, sizeof name, "sheaf.%s.%d", key, pe);
    const struct value *it = &all.values[place_of(name)];
    count_request();
    sim_sleep(all.launcher->request);
    if (!it->key)
        return -1;
    *value = start_allocate(it->bytes, 1);
    memcpy(*value, it->value, it->bytes);
    *bytes = it->bytes;
    return 0;
}

static int pmix_near(int *pes, int most)
{
    int count = 0;
    count_request();
    sim_sleep(all.launcher->request);
    for (; count < all.per_node && count < most; count++)
        pes[count] = sim_me->node * all.per_node + count;
    return count;
}

static int pmix_lowest_near(void)
{
    int lowest;
    return pmix_near(&lowest, 1) == 1 ? lowest : -1;
}

static const struct sheaf_launcher imitated_pmix = {.name = "PMIx", .put = pmix_put, .fence = pmix_fence, .get = pmix_get,
                                                    .near = pmix_near, .lowest_near = pmix_lowest_near};

const struct sheaf_launcher *start_daemons_begin(const struct start_launcher *launcher, int nodes, int per_node)
{
    size_t npes = (size_t)nodes * (size_t)per_node;
    memset(&all, 0, sizeof all);
    memset(&start_counts, 0, sizeof start_counts);
    all.launcher = launcher;
    all.nodes = nodes;
    all.per_node = per_node;
    all.room = 8 * npes + 64;
    all.daemons = calloc((size_t)nodes + 1, sizeof *all.daemons);
    all.values = calloc(all.room, sizeof *all.values);
    all.requests = calloc(npes, sizeof *all.requests);
    all.answer = calloc(npes, sizeof *all.answer);
    all.answer_bytes = calloc(npes, sizeof *all.answer_bytes);
    all.answer_read = calloc(npes, sizeof *all.answer_read);
    CHECK(all.daemons && all.values && all.requests && all.answer && all.answer_bytes && all.answer_read);
    return strncmp(launcher->name, "PMI-1", 5) == 0   ? &sheaf_launcher_pmi1
           : strncmp(launcher->name, "PMI-2", 5) == 0 ? &sheaf_launcher_pmi2
                                                      : &imitated_pmix;
}

void start_daemons_end(void)
{
    for (size_t i = 0; i < all.room; i++) {
        free(all.values[i].key);
        free(all.values[i].value);
    }
    free(all.daemons);
    free(all.values);
    free(all.requests);
    free(all.answer);
    free(all.answer_bytes);
    free(all.answer_read);
}
