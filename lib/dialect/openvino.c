/* Writes a model as OpenVINO's intermediate representation (IR). */
#include "dialect/export.h"

enum opshift_status export_openvino(struct exporting *exporting, struct opshift_error *error)
{
    return opshift_fail(error, OPSHIFT_NO, "the export to openvino is not built yet");
}
