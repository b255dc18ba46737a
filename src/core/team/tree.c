/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tree of barriers, broadcasts and reductions: by ranks, or by the levels of the host's processors, so
 * that few cache lines travel from one socket, NUMA node or cache to another. See sync.h.
 */
#include "core/team/sync.h"

#include "base/log.h"
#include "base/os/cache.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/team_internal.h"

/* The depth at which each member is a domain of its own. */
#define OWN (SHEAF_DOMAIN_LEVELS + 1)

struct members {
    int size;
    sheaf_tree_domains_of *domains_of;
    const void *team;
};

/* Whether two members share the outermost so many levels. What is not known is not shared. */
static bool share_domain(const struct members *members, int one, int other, int depth)
{
    if (one == other || depth == 0)
        return true;
    if (depth == OWN || !members->domains_of)
        return false;
    struct sheaf_domains a = members->domains_of(members->team, one),
                         b = members->domains_of(members->team, other);
    for (int level = 0; level < depth; level++)
        if (a.first[level] < 0 || a.first[level] != b.first[level])
            return false;
    return true;
}

/* Whether the rank is the lowest of its domain at a depth. */
static bool leads_domain(const struct members *members, int rank, int depth)
{
    for (int lower = 0; lower < rank; lower++)
        if (share_domain(members, lower, rank, depth))
            return false;
    return true;
}

/* The leaders of the domains within the rank's domain at a depth make a tree, by their order. Sets parent
 * where the rank is not its root, and adds the rank's children. */
static void join_level(struct sheaf_tree *tree, const struct members *members, int rank, int depth)
{
    int position = 0, at = 0;
    for (int lower = 0; lower < rank; lower++)
        position += share_domain(members, lower, rank, depth) && leads_domain(members, lower, depth + 1);
    for (int other = 0; other < members->size; other++) {
        if (!share_domain(members, other, rank, depth) || !leads_domain(members, other, depth + 1))
            continue;
        if (position > 0 && at == (position - 1) / SHEAF_TREE_WIDTH)
            tree->parent = other;
        if (at > 0 && (at - 1) / SHEAF_TREE_WIDTH == position)
            tree->children[tree->count++] = other;
        at++;
    }
}

void sheaf_tree_make(struct sheaf_tree *tree, int size, int rank, sheaf_tree_domains_of *domains_of,
                     const void *team)
{
    struct members members = {size, domains_of, team};
    *tree = (struct sheaf_tree){.parent = -1};
    if (!domains_of) {
        int first = rank * SHEAF_TREE_WIDTH + 1;
        tree->parent = rank > 0 ? (rank - 1) / SHEAF_TREE_WIDTH : -1;
        for (int child = first; child < first + SHEAF_TREE_WIDTH && child < size; child++)
            tree->children[tree->count++] = child;
        return;
    }
    for (int depth = 0; depth < OWN; depth++)
        if (leads_domain(&members, rank, depth + 1))
            join_level(tree, &members, rank, depth);
}

bool sheaf_tree_is_spread(int size, sheaf_tree_domains_of *domains_of, const void *team)
{
    struct members members = {size, domains_of, team};
    int domains = 0;
    for (int rank = 0; rank < size; rank++) {
        struct sheaf_domains own = domains_of(team, rank);
        for (int level = 0; level < SHEAF_DOMAIN_LEVELS; level++)
            if (own.first[level] < 0)
                return false;
        domains += leads_domain(&members, rank, SHEAF_DOMAIN_LEVELS);
    }
    return domains > 1 && 2 * domains <= size;
}

static struct sheaf_domains domains_of_member(const void *team, int rank)
{
    int slot = sheaf_boot_slot_of(sheaf_team_world_pe(team, rank));
    return sheaf_control_pe(sheaf_job.control, slot)->domains;
}

/* A process that takes a dead one's place may run in another domain, of which the others do not know. */
bool sheaf_tree_make_levels(struct sheaf_team *team)
{
    if (!sheaf_job.control || sheaf_job.control->reports_failures ||
        !sheaf_tree_is_spread(team->size, domains_of_member, team))
        return false;
    sheaf_tree_make(&team->tree, team->size, team->rank, domains_of_member, team);
    if (team->rank == 0)
        sheaf_debug("a team of %d PEs has a tree that follows sockets, NUMA nodes and caches%s", team->size,
                    team->barrier == SHEAF_BARRIER_LEVELS ? ", which its barriers use" : "");
    return true;
}

/* Nobody is asked where PEs outnumber the processors, and so run anywhere. */
int sheaf_tree_record_domains(void)
{
    const char *given = sheaf_job.settings.cpu_domains;
    struct sheaf_domains domains = {{-1, -1, -1}};
    uint64_t processors[SHEAF_CPU_WORDS];
    bool is_bound = sheaf_boot.node_npes > 2 && sheaf_boot.host_npes <= sheaf_job_cpus();
    if (!sheaf_job.control)
        return 0;
    if (given || is_bound)
        sheaf_os_affinity(processors, SHEAF_CPU_WORDS);
    if (given && sheaf_domains_parse(given, processors, &domains) != 0) {
        sheaf_error("SH201 SHEAF_CPU_DOMAINS is \"%s\", and must be lists of processors, each named once, "
                    "with slashes between: 0-15/16-31",
                    given);
        return -1;
    }
    if (!given && is_bound)
        domains = sheaf_domains_read("/sys/devices/system", processors);
    sheaf_control_pe(sheaf_job.control, sheaf_boot.slot)->domains = domains;
    return 0;
}
