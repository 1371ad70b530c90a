"""The C interface of libopshift, made from lib/opshift.h by python/mirror.py. Not for editing."""
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int64,
                    c_size_t, c_uint, c_uint32, c_uint64, c_void_p)

OPSHIFT_OK = 0
OPSHIFT_NO = 1
OPSHIFT_USAGE = 2
OPSHIFT_MALFORMED = 3
OPSHIFT_UNSUPPORTED = 4
OPSHIFT_IO = 5
OPSHIFT_MEMORY = 6
OPSHIFT_CANCELLED = 7
OPSHIFT_FAULT_NONE = 0
OPSHIFT_FAULT_EMPTY = 1
OPSHIFT_FAULT_LFS_POINTER = 2
OPSHIFT_FAULT_COMPRESSED = 3
OPSHIFT_FAULT_TEXT = 4
OPSHIFT_FAULT_FOREIGN = 5
OPSHIFT_FAULT_CUT_SHORT = 6
OPSHIFT_FAULT_LENGTH = 7
OPSHIFT_FAULT_VARINT = 8
OPSHIFT_FAULT_FIELD_NUMBER = 9
OPSHIFT_FAULT_GROUP = 10
OPSHIFT_FAULT_NO_WIRE_TYPE = 11
OPSHIFT_FAULT_WIRE_TYPE = 12
OPSHIFT_FAULT_NO_GRAPH = 13
OPSHIFT_FAULT_TWO_GRAPHS = 14
OPSHIFT_FAULT_NESTING = 15
OPSHIFT_FAULT_MEMORY = 16
OPSHIFT_FAULT_IMPORTS = 17
OPSHIFT_FAULT_DEFAULT_GRAPH = 18
OPSHIFT_FAULT_COUNT = 19
OPSHIFT_TYPE_UNDEFINED = 0
OPSHIFT_TYPE_FLOAT = 1
OPSHIFT_TYPE_UINT8 = 2
OPSHIFT_TYPE_INT8 = 3
OPSHIFT_TYPE_UINT16 = 4
OPSHIFT_TYPE_INT16 = 5
OPSHIFT_TYPE_INT32 = 6
OPSHIFT_TYPE_INT64 = 7
OPSHIFT_TYPE_STRING = 8
OPSHIFT_TYPE_BOOL = 9
OPSHIFT_TYPE_FLOAT16 = 10
OPSHIFT_TYPE_DOUBLE = 11
OPSHIFT_TYPE_UINT32 = 12
OPSHIFT_TYPE_UINT64 = 13
OPSHIFT_TYPE_COMPLEX64 = 14
OPSHIFT_TYPE_COMPLEX128 = 15
OPSHIFT_TYPE_BFLOAT16 = 16
OPSHIFT_TYPE_FLOAT8E4M3FN = 17
OPSHIFT_TYPE_FLOAT8E4M3FNUZ = 18
OPSHIFT_TYPE_FLOAT8E5M2 = 19
OPSHIFT_TYPE_FLOAT8E5M2FNUZ = 20
OPSHIFT_TYPE_UINT4 = 21
OPSHIFT_TYPE_INT4 = 22
OPSHIFT_TYPE_FLOAT4E2M1 = 23
OPSHIFT_TYPE_FLOAT8E8M0 = 24
OPSHIFT_TYPE_UINT2 = 25
OPSHIFT_TYPE_INT2 = 26
OPSHIFT_TYPE_COUNT = 27
OPSHIFT_EXTERNAL_STRICT = 0
OPSHIFT_EXTERNAL_INSIDE = 1
OPSHIFT_EXTERNAL_HF_CACHE = 2
OPSHIFT_EXTERNAL_NONE = 3
OPSHIFT_EXTERNAL_DATA_KEEP = 0
OPSHIFT_EXTERNAL_DATA_COPY = 1
OPSHIFT_EXTERNAL_DATA_LINK = 2
OPSHIFT_SEQUENCES_KEEP = 0
OPSHIFT_SEQUENCES_TO_SPLIT = 1
OPSHIFT_SEQUENCES_FROM_SPLIT = 2
OPSHIFT_SPLIT_KEEP = 0
OPSHIFT_SPLIT_LENGTHS = 1
OPSHIFT_SPLIT_NUM_OUTPUTS = 2
OPSHIFT_SPLIT_EQUAL = 3
OPSHIFT_SEVERITY_NOTE = 0
OPSHIFT_SEVERITY_WARNING = 1
OPSHIFT_SEVERITY_ERROR = 2
OPSHIFT_VALUE_TENSOR = 0
OPSHIFT_VALUE_SEQUENCE = 1
OPSHIFT_VALUE_NOTHING = 2
OPSHIFT_LIST_INPUTS = 0
OPSHIFT_LIST_OUTPUTS = 1
OPSHIFT_LIST_VALUE_INFOS = 2
OPSHIFT_ATTRIBUTE_UNDEFINED = 0
OPSHIFT_ATTRIBUTE_FLOAT = 1
OPSHIFT_ATTRIBUTE_INT = 2
OPSHIFT_ATTRIBUTE_STRING = 3
OPSHIFT_ATTRIBUTE_TENSOR = 4
OPSHIFT_ATTRIBUTE_GRAPH = 5
OPSHIFT_ATTRIBUTE_FLOATS = 6
OPSHIFT_ATTRIBUTE_INTS = 7
OPSHIFT_ATTRIBUTE_STRINGS = 8
OPSHIFT_ATTRIBUTE_TENSORS = 9
OPSHIFT_ATTRIBUTE_GRAPHS = 10
OPSHIFT_ATTRIBUTE_SPARSE_TENSOR = 11
OPSHIFT_ATTRIBUTE_SPARSE_TENSORS = 12
OPSHIFT_ATTRIBUTE_TYPE_PROTO = 13
OPSHIFT_ATTRIBUTE_TYPE_PROTOS = 14
OPSHIFT_KEPT = 0
OPSHIFT_REWRITTEN = 1
OPSHIFT_REMOVED = 2
OPSHIFT_BLOCKED = 3
OPSHIFT_PLANNED_RULES = 0
OPSHIFT_PLANNED_ASSUMPTIONS = 1
OPSHIFT_PLANNED_NOTES = 2
OPSHIFT_ERROR_SIZE = 1024
OPSHIFT_OPSET_NEWEST = 28
OPSHIFT_ML_OPSET_NEWEST = 5
OPSHIFT_IR_KEEP = 0
OPSHIFT_IR_MATCH = -1
OPSHIFT_DIFF_DOC = 1
OPSHIFT_DIFF_METADATA = 2
OPSHIFT_DIFF_NAMES = 4
OPSHIFT_DIFF_PRODUCER = 8
OPSHIFT_DIFF_VALUE_INFOS = 16
OPSHIFT_DIFF_ORDER = 32
OPSHIFT_SEVERITY_NEVER = 3


