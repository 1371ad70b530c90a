/* GRF: names, definitions, graphs and functions. */
#include <string.h>

#include "tests/check/append.h"
#include "tests/tap/tap.h"

static const struct lint_case cases[] = {
    {"an output that two nodes give", MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }"),
     "GRF001 graph/node[1]: output 'y' is defined already by node 0 (Neg); give one of them another name"},
    {"a call that leaves a Constant of the function without its one attribute",
     "<ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1]> g (float[2] x) => (float[] y, float[] z) "
     "{ y = f.F (x) z = f.F <ls = [0]> (x) } "
     "<domain: \"f\", opset_import: [\"\" : 13]> F <ls> (a) => (b) "
     "{ l = Constant <value_ints: ints = @ls> () b = Unsqueeze (a, l) }",
     "GRF023 graph/node[0]: attribute 'ls' of function 'F' is not given, and an operator in the function requires it; "
     "add it"},
    {"names of nodes are unique in each graph alone",
     MODEL(13, 8,
           "g (bool c, float[2] x) => (float[2] y, float[2] z, float[2] w) { [n] y = Neg (x) "
           "[m] z = If (c) <then_branch = a () => (float[2] p) { [n] p = Abs (x) }, "
           "else_branch = b () => (float[2] r) { [n] q = Neg (x) [n] r = Abs (q) }> [n] w = Abs (x) }"),
     "GRF004 graph/node[1]:m/else_branch/node[1]:n: another node of this graph is called 'n' too; give each a unique "
     "name\n"
     "GRF004 graph/node[2]:n: another node of this graph is called 'n' too; give each a unique name"},
    {"a node that is there twice is told once",
     MODEL(13, 8, "g (float[4] x) => (float[2] y, float[2] z) { y, z = Split (x) y, z = Split (x) }"),
     "GRF001 graph/node[1]: output 'y' is defined already by node 0 (Split); give one of them another name"},
    {"a name that was lost to another is not told again",
     MODEL(13, 8, "g (float[2] x) => (float[2] y) { t = Neg (x) t = Abs (x) y = Add (t, u) }"),
     "GRF001 graph/node[1]: output 't' is defined already by node 0 (Neg); give one of them another name"},
    {"but only one for one",
     MODEL(13, 8, "g (float[2] x) => (float[2] y) { t = Neg (x) t = Abs (x) y = Sum (t, u, blurb) }"),
     "GRF001 graph/node[1]: output 't' is defined already by node 0 (Neg); give one of them another name\n"
     "GRF005 graph/node[2]: input 'blurb' is defined nowhere; define it by a node, an input or an initializer"},
    {"a node that waits for itself is not told what it reads",
     MODEL(13, 8, "g (bool c, float[2] x) => (float[2] y) { t = Neg (x) y = Where (y, t, x) }"),
     "GRF011 graph/node[1]: the node depends on its own output: node 1 (Where) <- node 1 (Where); change an input of "
     "one of them"},
    {"an operator without a rule for shapes has a type",
     MODEL(13, 8, "g (float[3,5] x, int64[3] t) => (string y) { y = NegativeLogLikelihoodLoss (x, t) }"),
     "GRF032 graph/node[0]: output 'y' is float, and string is declared; correct the declaration"},
    {"nothing follows from an opset of the future",
     MODEL(99, 8, "g (float[6] x) => (float[4] y, float[2] z) { y, z = Split (x) }"), ""},
    {"a stale shape is told where it stands, and nothing goes by it",
     MODEL(13, 8, "g (float[2,3,4] x) => (float[2,3,4] y) <float[2,12] r> { r = Relu (x) y = Softmax (r) }"),
     "GRF033 graph/node[0]: output 'r' has the shape [2,3,4], and [2,12] is declared; correct the declaration"},
    {"a graph output's stale shape",
     MODEL(13, 8, "g (float[2,3,4] x) => (float[2,12] r, float[2,3,4] y) { r = Relu (x) y = Softmax (r) }"),
     "GRF033 graph/node[0]: output 'r' has the shape [2,3,4], and [2,12] is declared; correct the declaration"},
    {"the shape of a body's input that is given another one",
     MODEL(13, 8,
           "g (int64 n, bool c, float[2,3] x) => (float[2,3] y) { y = Loop (n, c, x) <body = b (int64 i, bool go, "
           "float[2,4] v) => (bool on, float[2,3] t) { on = Identity (go) t = Neg (v) }> }"),
     "GRF043 graph/node[0]: input 'v' of body is declared [2,4] and given [2,3]; declare the given shape"},
    {"one whose rank grows with each iteration",
     MODEL(13, 8,
           "g (int64 n, bool c, float[2,3] x) => (float[] y) <int64[1] a = {0}> { y = Loop (n, c, x) <body = b "
           "(int64 i, bool go, float[2,3] v) => (bool on, float[] t) { on = Identity (go) t = Unsqueeze (v, a) "
           "}> }"),
     "GRF043 graph/node[0]: input 'v' of body is declared [2,3], and the iterations change its shape; leave changing "
     "dims unknown"},
    {"one that keeps what is declared",
     MODEL(13, 8,
           "g (int64 n, bool c, float[2,3] x) => (float[2,3] y) { y = Loop (n, c, x) <body = b (int64 i, bool go, "
           "float[2,3] v) => (bool on, float[2,3] t) { on = Identity (go) t = Neg (v) }> }"),
     ""},
    {"outputs with names of their own", MODEL(13, 8, "g (float[2] x) => (float[2] y) { t = Neg (x) y = Abs (t) }"), ""},
};

