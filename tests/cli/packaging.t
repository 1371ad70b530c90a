#!/bin/sh
# What packaging/, debian/ and the release workflow say is well formed and of this version.
. "${srcdir:-.}/tests/cli/tap.sh"
version=$(sed -n 's/^AC_INIT(\[opshift\], \[\([^]]*\)\].*/\1/p' "$srcdir/configure.ac")
packaging=$srcdir/packaging
workflow=$srcdir/.github/workflows/release.yml

for script in packaging/static packaging/libraries.sh packaging/licences debian/check debian/tests/convert debian/tests/compile debian/tests/python; do
    sh -n "$srcdir/$script"
    ok $? "$script is a shell script"
done
is "opshift ($version-1)" "$(sed -n '1s/) .*/)/p' "$srcdir/debian/changelog")" "debian/changelog has the version"
for recipe in homebrew/opshift.rb conda-forge/meta.yaml nix/default.nix winget/opshift.yaml; do
    like "$version" "$(cat "$packaging/$recipe")" "$recipe has the version"
    like '^# Not tried yet' "$(head -n 1 "$packaging/$recipe")" "$recipe tells that it is not tried"
done
like '^# Not run yet' "$(head -n 1 "$workflow")" "the release workflow tells that it is not tried"
if python3 -c 'import yaml' 2>/dev/null; then
    jobs=$(python3 -c 'import sys, yaml; print(*yaml.safe_load(open(sys.argv[1]))["jobs"])' "$workflow")
    is "build publish" "$jobs" "the release workflow is YAML with two jobs"
    python3 - "$workflow" <<'END' >steps.sh
import sys, yaml
for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values():
    for step in job["steps"]:
        print(step.get("run", ""))
END
    sh -n steps.sh
    ok $? "its steps are shell scripts"
    is "" "$(python3 "$tests/cli/workflow.py" "$workflow" "$srcdir" 2>&1)" "its keys, actions, permissions and scripts are right"
    sed 's/actions\/checkout@v4/actions\/checkout/; s/needs: build/needs: built/; s/id-token: write/id-token: read/
        s|packaging/static x86|packaging/statisch x86|; s/runs-on/run-on/' "$workflow" >wrong.yml
    is "build: unknown key run-on
build: lacks runs-on
build: actions/checkout: actions/checkout has no version
build: The static files: there is no packaging/statisch
build: The static files: there is no packaging/statisch
publish: unknown key run-on
publish: lacks runs-on
publish: needs built, which is no job
publish: actions/attest-build-provenance@v2: actions/attest-build-provenance needs the permission 'id-token: write'" \
        "$(python3 "$tests/cli/workflow.py" wrong.yml "$srcdir" 2>&1)" "mistakes are found"
    if command -v shellcheck >/dev/null; then
        is "" "$(shellcheck -s sh -f gcc steps.sh 2>&1 | head -n 5)" "shellcheck finds nothing in the steps"
    else
        skip "shellcheck" "shellcheck is not here"
    fi
    for package in $(sed -n '/^packages="/,/"$/s/packages=\|"//gp' "$srcdir/bootstrap"); do
        [ "$package" = libonnx-testdata ] || grep -qw -- "$package" steps.sh
        ok $? "the workflow installs $package"
    done
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$packaging/winget/opshift.yaml"
    ok $? "the manifest of winget is YAML"
else
    skip "YAML" "python3-yaml is not here"
fi
done_testing
