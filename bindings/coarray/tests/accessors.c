/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program as gfortran 15 and 16 make one of coarrays, written in C: accessors, and calls that
 * name them. Here because those compilers are rarely there; SHEAF_GFORTRAN is the one whose calls
 * these are.
 */
#define SHEAF_GFORTRAN GFORTRAN
#include "../gfortran/descriptor.h"
#include "../gfortran/libcaf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE 5000

struct part {
    long number;
    long *pointer; /* to memory of its image */
    caf_token_t token; /* of an allocatable component */
};

static caf_token_t row_token, part_token;
static long *row;
static struct part *part;

static void check(const char *what, bool is_good)
{
    if (is_good)
        return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

static struct gfortran_array array_of(long *base, ptrdiff_t count, ptrdiff_t stride)
{
    struct gfortran_array array = {.base = (char *)base, .span = sizeof *base};
    array.dtype.length = sizeof *base;
    array.dtype.rank = 1;
    array.dtype.type = SHEAF_INTEGER;
    array.dimensions[0].lower = 1;
    array.dimensions[0].upper = count;
    array.dimensions[0].stride = stride;
    array.offset = (size_t)-stride;
    return array;
}

/* row(i) */
static void read_element(const ptrdiff_t *i, const int *image, long **dest, int32_t *is_new,
                         long *memory)
{
    (void)image;
    *dest = &memory[*i];
    *is_new = 0;
}

static void write_element(const ptrdiff_t *i, const int *image, long *memory, const long *source)
{
    (void)image;
    memory[*i] = *source;
}

/* row(first:last) */
static void read_section(const ptrdiff_t range[2], const int *image, struct gfortran_array *dest,
                         int32_t *is_new, const long *memory)
{
    (void)image;
    ptrdiff_t count = range[1] - range[0];
    long *made = malloc((size_t)count * sizeof *made);
    memcpy(made, memory + range[0], (size_t)count * sizeof *made);
    *dest = array_of(made, count, 1);
    *is_new = 1;
}

static void write_section(const ptrdiff_t range[2], const int *image, long *memory,
                          const struct gfortran_array *source)
{
    (void)image;
    memcpy(memory + range[0], source->base, (size_t)(range[1] - range[0]) * sizeof *memory);
}

/* part%pointer */
static void read_pointer(const void *none, const int *image, long **dest, int32_t *is_new,
                         struct part *memory)
{
    (void)none, (void)image;
    *dest = memory->pointer;
    *is_new = 0;
}

static void look_at_pointer(const void *none, const int *image, int32_t *result, void *memory)
{
    (void)none, (void)image;
    const struct part *at = SHEAF_GFORTRAN >= 16 ? *(struct part **)memory : memory;
    *result = at->pointer != NULL;
}

/* row(i), where i lies in the memory of the image that asks: as for a subscript that is a
 * function's array. */
static void read_by_far_subscript(void *arguments, const int *image, long **dest, int32_t *is_new,
                                  long *memory, caf_token_t token)
{
    (void)arguments;
    ptrdiff_t none = 0;
    long i = 0, *at = &i;
    int index = _gfortran_caf_get_remote_function_index(101); /* READ_ELEMENT */
    _gfortran_caf_get_from_remote(token, NULL, NULL, *image, sizeof i, (void **)&at, NULL, NULL,
                                  false, index, &none, sizeof none, NULL, NULL, NULL);
    *dest = &memory[*at];
    *is_new = 0;
}

enum {
    READ_ELEMENT = 101,
    WRITE_ELEMENT,
    READ_SECTION,
    WRITE_SECTION,
    READ_POINTER,
    LOOK_AT_POINTER,
    READ_BY_FAR
};

/* What gfortran has before main. */
__attribute__((constructor)) static void register_all(void)
{
#define ACCESSOR(HASH, NAME) _gfortran_caf_register_accessor(HASH, (void (*)(void))(NAME))
    ACCESSOR(READ_BY_FAR, read_by_far_subscript);
    ACCESSOR(LOOK_AT_POINTER, look_at_pointer);
    ACCESSOR(READ_POINTER, read_pointer);
    ACCESSOR(WRITE_SECTION, write_section);
    ACCESSOR(READ_SECTION, read_section);
    ACCESSOR(WRITE_ELEMENT, write_element);
    ACCESSOR(READ_ELEMENT, read_element);
    _gfortran_caf_register_accessors_finish();
    struct gfortran_array desc = {.dtype = {.length = sizeof *row, .type = SHEAF_INTEGER}};
    _gfortran_caf_register(LARGE * sizeof *row, 0, &row_token, &desc, NULL, NULL, 0);
    row = (long *)(void *)desc.base;
    desc = (struct gfortran_array){.dtype = {.length = sizeof *part, .type = SHEAF_DERIVED}};
    _gfortran_caf_register(sizeof *part, 0, &part_token, &desc, NULL, NULL, 0);
    part = (struct part *)(void *)desc.base;
    *part = (struct part){0, NULL, NULL};
}

static long get(caf_token_t token, int image, int hash, ptrdiff_t i)
{
    long here = -1, *at = &here;
    _gfortran_caf_get_from_remote(token, NULL, NULL, image, sizeof here, (void **)&at, NULL, NULL,
                                  false, _gfortran_caf_get_remote_function_index(hash), &i,
                                  sizeof i, NULL, NULL, NULL);
    return *at;
}

static void test_elements(int me, int next, int images)
{
    ptrdiff_t i = 7;
    long value = 1000 + me;
    check("element", get(row_token, next, READ_ELEMENT, 3) == next * LARGE + 3);
    if (shmem_ptr(row, next - 1)) /* else refused */
        check("subscript by address", get(row_token, next, READ_BY_FAR, 5) == next * LARGE + 5);
    check("not allocated", !_gfortran_caf_is_present_on_remote(NULL, 99, 0, NULL, 0));
    _gfortran_caf_sync_all(NULL, NULL, 0);
    _gfortran_caf_send_to_remote(row_token, NULL, NULL, next, sizeof value, &value, NULL, NULL,
                                 _gfortran_caf_get_remote_function_index(WRITE_ELEMENT), &i,
                                 sizeof i, NULL, NULL, NULL);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    check("written element", row[7] == 1000 + (me + images - 2) % images + 1);
}

/* count elements into an array that is there, or into one that the accessor makes. */
static void test_section(int next, ptrdiff_t count, bool may_move)
{
    ptrdiff_t range[] = {10, 10 + count};
    long *place = may_move ? NULL : malloc((size_t)count * sizeof *place);
    struct gfortran_array dest = array_of(place, may_move ? 0 : count, 1);
    void *data = place;
    _gfortran_caf_get_from_remote(row_token, NULL, NULL, next, (size_t)count * sizeof *row, &data,
                                  NULL, &dest, may_move,
                                  _gfortran_caf_get_remote_function_index(READ_SECTION), range,
                                  sizeof range, NULL, NULL, NULL);
    const long *got = (long *)(void *)dest.base;
    check("place", may_move || got == place);
    check("shape", dest.dimensions[0].upper - dest.dimensions[0].lower + 1 == count);
    for (ptrdiff_t i = 0; i < count; i++)
        check("section", got[i] == next * LARGE + 10 + i);
    free(dest.base);
}

static void test_written_section(int me, int next, int images, ptrdiff_t count)
{
    ptrdiff_t range[] = {10, 10 + count};
    long *values = malloc(2 * (size_t)count * sizeof *values),
         last = (me + images - 2) % images + 1;
    for (ptrdiff_t i = 0; i < count; i++)
        values[2 * i] = me * 100 + i;
    struct gfortran_array source = array_of(values, count, 2); /* with gaps */
    _gfortran_caf_sync_all(NULL, NULL, 0);
    _gfortran_caf_send_to_remote(row_token, NULL, NULL, next, (size_t)count * sizeof *row, values,
                                 NULL, &source,
                                 _gfortran_caf_get_remote_function_index(WRITE_SECTION), range,
                                 sizeof range, NULL, NULL, NULL);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    for (ptrdiff_t i = 0; i < count; i++)
        check("written section", row[10 + i] == last * 100 + i);
    check("nothing behind it", row[10 + count] == me * LARGE + 10 + count);
    free(values);
}

/* row(0:3) of image 2 = row(10:13) of the last one, by image 1 */
static void test_transfer(int me, int images)
{
    ptrdiff_t to[] = {0, 4}, from[] = {10, 14};
    int dest = images > 1 ? 2 : 1;
    _gfortran_caf_sync_all(NULL, NULL, 0);
    if (me == 1)
        _gfortran_caf_transfer_between_remotes(
            row_token, NULL, NULL, dest, _gfortran_caf_get_remote_function_index(WRITE_SECTION), to,
            sizeof to, row_token, NULL, NULL, images,
            _gfortran_caf_get_remote_function_index(READ_SECTION), from, sizeof from,
            4 * sizeof *row, false, NULL, NULL, NULL, NULL, NULL, NULL);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    long last = (images + images - 2) % images + 1;
    for (ptrdiff_t i = 0; me == dest && i < 4; i++)
        check("between two others", row[i] == last * 100 + i);
}

static void test_pointers(int me, int next)
{
    long *mine = malloc(sizeof *mine);
    int look = _gfortran_caf_get_remote_function_index(LOOK_AT_POINTER);
    check("no pointer yet", !_gfortran_caf_is_present_on_remote(part_token, next, look, NULL, 0));
    _gfortran_caf_sync_all(NULL, NULL, 0);
    *mine = -me;
    part->pointer = mine;
    _gfortran_caf_sync_all(NULL, NULL, 0);
    check("a pointer", _gfortran_caf_is_present_on_remote(part_token, next, look, NULL, 0));
    check("what it leads to", get(part_token, next, READ_POINTER, 0) == -next);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    free(mine);
}

/* ALLOCATE of a component where the compiler has not set its token, or has copied another's. */
static void test_unset_tokens(void)
{
    char nothing[300];
    caf_token_t others[] = {NULL, (void *)1, nothing, row_token, (char *)row_token + 8};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct gfortran_array desc = {.dtype = {.length = sizeof(int), .type = SHEAF_INTEGER}};
        part->token = others[i];
        _gfortran_caf_register(sizeof(int), 8, &part->token, &desc, NULL, NULL, 0);
        check("memory of a component", desc.base && part->token != others[i]);
        caf_token_t copied = part->token, first = copied;
        struct gfortran_array again = desc;
        _gfortran_caf_register(sizeof(int), 8, &copied, &again, NULL, NULL, 0);
        check("memory of a copied component", again.base != desc.base && copied != first);
        _gfortran_caf_deregister(&copied, 0, NULL, NULL, 0);
        _gfortran_caf_deregister(&part->token, 0, NULL, NULL, 0);
        check("no token any more", !copied && !part->token);
    }
}