/* The findings in each check's example; the fixed example has none. */
static const struct {
    const char *id, *found;
} examples[] = {
    {"GRF001", "GRF001 graph/node[1]: output 'y' is defined already by node 0 (Neg); give one of them another name"},
    {"GRF002", "GRF002 graph: input 'x' is listed twice; remove one of them or rename it"},
    {"GRF003", "GRF003 graph: there are two initializers 'w'; remove one of them or rename it"},
    {"GRF004", "GRF004 graph/node[1]:n: another node of this graph is called 'n' too; give each a unique name"},
    {"GRF005", "GRF005 graph/node[1]: input 'tmep' is defined nowhere; did you mean 'temp'?"},
    {"GRF006", "GRF006 graph: graph output 'out' is defined nowhere; define it by a node, an input or an initializer"},
    {"GRF007",
     "GRF007 graph/node[0]/then_branch: output 'x' is a value of an outer graph; put an Identity node in between"},
    {"GRF008", "GRF008 graph/node[0]/then_branch/node[0]: output 'x' has the name of a value of an outer graph; give "
               "it another name"},
    {"GRF009", "GRF009 graph/node[0]/body: input 'x' has the name of a value of an outer graph; give it another name"},
    {"GRF010", "GRF010 graph/node[1]/then_branch: initializer 'w' has the name of a value of an outer graph; give it "
               "another name"},
    {"GRF011", "GRF011 graph/node[0]: the node depends on its own output: node 0 (Add) <- node 1 (Neg) <- node 0 "
               "(Add); change an input of one of them"},
    {"GRF012",
     "GRF012 graph/node[0]: input 't' is computed by node 1 (Neg), which comes later; move that node before this one"},
    {"GRF013", "GRF013 graph: initializer 'w' is not used; remove it"},
    {"GRF014",
     "GRF014 graph/node[0]: no output of the node is used; remove the node, or make an output a graph output"},
    {"GRF015", "GRF015 graph: a type is declared for 'old', which is defined nowhere; remove the value info"},
    {"GRF017", "GRF017 function[1]:F: there is another function 'F' of domain 'l' and overload ''; rename one of them"},
    {"GRF018",
     "GRF018 function[0]:F/node[0]: function 'F' calls itself; remove the call: functions must not be recursive"},
    {"GRF019", "GRF019 graph/node[0]: the model has no function 'Square' of domain 'l'; did you mean 'Sqare'?"},
    {"GRF020", "GRF020 function[0]:F/node[0]: attribute 'alpha' stands for 'alpha', which the function does not "
               "declare; declare it"},
    {"GRF021", "GRF021 graph/node[0]: attribute 'alpha' refers to a function's attribute 'alpha', but is not in a "
               "function; give it a value"},
    {"GRF022", "GRF022 graph/node[0]: function 'F' has no attribute 'beta'; remove it, or declare it there"},
    {"GRF023", "GRF023 graph/node[0]: attribute 'to' of function 'F' is not given, and an operator in the function "
               "requires it; add it"},
    {"GRF024", "GRF024 graph/node[0]: the call gives 2 inputs, and function 'F' takes 1; remove the others"},
    {"GRF025", "GRF025 graph/node[0]: the call gives 1 inputs, and function 'F' takes 2; give the others, or write "
               "empty names for intended omissions"},
    {"GRF026", "GRF026 function[0]:F/node[0]: the function imports no opset of domain '', which this operator is of; "
               "add it to opset_import"},
    {"GRF027", "GRF027 function[0]:F/node[0]: the function imports opset 12 and the model opset 13, and Softmax is not "
               "the same at both; write the function for opset 13"},
    {"GRF028", "GRF028 graph: the graph has no outputs; list the intended ones"},
    {"GRF031", "GRF031 graph: initializer 'w' has the shape [2], and [3] is declared; correct the declaration"},
    {"GRF032", "GRF032 graph/node[0]: output 'y' is int64, and float is declared; correct the declaration"},
    {"GRF033", "GRF033 graph/node[0]: output 'y' has the shape [3,2], and [2,3] is declared; correct the declaration"},
    {"GRF034", "GRF034 graph: there are two value infos for 't'; remove one of them"},
    {"GRF035", "GRF035 graph: initializer 'w' is not among the inputs, as IR version 3 requires; list it there, or "
               "raise the IR version to 4"},
    {"GRF036", "GRF036 graph/node[0]: then_branch has 1 inputs, and this If gives it 0; list as many as it passes"},
    {"GRF037",
     "GRF037 graph/node[0]: then_branch has 2 outputs, and this If takes 1 from it; list as many as it needs"},
    {"GRF038",
     "GRF038 graph/node[0]: output 0 is int32 by then_branch and float by else_branch; make both the same type"},
    {"GRF039",
     "GRF039 graph/node[0]: loop-carried input 2 is float at first and int32 afterwards; make both the same type"},
    {"GRF040", "GRF040 graph/node[0]: input 'i' of body is declared int32 and given int64; declare the given type"},
    {"GRF043", "GRF043 graph/node[0]: input 'v' of body is declared [2], and the iterations change its shape; leave "
               "changing dims unknown"},
    {"GRF044", "GRF044 function[0]:F: no graph calls the function; remove it"},
    {"GRF042", "GRF042 graph: output 'y' is listed twice; list it once"},
};

