/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The existing pages of private memory are found, none twice and in order: as the kernel lists them, and from
 * the page table's entries where it has no such list. More runs than are listed at once, and more pages than
 * are read at once.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/ioctl.h>

static bool is_old; /* a kernel without the list */
static int calls;   /* of the list */
#define ioctl(table, request, scan) (calls++, is_old ? (errno = ENOTTY, -1) : ioctl(table, request, scan))
#include "snapshot/file/pages.c"

#include <stdio.h>
#include <string.h>

#define PAGES  20000
#define FILLED 3 /* pages that count as existing */

struct found {
    unsigned char pages[PAGES];
    size_t end; /* of the run before */
    size_t most;
};

static int note(void *context, const struct sheaf_piece *piece, size_t at, size_t length)
{
    struct found *found = context;
    size_t page = sheaf_os_page_size();
    (void)piece;
    if (at < found->end || length == 0 || length > found->most || at % page || length % page)
        return 1;
    memset(found->pages + at / page, 1, length / page);
    found->end = at + length;
    return 0;
}

static bool should_exist(size_t page)
{
    return page < FILLED || (page >= 100 && page < 700 && page % 2 == 0) || (page >= 9000 && page < 9600) ||
           page == PAGES - 1;
}

static int look(char *memory)
{
    static struct found found;
    size_t page = sheaf_os_page_size();
    struct sheaf_piece piece = {.start = memory, .length = PAGES * page, .filled = FILLED * page, .fd = -1};
    memset(&found, 0, sizeof found);
    found.most = 256 * page;
    calls = 0;
    if (sheaf_pages_each(&piece, found.most, note, &found) != 0) {
        printf("%s: a run out of order, empty or too long\n", is_old ? "entries" : "list");
        return 1;
    }
    for (size_t i = 0; i < PAGES; i++)
        if (found.pages[i] != should_exist(i)) {
            printf("%s: page %zu is%s found\n", is_old ? "entries" : "list", i,
                   found.pages[i] ? "" : " not");
            return 1;
        }
    return 0;
}

int main(void)
{
    size_t page = sheaf_os_page_size();
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
    for (size_t i = FILLED; i < PAGES; i++)
        if (should_exist(i))
            memory[i * page] = 1;
    int failed = look(memory);
    printf("the kernel's list: %d calls\n", calls);
    is_old = true;
    failed |= look(memory);
    return failed || calls != 1;
}
