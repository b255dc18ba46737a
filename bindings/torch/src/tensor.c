/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of sheaftorch.now with tensors as Python has them. Torch tells in C where a tensor's elements are,
 * by the table of functions that DLPack 1.3 describes (torch 2.10 has it, and later ones): 40 ns, where
 * Python asks for each attribute in 50.
 */
#include "torch.h"

#define CPU 1 /* DLPack's number of the device */

/* DLPack's view of a tensor; element: its code, bits and lanes. */
struct tensor {
    char *data;
    int32_t device_type, device, dimensions;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } element;
    int64_t *shape, *strides; /* elements */
    uint64_t offset;          /* bytes */
};

/* The table. describe: 0, or -1 with an exception of Python's; the tensor stays the object's. */
struct exchange {
    uint32_t major, minor;
    void *others[4];
    int (*describe)(void *object, struct tensor *tensor);
};

/* A call as the module hands it over. */
struct now {
    struct sheaf_group *group;
    void *output, *input; /* Python's objects; of one tensor, the same one */
    int32_t kind, combine, root;
};

static const struct exchange *exchange;

/* DLPack's codes of elements: signed and unsigned integers, floats, bfloat16, bool. 0: of another type. */
static enum sheaf_torch_type type_of(const struct tensor *tensor)
{
    static const enum sheaf_torch_type types[][9] = {
        [0] = {[1] = SHEAF_INT8, [2] = SHEAF_INT16, [4] = SHEAF_INT32, [8] = SHEAF_INT64},
        [1] = {[1] = SHEAF_UINT8},
        [2] = {[2] = SHEAF_FLOAT16, [4] = SHEAF_FLOAT32, [8] = SHEAF_FLOAT64},
        [4] = {[2] = SHEAF_BFLOAT16},
        [6] = {[1] = SHEAF_BOOL},
    };
    bool is_known = tensor->element.code < sizeof types / sizeof *types &&
                    tensor->element.bits <= 64 && tensor->element.lanes == 1;
    return is_known ? types[tensor->element.code][tensor->element.bits / 8] : SHEAF_BYTES;
}

static int64_t count_elements(const struct tensor *tensor)
{
    int64_t count = 1;
    for (int i = 0; i < tensor->dimensions; i++)
        count *= tensor->shape[i];
    return count;
}

/* Whether the elements are one behind the other. */
static bool is_contiguous(const struct tensor *tensor)
{
    int64_t distance = 1;
    for (int i = tensor->dimensions - 1; i >= 0; i--) {
        if (tensor->strides && tensor->shape[i] != 1 && tensor->strides[i] != distance)
            return false;
        distance *= tensor->shape[i];
    }
    return true;
}

static bool look(void *object, struct tensor *tensor)
{
    return exchange->describe(object, tensor) == 0 && tensor->device_type == CPU &&
           is_contiguous(tensor);
}

static struct sheaf_block block_of(const struct tensor *tensor)
{
    size_t bytes = (size_t)count_elements(tensor) * tensor->element.bits / 8;
    return (struct sheaf_block){tensor->data + tensor->offset, bytes};
}

/* Whether both have the same shape, which can be cut into as many parts. */
static bool is_even(const struct tensor *one, const struct tensor *other, int parts)
{
    if (one->dimensions == 0 || one->dimensions != other->dimensions || one->shape[0] % parts != 0)
        return false;
    for (int i = 0; i < one->dimensions; i++)
        if (one->shape[i] != other->shape[i])
            return false;
    return true;
}

/* Fills in what the kinds differ in. Whether the tensors fit the call. */
static bool fit(const struct now *now, const struct tensor *output, const struct tensor *input,
                struct sheaf_call *call)
{
    int size = now->group->size, rank = now->group->rank;
    bool gives = now->root == rank;
    call->ins = call->outs = 1;
    switch (now->kind) {
    case SHEAF_ALLREDUCE:
        return sheaf_combine_has((enum sheaf_torch_type)call->type,
                                 (enum sheaf_torch_combine)now->combine);
    case SHEAF_BROADCAST:
        call->ins = gives;
        call->outs = !gives;
        return now->root >= 0 && now->root < size;
    case SHEAF_ALLGATHER:
        call->outs = -size;
        return count_elements(output) == count_elements(input) * size;
    default: /* SHEAF_ALLTOALL */
        call->ins = call->outs = -size;
        call->bytes = 0;
        return is_even(output, input, size);
    }
}

/* Torch's table of functions, which stays. Whether it is one that this file knows. */
SHEAF_EXPORTED int sheaf_torch_exchange(const void *table)
{
    exchange = table;
    return exchange->major == 1;
}

#define NOT_PLAIN ((struct sheaf_operation *)2)

/* Begins a collective as sheaf_torch_begin does. NOT_PLAIN: nothing has begun, since a tensor is one that
 * takes another way, or a mistake; with an exception of Python's where torch cannot describe it. */
SHEAF_EXPORTED struct sheaf_operation *sheaf_torch_now(const struct now *now)
{
    struct tensor input, other;
    if (!look(now->input, &input) || (now->output != now->input && !look(now->output, &other)))
        return NOT_PLAIN;
    const struct tensor *output = now->output == now->input ? &input : &other;
    struct {
        struct sheaf_call call;
        struct sheaf_block blocks[2];
    } begun = {{.group = now->group, .kind = now->kind, .combine = now->combine, .root = now->root},
               {block_of(&input), block_of(output)}};
    begun.call.type = (int32_t)type_of(&input);
    begun.call.bytes = begun.blocks[0].bytes;
    if (!begun.call.type || begun.call.type != (int32_t)type_of(output) ||
        !fit(now, output, &input, &begun.call))
        return NOT_PLAIN;
    return sheaf_torch_begin(&begun.call);
}
