/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The type sets of the specification, one table each. SHEAF_TYPES_<SET>(X) calls X(name, type)
 * for every type name that a family of routines exists for; SHEAF_SELECT_<SET>(X) for every
 * distinct C type, with the name that the C11 and C++ forms of the family call for it. Names the
 * specification does not ask for stand in the lines marked as extensions.
 */
#ifndef SHEAF_API_TYPES_H
#define SHEAF_API_TYPES_H

/* int, long and long long with their unsigned partners. */
#define SHEAF_SELECT_AMO(X)                                                                        \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)

/* Standard atomic types (Specification 1.6, table "Standard AMO types"). */
#define SHEAF_TYPES_AMO(X)                                                                         \
    SHEAF_SELECT_AMO(X)                                                                            \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)

/* Extended atomic types: fetch, set and swap alone. */
#define SHEAF_SELECT_EXTENDED_AMO(X)                                                               \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    SHEAF_SELECT_AMO(X)
#define SHEAF_TYPES_EXTENDED_AMO(X)                                                                \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    SHEAF_TYPES_AMO(X)

/* Bitwise atomic types. The last line of each is an extension. */
#define SHEAF_SELECT_BITWISE_AMO(X)                                                                \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int)                                                                                  \
    X(int64, long)                                                                                 \
    X(longlong, long long)
#define SHEAF_TYPES_BITWISE_AMO(X)                                                                 \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(int, int) X(long, long) X(longlong, long long)

/* Types of wait_until and test: short and unsigned short are deprecated on one variable, and an
 * extension on sets of them. */
#define SHEAF_SELECT_WAIT(X)                                                                       \
    SHEAF_SELECT_AMO(X)                                                                            \
    X(short, short)                                                                                \
    X(ushort, unsigned short)
#define SHEAF_TYPES_WAIT(X)                                                                        \
    SHEAF_TYPES_AMO(X)                                                                             \
    X(short, short)                                                                                \
    X(ushort, unsigned short)

/* Types of the deprecated shmem_TYPE_wait. */
#define SHEAF_TYPES_OLD_WAIT(X)                                                                    \
    X(short, short)                                                                                \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)

/* Standard RMA types; those of max and min reductions are the same. */
#define SHEAF_SELECT_RMA(X)                                                                        \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(longdouble, long double)                                                                     \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(short, short)                                                                                \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)
#define SHEAF_TYPES_RMA(X)                                                                         \
    SHEAF_SELECT_RMA(X)                                                                            \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)                                                                            \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)

/* Types that have a sum and a product. */
#define SHEAF_SELECT_SUM(X)                                                                        \
    SHEAF_SELECT_RMA(X)                                                                            \
    X(complexf, sheaf_complexf)                                                                    \
    X(complexd, sheaf_complexd)
#define SHEAF_TYPES_SUM(X)                                                                         \
    SHEAF_TYPES_RMA(X)                                                                             \
    X(complexf, sheaf_complexf)                                                                    \
    X(complexd, sheaf_complexd)

/* Types of bitwise reductions. The last line of each is an extension. */
#define SHEAF_SELECT_BITWISE(X)                                                                    \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int8, signed char)                                                                           \
    X(int16, short)                                                                                \
    X(int32, int)                                                                                  \
    X(int64, long)                                                                                 \
    X(longlong, long long)
#define SHEAF_TYPES_BITWISE(X)                                                                     \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)                                                                            \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(short, short) X(int, int) X(long, long) X(longlong, long long)

/* Types of the deprecated reductions over active sets. */
#define SHEAF_TYPES_OLD_BITWISE(X)                                                                 \
    X(short, short)                                                                                \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)
#define SHEAF_TYPES_OLD_ORDERED(X)                                                                 \
    SHEAF_TYPES_OLD_BITWISE(X)                                                                     \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(longdouble, long double)
#define SHEAF_TYPES_OLD_SUM(X)                                                                     \
    SHEAF_TYPES_OLD_ORDERED(X)                                                                     \
    X(complexf, sheaf_complexf)                                                                    \
    X(complexd, sheaf_complexd)

/* Types of accumulates, an extension. */
#define SHEAF_TYPES_ACCUMULATE(X)                                                                  \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(complexf, sheaf_complexf)                                                                    \
    X(complexd, sheaf_complexd)

/* Sizes in the names of untyped routines, and the bytes of an element: X(name, bytes). */
#define SHEAF_SIZES(X)                                                                             \
    X(8, 1)                                                                                        \
    X(16, 2)                                                                                       \
    X(32, 4)                                                                                       \
    X(64, 8)                                                                                       \
    X(128, 16)
#define SHEAF_SIZES_AND_MEM(X)                                                                     \
    SHEAF_SIZES(X)                                                                                 \
    X(mem, 1)
#define SHEAF_OLD_SIZES(X)                                                                         \
    X(32, 4)                                                                                       \
    X(64, 8)

#endif
