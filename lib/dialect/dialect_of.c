/* Recognizes the dialect of a file by its first bytes. No ONNX model begins like JSON or XML: '{' and '<' would be
 * tags of groups. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opshift.h"

#define HEAD_SIZE 512u

/* The first bytes of a regular file; 0: none could be read. Others, which can be read only once, are not touched. */
static size_t read_head(const char *path, char *head)
{
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : pread(file, head, HEAD_SIZE, 0);
    if (file >= 0)
        close(file);
    return size > 0 ? (size_t)size : 0;
}

/* Is there the start tag <net? OpenVINO, too, looks for it in the first bytes; other XML is HTML or the like. */
static bool is_net(const char *head, size_t size)
{
    const char *found = memmem(head, size, "<net", 4);
    return found && found + 4 < head + size && memchr(" \t\r\n>/", found[4], 6);
}

const char *opshift_dialect_of(const char *path)
{
    char head[HEAD_SIZE];
    size_t size = read_head(path, head), at = 0;
    if (size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        at = 3;
    while (at < size && memchr(" \t\r\n", head[at], 4))
        at++;
    if (at == size)
        return NULL;
    if (head[at] == '<')
        return is_net(head + at, size - at) ? "openvino" : NULL;
    return head[at] == '{' ? "directml" : NULL;
}
