/* Pairs of models, and the expected verdicts. */
#ifndef TESTS_VERIFY_PAIR_H
#define TESTS_VERIFY_PAIR_H

#include <jansson.h>

#include "opshift.h"
#include "tests/tap/opened.h"

/* Two models as text, and the expected result: "" is no difference. */
struct pair_case {
    const char *what;
    const char *before, *after;
    const char *verdict;    /* of the first rewritten node; NULL: none */
    const char *why;        /* of the same; NULL: none */
    const char *difference; /* the first difference outside rewritten nodes, "place: what"; NULL: none */
};

/* A text of a JSON object; NULL: no such key. */
const char *text_of(const json_t *object, const char *key);
/* Verifies each pair with seed 7: the result, the first verdict, the first other difference. */
void check_pairs(const struct pair_case *cases, size_t count);

#define MODEL(opset, graph) "<ir_version: 8, opset_import: [\"\" : " #opset "]>\nmain " graph

#endif