#define NEG MODEL(13, 8, "g (float[2] x) => (float[2] y) { y = Neg (x) }")

#define UNREAD MODEL(13, 11, "g (float[2] x) => (float[2] y) <float[1] w = {1}> { y = Neg (x) }")

static const struct appended appended[] = {
    {"an annotation for a name that is nowhere", NEG, "\7", APPEND("\x72\x03\x0a\x01q"),
     "GRF016 graph: a quantization annotation is for 'q', which is defined nowhere; correct the name or remove it"},
    {"an annotation for a name that is there", NEG, "\7", APPEND("\x72\x03\x0a\x01x"), ""},
    {"a graph without a name", NEG, "\7", APPEND("\x12\x00"), "GRF029 graph: the graph has no name; give it one"},
    {"a graph that is renamed", NEG, "\7", APPEND("\x12\x01h"), ""},
    {"an input without a type", NEG, "\7", APPEND("\x5a\x03\x0a\x01q"),
     "GRF041 graph: graph input 'q' has no type; declare it"},
    {"an input with a type", NEG, "\7", APPEND("\x5a\x09\x0a\x01q\x12\x04\x0a\x02\x08\x01"), ""},
    {"an output without a type", NEG, "\7", APPEND("\x62\x03\x0a\x01x"),
     "GRF041 graph: graph output 'x' has no type; declare it"},
    {"a node without an operator", NEG, "\7\1", APPEND("\x22\x00"),
     "OPS006 graph/node[0]: the node has no operator; set op_type"},
    {"a node of a domain of functions without an operator",
     "<ir_version: 8, opset_import: [\"\" : 13, \"my\" : 1]>\n"
     "g (float[2] x) => (float[2] y) { y = my.F (x) }\n"
     "<domain: \"my\", opset_import: [\"\" : 13]> F (a) => (b) { b = Neg (a) }",
     "\7\1", APPEND("\x22\x00"), "OPS006 graph/node[0]: the node has no operator; set op_type"},
    {"an initializer of no type that is known contradicts nothing", NEG, "\7",
     APPEND("\x5a\x0d\x0a\x01q\x12\x08\x0a\x06\x08\x01\x12\x02\x0a\x00"
            "\x2a\x09\x42\x01q\x10\x58\x08\x01\x4a\x00"),
     "GRF013 graph: initializer 'q' is not used; remove it"},
    {"an initializer of an annotation is not unread", UNREAD, "\7", APPEND("\x72\x08\x0a\x01x\x12\x03\x12\x01w"), ""},
    {"nor one that is annotated", UNREAD, "\7", APPEND("\x72\x03\x0a\x01w"), ""},
    {"an annotation for another", UNREAD, "\7", APPEND("\x72\x03\x0a\x01x"),
     "GRF013 graph: initializer 'w' is not used; remove it"},
    {"nor one that training changes", UNREAD, "", APPEND("\xa2\x01\x08\x22\x06\x0a\x01w\x12\x01y"), ""},
    {"or begins with", UNREAD, "", APPEND("\xa2\x01\x08\x1a\x06\x0a\x01w\x12\x01y"), ""},
    {"training of another", UNREAD, "", APPEND("\xa2\x01\x08\x22\x06\x0a\x01x\x12\x01y"),
     "GRF013 graph: initializer 'w' is not used; remove it"},
    {"nor one that a device configuration names", UNREAD, "\7\1", APPEND("\x52\x05\x12\x03\x0a\x01w"), ""},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        lint_example_finds(examples[i].id, examples[i].found, "GRF");
    for (size_t i = 0; i < sizeof(appended) / sizeof(appended[0]); i++)
        lint_appended(&appended[i], strncmp(appended[i].found, "OPS", 3) == 0 ? "OPS" : "GRF");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        lint_finds(&cases[i], "GRF", NULL);
    lint_examples("GRF");
    return done();
}
