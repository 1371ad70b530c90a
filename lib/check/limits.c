/* LIM: what goes beyond a limit, this program's or that of the runtimes, and what grows without measure. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/family.h"
#include "check/protobuf.h"

#define PROTOBUF_SIZE_MAX  (UINT64_C(2) << 30) /* protobuf's own limit for a message */
#define ATTRIBUTE_SIZE_MAX (UINT64_C(64) << 20)
#define DENSE_SIZE_MAX     (UINT64_C(256) << 20)
#define EXPANDED_MAX       UINT64_C(10000000) /* nodes, when every call is replaced by its function's body */

/* ---- sizes ---- */

static enum opshift_status file_too_large(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    uint64_t size = opshift_model_size(checking->model);
    if (size < PROTOBUF_SIZE_MAX)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "the file has %" PRIu64 " bytes, and protobuf reads less than 2 GiB; put the weights into "
                       "external data",
                       size);
}

static enum opshift_status elements_overflow(struct look *look, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || !facts.overflow)
        return status;
    return look_add(look, part, NULL, error,
                    "its dims multiply to more than 2^59 elements, which no memory holds; correct the dims");
}

static enum opshift_status too_many_dims(struct look *look, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || facts.rank <= TENSOR_RANK_MAX)
        return status;
    return look_add(look, part, NULL, error, "it has %zu dims, and more than %d are not read; reshape it", facts.rank,
                    TENSOR_RANK_MAX);
}

static enum opshift_status attribute_too_large(struct look *look, const struct part *part, struct opshift_error *error)
{
    /* What is in graphs is of their own. */
    if (range_size(part->range) <= ATTRIBUTE_SIZE_MAX || part->fields[6].count || part->fields[11].count)
        return OPSHIFT_OK;
    return look_add(look, part, NULL, error,
                    "an attribute of %" PRIu64 " bytes, and more than %" PRIu64
                    " are not decoded; make it an initializer",
                    range_size(part->range), ATTRIBUTE_SIZE_MAX);
}

static enum opshift_status sparse_too_large(struct look *look, const struct part *part, struct opshift_error *error)
{
    const int64_t *dims;
    size_t rank;
    uint64_t count = 1;
    enum opshift_status status = part_numbers(look, part, 3, TENSOR_RANK_MAX, &dims, &rank, error);
    if (status)
        return status == OPSHIFT_UNSUPPORTED ? OPSHIFT_OK : status;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] <= 0)
            return OPSHIFT_OK;
        count = count > DENSE_SIZE_MAX               ? count
                : (uint64_t)dims[i] > DENSE_SIZE_MAX ? DENSE_SIZE_MAX + 1
                                                     : count * (uint64_t)dims[i];
    }
    if (count <= DENSE_SIZE_MAX)
        return OPSHIFT_OK;
    return look_add(look, part, NULL, error,
                    "a sparse tensor of more than %" PRIu64 " elements when it is spread out; runtimes spread it out",
                    DENSE_SIZE_MAX);
}

/* ---- calls ---- */

/* How many nodes a function's body has with every call replaced, worked out from the inside out. */
struct expansion {
    uint64_t nodes;   /* so far; stays at EXPANDED_MAX + 1 */
    uint32_t waiting; /* calls whose function is not worked out yet */
};

/* The function that holds a node, by its index; SIZE_MAX: none. */
static size_t function_of(const struct opshift_model *model, const struct graph *graph)
{
    return graph->function ? (size_t)(graph->function - model->functions) : SIZE_MAX;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a + b > EXPANDED_MAX ? EXPANDED_MAX + 1 : a + b;
}

static void count_own(const struct checking *checking, struct expansion *expansions)
{
    const struct opshift_model *model = checking->model;
    for (uint32_t i = 0; i < model->graph_count; i++) {
        const struct graph *graph = model->graphs[i];
        size_t function = function_of(model, graph);
        for (uint32_t j = 0; function != SIZE_MAX && j < graph->node_count; j++) {
            if (scope_callee(checking->scopes, &graph->nodes[j]))
                expansions[function].waiting++;
            else
                expansions[function].nodes = plus(expansions[function].nodes, 1);
        }
    }
}

/* What a function is worth goes to each that calls it; whoever waits for nothing more is next. Functions that call
 * themselves never are: that is another check's. */
static void work_out(const struct checking *checking, struct expansion *expansions, uint32_t *ready)
{
    const struct opshift_model *model = checking->model;
    uint32_t done = 0, count = 0;
    for (uint32_t i = 0; i < model->function_count; i++)
        if (expansions[i].waiting == 0)
            ready[count++] = i;
    while (done < count) {
        uint32_t callee = ready[done++], call_count;
        const struct call *calls = scope_calls(checking->scopes, &model->functions[callee], &call_count);
        for (uint32_t i = 0; i < call_count; i++) {
            size_t caller = function_of(model, calls[i].graph);
            if (caller == SIZE_MAX)
                continue;
            expansions[caller].nodes = plus(expansions[caller].nodes, expansions[callee].nodes);
            if (--expansions[caller].waiting == 0)
                ready[count++] = (uint32_t)caller;
        }
    }
}

