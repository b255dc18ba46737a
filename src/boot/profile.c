/* SPDX-License-Identifier: BSD-3-Clause
 * See profile.h.
 */
#include "boot/profile.h"

#include "base/os/library.h"
#include "base/settings/env.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define BEGUN_VARIABLE "SHEAF_PROFILE_BEGUN"
#define FILE_NAME      "libsheaf-profile.so"

/* There where libsheaf-profile.so is loaded. */
extern char sheaf_profile_is_loaded __attribute__((weak, visibility("default")));

static const char *wanted(void)
{
    const char *names[] = {"SHEAF_TRACE", "SHEAF_PROFILE"};
    for (int i = 0; i < 2; i++) {
        const char *folder = sheaf_settings_text(names[i]);
        if (folder && *folder)
            return names[i];
    }
    return NULL;
}

/* Beside this library. */
static bool find_file(char *path, size_t size)
{
    char own[4096];
    if (!sheaf_library_path((void *)sheaf_boot_profile, own, sizeof own))
        return false;
    char *slash = strrchr(own, '/');
    int folder = slash ? (int)(slash + 1 - own) : 0;
    int length = snprintf(path, size, "%.*s" FILE_NAME, folder, own);
    return slash && length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

/* The loader separates names by spaces and colons: a file whose path has some goes by a descriptor,
 * which the program inherits. */
static bool name_for_loader(char *path, size_t size)
{
    if (!strpbrk(path, " :"))
        return true;
    int fd = open(path, O_RDONLY);
    return fd >= 0 && snprintf(path, size, "/proc/self/fd/%d", fd) > 0;
}

static int begin_again(char **argv, const char *path)
{
    const char *others = getenv("LD_PRELOAD");
    char *list;
    if (asprintf(&list, "%s%s%s", path, others && *others ? ":" : "", others ? others : "") < 0)
        return ENOMEM;
    if (setenv("LD_PRELOAD", list, 1) == 0 && setenv(BEGUN_VARIABLE, "1", 1) == 0)
        execv("/proc/self/exe", argv);
    int failed = errno;
    free(list);
    return failed;
}

/* Why it cannot be, or NULL. */
static const char *objection(void)
{
    if (sheaf_image.is_static || !sheaf_library_is_from((void *)sheaf_boot_profile, "libsheaf"))
        return "the calls of a program that holds the library itself (libsheaf.a, -static) cannot "
               "be watched: link "
               "it with libsheaf.so";
    if (sheaf_image.came_late)
        return "this program, such as Python, loaded libsheaf.so while it ran, so that its calls cannot be "
               "watched: start it with LD_PRELOAD set to that file, as in env LD_PRELOAD=.../libsheaf.so "
               "python3 prog.py";
    if (getauxval(AT_SECURE))
        return "a program with rights of its own is not profiled";
    if (getenv(BEGUN_VARIABLE))
        return "the loader does not take " FILE_NAME;
    return NULL;
}

void sheaf_boot_profile(char **argv, char *failure, size_t size)
{
    char path[4096];
    const char *name = wanted();
    if (&sheaf_profile_is_loaded) {
        unsetenv(BEGUN_VARIABLE);
        return;
    }
    const char *why = name ? objection() : NULL;
    if (name && !why && (!find_file(path, sizeof path) || !name_for_loader(path, sizeof path)))
        why = FILE_NAME " is not beside libsheaf.so: this Sheaf was built without it";
    if (name && !why)
        why = strerror(begin_again(argv, path));
    if (why)
        snprintf(failure, size, "%s: no profile: %s; or unset %s", name, why, name);
}
