/* SPDX-License-Identifier: BSD-3-Clause
 * See place.h.
 */
#include "boot/containers/place.h"

#include "base/times.h"
#include "hosts/interface.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FILE_STEM "sheaf-"
#define FILE_END  ".socket"
#define FILE_NAME FILE_STEM "%s" FILE_END

bool sheaf_place_make_name(char name[SHEAF_TOKEN_TEXT])
{
    struct sheaf_token token;
    if (!sheaf_token_make(&token))
        return false;
    sheaf_token_print(name, &token);
    return true;
}

/* By way of the descriptor: the folder's own path may be too long for a socket's address, and lead
 * elsewhere by now. */
static socklen_t fill(struct sockaddr_un *address, int folder, const char *name)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t start = offsetof(struct sockaddr_un, sun_path), most = sizeof address->sun_path;
    if (folder < 0)
        return (socklen_t)(start + 1 +
                           (size_t)snprintf(address->sun_path + 1, most - 1, FILE_STEM "%s", name));
    snprintf(address->sun_path, most, "/proc/self/fd/%d/" FILE_NAME, folder, name);
    return sizeof *address;
}

static int make_socket(void)
{
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* The name in the folder gets the rights that the socket has when it is bound. */
int sheaf_place_listen(int folder, const char *name, int backlog)
{
    struct sockaddr_un address;
    socklen_t length = fill(&address, folder, name);
    int fd = make_socket();
    if (fd < 0)
        return -1;
    if (fchmod(fd, 0600) != 0 || bind(fd, (struct sockaddr *)&address, length) != 0)
        return sheaf_interface_close_failed(fd);
    if (listen(fd, backlog) == 0)
        return fd;
    sheaf_place_remove(folder, name);
    return sheaf_interface_close_failed(fd);
}

int sheaf_place_connect(int folder, const char *name)
{
    struct sockaddr_un address;
    socklen_t length = fill(&address, folder, name);
    int fd = make_socket();
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) == 0)
        return fd;
    return sheaf_interface_close_failed(fd);
}

void sheaf_place_remove(int folder, const char *name)
{
    char file[sizeof FILE_NAME + SHEAF_TOKEN_TEXT];
    snprintf(file, sizeof file, FILE_NAME, name);
    if (folder >= 0)
        unlinkat(folder, file, 0);
}

/* The random part of a socket's name in the folder; false: the file has no such name. */
static bool read_name(const char *file, char name[SHEAF_TOKEN_TEXT])
{
    struct sheaf_token token;
    size_t stem = strlen(FILE_STEM);
    if (strncmp(file, FILE_STEM, stem) != 0 ||
        strlen(file) != stem + SHEAF_TOKEN_TEXT - 1 + strlen(FILE_END))
        return false;
    const char *end = sheaf_token_parse(file + stem, &token);
    if (!end || strcmp(end, FILE_END) != 0)
        return false;
    memcpy(name, file + stem, SHEAF_TOKEN_TEXT - 1);
    name[SHEAF_TOKEN_TEXT - 1] = '\0';
    return true;
}

static bool is_old(int folder, const char *file, uint64_t older_ns)
{
    struct stat found;
    struct timespec now;
    int held = openat(folder, file, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool is_own = held >= 0 && fstat(held, &found) == 0 && S_ISSOCK(found.st_mode) &&
                  found.st_uid == geteuid() && clock_gettime(CLOCK_REALTIME, &now) == 0;
    if (held >= 0)
        close(held);
    return is_own && now.tv_sec - found.st_mtime > (time_t)(older_ns / SHEAF_SECOND);
}

void sheaf_place_sweep(int folder, uint64_t older_ns)
{
    char name[SHEAF_TOKEN_TEXT];
    int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *files = readable < 0 ? NULL : fdopendir(readable);
    if (!files) {
        if (readable >= 0)
            close(readable);
        return;
    }
    for (const struct dirent *file; (file = readdir(files));) {
        if (!read_name(file->d_name, name) || !is_old(folder, file->d_name, older_ns))
            continue;
        int fd = sheaf_place_connect(folder, name);
        if (fd >= 0)
            close(fd);
        else if (errno == ECONNREFUSED)
            sheaf_place_remove(folder, name);
    }
    closedir(files);
}
