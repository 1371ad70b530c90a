/* OVN: Split and VariadicSplit in OpenVINO's IR. lib/dialect/openvino_check.c finds the faults; here is what they mean.
 */
#include "check/family.h"

#define ROW(id_, name_, letters_, summary_, why_, runtimes_, mend_)                                                    \
    {                                                                                                                  \
        letters_(id_, "openvino-" name_, summary_), .about.why = why_, .about.runtimes = runtimes_,                    \
                                                    .about.mend = mend_, .scope = CHECK_FAILURE                        \
    }

const struct check checks_openvino[] = {
    ROW(OVN001, "unreadable", ERROR, "an IR of OpenVINO that cannot be read",
        "The .xml is not well-formed, is of another version than 11, lacks an attribute, or has edges that lead "
        "nowhere; "
        "or the .bin is missing or too short.",
        "OpenVINO refuses most of these; it does not test that edges form no cycle.",
        "Write the IR again with OpenVINO (openvino.save_model), and keep .xml and .bin together."),
    ROW(OVN002, "split-count", ERROR, "num_splits is not a number above 0", "Split-1 makes num_splits equal parts.",
        "OpenVINO refuses the model.", "Set num_splits to the number of outputs."),
    ROW(OVN003, "split-even", ERROR, "num_splits does not divide the dim", "Split-1 makes equal parts only.",
        "OpenVINO refuses the model.", "Use VariadicSplit with a length for each output."),
    ROW(OVN004, "split-axis-range", ERROR, "the axis is out of range", "The axis must be in [-rank, rank - 1].",
        "OpenVINO refuses the model.", "Set the axis to the intended one."),
    ROW(OVN005, "split-axis-scalar", ERROR, "the axis is no scalar",
        "The axis of Split-1 has shape []; VariadicSplit-1 also takes [1].", "OpenVINO refuses the model.",
        "Give the Const of the axis shape=\"\"."),
    ROW(OVN006, "split-axis-type", ERROR, "the axis is no integer", "An axis is a number of dims.",
        "OpenVINO refuses the model.", "Make the axis i64."),
    ROW(OVN007, "split-axis-computed", NOTE, "the axis is not constant",
        "ONNX has the axis as an attribute, so that such a layer cannot be imported.", "OpenVINO runs it.",
        "Make the axis a Const, if the model is to be ONNX."),
    ROW(OVN008, "split-range", WARNING, "num_splits is more than the dim",
        "The specification has num_splits in [1, dim]; only a dim of 0 is divided by more.",
        "OpenVINO's own check accepts it and makes empty parts.", "Leave out the split of an empty tensor."),
    ROW(OVN009, "split-ports", ERROR, "another number of output ports than parts",
        "The layer has a port for each part.", "OpenVINO ignores the ports and makes the parts.",
        "Write a port for each part."),
    ROW(OVN010, "split-shape", WARNING, "the dims of an output port are not those of its part",
        "Readers that use the ports' dims get wrong sizes.", "OpenVINO computes the dims again and ignores the ports.",
        "Write the IR again."),
    ROW(OVN011, "rest-negative", ERROR, "the rest, -1, would be negative",
        "The other lengths already sum to more than the dim.",
        "OpenVINO resolves the rest without testing its sign: the sum then fits.", "Correct the lengths."),
    ROW(OVN012, "rest-twice", ERROR, "two lengths are -1", "Only one part can take the rest.",
        "OpenVINO refuses the model.", "Write all lengths but one."),
    ROW(OVN013, "length-negative", ERROR, "a length is below -1",
        "Lengths are 0 or more, and one may be -1 for the rest.", "OpenVINO refuses the model.",
        "Write the intended length."),
    ROW(OVN014, "lengths-sum", ERROR, "the sum of the lengths is not the dim",
        "The lengths must cover the axis exactly.", "OpenVINO refuses the model.", "Correct the lengths."),
    ROW(OVN015, "lengths-rank", ERROR, "the lengths are not a list", "They are a tensor of rank 1.",
        "OpenVINO refuses the model.", "Give their Const the shape [number of outputs]."),
    ROW(OVN016, "lengths-type", ERROR, "the lengths are no integers", "They are i32 or i64.",
        "OpenVINO refuses the model.", "Make the lengths i64."),
    ROW(OVN017, "split-inputs", ERROR, "a wrong number of inputs",
        "Split-1 takes the data and the axis, VariadicSplit-1 also the lengths.", "OpenVINO refuses the model.",
        "Connect the missing input."),
    {0},
};
