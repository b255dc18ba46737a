/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The trees of the unbalanced tree search benchmark: a node is a state of a random number generator and a
 * depth, from which its number of children follows, and a child's state is a hash of its parent's and its
 * number. Knows no PEs.
 */
#ifndef TREE_H
#define TREE_H

#include "sha1.h"

enum tree_kind { TREE_BINOMIAL, TREE_GEOMETRIC, TREE_HYBRID };
enum tree_shape { TREE_LINEAR, TREE_CYCLIC, TREE_FIXED }; /* a geometric tree's branching by depth */

struct tree {
    enum tree_kind kind;
    enum tree_shape shape;
    int seed;
    int depth;        /* of a geometric tree's shape */
    double branching; /* of the root */
    double chance;    /* in a binomial tree, a node has its children with this probability */
    int children;     /* so many of them */
    long nodes, leaves, deepest; /* known */
};

#define TREE_NAMES "T1|T2|T3|T4|T5|T1L|T3L|small|medium"
extern const struct tree trees[]; /* in the order of these names */

#define TREE_CHILDREN_MOST 100 /* of every node but a binomial tree's root */

struct node {
    uint8_t state[SHA1_BYTES];
    int32_t depth;
};

void tree_root(const struct tree *tree, struct node *root);
int tree_children(const struct tree *tree, const struct node *node);
void tree_child(const struct node *node, int number, struct node *child);

#endif
