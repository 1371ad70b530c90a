"""What the functions return: the fields of the library's reports."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Type, TypeVar

T = TypeVar("T")


def build(kind: Type[T], row: Dict[str, Any], **more: Any) -> T:
    """A dataclass from a report's object. Fields that the object lacks keep their default."""
    keys, nested = getattr(kind, "KEYS", {}), getattr(kind, "NESTED", {})
    made = {}
    for name in getattr(kind, "__dataclass_fields__"):
        key = keys.get(name, name)
        if key not in row or name in more:
            continue
        value = row[key]
        made[name] = [build(nested[name], item) for item in value] if name in nested else value
    return kind(**made, **more)


@dataclass
class NodeStep:
    """A node at one step of a conversion: from_opset to to_opset."""
    KEYS = {"from_opset": "from", "to_opset": "to"}
    node: str = ""
    operator: str = ""
    from_opset: int = 0
    to_opset: int = 0


@dataclass
class Blocker(NodeStep):
    """A node that cannot be converted, at the step that it cannot make. why: with the way out."""
    why: str = ""


@dataclass
class Rewritten(NodeStep):
    """A node that was rewritten. becomes: the nodes in its place, in ONNX's textual syntax."""
    becomes: str = ""


@dataclass
class Finding:
    """A fault that lint found. severity: "error", "warning" or "note". message: with the way out. offset, size: its
    place in the file, in bytes. known: in the baseline. suppressed: the reason that the model gives, or None."""
    id: str = ""
    slug: str = ""
    severity: str = ""
    place: str = ""
    location: str = ""
    message: str = ""
    fingerprint: str = ""
    offset: int = 0
    size: int = 0
    fixable: bool = False
    known: bool = False
    suppressed: Optional[str] = None

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return f"{place}{self.severity}: {self.message} [{self.id} {self.slug}]"


@dataclass
class Fix:
    """A finding that was fixed. before, after: the part of the model, in lines of text; "": nothing."""
    id: str = ""
    slug: str = ""
    place: str = ""
    message: str = ""
    before: str = ""
    after: str = ""


@dataclass
class Piece:
    """A rewritten piece and its verdict: "proved", "rounding", "tested", "by rule", "assumed", "differs" or
    "not shown"."""
    node: str = ""
    operator: str = ""
    verdict: str = ""
    why: str = ""
    seed: str = ""
    runs: int = 0
    types: List[str] = field(default_factory=list)
    shapes: List[str] = field(default_factory=list)
    rules: str = ""
    nodes: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Change:
    """A difference between two models. change: "added", "removed", "changed" or "moved"."""
    group: str = ""
    change: str = ""
    place: str = ""
    what: Optional[str] = None
    before: Optional[str] = None
    after: Optional[str] = None


@dataclass
class Rule:
    """A rule in force. kind: "rule" or "compatible"; direction: "up", "down" or "both"."""
    kind: str = ""
    domain: str = ""
    operator: str = ""
    opset: int = 0
    direction: str = ""
    why: str = ""
    file: str = ""


@dataclass
class Target:
    """A runtime's profile. data: all that it states."""
    target: str = ""
    version: str = ""
    description: str = ""
    aliases: List[str] = field(default_factory=list)
    versions: List[str] = field(default_factory=list)
    opset: Optional[int] = None
    data: Dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(repr=False)
class Report:
    """A report of the library. data: all of it, as the command's --format json has it; text: as the command prints
    it. repr() has one line of it."""
    LINE = 0
    data: Dict[str, Any] = field(default_factory=dict, repr=False)
    text: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        line = (self.text.splitlines() or [""])[self.LINE]
        return f"<{type(self).__name__}: {line if len(line) <= 120 else line[:117] + '...'}>"

    def _repr_html_(self) -> str:
        import html
        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(repr=False)
class Certificate(Report):
    """What a verification found. same: both compute the same; nothing_else: and all else is the same; counts: of
    pieces by verdict; map, reduced: as verify was asked for them; page: as a self-contained HTML page, with drawings of each piece before and after."""
    LINE = -1  # the answer
    NESTED = {"pieces": Piece}
    same: bool = False
    seed: str = "0"
    counts: Dict[str, int] = field(default_factory=dict)
    before: Dict[str, Any] = field(default_factory=dict)
    after: Dict[str, Any] = field(default_factory=dict)
    pieces: List[Piece] = field(default_factory=list)
    kept: List[Dict[str, Any]] = field(default_factory=list)
    differences: List[Dict[str, Any]] = field(default_factory=list)
    changes: List[Dict[str, Any]] = field(default_factory=list)
    unknown: List[Any] = field(default_factory=list)
    invalid: List[Any] = field(default_factory=list)
    map: List[Dict[str, Any]] = field(default_factory=list)
    reduced: Optional[Dict[str, Any]] = None
    page: str = field(default="", repr=False)

    @property
    def nothing_else(self) -> bool:
        return self.same and not self.changes and not self.differences

    def _repr_html_(self) -> str:
        import html
        # In a frame of its own: the page's style and names stay inside, and nothing in it can run.
        return (f'<iframe sandbox srcdoc="{html.escape(self.page, quote=True)}" '
                'style="width:100%;height:32em;border:0"></iframe>')


