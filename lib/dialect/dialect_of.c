/* Recognizes the dialect of a file by its first bytes. No ONNX model begins like JSON or XML: '{' and '<' would be
 * tags of groups. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#define HEAD_SIZE 512u

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Is there the start tag <net? OpenVINO, too, looks for it in the first bytes; other XML is HTML or the like. */
static bool is_net(const uint8_t *head, size_t size)
{
    const uint8_t *found = memmem(head, size, "<net", 4);
    return found && found + 4 < head + size && (found[4] == '>' || found[4] == '/' || is_blank(found[4]));
}

static const char *dialect_of_head(const uint8_t *head, size_t size)
{
    size_t at = size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && is_blank(head[at]))
        at++;
    if (at == size)
        return NULL;
    if (head[at] == '<')
        return is_net(head + at, size - at) ? "openvino" : NULL;
    return head[at] == '{' ? "directml" : NULL;
}

static enum opshift_status read_head(const char *path, const char **dialect, struct opshift_error *error)
{
    struct source *source = NULL;
    const uint8_t *head;
    enum opshift_status status = source_open(path, &source, error);
    if (status)
        return status;
    size_t size = source_size(source) < HEAD_SIZE ? (size_t)source_size(source) : HEAD_SIZE;
    status = source_view(source, 0, size, &head, error);
    if (status == OPSHIFT_OK)
        *dialect = dialect_of_head(head, size);
    source_free(source);
    return status;
}

/* Only a regular file is opened: others can be read only once. What cannot be found is left to who opens it. */
enum opshift_status opshift_dialect_of(const char *path, const char **dialect, struct opshift_error *error)
{
    struct stat about;
    *dialect = NULL;
    if (strcmp(path, "-") == 0)
        return OPSHIFT_OK;
    if (stat(path, &about) != 0) {
        bool is_known = errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
        return is_known ? OPSHIFT_OK : opshift_fail(error, OPSHIFT_IO, "%s: cannot stat: %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode))
        return OPSHIFT_OK;
    enum opshift_status status = read_head(path, dialect, error);
    return status ? opshift_within(error, status, "%s", path) : OPSHIFT_OK;
}
