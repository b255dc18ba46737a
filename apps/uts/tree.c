/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parameters and sizes of T1 to T3L as published with the benchmark; small was counted with one PE.
 */
#include "tree.h"

#include <math.h>
#include <string.h>

const struct tree trees[] = {
    {TREE_GEOMETRIC, TREE_FIXED, 19, 10, 4, 0, 0, 4130071, 3305118, 10},
    {TREE_GEOMETRIC, TREE_CYCLIC, 502, 16, 6, 0, 0, 4117769, 2342762, 81},
    {TREE_BINOMIAL, TREE_LINEAR, 42, 0, 2000, 0.124875, 8, 4112897, 3599034, 1572},
    {TREE_HYBRID, TREE_LINEAR, 1, 16, 6, 0.234375, 4, 4132453, 3108986, 134},
    {TREE_GEOMETRIC, TREE_LINEAR, 34, 20, 4, 0, 0, 4147582, 2181318, 20},
    {TREE_GEOMETRIC, TREE_FIXED, 29, 13, 4, 0, 0, 102181082, 81746377, 13},
    {TREE_BINOMIAL, TREE_LINEAR, 7, 0, 2000, 0.200014, 5, 111345631, 89076904, 17844},
    {TREE_GEOMETRIC, TREE_FIXED, 19, 6, 4, 0, 0, 16000, 12839, 6},
    {TREE_GEOMETRIC, TREE_FIXED, 19, 7, 4, 0, 0, 63914, 51124, 7},
};

static void put_word(uint8_t *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(word >> (24 - 8 * i));
}

void tree_root(const struct tree *tree, struct node *root)
{
    uint8_t seed[SHA1_BYTES] = {0};
    put_word(seed + 16, (uint32_t)tree->seed);
    sha1_short(seed, sizeof seed, root->state);
    root->depth = 0;
}

void tree_child(const struct node *node, int number, struct node *child)
{
    uint8_t message[SHA1_BYTES + 4];
    memcpy(message, node->state, SHA1_BYTES);
    put_word(message + SHA1_BYTES, (uint32_t)number);
    sha1_short(message, sizeof message, child->state);
    child->depth = node->depth + 1;
}

/* 0 to 1: the last 31 bits of the state. */
static double uniform(const struct node *node)
{
    const uint8_t *last = node->state + 16;
    const uint32_t word = (uint32_t)last[0] << 24 | (uint32_t)last[1] << 16 | (uint32_t)last[2] << 8 |
        last[3];
    return (double)(word & 0x7fffffff) / 2147483648.0;
}

/* The mean number of children at a depth. */
static double branching(const struct tree *tree, int depth)
{
    if (depth == 0)
        return tree->branching;
    switch (tree->shape) {
    case TREE_FIXED:
        return depth < tree->depth ? tree->branching : 0;
    case TREE_CYCLIC:
        return depth > 5 * tree->depth ? 0 : pow(tree->branching, sin(2 * M_PI * depth / tree->depth));
    default:
        return tree->branching * (1 - depth / (double)tree->depth);
    }
}

static int geometric(const struct tree *tree, const struct node *node)
{
    const double mean = branching(tree, node->depth);
    if (mean <= 0)
        return 0;
    const double children = floor(log(1 - uniform(node)) / log(1 - 1 / (1 + mean)));
    return children < TREE_CHILDREN_MOST ? (int)children : TREE_CHILDREN_MOST;
}

static int binomial(const struct tree *tree, const struct node *node)
{
    return uniform(node) < tree->chance ? tree->children : 0;
}

int tree_children(const struct tree *tree, const struct node *node)
{
    if (tree->kind == TREE_BINOMIAL)
        return node->depth == 0 ? (int)tree->branching : binomial(tree, node);
    if (tree->kind == TREE_HYBRID && node->depth >= 0.5 * tree->depth)
        return binomial(tree, node);
    return geometric(tree, node);
}
