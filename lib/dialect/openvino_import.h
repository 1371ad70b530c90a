/* An IR that was opened as a model. */
#ifndef DIALECT_OPENVINO_IMPORT_H
#define DIALECT_OPENVINO_IMPORT_H

#include "dialect/openvino_lift.h"

struct opshift_imported {
    struct openvino_net net;
    struct openvino_lift lift;
    struct opshift_model *model;
    bool as_it_is; /* to be run, with the layers' own meaning */
};

#endif