/* The first function that is too large, of those that call nothing too large. */
static enum opshift_status expansion_report(struct checking *checking, const struct expansion *expansions,
                                            const uint32_t *ready, struct opshift_error *error)
{
    const struct opshift_model *model = checking->model;
    for (uint32_t i = 0; i < model->function_count; i++) {
        if (expansions[ready[i]].nodes <= EXPANDED_MAX)
            continue;
        struct graph *body = model->functions[ready[i]].body;
        return finding_add(checking, &(struct subject){.graph = body}, NULL, error,
                           "with its calls replaced by what they call, it has more than %" PRIu64
                           " nodes; runtimes that inline functions run out of memory",
                           EXPANDED_MAX);
    }
    return OPSHIFT_OK;
}

static enum opshift_status calls_explode(struct checking *checking, const struct subject *subject,
                                         struct opshift_error *error)
{
    uint32_t count = checking->model->function_count;
    (void)subject;
    if (count == 0)
        return OPSHIFT_OK;
    struct expansion *expansions = calloc(count, sizeof(*expansions));
    uint32_t *ready = calloc(count, sizeof(*ready));
    enum opshift_status status = expansions && ready ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK) {
        count_own(checking, expansions);
        work_out(checking, expansions, ready);
        status = expansion_report(checking, expansions, ready, error);
    }
    free(expansions);
    free(ready);
    return status;
}

const struct check limit_checks[] = {
    {.about = {.id = "LIM001",
               .slug = "nesting",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "messages are nested too deeply",
               .why = "A reader goes down with its stack; a file of few bytes can make it overflow.",
               .runtimes = "The C++ and Python readers of protobuf refuse more than 100 levels.",
               .mend = "Flatten the subgraphs; where the file is to be trusted, raise limits: nesting."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM002",
               .slug = "index-memory",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "the model's index takes more memory than is allowed",
               .why = "A file of empty messages costs its readers many times its size.",
               .mend = "Where the file is to be trusted, raise limits: memory."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM003",
               .slug = "opset-imports",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "more than 1000 opset imports",
               .why = "Each node's operator is looked up in them, so that they multiply the work.",
               .mend = "Import the domains that the nodes are of, each once."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM004",
               .slug = "default-graph",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "a function's attribute has a graph as its default",
               .why = "What the names in such a graph mean is not defined, so that this program does not read it.",
               .mend = "Give the graph at each call."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM005",
               .slug = "file-over-2-gib",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a model file of 2 GiB or more",
               .why = "Protobuf cannot read or write a message of that size.",
               .runtimes = "Every runtime that uses protobuf, ONNX Runtime too, refuses the file.",
               .mend = "Save the weights as external data."},
     .scope = CHECK_MODEL,
     .find = file_too_large},
    {.about = {.id = "LIM006",
               .slug = "elements-overflow",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "a tensor whose dims multiply to more than any memory holds",
               .why = "The product overflows: a reader that does not notice takes too little memory and writes beyond "
                      "it.",
               .mend = "Correct the dims."},
     .scope = CHECK_PART,
     .kind = &onnx__tensor_proto__descriptor,
     .look = elements_overflow},
    {.about = {.id = "LIM007",
               .slug = "too-many-dims",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a tensor of more than 64 dims",
               .why = "Nobody computes with so many; what is in it cannot be looked at here.",
               .runtimes = "Many runtimes stop at 8 or fewer.",
               .mend = "Reshape it to fewer dims."},
     .scope = CHECK_PART,
     .kind = &onnx__tensor_proto__descriptor,
     .look = too_many_dims},
    {.about = {.id = "LIM008",
               .slug = "large-attribute",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "an attribute of more than 64 MiB",
               .why = "Attributes are read whole whenever their node is; what is in it cannot be looked at here.",
               .runtimes = "Attributes cannot be external data in most runtimes.",
               .mend = "Make it an initializer."},
     .scope = CHECK_PART,
     .kind = &onnx__attribute_proto__descriptor,
     .look = attribute_too_large},
    {.about = {.id = "LIM009",
               .slug = "sparse-size",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a sparse tensor that is huge when it is spread out",
               .why = "A few bytes of file become gigabytes of memory.",
               .runtimes = "ONNX Runtime spreads sparse initializers out.",
               .mend = "Check its dims; compute with indices and values instead."},
     .scope = CHECK_PART,
     .kind = &onnx__sparse_tensor_proto__descriptor,
     .look = sparse_too_large},
    {.about = {.id = "LIM010",
               .slug = "calls-explode",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "functions that call functions until there are millions of nodes",
               .why =
                   "Each level multiplies: a file of a few hundred bytes can stand for more nodes than memory holds.",
               .runtimes = "ONNX Runtime inlines functions when it loads the model.",
               .mend = "Call less, or loop."},
     .scope = CHECK_MODEL,
     .find = calls_explode},
    {.about = {.id = "LIM011",
               .slug = "too-many-parts",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "more nodes, functions, attributes or outputs of a node, or findings, than are allowed",
               .why = "A file of empty parts costs its readers time and memory that nothing in it is worth.",
               .mend = "Where the file is to be trusted, raise limits: nodes, functions, attributes, outputs "
                       "or findings."},
     .scope = CHECK_FAILURE},
};
const size_t limit_check_count = COUNT(limit_checks);
