/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that is no PE and knows a PE's address: stranger gate|messages. gate: it speaks UCX, or
 * whatever it likes, to the PE's ports. messages: it has the key that connections begin with, as if there
 * were no gate, and sends forged messages: the old ones without a key, some with a wrong one, some with
 * the right one that name memory which is not symmetric. The PE's variable keeps its value, the PE goes
 * on, and says so once.
 */
#include "harness.h"

#include "engine/message/stream/wire.h"
#include "engine/ucx/ucx.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *mode;
#define VALUE UINT64_C(0x1234123412341234)
static int private_variable = 7;

/* What the stranger has found out. */
struct secret {
    uint64_t variable, private;
    uint64_t length;
    unsigned char blob[4096];
};

static struct sheaf_engine_job job = {.npes = 2};
static const struct sheaf_transport_user user = {.job = &job};

static ucp_worker_h open_ucx(void)
{
    char why[256];
    ucp_context_h context;
    ucp_worker_h ucp;
    ucp_worker_params_t params = {.field_mask = 0};
    REQUIRE(sheaf_ucx_load(why, sizeof why) == 0, "%s", why);
    sheaf_ucx_state.user = &user;
    REQUIRE(sheaf_ucx_make_context(UCP_FEATURE_RMA | UCP_FEATURE_AMO64, &context) == UCS_OK, "no UCX");
    REQUIRE(sheaf_ucx.ucp_worker_create(context, &params, &ucp) == UCS_OK, "no worker");
    return ucp;
}

static void on_error(void *argument, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)argument, (void)endpoint, (void)status;
}

static ucp_ep_h connect_to(ucp_worker_h ucp, const void *address)
{
    ucp_ep_h endpoint;
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = address,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {on_error, NULL},
    };
    REQUIRE(sheaf_ucx.ucp_ep_create(ucp, &params, &endpoint) == UCS_OK, "no connection");
    return endpoint;
}

/* UCX reads the header once it is connected. */
static void send_message(ucp_ep_h endpoint, unsigned message, const void *header, size_t length)
{
    void *kept = malloc(length + 1);
    memcpy(kept, header, length);
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_AM_SEND_FLAG_EAGER | UCP_AM_SEND_FLAG_REPLY};
    sheaf_ucx.ucp_am_send_nbx(endpoint, message, kept, length, NULL, 0, &param);
}

static void work(ucp_worker_h ucp, double seconds)
{
    for (double end = now() + seconds; now() < end; usleep(100))
        sheaf_ucx.ucp_worker_progress(ucp);
}

static void send_word(ucp_ep_h endpoint, uint64_t key0, uint64_t key1, uint64_t address)
{
    struct sheaf_msg_envelope envelope = {
        .common = {.key = {key0, key1}, .kind = SHEAF_MSG_PUT_WORD},
        .header.put_word = {{address}, {UINT64_C(0x6666666666666666), 8}},
    };
    send_message(endpoint, SHEAF_UCX_MESSAGE, &envelope,
                 sizeof envelope.common + sizeof envelope.header.put_word);
}

static void send_forged(const struct secret *secret)
{
    uint64_t key[] = TEST_KEY;
    const uint64_t old[] = {0, secret->variable, UINT64_C(0x6666666666666666), 8};
    bool is_in = strcmp(mode, "messages") == 0;
    if (is_in) {
        memcpy(job.key, key, sizeof key);
        sheaf_ucx_is_inside = true;
    }
    ucp_worker_h ucp = open_ucx();
    if (is_in)
        REQUIRE(sheaf_ucx_gate(), "this UCX has no gate");
    ucp_ep_h endpoint = connect_to(ucp,
                                   secret->blob + sizeof(struct sheaf_msg_blob) + sizeof(struct sheaf_ucx_address));
    send_message(endpoint, SHEAF_UCX_MESSAGE, old, sizeof old);
    for (unsigned i = 0; i < SHEAF_MSG_KINDS; i++) {
        send_message(endpoint, i, old, i);
        send_message(endpoint, SHEAF_UCX_MESSAGE, old, i);
    }
    send_word(endpoint, 0, 0, secret->variable);
    send_word(endpoint, key[0], key[1] + 1, secret->variable);
    send_word(endpoint, is_in ? key[0] : 0, is_in ? key[1] : 0, secret->private);
    work(ucp, 1);
}

