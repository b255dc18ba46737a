/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The trees of teams: every member is reached once, and of the tree by levels no more edges lead from one
 * domain to another than must. An edge is two cache lines that travel in each barrier and each reduction of a
 * number: the child's arrival, with its number, which its parent reads, and the parent's release, with the
 * result, which the child reads. A broadcast has one, the other way without. And what the kernel's files and
 * SHEAF_CPU_DOMAINS tell. Argument: a folder that it may write in.
 */
#include "unit.h"

#include "base/log.h"
#include "base/os/cache.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/sync.h"

#include <sys/stat.h>

/* What tree.c needs of the library to record where a PE runs, which is not done here. */
struct sheaf_job sheaf_job;
struct sheaf_boot sheaf_boot;
int sheaf_job_cpus(void) { return 1; }
int sheaf_boot_slot_of(int pe) { return pe; }
void sheaf_debug(const char *format, ...) { (void)format; }

#define MOST 256
struct host {
    struct sheaf_domains member[MOST];
};

static struct sheaf_domains domains_of(const void *host, int rank)
{
    return ((const struct host *)host)->member[rank];
}

/* Members spread round robin over sockets, each of so many NUMA nodes, each of so many caches. */
static struct host make_host(int size, int sockets, int nodes, int caches)
{
    struct host host;
    for (int rank = 0; rank < size; rank++) {
        int socket = rank % sockets, node = socket * nodes + rank / sockets % nodes;
        host.member[rank] = (struct sheaf_domains){
            {socket * nodes * caches, node * caches, node * caches + rank / sockets / nodes % caches}};
    }
    return host;
}

/* Edges whose ends are in different domains of a level. */
static int count_edges(const struct host *host, const struct sheaf_tree *trees, int size, int level)
{
    int edges = 0;
    for (int rank = 0; rank < size; rank++)
        for (int i = 0; i < trees[rank].count; i++) {
            int child = trees[rank].children[i];
            edges += host->member[rank].first[level] != host->member[child].first[level];
        }
    return edges;
}

/* Returns the steps from the root to the deepest member. */
static int check_tree(const struct sheaf_tree *trees, int size)
{
    int parents[MOST] = {0}, deepest = 0;
    CHECK(trees[0].parent == -1);
    for (int rank = 0; rank < size; rank++)
        for (int i = 0; i < trees[rank].count; i++) {
            int child = trees[rank].children[i];
            CHECK(child > 0 && child < size && trees[child].parent == rank);
            parents[child]++;
        }
    for (int rank = 1; rank < size; rank++) {
        int steps = 0;
        CHECK(parents[rank] == 1);
        for (int at = rank; at != 0; at = trees[at].parent)
            CHECK(++steps < size);
        deepest = steps > deepest ? steps : deepest;
    }
    return deepest;
}

/* Cache lines that go from one domain to another in a broadcast of a note: by the tree, and where all read
 * the root's. Every member's chain of sources ends at the root. */
static void check_broadcast(const struct host *host, const struct sheaf_tree *trees, int size, int root,
                            const int *domains)
{
    for (int level = 0; level < SHEAF_DOMAIN_LEVELS; level++) {
        int lines = 0, from_root = 0;
        for (int rank = 0; rank < size; rank++) {
            int source = sheaf_tree_source(&trees[rank], rank, root), steps = 0;
            lines += source >= 0 && host->member[rank].first[level] != host->member[source].first[level];
            from_root += host->member[rank].first[level] != host->member[root].first[level];
            for (int at = rank; at != root; at = sheaf_tree_source(&trees[at], at, root))
                CHECK(++steps <= size);
        }
        CHECK(lines <= domains[level] && lines <= from_root + 1);
        if (root == 0)
            CHECK(lines == domains[level] - 1);
        if (root == size - 1)
            printf("  broadcast of %d: lines between %d (from the root to all %d)\n", root, lines, from_root);
    }
}

static void check_shape(int size, int sockets, int nodes, int caches)
{
    static struct sheaf_tree trees[MOST], flat[MOST];
    struct host host = make_host(size, sockets, nodes, caches);
    int all[] = {sockets, sockets * nodes, sockets * nodes * caches};
    for (int rank = 0; rank < size; rank++) {
        sheaf_tree_make(&trees[rank], size, rank, domains_of, &host);
        sheaf_tree_make(&flat[rank], size, rank, NULL, NULL);
    }
    int deepest = check_tree(trees, size), deepest_flat = check_tree(flat, size);
    printf("%d members, sockets %d x nodes %d x caches %d: edges between", size, sockets, nodes, caches);
    for (int level = 0; level < SHEAF_DOMAIN_LEVELS; level++) {
        int edges = count_edges(&host, trees, size, level), by_rank = count_edges(&host, flat, size, level);
        CHECK(edges == all[level] - 1 && edges <= by_rank);
        printf(" %d (by ranks %d)", edges, by_rank);
    }
    printf("; depth %d (%d)\n", deepest, deepest_flat);
    CHECK(deepest <= 2 * (SHEAF_DOMAIN_LEVELS + 1));
    for (int root = 0; root < size; root++)
        check_broadcast(&host, trees, size, root, all);
    CHECK(sheaf_tree_is_spread(size, domains_of, &host) == (all[2] > 1 && 2 * all[2] <= size));
}

