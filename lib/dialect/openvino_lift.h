/* Lifts an IR to an ONNX model of opset 13. */
#ifndef DIALECT_OPENVINO_LIFT_H
#define DIALECT_OPENVINO_LIFT_H

#include "dialect/openvino_net.h"
#include "model/model.h"

#define LIFT_OPSET 13

/* A node that stands for a Split or VariadicSplit layer. */
struct lifted_split {
    uint32_t node; /* index */
    uint32_t layer;
};

struct openvino_lift {
    struct openvino_net *net;
    struct arena *arena;                  /* owns the nodes, and the bytes that the model's source consists of */
    bool as_it_is;                        /* lengths keep a -1 that cannot be resolved, for openvino_run */
    struct ir_names names;                /* of values */
    const char ***values;                 /* by layer, by output: its name; NULL: none yet */
    bool **used;                          /* by layer, by output: an edge leads from it */
    uint32_t **results;                   /* by layer, by output: the first Result of it; IR_NONE: none */
    struct buffer nodes, inputs, outputs; /* pointers to messages */
    struct buffer constants;              /* struct lifted_constant */
    struct buffer splits;                 /* struct lifted_split */
    struct stretch *stretches;
};

/* Gives a model that reads the net's .bin; it must be freed before the lift, and the lift before the net. NO: a layer
 * has no counterpart. */
enum opshift_status openvino_lift(struct openvino_net *net, bool as_it_is, struct openvino_lift *lift,
                                  struct opshift_model **model, struct opshift_error *error);
void openvino_lift_free(struct openvino_lift *lift);

#endif
