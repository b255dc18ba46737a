# What relax.c needs beside -include cray.h: a short of 4 bytes is an int, and memory of the stack stays private.
/shmem_stack/d
s/static short  done/static int done/
s/shmem_short_inc/shmem_int_inc/