class opshift_error(Structure):
    pass


class opshift_limits(Structure):
    pass


class opshift_limit(Structure):
    pass


class opshift_open_options(Structure):
    pass


class opshift_write_options(Structure):
    pass


class opshift_piece(Structure):
    pass


class opshift_given(Structure):
    pass


class opshift_infer_options(Structure):
    pass


class opshift_goal(Structure):
    pass


class opshift_verify_options(Structure):
    pass


class opshift_export_options(Structure):
    pass


class opshift_import_options(Structure):
    pass


class opshift_diff_options(Structure):
    pass


class opshift_check(Structure):
    pass


class opshift_family(Structure):
    pass


class opshift_lint_options(Structure):
    pass


class opshift_targets_options(Structure):
    pass


class opshift_finding(Structure):
    pass


class opshift_fix(Structure):
    pass


class opshift_lint_writer_options(Structure):
    pass


class opshift_tolerance(Structure):
    pass


class opshift_draw_options(Structure):
    pass


class opshift_run_options(Structure):
    pass


class opshift_split_options(Structure):
    pass


opshift_progress = CFUNCTYPE(c_bool, c_void_p, c_double)
opshift_lint_done = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(opshift_error))
opshift_write = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)

opshift_error._fields_ = [
    ("status", c_int),
    ("fault", c_int),
    ("offset", c_uint64),
    ("text", c_char * OPSHIFT_ERROR_SIZE),
]
opshift_limits._fields_ = [
    ("size", c_size_t),
    ("nesting", c_uint32),
    ("memory", c_uint64),
    ("nodes", c_uint64),
    ("attributes", c_uint64),
    ("outputs", c_uint64),
    ("functions", c_uint64),
    ("calls", c_uint64),
    ("elements", c_uint64),
    ("findings", c_uint64),
    ("decode", c_uint64),
    ("inlined", c_uint64),
    ("subgraphs", c_uint64),
    ("trips", c_uint64),
    ("value", c_uint64),
]
opshift_limit._fields_ = [
    ("name", c_char_p),
    ("meaning", c_char_p),
    ("preset", c_uint64),
    ("most", c_uint64),
]
opshift_open_options._fields_ = [
    ("size", c_size_t),
    ("limits", POINTER(opshift_limits)),
    ("name", c_char_p),
    ("directory", c_char_p),
    ("external", c_int),
]
opshift_write_options._fields_ = [
    ("size", c_size_t),
    ("sync", c_bool),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
    ("external_data", c_int),
]
opshift_piece._fields_ = [
    ("bytes", c_void_p),
    ("offset", c_uint64),
    ("size", c_uint64),
]
opshift_given._fields_ = [
    ("size", c_size_t),
    ("shapes", POINTER(c_char_p)),
    ("shape_count", c_size_t),
    ("dims", POINTER(c_char_p)),
    ("dim_count", c_size_t),
]
opshift_infer_options._fields_ = [
    ("size", c_size_t),
    ("given", POINTER(opshift_given)),
    ("freeze_initializers", c_bool),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_goal._fields_ = [
    ("size", c_size_t),
    ("opset", c_int64),
    ("sequences", c_int),
    ("ir_version", c_int64),
    ("freeze_initializers", c_bool),
    ("name_empty_outputs", c_bool),
    ("strict", c_bool),
    ("brief", c_bool),
    ("allow_approximate", c_bool),
    ("rules", c_void_p),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
    ("given", POINTER(opshift_given)),
    ("domains", POINTER(c_char_p)),
    ("domain_count", c_size_t),
    ("split_form", c_int),
    ("target", c_char_p),
    ("target_directories", POINTER(c_char_p)),
    ("target_directory_count", c_size_t),
]
opshift_verify_options._fields_ = [
    ("size", c_size_t),
    ("seed", c_uint64),
    ("freeze_initializers", c_bool),
    ("rules", c_void_p),
    ("whole", POINTER(opshift_run_options)),
    ("draws", c_uint),
    ("tolerance", POINTER(opshift_tolerance)),
    ("inputs", c_void_p),
    ("shapes", POINTER(c_char_p)),
    ("shape_count", c_size_t),
    ("brief", c_bool),
    ("strict", c_bool),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
    ("memory", c_uint64),
    ("steps", c_uint64),
    ("given", POINTER(opshift_given)),
]
opshift_export_options._fields_ = [
    ("size", c_size_t),
    ("to", c_char_p),
    ("given", POINTER(opshift_given)),
    ("freeze_initializers", c_bool),
    ("assume_even", c_bool),
    ("feature_level", c_char_p),
    ("format", c_char_p),
    ("sync", c_bool),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_import_options._fields_ = [
    ("size", c_size_t),
    ("opset", c_int64),
    ("given", POINTER(opshift_given)),
    ("open", POINTER(opshift_open_options)),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_diff_options._fields_ = [
    ("size", c_size_t),
    ("ignore", c_uint),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_check._fields_ = [
    ("id", c_char_p),
    ("slug", c_char_p),
    ("severity", c_int),
    ("summary", c_char_p),
    ("why", c_char_p),
    ("runtimes", c_char_p),
    ("mend", c_char_p),
    ("before", c_char_p),
    ("after", c_char_p),
    ("fixable", c_bool),
]
opshift_family._fields_ = [
    ("prefix", c_char_p),
    ("title", c_char_p),
]
opshift_lint_options._fields_ = [
    ("size", c_size_t),
    ("select", POINTER(c_char_p)),
    ("select_count", c_size_t),
    ("ignore", POINTER(c_char_p)),
    ("ignore_count", c_size_t),
    ("config", c_char_p),
    ("baseline", c_char_p),
    ("update_baseline", c_bool),
    ("targets", POINTER(c_char_p)),
    ("target_count", c_size_t),
    ("target_directories", POINTER(c_char_p)),
    ("target_directory_count", c_size_t),
    ("to", c_int64),
    ("fail_level", c_int),
    ("open", POINTER(opshift_open_options)),
    ("rules", c_void_p),
    ("files", c_void_p),
    ("replaces", c_char_p),
    ("to_domains", POINTER(c_char_p)),
    ("to_domain_count", c_size_t),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_targets_options._fields_ = [
    ("size", c_size_t),
    ("targets", POINTER(c_char_p)),
    ("target_count", c_size_t),
    ("directories", POINTER(c_char_p)),
    ("directory_count", c_size_t),
    ("open", POINTER(opshift_open_options)),
]
opshift_finding._fields_ = [
    ("check", POINTER(opshift_check)),
    ("severity", c_int),
    ("place", c_char_p),
    ("location", c_char_p),
    ("message", c_char_p),
    ("fingerprint", c_char_p),
    ("offset", c_uint64),
    ("size", c_uint64),
    ("known", c_bool),
    ("suppressed", c_char_p),
]
opshift_fix._fields_ = [
    ("check", POINTER(opshift_check)),
    ("place", c_char_p),
    ("message", c_char_p),
    ("before", c_char_p),
    ("after", c_char_p),
]
opshift_lint_writer_options._fields_ = [
    ("size", c_size_t),
    ("format", c_char_p),
    ("color", c_bool),
    ("exit_zero", c_bool),
]
opshift_tolerance._fields_ = [
    ("size", c_size_t),
    ("exact", c_bool),
    ("relative", c_double),
    ("absolute", c_double),
]
opshift_draw_options._fields_ = [
    ("size", c_size_t),
    ("seed", c_uint64),
    ("shapes", POINTER(c_char_p)),
    ("shape_count", c_size_t),
    ("attempt", c_uint),
    ("memory", c_uint64),
]
opshift_run_options._fields_ = [
    ("size", c_size_t),
    ("engine", c_char_p),
    ("memory", c_uint64),
    ("steps", c_uint64),
    ("ignore_shapes", c_bool),
    ("ort", c_char_p),
    ("seconds", c_uint),
    ("progress", opshift_progress),
    ("progress_data", c_void_p),
]
opshift_split_options._fields_ = [
    ("size", c_size_t),
    ("threads", c_uint),
    ("team", c_void_p),
]

# Result and arguments.
FUNCTIONS = {
    "opshift_text_show": (c_size_t, [c_char_p, c_size_t, c_char_p]),
    "opshift_text_nearest": (c_char_p, [c_char_p, POINTER(c_char_p), c_size_t]),
    "opshift_version": (c_char_p, []),
    "opshift_limit_count": (c_size_t, []),
    "opshift_limit_at": (POINTER(opshift_limit), [c_size_t]),
    "opshift_limit_get": (c_uint64, [POINTER(opshift_limits), c_char_p]),
    "opshift_limit_set": (c_int, [POINTER(opshift_limits), c_char_p, c_uint64, POINTER(opshift_error)]),
    "opshift_model_open": (c_int, [c_char_p, POINTER(opshift_open_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_model_open_memory": (c_int, [c_void_p, c_size_t, POINTER(opshift_open_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_model_free": (None, [c_void_p]),
    "opshift_model_name": (c_char_p, [c_void_p]),
    "opshift_model_size": (c_uint64, [c_void_p]),
    "opshift_model_ir_version": (c_int64, [c_void_p]),
    "opshift_model_opset": (c_int64, [c_void_p]),
    "opshift_model_has_external_data": (c_bool, [c_void_p]),
    "opshift_model_write": (c_int, [c_void_p, c_char_p, POINTER(opshift_write_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_output_open": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_output_temporary": (c_char_p, [c_void_p]),
    "opshift_output_commit": (c_int, [c_void_p, POINTER(opshift_error)]),
    "opshift_output_missing": (c_char_p, [c_void_p]),
    "opshift_output_free": (None, [c_void_p]),
    "opshift_model_save": (c_int, [c_void_p, c_char_p, POINTER(opshift_write_options), POINTER(opshift_error)]),
    "opshift_output_pieces": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_pieces_free": (None, [c_void_p]),
    "opshift_pieces_count": (c_size_t, [c_void_p]),
    "opshift_pieces_at": (POINTER(opshift_piece), [c_void_p, c_size_t]),
    "opshift_pieces_size": (c_uint64, [c_void_p]),
    "opshift_model_to_text": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(opshift_error)]),
    "opshift_text_to_model": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(opshift_error)]),
    "opshift_file_read": (c_int, [c_char_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(opshift_error)]),
    "opshift_text_free": (None, [c_void_p]),
    "opshift_show": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_files_new": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_files_free": (None, [c_void_p]),
    "opshift_files_add": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(opshift_error)]),
    "opshift_files_check": (c_int, [c_void_p, c_char_p, c_char_p, c_char_p, POINTER(opshift_error)]),
    "opshift_files_check_model": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(opshift_error)]),
    "opshift_files_check_copies": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(opshift_error)]),
    "opshift_file_open": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_file_add": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(opshift_error)]),
    "opshift_file_flush": (c_int, [c_void_p, POINTER(opshift_error)]),
    "opshift_file_temporary": (c_char_p, [c_void_p]),
    "opshift_file_commit": (c_int, [c_void_p, POINTER(opshift_error)]),
    "opshift_file_free": (None, [c_void_p]),
    "opshift_rules_load": (c_int, [POINTER(c_char_p), c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_rules_free": (None, [c_void_p]),
    "opshift_rules_list": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_rules_coverage": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_rules_check": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_infer": (c_int, [c_void_p, POINTER(opshift_infer_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_convert": (c_int, [c_void_p, POINTER(opshift_goal), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_how_far": (c_int, [c_void_p, POINTER(opshift_goal), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_verify": (c_int, [c_void_p, c_void_p, POINTER(opshift_verify_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_verify_replay": (c_int, [c_void_p, c_void_p, c_char_p, c_size_t, POINTER(opshift_verify_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_verify_page": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_dialect_at": (c_char_p, [c_size_t]),
    "opshift_dialect_of": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_export": (c_int, [c_void_p, c_char_p, POINTER(opshift_export_options), POINTER(c_void_p), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_exported_temporary": (c_char_p, [c_void_p, c_size_t]),
    "opshift_exported_commit": (c_int, [c_void_p, POINTER(opshift_error)]),
    "opshift_exported_free": (None, [c_void_p]),
    "opshift_import": (c_int, [c_char_p, POINTER(opshift_import_options), POINTER(c_void_p), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_imported_model": (c_void_p, [c_void_p]),
    "opshift_imported_weights": (c_char_p, [c_void_p]),
    "opshift_imported_run": (c_int, [c_void_p, c_void_p, POINTER(opshift_run_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_imported_free": (None, [c_void_p]),
    "opshift_lowered_open": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lowered_free": (None, [c_void_p]),
    "opshift_lowered_model": (c_void_p, [c_void_p]),
    "opshift_lowered_run": (c_int, [c_void_p, c_void_p, POINTER(opshift_run_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_diff": (c_int, [c_void_p, c_void_p, POINTER(opshift_diff_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_check_count": (c_size_t, []),
    "opshift_check_at": (POINTER(opshift_check), [c_size_t]),
    "opshift_check_find": (POINTER(opshift_check), [c_char_p]),
    "opshift_family_count": (c_size_t, []),
    "opshift_family_at": (POINTER(opshift_family), [c_size_t]),
    "opshift_check_explain": (c_int, [POINTER(opshift_check), c_bool, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_checks_explain": (c_int, [c_bool, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_checks_list": (c_int, [POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_new": (c_int, [POINTER(opshift_lint_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_free": (None, [c_void_p]),
    "opshift_targets_show": (c_int, [POINTER(opshift_targets_options), c_bool, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_targets_page": (c_int, [POINTER(opshift_targets_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_targets_check": (c_int, [POINTER(opshift_targets_options), POINTER(c_char_p), c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_target_list": (c_int, [POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_open_options": (POINTER(opshift_open_options), [c_void_p]),
    "opshift_lint_baseline": (c_char_p, [c_void_p]),
    "opshift_lint_config_find": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_file": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_model": (c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_findings_name": (c_char_p, [c_void_p]),
    "opshift_findings_count": (c_size_t, [c_void_p]),
    "opshift_findings_at": (POINTER(opshift_finding), [c_void_p, c_size_t]),
    "opshift_findings_status": (c_int, [c_void_p]),
    "opshift_findings_failure": (c_char_p, [c_void_p]),
    "opshift_findings_fixed": (c_uint64, [c_void_p]),
    "opshift_findings_free": (None, [c_void_p]),
    "opshift_lint_fix": (c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_fixes_count": (c_size_t, [c_void_p]),
    "opshift_fixes_at": (POINTER(opshift_fix), [c_void_p, c_size_t]),
    "opshift_fixes_findings": (c_void_p, [c_void_p]),
    "opshift_fixes_free": (None, [c_void_p]),
    "opshift_lint_files": (c_int, [c_void_p, POINTER(c_char_p), c_size_t, c_uint, opshift_lint_done, c_void_p, POINTER(opshift_error)]),
    "opshift_lint_format_count": (c_size_t, []),
    "opshift_lint_format_at": (c_char_p, [c_size_t]),
    "opshift_lint_writer_new": (c_int, [c_void_p, POINTER(opshift_lint_writer_options), opshift_write, c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_lint_writer_add": (c_int, [c_void_p, c_void_p, POINTER(opshift_error)]),
    "opshift_lint_writer_finish": (c_int, [c_void_p, POINTER(opshift_error)]),
    "opshift_lint_writer_free": (None, [c_void_p]),
    "opshift_value_tensor": (c_int, [c_int, c_size_t, POINTER(c_int64), c_void_p, c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_value_borrow": (c_int, [c_int, c_size_t, POINTER(c_int64), c_void_p, c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_value_strings": (c_int, [c_size_t, POINTER(c_int64), POINTER(c_char_p), POINTER(c_size_t), c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_value_sequence": (c_int, [c_int, POINTER(c_void_p), c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_value_free": (None, [c_void_p]),
    "opshift_value_kind": (c_int, [c_void_p]),
    "opshift_value_type": (c_int, [c_void_p]),
    "opshift_type_name": (c_char_p, [c_int]),
    "opshift_value_rank": (c_size_t, [c_void_p]),
    "opshift_value_dims": (POINTER(c_int64), [c_void_p]),
    "opshift_value_count": (c_uint64, [c_void_p]),
    "opshift_value_data": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "opshift_value_string": (c_void_p, [c_void_p, c_uint64, POINTER(c_size_t)]),
    "opshift_value_item": (c_void_p, [c_void_p, c_uint64]),
    "opshift_value_text": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_value_compare": (c_int, [c_void_p, c_void_p, POINTER(opshift_tolerance), POINTER(opshift_error)]),
    "opshift_values_new": (c_int, [POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_values_free": (None, [c_void_p]),
    "opshift_values_add": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(opshift_error)]),
    "opshift_values_copy": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_values_count": (c_size_t, [c_void_p]),
    "opshift_values_name": (c_char_p, [c_void_p, c_size_t]),
    "opshift_values_at": (c_void_p, [c_void_p, c_size_t]),
    "opshift_values_find": (c_void_p, [c_void_p, c_char_p]),
    "opshift_values_limit": (None, [c_void_p, c_uint64]),
    "opshift_values_read": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(opshift_error)]),
    "opshift_value_write": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(opshift_error)]),
    "opshift_value_fits_npy": (c_bool, [c_void_p]),
    "opshift_value_file_name": (c_int, [c_char_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_values_write": (c_int, [c_void_p, c_char_p, POINTER(opshift_error)]),
    "opshift_model_import_count": (c_size_t, [c_void_p]),
    "opshift_model_import_domain": (c_char_p, [c_void_p, c_size_t]),
    "opshift_model_import_version": (c_int64, [c_void_p, c_size_t]),
    "opshift_model_graph": (c_void_p, [c_void_p]),
    "opshift_model_function_count": (c_size_t, [c_void_p]),
    "opshift_model_function_name": (c_char_p, [c_void_p, c_size_t]),
    "opshift_model_function_domain": (c_char_p, [c_void_p, c_size_t]),
    "opshift_model_function_body": (c_void_p, [c_void_p, c_size_t]),
    "opshift_graph_name": (c_char_p, [c_void_p, c_void_p]),
    "opshift_graph_node_count": (c_size_t, [c_void_p]),
    "opshift_graph_node": (c_void_p, [c_void_p, c_size_t]),
    "opshift_graph_value_count": (c_size_t, [c_void_p, c_int]),
    "opshift_graph_value_name": (c_char_p, [c_void_p, c_void_p, c_int, c_size_t]),
    "opshift_graph_value_type": (c_int, [c_void_p, c_void_p, c_int, c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_graph_initializer_count": (c_size_t, [c_void_p]),
    "opshift_graph_initializer_name": (c_char_p, [c_void_p, c_void_p, c_size_t]),
    "opshift_graph_initializer_type": (c_int, [c_void_p, c_size_t]),
    "opshift_graph_initializer_rank": (c_size_t, [c_void_p, c_size_t]),
    "opshift_graph_initializer_dims": (POINTER(c_int64), [c_void_p, c_size_t]),
    "opshift_graph_initializer_is_sparse": (c_bool, [c_void_p, c_size_t]),
    "opshift_graph_initializer_is_external": (c_bool, [c_void_p, c_size_t]),
    "opshift_graph_initializer_value": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_node_name": (c_char_p, [c_void_p, c_void_p]),
    "opshift_node_operator": (c_char_p, [c_void_p, c_void_p]),
    "opshift_node_domain": (c_char_p, [c_void_p, c_void_p]),
    "opshift_node_input_count": (c_size_t, [c_void_p]),
    "opshift_node_input": (c_char_p, [c_void_p, c_void_p, c_size_t]),
    "opshift_node_output_count": (c_size_t, [c_void_p]),
    "opshift_node_output": (c_char_p, [c_void_p, c_void_p, c_size_t]),
    "opshift_node_graph_count": (c_size_t, [c_void_p]),
    "opshift_node_graph": (c_void_p, [c_void_p, c_size_t]),
    "opshift_node_attributes": (c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_attributes_free": (None, [c_void_p]),
    "opshift_attributes_count": (c_size_t, [c_void_p]),
    "opshift_attributes_name": (c_char_p, [c_void_p, c_size_t]),
    "opshift_attributes_type": (c_int, [c_void_p, c_size_t]),
    "opshift_attributes_reference": (c_char_p, [c_void_p, c_size_t]),
    "opshift_attributes_int": (c_int64, [c_void_p, c_size_t]),
    "opshift_attributes_float": (c_float, [c_void_p, c_size_t]),
    "opshift_attributes_ints": (POINTER(c_int64), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "opshift_attributes_floats": (POINTER(c_float), [c_void_p, c_size_t, POINTER(c_size_t)]),
    "opshift_attributes_string_count": (c_size_t, [c_void_p, c_size_t]),
    "opshift_attributes_string": (c_void_p, [c_void_p, c_size_t, c_size_t, POINTER(c_size_t)]),
    "opshift_attributes_tensor": (c_int, [c_void_p, c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_plan_new": (c_int, [c_void_p, POINTER(opshift_goal), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_plan_free": (None, [c_void_p]),
    "opshift_plan_blocker_count": (c_size_t, [c_void_p]),
    "opshift_plan_find": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_planned_free": (None, [c_void_p]),
    "opshift_planned_fate": (c_int, [c_void_p]),
    "opshift_planned_why": (c_char_p, [c_void_p]),
    "opshift_planned_count": (c_size_t, [c_void_p, c_int]),
    "opshift_planned_text": (c_char_p, [c_void_p, c_int, c_size_t]),
    "opshift_planned_record_count": (c_size_t, [c_void_p]),
    "opshift_planned_record": (c_void_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    "opshift_model_input_count": (c_size_t, [c_void_p]),
    "opshift_model_input_name": (c_char_p, [c_void_p, c_size_t]),
    "opshift_model_input_is_required": (c_bool, [c_void_p, c_size_t]),
    "opshift_model_output_count": (c_size_t, [c_void_p]),
    "opshift_model_output_name": (c_char_p, [c_void_p, c_size_t]),
    "opshift_values_draw": (c_int, [c_void_p, c_void_p, POINTER(opshift_draw_options), POINTER(opshift_error)]),
    "opshift_engine_at": (c_char_p, [c_size_t]),
    "opshift_engine_version": (c_int, [POINTER(opshift_run_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_run_check": (c_int, [c_void_p, POINTER(opshift_run_options), POINTER(opshift_error)]),
    "opshift_run": (c_int, [c_void_p, c_void_p, POINTER(opshift_run_options), POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_team_new": (c_int, [c_uint, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_team_free": (None, [c_void_p]),
    "opshift_split": (c_int, [c_void_p, c_size_t, c_uint64, c_uint64, c_uint64, POINTER(c_int64), c_size_t, POINTER(c_void_p), POINTER(opshift_split_options), POINTER(opshift_error)]),
    "opshift_split_views": (c_int, [c_void_p, c_size_t, c_uint64, c_uint64, c_uint64, POINTER(c_int64), c_size_t, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_report_text": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_report_json": (c_int, [c_void_p, POINTER(c_void_p), POINTER(opshift_error)]),
    "opshift_report_free": (None, [c_void_p]),
}


class Library:
    """Functions by their names in C. A function is declared when it is first used."""

    def __init__(self, path):
        self._dll = CDLL(path)

    def __getattr__(self, name):
        try:
            result, arguments = FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
        function = getattr(self._dll, name)
        function.restype = result
        function.argtypes = arguments
        setattr(self, name, function)
        return function