static void test_teams(int me, int images)
{
    void *team = NULL;
#if SHEAF_GFORTRAN >= 16
    int32_t other = 1 + (me % 2 + 1) % 2, parent = 1;
    int members = (images + (me % 2)) / 2;
    _gfortran_caf_form_team(1 + me % 2, &team, NULL, NULL, NULL, 0);
    check("team's number", _gfortran_caf_team_number(team) == 1 + me % 2);
    check("images of a team that is not entered", _gfortran_caf_num_images(team, NULL) == members);
    check("place in it", _gfortran_caf_this_image(team) == (me + 1) / 2);
    _gfortran_caf_change_team(team, NULL, NULL, 0);
    check("images of another team", _gfortran_caf_num_images(NULL, &other) == images - members);
    check("the parent", _gfortran_caf_num_images(_gfortran_caf_get_team(&parent), NULL) == images);
    long first = 0, *at = &first;
    ptrdiff_t i = 4000;
    if (images > 1) { /* image 1 of the other team */
        _gfortran_caf_get_from_remote(row_token, NULL, NULL, 1, sizeof first, (void **)&at, NULL,
                                      NULL, false,
                                      _gfortran_caf_get_remote_function_index(READ_ELEMENT), &i,
                                      sizeof i, NULL, NULL, &other);
        check("image of another team", *at == (me % 2 ? 2 : 1) * LARGE + 4000);
    }
    int stat = -1;
    parent = 77;
    _gfortran_caf_get_from_remote(row_token, NULL, NULL, 1, sizeof first, (void **)&at, NULL, NULL,
                                  false, 0, &i, sizeof i, &stat, NULL, &parent);
    check("STAT= of a team that is not there", stat == 1);
    _gfortran_caf_sync_team(team, NULL, NULL, 0);
    _gfortran_caf_end_team(NULL, NULL, 0);
#else
    _gfortran_caf_form_team(1 + me % 2, &team, 0);
    _gfortran_caf_change_team(&team, 0);
    check("images", _gfortran_caf_num_images(0, -1) == (images + (me % 2)) / 2);
    _gfortran_caf_end_team(NULL);
#endif
    check("after the team", _gfortran_caf_this_image(0) == me);
}