/* "127.0.0.1 40000" */
static void send_rubbish(const char *host, const char *port, bool begins_as_ucx)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    unsigned char bytes[4096];
    uint64_t beginning = UINT64_C(0xCAFEBABE12345678);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37 + i / 256);
    if (begins_as_ucx)
        memcpy(bytes, &beginning, sizeof beginning);
    REQUIRE(inet_pton(AF_INET, host, &to.sin_addr) == 1, "%s", host);
    REQUIRE(connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "%s port %s", host, port);
    send(fd, bytes, sizeof bytes, MSG_NOSIGNAL);
    usleep(100000);
    close(fd);
}

static int be_stranger(char **ports)
{
    struct secret secret;
    REQUIRE(read(0, &secret, sizeof secret) == sizeof secret, "no secret");
    send_forged(&secret);
    for (; strcmp(mode, "gate") == 0 && ports[0]; ports += 2) {
        send_rubbish(ports[0], ports[1], false);
        send_rubbish(ports[0], ports[1], true);
    }
    _exit(0);
}

/* Where this process listens: host and port, by turns. */
static int find_ports(char *list[], int most)
{
    int found = 0;
    for (int fd = 3; fd < 256 && found + 2 < most; fd++) {
        struct sockaddr_in at;
        socklen_t length = sizeof at;
        if (!sheaf_ucx_is_our_listener(fd) || getsockname(fd, (struct sockaddr *)&at, &length) != 0 ||
            at.sin_family != AF_INET)
            continue;
        list[found] = malloc(INET_ADDRSTRLEN);
        inet_ntop(AF_INET, &at.sin_addr, list[found++], INET_ADDRSTRLEN);
        list[found] = malloc(8);
        snprintf(list[found++], 8, "%u", ntohs(at.sin_port));
    }
    list[found] = NULL;
    return found;
}

static pid_t start_stranger(void)
{
    static char *arguments[64] = {"stranger", NULL, "--stranger"};
    struct secret secret = {(uintptr_t)data, (uintptr_t)&private_variable, 0, {0}};
    const void *address;
    size_t length;
    int ends[2];
    arguments[1] = (char *)mode;
    REQUIRE(find_ports(arguments + 3, 60) > 0, "no port");
    engine->address(&address, &length);
    REQUIRE(length <= sizeof secret.blob && pipe(ends) == 0, "%zu bytes", length);
    memcpy(secret.blob, address, length);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], 0);
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    REQUIRE(write(ends[1], &secret, sizeof secret) == sizeof secret, "no pipe");
    close(ends[0]);
    close(ends[1]);
    return child;
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        found++;
    return found;
}

static void check_said(int lines)
{
    static char said[8192];
    bool is_gate = strcmp(mode, "gate") == 0;
    lseek(lines, 0, SEEK_SET);
    ssize_t length = read(lines, said, sizeof said - 1);
    said[length > 0 ? length : 0] = '\0';
    REQUIRE(count(said, "messages from outside this job are dropped (") == 1, "said: %s", said);
    REQUIRE(count(said, is_gate ? "." : "sender unknown") >= 1, "said: %s", said);
    REQUIRE(count(said, "no PE sends") == !is_gate, "said: %s", said);
    REQUIRE(count(said, "\n") == (is_gate ? 1 : 2), "said: %s", said);
}

static void be_victim(void)
{
    int status, lines = memfd_create("lines", 0), real = dup(2);
    dup2(lines, 2);
    pid_t child = start_stranger();
    while (waitpid(child, &status, WNOHANG) == 0)
        engine->progress(false);
    for (double end = now() + 0.5; now() < end;)
        engine->progress(false);
    dup2(real, 2);
    REQUIRE(status == 0, "the stranger ended with 0x%x", status);
    REQUIRE(*(uint64_t *)data == VALUE && private_variable == 7, "%lx, %d", *(long *)data,
            private_variable);
    check_said(lines);
}

static void body(void)
{
    uint64_t word = 5;
    *(uint64_t *)data = VALUE;
    barrier();
    if (me == 1)
        be_victim();
    barrier();
    if (me == 0) {
        far_put(NULL, 1, data, &word, sizeof word);
        far_quiet(NULL, SHEAF_EVERY_PE);
    }
    barrier();
    REQUIRE(me != 1 || *(uint64_t *)data == word, "%lx", *(long *)data);
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "gate";
    if (argc > 2 && strcmp(argv[2], "--stranger") == 0)
        return be_stranger(argv + 3);
    return run_pes(2, body);
}
