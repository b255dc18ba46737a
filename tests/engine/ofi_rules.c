/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules of SHEAF_OFI_RULES that limit something: with the rule the limit is met, without it not. One
 * process that is its own peer. Looks into the transport, to where the provider reads a message. And what a
 * start reads: not all of the kernel's symbols, of 10 MB and more, where no adapter is.
 */
#include "engine/ofi/ofi.h"
#include "processes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TURNS 2000000
#define ROOMS (SHEAF_OFI_MOST_KEYS + 1)

static struct sheaf_engine_job job = {.npes = 1, .key = {1, 2}, .rma = SHEAF_RMA_NATIVE};
static const struct sheaf_transport *const transport = &sheaf_transport_ofi;
static sheaf_transport_port *port;
static char arrived[16], rooms[ROOMS][4096];

static bool on_arrived(void *owner, const struct sheaf_transport_arrival *arrival)
{
    (void)owner;
    REQUIRE(arrival->bytes < sizeof arrived, "%zu bytes", arrival->bytes);
    memcpy(arrived, arrival->data, arrival->bytes);
    return false;
}

static void on_end(void *operation, const char *why)
{
    (void)operation;
    REQUIRE(!why, "%s", why);
}

static void begin(const char *rule)
{
    static const struct sheaf_transport_user user = {
        .job = &job, .arrived = on_arrived, .sent = on_end, .lost = on_end};
    struct sheaf_transport_abilities abilities;
    const char *why = "";
    is_doing(rule);
    setenv("SHEAF_OFI_RULES", rule, 1);
    REQUIRE(transport->start(&user, &abilities) == 0, "start");
    REQUIRE((port = transport->open(NULL, &why)) != NULL, "%s", why);
}

static void end(void)
{
    transport->close(port);
    transport->stop();
}

static sheaf_transport_link *connect_to_self(void)
{
    const char *why = "";
    void *address;
    size_t length;
    REQUIRE(transport->address(port, &address, &length, &why) == 0, "%s", why);
    sheaf_transport_link *link = transport->connect(port, address, length, NULL, &why);
    REQUIRE(link, "%s", why);
    free(address);
    return link;
}

static void send_word(sheaf_transport_link *link, const char *word)
{
    const struct sheaf_transport_message message = {
        .header = "header", .header_bytes = 6, .source = word, .bytes = strlen(word) + 1};
    memset(arrived, 0, sizeof arrived);
    transport->send(link, &message);
}

static void await_word(void)
{
    for (int turns = 0; !*arrived; turns++) {
        REQUIRE(turns < TURNS, "nothing has arrived");
        transport->turn(port);
    }
}

/* While they connect the provider takes nothing: what is looked at is a later message. */
static void send_and_change(const char *expected)
{
    sheaf_transport_link *link = connect_to_self();
    send_word(link, "first");
    await_word();
    while (link->posted)
        transport->turn(port);
    send_word(link, "early");
    REQUIRE(link->posted && !link->first, "the provider has not taken it");
    strcpy((char *)link->posted->start + link->posted->start_bytes - sizeof "early", "after");
    await_word();
    REQUIRE(strcmp(arrived, expected) == 0, "it read %s, not %s", arrived, expected);
}

static sheaf_transport_memory *offer(char *room)
{
    const char *why = NULL;
    void *key = NULL;
    size_t key_bytes;
    sheaf_transport_memory *memory =
        transport->direct->offer(room, sizeof rooms[0], &key, &key_bytes, &why);
    REQUIRE(memory || why, "neither memory nor a reason");
    free(key);
    return memory;
}

/* So many are accepted; and another one, once one of them is withdrawn. */
static void offer_all(int most)
{
    sheaf_transport_memory *memory[ROOMS];
    for (int i = 0; i < ROOMS; i++) {
        memory[i] = offer(rooms[i]);
        REQUIRE((memory[i] != NULL) == (i < most), "room %d of %d", i, most);
    }
    transport->direct->withdraw(memory[0]);
    memory[0] = offer(rooms[ROOMS - 1]);
    for (int i = 0; i < most; i++) {
        REQUIRE(memory[i], "nothing is accepted in place of room %d", i);
        transport->direct->withdraw(memory[i]);
    }
}

/* By this process so far; 0: the kernel does not count. */
static long bytes_read(void)
{
    long bytes = 0;
    FILE *file = fopen("/proc/self/io", "r");
    if (!file || fscanf(file, "rchar: %ld", &bytes) != 1)
        bytes = 0;
    if (file)
        fclose(file);
    return bytes;
}

static void body(void)
{
    long before = bytes_read();
    begin("");
    long bytes = bytes_read() - before;
    REQUIRE(bytes < 4 << 20 || access("/sys/class/infiniband", F_OK) == 0, "a start reads %ld bytes", bytes);
    offer_all(ROOMS);
    send_and_change("early");
    end();
    begin("few-keys");
    offer_all(SHEAF_OFI_MOST_KEYS);
    end();
    begin("no-inject");
    send_and_change("after");
    end();
}

int main(void)
{
    repeat_by("test-engine-ofi_rules");
    return run_processes(1, false, body);
}
