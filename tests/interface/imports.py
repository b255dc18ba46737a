# SPDX-License-Identifier: BSD-3-Clause
"""The functions of libc that libsheaf.so and libsheaf.a call by a name that a program may give to a function of its
own, which would then be called instead. System calls go by base/os/direct.syms; what the C standard reserves, names
that begin with an underscore, and those below, which hardly anybody writes, may stay."""
import subprocess
import sys

# Of C17, 7.1.3: reserved as names of functions whether their header is included or not.
STANDARD = """aligned_alloc calloc exit fclose feof ferror fflush fgets fopen fprintf fputc fputs free fwrite getenv malloc
    memchr memcmp memcpy memmove memset printf qsort raise realloc setvbuf signal snprintf stdout strchr strcmp strcspn
    strerror strlen strncmp strncpy strpbrk strrchr strspn strstr strtod strtok strtol strtoul strtoull""".split()
# Not one system call, or one that glibc does more than hand on.
OTHERS = """clock_gettime closedir dl_iterate_phdr dladdr dladdr1 dlerror dlopen dlsym environ execv fdopen fdopendir
    freeifaddrs getifaddrs getpriority gnu_get_libc_version inet_ntop inet_pton on_exit open_memstream opendir readdir
    reallocarray rewinddir sched_getaffinity sched_getcpu sched_setaffinity setenv sigaddset sigemptyset sigfillset
    strncasecmp strsep syscall unsetenv""".split()
PREFIXES = ("_", "pthread_", "posix_spawn", "sheaf_")


def names(library, *options):
    out = subprocess.run(["nm", "-P", *options, library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                         text=True).stdout
    rows = [line.split() for line in out.splitlines() if len(line.split()) > 1]
    defined = {row[0].split("@")[0] for row in rows if row[1] not in "Uwv"}
    return {row[0].split("@")[0] for row in rows if row[1] == "U"} - defined


def main():
    shared, static, *lists = sys.argv[1:]
    imports = names(shared, "-D") | names(static)
    wrong = sorted(name for name in imports if not name.startswith(PREFIXES) and name not in STANDARD + OTHERS)
    for name in wrong:
        print(f"{name}: a program may have a function of that name: add it to src/base/os/direct.syms and direct.c")
    renamed = [line.split()[0] for path in lists for line in open(path, encoding="utf-8")]
    assert len(imports) > 50 and "poll" in renamed, (len(imports), renamed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
