/* OVN: Split and VariadicSplit in OpenVINO's IR. lib/dialect/openvino_check.c finds the faults; here is what they mean.
 */
#include "check/family.h"

const struct check checks_openvino[] = {
    {CHECK(OVN001), .scope = CHECK_FAILURE}, {CHECK(OVN002), .scope = CHECK_FAILURE},
    {CHECK(OVN003), .scope = CHECK_FAILURE}, {CHECK(OVN004), .scope = CHECK_FAILURE},
    {CHECK(OVN005), .scope = CHECK_FAILURE}, {CHECK(OVN006), .scope = CHECK_FAILURE},
    {CHECK(OVN007), .scope = CHECK_FAILURE}, {CHECK(OVN008), .scope = CHECK_FAILURE},
    {CHECK(OVN009), .scope = CHECK_FAILURE}, {CHECK(OVN010), .scope = CHECK_FAILURE},
    {CHECK(OVN011), .scope = CHECK_FAILURE}, {CHECK(OVN012), .scope = CHECK_FAILURE},
    {CHECK(OVN013), .scope = CHECK_FAILURE}, {CHECK(OVN014), .scope = CHECK_FAILURE},
    {CHECK(OVN015), .scope = CHECK_FAILURE}, {CHECK(OVN016), .scope = CHECK_FAILURE},
    {CHECK(OVN017), .scope = CHECK_FAILURE}, {0},
};
