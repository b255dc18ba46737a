/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process of a job by an identifier, which a file carries: identifier RANK SIZE FILE MAKER [WAY]. The process of
 * rank MAKER makes it. WAY: again (initializes twice), fork (makes SIZE children, which are the job), silent (the maker
 * does not initialize), stay (the job does not end), mistakes (calls that fail, by one process).
 */
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int values[3] = {7, 8, 9}; /* symmetric, with what the program has written before */
static int early;
static shmemx_uniqueid_t id;

static void fail(const char *what)
{
    printf("failed: %s\n", what);
    exit(1);
}

static void put_id(const char *path)
{
    char draft[4096];
    snprintf(draft, sizeof draft, "%s.new", path);
    FILE *file = fopen(draft, "w");
    if (!file || fwrite(&id, sizeof id, 1, file) != 1 || fclose(file) || rename(draft, path))
        fail("the file");
}

static void get_id(const char *path)
{
    FILE *file = NULL;
    for (int tries = 0; !file && tries < 2000; tries++)
        if (!(file = fopen(path, "r")))
            usleep(5000);
    if (!file || fread(&id, sizeof id, 1, file) != 1)
        fail("no identifier");
    fclose(file);
}

static void use_job(int rank, int size)
{
    int *heap = shmem_calloc(1, sizeof *heap), next = (rank + 1) % size, before = (rank + size - 1) % size;
    if (shmem_my_pe() != rank || shmem_n_pes() != size)
        fail("the place");
    if (values[0] != 7 || values[2] != 9 || early != 5)
        fail("what the variables held before");
    shmem_barrier_all();
    shmem_int_p(&values[1], 100 + rank, next);
    shmem_int_p(heap, 200 + rank, next);
    shmem_barrier_all();
    if (values[1] != 100 + before || *heap != 200 + before)
        fail("what the PE before has put");
    shmem_barrier_all();
    shmem_free(heap);
}

static int run(int rank, int size, char **words, const char *way)
{
    early = 5;
    if (rank == atoi(words[4])) {
        if (shmemx_get_uniqueid(&id))
            return 3;
        put_id(words[3]);
        if (!strcmp(way, "silent"))
            return pause();
    } else {
        get_id(words[3]);
    }
    if (shmemx_init_uid(rank, size, &id))
        return 2;
    use_job(rank, size);
    if (!strcmp(way, "stay")) {
        puts("stays");
        fflush(stdout);
        pause();
    }
    shmem_finalize();
    if (!strcmp(way, "again")) {
        shmem_init();
        use_job(rank, size);
        shmem_finalize();
        if (shmemx_init_uid(rank, size, &id) == 0)
            fail("an identifier used twice");
    }
    return 0;
}

static int run_children(int size, char **words)
{
    int all = 0, status;
    for (int rank = 0; rank < size; rank++)
        if (fork() == 0)
            exit(run(rank, size, words, ""));
    while (wait(&status) > 0)
        all |= status;
    return all != 0;
}

static void expect(int is_as_expected, const char *what)
{
    if (!is_as_expected)
        fail(what);
}

static int make_mistakes(void)
{
    shmemx_uniqueid_t same, wrong = {""};
    int provided = -1;
    expect(shmemx_get_uniqueid(NULL) != 0, "no place for it");
    expect(shmemx_get_uniqueid(&id) == 0 && pshmemx_get_uniqueid(&same) == 0, "get_uniqueid");
    expect(memcmp(&id, &same, sizeof id) == 0, "the same again");
    expect(strlen(id.text) < sizeof id && !strpbrk(id.text, " \t\n\""), "a printable text");
    expect(shmemx_init_uid(0, 0, &id) != 0 && shmemx_init_uid(0, -1, &id) != 0, "size");
    expect(shmemx_init_uid(2, 2, &id) != 0 && shmemx_init_uid(-1, 2, &id) != 0, "rank");
    expect(shmemx_init_uid(0, 1, NULL) != 0 && shmemx_init_uid(0, 1, &wrong) != 0, "no id");
    for (size_t at = 0; at < strlen(id.text); at++) {
        wrong = id;
        wrong.text[at] ^= 1;
        expect(pshmemx_init_uid(0, 1, &wrong) != 0, "one bit");
        wrong = id;
        wrong.text[at] = '\0';
        expect(shmemx_init_uid(0, 1, &wrong) != 0, "cut off");
    }
    memset(&wrong, 'x', sizeof wrong);
    expect(shmemx_init_uid(0, 1, &wrong) != 0, "no end");
    wrong = id;
    wrong.text[5] = '9';
    expect(shmemx_init_uid(0, 1, &wrong) != 0, "another version");
    expect(shmemx_init_uid_thread(0, 1, &id, 17, &provided) != 0 && provided == -1, "level");
    expect(pshmemx_init_uid_thread(0, 1, &id, SHMEM_THREAD_SERIALIZED, &provided) == 0, "a job of one");
    expect(provided == SHMEM_THREAD_SERIALIZED && shmem_n_pes() == 1, "the level");
    expect(shmemx_init_uid(0, 1, &id) != 0, "initialized already");
    shmem_finalize();
    expect(shmemx_init_uid(0, 1, &id) != 0, "in a job already");
    return 0;
}

int main(int argc, char **argv)
{
    const char *way = argc > 5 ? argv[5] : "";
    if (argc < 5)
        return 64;
    int status = !strcmp(way, "mistakes") ? make_mistakes()
                 : !strcmp(way, "fork")   ? run_children(atoi(argv[2]), argv)
                                          : run(atoi(argv[1]), atoi(argv[2]), argv, way);
    if (status == 0)
        printf("identifier: %s of %s\n", argv[1], argv[2]);
    return status;
}
