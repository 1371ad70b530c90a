/* A save as a list of pieces: joined, they are the saved file. */
#include "opshift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap/opened.h"
#include "tests/tap/tap.h"

static const char source[] = "<ir_version: 8, opset_import: [\"\" : 11], producer_name: \"p\">\n"
                             "net (float[6] x) => (float[2] a, float[4] b, float[6] y)\n"
                             "<float[6] w = {1, 2, 3, 4, 5, 6}> {\n"
                             "  a, b = Split <axis = 0, split = [2, 4]> (x)\n"
                             "  y = Add (x, w)\n"
                             "}\n";

/* Joins the pieces, with ranges of the original bytes. */
static char *join(const struct opshift_pieces *pieces, const char *bytes, size_t size)
{
    char *made = malloc((size_t)opshift_pieces_size(pieces) + 1), *to = made;
    for (size_t i = 0; made && i < opshift_pieces_count(pieces); i++) {
        const struct opshift_piece *piece = opshift_pieces_at(pieces, i);
        bool inside = piece->bytes || (piece->offset <= size && piece->size <= size - piece->offset);
        if (!ok(inside && piece->size > 0, "piece %zu holds bytes that there are", i))
            break;
        memcpy(to, piece->bytes ? piece->bytes : bytes + piece->offset, (size_t)piece->size);
        to += piece->size;
    }
    return made;
}

/* The pieces opened as a model are the saved model. */
static void test_open(struct opshift_pieces *pieces, const char *path, const char *what)
{
    struct opshift_error error = {0};
    struct opshift_model *opened = NULL, *saved = NULL;
    char *seen = NULL, *wanted = NULL;
    size_t seen_size = 0, wanted_size = 0;
    is_int(OPSHIFT_OK, opshift_pieces_open(pieces, &opened, &error), "%s: opened without a file %s", what, error.text);
    is_int(OPSHIFT_OK, opshift_model_open(path, NULL, &saved, &error), "%s: opened from one %s", what, error.text);
    is_int(OPSHIFT_OK, opshift_model_to_text(opened, &seen, &seen_size, &error), "%s: its text", what);
    is_int(OPSHIFT_OK, opshift_model_to_text(saved, &wanted, &wanted_size, &error), "%s: the text of the file", what);
    is_bytes(wanted, wanted_size, seen, seen_size, "%s: both are equal", what);
    opshift_text_free(seen);
    opshift_text_free(wanted);
    opshift_model_free(opened);
    opshift_model_free(saved);
}

static void test_pieces(struct opshift_model *model, const char *bytes, size_t size, const char *what)
{
    char path[] = "/tmp/opshift-pieces-XXXXXX";
    int file = mkstemp(path);
    struct opshift_error error = {0};
    struct opshift_pieces *pieces = NULL;
    char *saved = NULL, *joined = NULL;
    size_t saved_size = 0;
    is_int(OPSHIFT_OK, opshift_model_save(model, path, NULL, &error), "%s: saved %s", what, error.text);
    is_int(OPSHIFT_OK, opshift_file_read(path, &saved, &saved_size, &error), "%s: read", what);
    is_int(OPSHIFT_OK, opshift_output_pieces(model, &pieces, &error), "%s: pieces %s", what, error.text);
    if (pieces)
        joined = join(pieces, bytes, size);
    is_bytes(saved, saved_size, joined, pieces ? (size_t)opshift_pieces_size(pieces) : 0, "%s: the same bytes", what);
    ok(pieces && opshift_pieces_at(pieces, opshift_pieces_count(pieces)) == NULL, "%s: and no more", what);
    free(joined);
    test_open(pieces, path, what);
    opshift_pieces_free(pieces);
    opshift_text_free(saved);
    close(file);
    unlink(path);
}

int main(void)
{
    struct opshift_error error = {0};
    struct opened net;
    if (!text_open(source, NULL, &net))
        return done();
    test_pieces(net.model, net.bytes, net.size, "a model without edits");
    is_int(OPSHIFT_OK, opshift_convert(net.model, &(struct opshift_goal){.opset = 18}, NULL, &error), "converted");
    test_pieces(net.model, net.bytes, net.size, "a converted model");
    opshift_pieces_free(NULL);
    text_close(&net);
    return done();
}