/* Any places, also unknown ones: every member is reached, and a team with unknown ones is not spread. */
static void check_random(void)
{
    static struct sheaf_tree trees[MOST];
    uint64_t state = 7;
    for (int run = 0; run < 200; run++) {
        struct host host;
        int size = 1 + (int)unit_random(&state, 40);
        bool is_known = true;
        for (int rank = 0; rank < size; rank++)
            for (int level = 0; level < SHEAF_DOMAIN_LEVELS; level++) {
                host.member[rank].first[level] = (int)unit_random(&state, 4) - (run % 2);
                is_known &= host.member[rank].first[level] >= 0;
            }
        for (int rank = 0; rank < size; rank++)
            sheaf_tree_make(&trees[rank], size, rank, domains_of, &host);
        check_tree(trees, size);
        CHECK(is_known || !sheaf_tree_is_spread(size, domains_of, &host));
    }
}

static void write_file(const char *root, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file && fprintf(file, "%s\n", text) > 0 && fclose(file) == 0);
}

static void expect(struct sheaf_domains found, int socket, int node, int cache)
{
    printf("domains %d %d %d\n", found.first[0], found.first[1], found.first[2]);
    CHECK(found.first[0] == socket && found.first[1] == node && found.first[2] == cache);
}

static const uint64_t cpu5[SHEAF_CPU_WORDS] = {1 << 5}, cpus_4_6[SHEAF_CPU_WORDS] = {1 << 4 | 1 << 6},
                      cpus_0_4[SHEAF_CPU_WORDS] = {1 | 1 << 4};

static void check_kernel_files(const char *root)
{
    mkdir(root, 0700);
    expect(sheaf_domains_read("/nowhere", cpu5), -1, -1, -1);
    write_file(root, "node/online", "0-1");
    write_file(root, "node/node0/cpulist", "0-3");
    write_file(root, "node/node1/cpulist", "4-7");
    for (int cpu = 0; cpu < 6; cpu++) {
        char name[80];
        snprintf(name, sizeof name, "cpu/cpu%d/topology/package_cpus_list", cpu);
        write_file(root, name, "0-7");
        snprintf(name, sizeof name, "cpu/cpu%d/cache/index0/level", cpu);
        write_file(root, name, "1");
        snprintf(name, sizeof name, "cpu/cpu%d/cache/index1/level", cpu);
        write_file(root, name, "3");
        snprintf(name, sizeof name, "cpu/cpu%d/cache/index1/shared_cpu_list", cpu);
        write_file(root, name, cpu < 4 ? "0-3" : "4-5");
    }
    expect(sheaf_domains_read(root, cpu5), 0, 4, 4);
    expect(sheaf_domains_read(root, cpus_4_6), 0, 4, -1);
    expect(sheaf_domains_read(root, cpus_0_4), 0, -1, -1);
    write_file(root, "cpu/cpu5/cache/index1/shared_cpu_list", "4-99999999999");
    write_file(root, "cpu/cpu5/topology/package_cpus_list", "nonsense");
    expect(sheaf_domains_read(root, cpu5), -1, 4, -1);
}

static void check_setting(void)
{
    static const char *const refused[] = {"", "/", "0-3/", "0-3/2-5", "3-0", "0,,1", "a", "0-4096", "0-3 4", "0-"};
    struct sheaf_domains found;
    CHECK(sheaf_domains_parse("0-3/4-7", cpu5, &found) == 0);
    expect(found, 4, 4, 4);
    CHECK(sheaf_domains_parse("4,6/0-3,5,7", cpus_4_6, &found) == 0);
    expect(found, 4, 4, 4);
    CHECK(sheaf_domains_parse("0-3/4-7", cpus_0_4, &found) == 0);
    expect(found, -1, -1, -1);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(sheaf_domains_parse(refused[i], cpu5, &found) != 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    check_shape(16, 4, 1, 1);
    check_shape(64, 2, 1, 1);
    check_shape(128, 2, 4, 4);
    check_shape(256, 8, 2, 1);
    check_shape(36, 2, 1, 1);
    check_shape(8, 1, 1, 1);
    check_random();
    check_kernel_files(argv[1]);
    check_setting();
    return 0;
}
