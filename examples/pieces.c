/* Converts a model in memory and writes the new one to standard output, piece by piece: pieces IN.onnx OPSET > OUT.onnx
 */
#include <opshift.h>
#include <stdio.h>
#include <stdlib.h>

/* Each piece is new bytes, or a range of the old ones: unchanged weights are never copied. */
static bool write_pieces(const struct opshift_pieces *pieces, const char *old)
{
    bool written = true;
    for (size_t i = 0; written && i < opshift_pieces_count(pieces); i++) {
        const struct opshift_piece *piece = opshift_pieces_at(pieces, i);
        const void *bytes = piece->bytes ? piece->bytes : old + piece->offset;
        written = fwrite(bytes, 1, piece->size, stdout) == piece->size;
    }
    return written && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    struct opshift_error error = {0};
    struct opshift_model *model = NULL;
    struct opshift_pieces *pieces = NULL;
    char *old = NULL;
    size_t size = 0;
    if (argc != 3) {
        fputs("usage: pieces IN.onnx OPSET > OUT.onnx\n", stderr);
        return 2;
    }
    struct opshift_goal goal = {.size = sizeof(goal), .opset = strtol(argv[2], NULL, 10)};
    enum opshift_status status = opshift_file_read(argv[1], &old, &size, &error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(old, size, NULL, &model, &error);
    if (status == OPSHIFT_OK)
        status = opshift_convert(model, &goal, NULL, &error);
    if (status == OPSHIFT_OK)
        status = opshift_output_pieces(model, &pieces, &error);
    bool done = status == OPSHIFT_OK && write_pieces(pieces, old);
    if (status != OPSHIFT_OK)
        fprintf(stderr, "%s\n", error.text);
    opshift_pieces_free(pieces);
    opshift_model_free(model); /* before the bytes, which it reads */
    opshift_text_free(old);
    return done ? 0 : 1;
}
