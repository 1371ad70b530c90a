/* Writes the pieces of a converted model as JSON. */
#include "pieces.h"

#include <inttypes.h>

/* Adds bytes in base64 (RFC 4648). */
static enum opshift_status base64_add(struct pending *file, const unsigned char *bytes, uint64_t size,
                                      struct opshift_error *error)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum opshift_status status = OPSHIFT_OK;
    char text[4096];
    size_t used = 0;
    for (uint64_t i = 0; i < size && status == OPSHIFT_OK; i += 3) {
        uint64_t left = size - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        text[used++] = digits[bits >> 18];
        text[used++] = digits[bits >> 12 & 63];
        text[used++] = left > 1 ? digits[bits >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[bits & 63] : '=';
        if (used == sizeof text || left <= 3) {
            status = pending_add(file, text, used, error);
            used = 0;
        }
    }
    return status;
}

static enum opshift_status piece_write(struct pending *file, const struct opshift_piece *piece,
                                       struct opshift_error *error)
{
    char text[80];
    int size =
        snprintf(text, sizeof text, "    {\"from\": %" PRIu64 ", \"size\": %" PRIu64 "}", piece->offset, piece->size);
    if (piece->bytes == NULL)
        return pending_add(file, text, (size_t)size, error);
    enum opshift_status status = pending_add(file, "    {\"bytes\": \"", 15, error);
    if (status == OPSHIFT_OK)
        status = base64_add(file, piece->bytes, piece->size, error);
    return status == OPSHIFT_OK ? pending_add(file, "\"}", 2, error) : status;
}

enum opshift_status pieces_write(const struct opshift_pieces *pieces, struct pending *file, const char *path,
                                 struct opshift_error *error)
{
    char text[80];
    size_t count = opshift_pieces_count(pieces);
    int size =
        snprintf(text, sizeof text, "{\n  \"size\": %" PRIu64 ",\n  \"pieces\": [\n", opshift_pieces_size(pieces));
    enum opshift_status status = pending_open(file, path, error);
    if (status == OPSHIFT_OK)
        status = pending_add(file, text, (size_t)size, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        status = piece_write(file, opshift_pieces_at(pieces, i), error);
        if (status == OPSHIFT_OK)
            status = pending_add(file, ",\n", i + 1 < count ? 2 : 0, error);
    }
    if (status == OPSHIFT_OK)
        status = pending_add(file, "\n  ]\n}\n", 7, error);
    return status == OPSHIFT_OK ? pending_close(file, error) : status;
}
