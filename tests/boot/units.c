/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of boot/ that need no launcher: fields and values as text, lists of places, and the
 * map. Arguments: none.
 */
#include "boot/world/pe_record.h"
#include "boot/launcher/connection.h"
#include "boot/launcher/wire.h"
#include "image/image.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* What the linked sources need of others. */
struct sheaf_image sheaf_image;
void sheaf_connection_lost(const char *how)
{
    printf("%s\n", how);
    exit(1);
}

/* A store of short texts, as a launcher has it. */
static struct { char key[64], text[1024]; } kept[600];
static int kept_count;

static int keep(const char *key, const char *text)
{
    for (int i = 0; i < kept_count; i++)
        CHECK(strcmp(kept[i].key, key) != 0);
    CHECK(kept_count < 600 && strpbrk(text, " =;\n") == NULL);
    snprintf(kept[kept_count].key, 64, "%s", key);
    snprintf(kept[kept_count++].text, 1024, "%s", text);
    return 0;
}

static int find(int pe, const char *key, char *text, size_t size)
{
    (void)pe;
    for (int i = 0; i < kept_count; i++)
        if (strcmp(kept[i].key, key) == 0) {
            snprintf(text, size, "%s", kept[i].text);
            return 0;
        }
    return -1;
}

static void check_values(size_t text_size)
{
    struct sheaf_wire_store store = {keep, find, 64, text_size};
    static const size_t sizes[] = {0, 1, 2, 3, 100, 373, 374, 375, 558, 559, 5000};
    unsigned char value[5000];
    size_t bytes;
    void *got;
    kept_count = 0;
    for (size_t i = 0; i < sizeof value; i++)
        value[i] = (unsigned char)(i * 167 + (i >> 8));
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
        CHECK(sheaf_wire_put(&store, i, "value.1", value, sizes[i]) == 0);
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        CHECK(sheaf_wire_get(&store, i, "value.1", &got, &bytes) == 0);
        CHECK(bytes == sizes[i] && memcmp(got, value, bytes) == 0);
        free(got);
    }
    CHECK(sheaf_wire_get(&store, 99, "value.1", &got, &bytes) != 0);
    CHECK(sheaf_wire_get(&store, 0, "value.2", &got, &bytes) != 0);
    for (int i = 0; i < kept_count; i++)
        CHECK(strlen(kept[i].text) < text_size);
}

static void check_fields(void)
{
    char value[16];
    const char *line = "cmd=get_result rc=0 msg=success value=(a,b=c)";
    CHECK(sheaf_wire_field(line, "rc", " ", value, sizeof value) && strcmp(value, "0") == 0);
    CHECK(sheaf_wire_field(line, "value", " ", value, sizeof value) && strcmp(value, "(a,b=c)") == 0);
    CHECK(!sheaf_wire_field(line, "val", " ", value, sizeof value) && *value == '\0');
    CHECK(sheaf_wire_field("cmd=x;found=TRUE;value=1;", "found", ";", value, sizeof value) &&
          strcmp(value, "TRUE") == 0);
    CHECK(!sheaf_wire_field("value=12345678901234567890", "value", " ", value, sizeof value));
}

static void check_places(void)
{
    const char *block = "(vector,(0,2,4))", *cyclic = "(vector,(0,3,1))";
    const char *uneven = "(vector,(0,1,1),(1,1,3))", *twice = "(vector,(0,2,1),(0,1,1),(1,1,2))";
    int expect[] = {0, 1, 0, 1, 1};
    for (int pe = 0; pe < 8; pe++) {
        CHECK(sheaf_wire_lowest_near(block, pe, 8) == pe / 4 * 4);
        CHECK(sheaf_wire_lowest_near(cyclic, pe, 8) == pe % 3);
    }
    for (int pe = 0; pe < 4; pe++)
        CHECK(sheaf_wire_lowest_near(uneven, pe, 4) == (pe ? 1 : 0));
    for (int pe = 0; pe < 5; pe++)
        CHECK(sheaf_wire_lowest_near(twice, pe, 5) == expect[pe]);
    int near[4];
    CHECK(sheaf_wire_near(cyclic, 4, 8, near, 4) == 3 && near[0] == 1 && near[1] == 4 && near[2] == 7);
    CHECK(sheaf_wire_near(block, 6, 8, near, 2) == 2 && near[1] == 5);
    CHECK(sheaf_wire_near("(vector,", 1, 2, near, 4) == 0);
    CHECK(sheaf_wire_lowest_near("", 0, 2) == -1);
    CHECK(sheaf_wire_lowest_near("(vector,(0,0,0))", 0, 2) == -1);
    CHECK(sheaf_wire_lowest_near("(vector,", 1, 2) == -1);
    CHECK(sheaf_wire_lowest_near("(hosts,(0,1,2))", 1, 2) == -1);
}

