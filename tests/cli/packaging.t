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
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$packaging/winget/opshift.yaml"
    ok $? "the manifest of winget is YAML"
else
    skip "YAML" "python3-yaml is not here"
fi
done_testing
