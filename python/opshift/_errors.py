"""What is raised. The text of each is that of the command: place, fault, way out."""
from __future__ import annotations

from typing import Any, List, Optional


class Refused(Exception):
    """A model that cannot be converted, or whose conversion is not shown to be the same. Nothing was written.

    blockers: list of Blocker, one for each node in the way; empty where the verification failed.
    report: the Conversion without a model. certificate: the Certificate of a failed verification, else None.
    remaining: with a target, what it still refuses, as a list of Finding.
    """

    def __init__(self, message: str, report: Any = None):
        super().__init__(message)
        self.report = report
        self.blockers: List[Any] = list(report.blockers) if report is not None else []
        self.certificate = report.certificate if report is not None else None
        self.remaining: List[Any] = list(report.remaining) if report is not None else []


class ModelError(ValueError):
    """A file that is no model that opshift takes. fault: a number of enum opshift_fault, 0 for others; offset: in
    bytes from the start of the file, only where a fault is known, else None."""

    def __init__(self, message: str, fault: int = 0, offset: Optional[int] = None):
        super().__init__(message)
        self.fault = fault
        self.offset = offset


class Malformed(ModelError):
    """It breaks the format."""


class Unsupported(ModelError):
    """It is beyond a limit, unsafe, or needs what opshift does not have."""


class Cancelled(Exception):
    """The progress callback returned False."""