/* Lines come alone, in pieces and together; nothing of a next message is taken. */
static void check_lines(bool is_pipe)
{
    int ends[2], pe, npes;
    char line[16], number[16], rest[8] = "";
    CHECK((is_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) == 0);
    snprintf(number, sizeof number, "%d", ends[0]);
    CHECK(setenv("PMI_FD", number, 1) == 0 && setenv("PMI_RANK", "0", 1) == 0 && setenv("PMI_SIZE", "1", 1) == 0);
    CHECK(sheaf_wire_open(&pe, &npes) == 0 && pe == 0 && npes == 1);
    CHECK(write(ends[1], "first\n\nth", 9) == 9);
    CHECK(sheaf_wire_receive_line(line, sizeof line) == 0 && strcmp(line, "first") == 0);
    CHECK(sheaf_wire_receive_line(line, sizeof line) == 0 && strcmp(line, "") == 0);
    pid_t child = fork();
    if (child == 0) {
        poll(NULL, 0, 50);
        _exit(write(ends[1], "ird\n12", 6) != 6);
    }
    CHECK(sheaf_wire_receive_line(line, sizeof line) == 0 && strcmp(line, "third") == 0);
    CHECK(waitpid(child, NULL, 0) == child && read(ends[0], rest, sizeof rest) == 2 && strcmp(rest, "12") == 0);
    close(ends[0]);
    close(ends[1]);
}

static void fill(struct sheaf_pe_record *record, int host)
{
    memset(record, 0, sizeof *record);
    record->identity = 1000003u * (unsigned)(host + 1);
    snprintf(record->host, sizeof record->host, "host%d", host);
    snprintf(record->version, sizeof record->version, "1");
}

static void check_census(void)
{
    struct sheaf_job_map map;
    struct sheaf_pe_record record;
    const int npes = 5000, hosts = 37;
    CHECK(sheaf_job_map_create(&map, npes));
    for (int pe = 0; pe < npes; pe++) {
        fill(&record, (pe * 7 + 3) % hosts);
        record.executable = pe >= 4000;
        if (pe >= 4500)
            snprintf(record.version, sizeof record.version, "2");
        CHECK(sheaf_job_map_add(&map, pe, &record));
    }
    CHECK(map.nodes == hosts && map.differs == 4000 && map.version_mismatch == 4500);
    int seen = 0;
    for (int node = 0; node < hosts; node++) {
        char host[16];
        snprintf(host, sizeof host, "host%d", (node * 7 + 3) % hosts);
        CHECK(map.node[node].leader == node && strcmp(map.node[node].host, host) == 0);
        seen += map.npes_of[node];
    }
    CHECK(seen == npes);
    for (int pe = 0; pe < npes; pe++)
        CHECK(map.node_of[pe] == pe % hosts);
    sheaf_job_map_destroy(&map);
}

/* The lowest PE that is apart where PE 0 is not, or the other way round. */
static void check_disagreement(void)
{
    struct sheaf_job_map map;
    struct sheaf_pe_record record;
    for (unsigned first = 0; first < 2; first++) {
        CHECK(sheaf_job_map_create(&map, 4));
        for (int pe = 0; pe < 4; pe++) {
            fill(&record, pe);
            record.is_apart = first ^ (pe > 1);
            CHECK(sheaf_job_map_add(&map, pe, &record));
        }
        CHECK(map.disagrees == 2 && map.version_mismatch == 0 && map.other.is_apart == !first);
        sheaf_job_map_destroy(&map);
    }
}

static struct sheaf_container_identity where_of(int pe)
{
    return (struct sheaf_container_identity){.machine = 1, .network = (uint64_t)(pe % 4), .folder = pe < 4 ? 7 : 8};
}

/* Nodes 0, 2 and 5 of six become one, and 3 and 4. Two PEs each, dealt out one by one. */
static void check_joining(void)
{
    static const int number[6] = {0, 1, 0, 2, 2, 0}, npes[3] = {6, 2, 4}, leader[3] = {0, 1, 3};
    struct sheaf_job_map map;
    struct sheaf_pe_record record;
    int into[6] = {0, 1, 0, 3, 3, 0};
    CHECK(sheaf_job_map_create(&map, 12));
    for (int pe = 0; pe < 12; pe++) {
        fill(&record, pe % 6);
        record.where = where_of(pe);
        CHECK(sheaf_job_map_add(&map, pe, &record));
    }
    CHECK(map.nodes == 6 && map.where[0].machine == 1 && map.where[0].network == 0);
    CHECK(map.where[1].network == 0 && map.where[1].folder == 0 && map.where[4].folder == 8);
    sheaf_job_map_join(&map, into);
    CHECK(map.nodes == 3);
    for (int node = 0; node < 3; node++)
        CHECK(map.npes_of[node] == npes[node] && map.node[node].leader == leader[node] &&
              map.node[node].host_node == node);
    for (int pe = 0; pe < 12; pe++)
        CHECK(map.node_of[pe] == number[pe % 6]);
    sheaf_job_map_destroy(&map);
}

int main(void)
{
    check_values(512);
    check_values(768);
    check_values(128);
    check_fields();
    check_lines(false);
    check_lines(true);
    check_places();
    check_census();
    check_disagreement();
    check_joining();
    puts("boot: units ok");
    return 0;
}