int main(int argc, char **argv)
{
    _gfortran_caf_init(&argc, &argv);
    int me = _gfortran_caf_this_image(0), images = shmem_n_pes(), next = me % images + 1;
    if (argc > 1 && strcmp(argv[1], "end") == 0) { /* before the thread that serves others may have begun */
        _gfortran_caf_finalize();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "unset") == 0) {
        caf_token_t token = (char *)row_token + 8;
        _gfortran_caf_deregister(&token, 0, NULL, NULL, 0);
    }
    if (argc > 1 && strcmp(argv[1], "no-event") == 0)
        _gfortran_caf_event_post((void *)1, 0, 1, NULL, NULL, 0);
    if (argc > 1) /* a mistake */
        _gfortran_caf_event_post(row_token, 0, 1, NULL, NULL, 0);
    for (int i = 0; i < LARGE; i++)
        row[i] = me * LARGE + i;
    _gfortran_caf_sync_all(NULL, NULL, 0);
    test_elements(me, next, images);
    test_pointers(me, next);
    test_unset_tokens();
    for (int i = 0; i < 2; i++) {
        test_section(next, 3, i);
        test_section(next, 4000, i); /* too many for one message */
    }
    test_teams(me, images);
    test_written_section(me, next, images, 4);
    test_transfer(me, images);
    test_written_section(me, next, images, 4000);
    if (me == 1)
        printf("accessors: good\n");
    _gfortran_caf_finalize();
}
