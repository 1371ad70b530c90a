"""Prints what is wrong with a workflow of GitHub Actions, a line each: workflow.py FILE TREE."""
import pathlib
import re
import sys

import yaml

PATH, TREE = sys.argv[1], pathlib.Path(sys.argv[2])
KEYS = {"name", "on", "permissions", "jobs", "env", "concurrency", "defaults"}
JOB_KEYS = {"name", "needs", "runs-on", "container", "permissions", "steps", "env", "timeout-minutes", "if"}
STEP_KEYS = {"name", "id", "uses", "with", "run", "env", "if", "shell", "working-directory"}
CONTEXTS = {"github.token", "github.ref_name", "github.repository", "github.sha"}
RIGHTS = {"contents", "id-token", "attestations"}
# What these steps must have, and the rights that the job needs for them.
ACTIONS = {"actions/checkout": ({}, {}), "actions/upload-artifact": ({"name", "path"}, {}),
           "actions/download-artifact": ({"name", "path"}, {}),
           "actions/attest-build-provenance": ({"subject-path"}, {"id-token", "attestations"})}


def permitted(rights):
    for name, level in (rights or {}).items():
        if name not in RIGHTS or level not in ("read", "write", "none"):
            yield f"permission {name}: {level}"


def said(text):
    for expression in re.findall(r"\$\{\{\s*(.*?)\s*\}\}", text):
        if expression not in CONTEXTS:
            yield f"expression '{expression}'"


def action(step, job):
    name, _, version = step["uses"].partition("@")
    wanted, rights = ACTIONS.get(name, (None, {}))
    if wanted is None:
        yield f"unknown action {name}"
        return
    if not re.fullmatch(r"v\d+|[0-9a-f]{40}", version):
        yield f"{name} has no version"
    if set(wanted) - set(step.get("with", {})):
        yield f"{name} lacks {sorted(set(wanted) - set(step.get('with', {})))}"
    for right in sorted(rights):
        if job.get("permissions", {}).get(right) != "write":
            yield f"{name} needs the permission '{right}: write'"


def scripts(text):
    """Files of the tree that a step calls or copies."""
    for word in re.findall(r"(?<![\w./$-])((?:\./)?(?:packaging|debian|web|tests|\.ci)/[\w./-]+|\./bootstrap)", text):
        if word not in ("packaging/oci/opshift", "packaging/oci/licences") and not (TREE / word).exists():
            yield f"there is no {word}"


def checked(name, job, jobs):
    yield from (f"unknown key {key}" for key in sorted(set(job) - JOB_KEYS))
    yield from (f"lacks {key}" for key in ("runs-on", "steps", "timeout-minutes") if key not in job)
    yield from permitted(job.get("permissions"))
    needs = job.get("needs", [])
    yield from (f"needs {need}, which is no job" for need in ([needs] if isinstance(needs, str) else needs)
                if need not in jobs)
    for step in job.get("steps", []):
        place = step.get("name") or step.get("uses")
        problems = [f"unknown key {key}" for key in sorted(set(step) - STEP_KEYS)]
        if ("run" in step) == ("uses" in step):
            problems.append("has to have either run or uses")
        if "uses" in step:
            problems += action(step, job)
        problems += said(str(step))
        problems += scripts(step.get("run", ""))
        if "${{" in step.get("run", ""):
            problems.append("an expression in a script: give it by env")
        yield from (f"{place}: {problem}" for problem in problems)


def main():
    flow = yaml.load(open(PATH, encoding="utf-8"), yaml.BaseLoader)  # "on" is no boolean here
    jobs = flow["jobs"]
    problems = [f"unknown key {key}" for key in sorted(set(flow) - KEYS)] + list(permitted(flow.get("permissions")))
    if "permissions" not in flow:
        problems.append("no permissions: a job would have all")
    for name, job in jobs.items():
        problems += [f"{name}: {problem}" for problem in checked(name, job, jobs)]
    loads = [step["with"]["name"] for job in jobs.values() for step in job["steps"]
             if step.get("uses", "").startswith(("actions/upload-artifact", "actions/download-artifact"))]
    if len(loads) != 2 or len(set(loads)) != 1:
        problems.append(f"what is uploaded is not what is downloaded: {loads}")
    print("".join(problem + "\n" for problem in problems), end="")


main()