@dataclass(repr=False)
class Conversion(Report):
    """A conversion. model: the new model, in the kind of the one that was given; a path if out was one; bytes for a
    path without out. certificate: of the verification, or None. remaining: with a target, its findings."""
    NESTED = {"blockers": Blocker, "rewritten": Rewritten}
    model: Any = field(default=None, repr=False)
    source_opset: int = 0
    target_opset: int = 0
    source_ir_version: int = 0
    target_ir_version: int = 0
    convertible: bool = False
    rewritten_count: int = 0
    added_count: int = 0
    removed_count: int = 0
    unknown_types: int = 0
    blockers: List[Blocker] = field(default_factory=list)
    rewritten: List[Rewritten] = field(default_factory=list)
    notes: List[Any] = field(default_factory=list)
    assumptions: List[Any] = field(default_factory=list)
    nearest_opset: Optional[int] = None
    certificate: Optional[Certificate] = None
    remaining: List[Finding] = field(default_factory=list)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + (self.certificate._repr_html_() if self.certificate else "")


@dataclass(repr=False)
class Verified(Conversion):
    """A conversion with verify=True: its certificate is there."""
    certificate: Certificate = field(default_factory=Certificate)


@dataclass(repr=False)
class Inference(Report):
    """What infer did. model: as in Conversion. Counts of values: whole, with type and all dims; unranked; untyped;
    and of value infos: added, completed, replaced, kept. invalid: nodes that cannot be computed, with messages."""
    model: Any = field(default=None, repr=False)
    values: int = 0
    whole: int = 0
    unranked: int = 0
    untyped: int = 0
    added: int = 0
    completed: int = 0
    replaced: int = 0
    kept: int = 0
    contradictions: List[Any] = field(default_factory=list)
    unknown: List[Any] = field(default_factory=list)
    invalid: List[Any] = field(default_factory=list)


@dataclass(repr=False)
class Edit(Report):
    """What edit did. model: as in Conversion. edits: a dict each, with `edit`, `text`, `count`; before, after: bytes;
    verified: `verdict` (proved, tested, not shown), `runs`, `why`; empty with verify=False."""
    model: Any = field(default=None, repr=False)
    before: int = 0
    after: int = 0
    edits: List[Any] = field(default_factory=list)
    verified: Dict[str, Any] = field(default_factory=dict)


@dataclass(repr=False)
class Lint(Report):
    """What lint found in one model, sorted by place. outcome: "passed", "failed", ...; failure: why the file could not
    be read completely, or None. errors, warnings, notes: those findings that are neither in the baseline nor
    suppressed. With fix=True also what was fixed, and the fixed model."""
    NESTED = {"findings": Finding}
    file: str = ""
    outcome: str = ""
    failure: Optional[str] = None
    size: Optional[int] = None
    opset: Optional[int] = None
    ir_version: Optional[int] = None
    findings: List[Finding] = field(default_factory=list)
    fixed: List[Fix] = field(default_factory=list)
    model: Any = field(default=None, repr=False)

    def _of(self, severity: str) -> List[Finding]:
        return [f for f in self.findings if f.severity == severity and not f.known and f.suppressed is None]

    @property
    def errors(self) -> List[Finding]:
        return self._of("error")

    @property
    def warnings(self) -> List[Finding]:
        return self._of("warning")

    @property
    def notes(self) -> List[Finding]:
        return self._of("note")


@dataclass(repr=False)
class Difference(Report):
    """What differs between two models. unlisted: differences that the list has no room for."""
    NESTED = {"differences": Change}
    same: bool = False
    before: Dict[str, Any] = field(default_factory=dict)
    after: Dict[str, Any] = field(default_factory=dict)
    counts: Dict[str, int] = field(default_factory=dict)
    differences: List[Change] = field(default_factory=list)
    unlisted: int = 0
    notes: List[Any] = field(default_factory=list)


@dataclass(repr=False)
class Description(Report):
    """What show shows. opsets: {"domain", "version"} of each import; inputs, outputs: {"name", "type", "shape"};
    operators: {"operator", "domain", "version", "count"}, the most frequent first, version: of the operator, at the opset;
    weights: {"bytes", "external_bytes", "largest"};
    external: the files of external data; splits: each Split with its place, form, axis, lengths, type and shape."""
    size: int = 0
    ir_version: int = 0
    opsets: List[Dict[str, Any]] = field(default_factory=list)
    producer_name: Optional[str] = None
    producer_version: Optional[str] = None
    domain: Optional[str] = None
    counts: Dict[str, int] = field(default_factory=dict)
    inputs: List[Dict[str, Any]] = field(default_factory=list)
    outputs: List[Dict[str, Any]] = field(default_factory=list)
    operators: List[Dict[str, Any]] = field(default_factory=list)
    weights: Dict[str, Any] = field(default_factory=dict)
    functions: List[Dict[str, Any]] = field(default_factory=list)
    metadata: List[Dict[str, str]] = field(default_factory=list)
    external: List[str] = field(default_factory=list)
    splits: List[Dict[str, Any]] = field(default_factory=list)

    @property
    def opset(self) -> Optional[int]:
        """Of ai.onnx; None where the model does not import it."""
        return next((row["version"] for row in self.opsets if row["domain"] == "ai.onnx"), None)


@dataclass(repr=False)
class HowFar(Report):
    """Which opsets can be reached. opsets: for each {"opset", "reachable", "blocker_count", "blockers", ...}."""
    opset: int = 0
    opsets: List[Dict[str, Any]] = field(default_factory=list)

    @property
    def reachable(self) -> List[int]:
        return [row["opset"] for row in self.opsets if row["reachable"]]


@dataclass(repr=False)
class Export(Report):
    """What became of each node in another dialect. path: the file that was written."""
    path: str = ""
