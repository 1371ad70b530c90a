"""Builds the wheel and the source distribution of opshift (PEP 517), with nothing but Python's own library.

pip and `python3 -m build --no-isolation` call build_wheel and build_sdist. Without OPSHIFT_BUILD, a directory where
`make python-files` was run, the wheel is configured and built in build-wheel/, which needs what ./bootstrap installs.
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import stat
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import mirror

TOP = pathlib.Path(__file__).resolve().parent.parent
EPOCH = (1980, 1, 1, 0, 0, 0)
# Libraries that every GNU/Linux system has (PEP 600).
SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt)\.so|ld-linux")


def version():
    return re.search(r"AC_INIT\(\[opshift\], \[([^\]]+)\]", (TOP / "configure.ac").read_text()).group(1)


def run(*command, directory):
    try:
        subprocess.run(command, cwd=directory, check=True, stdout=sys.stderr)
    except FileNotFoundError:
        sys.exit(f"opshift: {command[0]} is missing; ./bootstrap installs what a build needs, or see README.md")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"opshift: {' '.join(command)}: exit status {failed.returncode}; ./bootstrap installs what a build "
                 "needs, or see README.md")


def built():
    """The directory of a native build, made where there is none."""
    named = os.environ.get("OPSHIFT_BUILD")
    if named:
        return pathlib.Path(named)
    directory = TOP / "build-wheel"
    directory.mkdir(exist_ok=True)
    if not (TOP / "configure").exists():
        run("autoreconf", "-fi", directory=TOP)
    if not (directory / "Makefile").exists():
        run("../configure", "-q", "--enable-shared", directory=directory)  # a relative path may have a blank in it
    run("make", "-s", f"-j{os.cpu_count() or 1}", "python-files", directory=directory)
    return directory


def described(file, option):
    return subprocess.run(["objdump", option, str(file)], stdout=subprocess.PIPE, text=True, check=False).stdout


def companions(library):
    """The libraries that the library needs and a system may lack."""
    shown = subprocess.run(["ldd", str(library)], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r"(\S+) => (/.*) \(0x", shown)
    return {name: pathlib.Path(path) for name, path in found if not SYSTEM.match(name)}


def platform(files, shipped):
    """The wheel's platform: manylinux_2_N where the files need glibc 2.N and what is shipped, else that of this
    machine."""
    needed = [name for file in files for name in re.findall(r"NEEDED +(\S+)", described(file, "-p"))
              if file.suffix != ".so" or name not in shipped]
    symbols = [int(minor) for file in files for minor in re.findall(r"GLIBC_2\.(\d+)", described(file, "-p"))]
    plain = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if plain.startswith("linux_") and symbols and all(SYSTEM.match(name) for name in needed):
        return f"manylinux_2_{max(symbols)}_{plain[len('linux_'):]}"
    return plain


class Wheel:
    """An archive whose bytes depend on its contents alone."""

    def __init__(self, path, info):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info = info
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self):
        name = f"{self.info}/RECORD"
        self.add(name, ("".join(self.record) + f"{name},,\n").encode())
        self.archive.close()


def licences(option=None):
    """What packaging/licences prints of the libraries in a wheel; None where it does not find their licences."""
    command = ["sh", str(TOP / "packaging/licences"), "wheel"] + ([option] if option else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return done.stdout if done.returncode == 0 else None


def metadata(expression="Apache-2.0", files=("LICENSE",)):
    """Of a source distribution, or of a wheel with libraries of others in it."""
    fields = [("Metadata-Version", "2.4"), ("Name", "opshift"), ("Version", version()),
              ("Summary", "Moves ONNX models between opsets and proves that nothing else changed"),
              ("License-Expression", expression), *(("License-File", file) for file in files),
              ("Keywords", "onnx,opset,converter,linter,verification"),
              ("Classifier", "Environment :: Console"),
              ("Classifier", "Operating System :: POSIX :: Linux"),
              ("Classifier", "Programming Language :: Python :: 3"),
              ("Classifier", "Programming Language :: Python :: Implementation :: CPython"),
              ("Classifier", "Programming Language :: Python :: Implementation :: PyPy"),
              ("Classifier", "Typing :: Typed"),
              ("Requires-Python", ">=3.8"), ("Description-Content-Type", "text/markdown")]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return (head + "\n" + (TOP / "README.md").read_text(encoding="utf-8")).encode()


def wheel_metadata():
    """Its METADATA, and its licences by file name."""
    files = {"LICENSE": (TOP / "LICENSE").read_bytes()}
    others = licences()
    if others is None:
        print("opshift: the wheel is made without the licences of the libraries in it: keep it on this machine",
              file=sys.stderr)
        return metadata(), files
    files["LIBRARIES"] = others
    return metadata(licences("--expression").decode().strip(), files), files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = built()
    library = build / "python/.libs/libopshift.so"
    command, helper = build / "opshift", build / "opshift-ort"
    for file in (library, command, helper):
        if not file.exists():
            sys.exit(f"opshift: {file} is missing: run 'make python-files' in a build that was configured without "
                     "--disable-shared")
    info = f"opshift-{version()}.dist-info"
    shipped = companions(library)
    tag = f"py3-none-{platform([library, command, helper, *shipped.values()], shipped)}"
    name = f"opshift-{version()}-{tag}.whl"
    wheel = Wheel(pathlib.Path(wheel_directory) / name, info)
    for file in sorted((TOP / "python/opshift").iterdir()):
        if (file.suffix == ".py" and file != mirror.MIRROR) or file.name == "py.typed":
            wheel.add(f"opshift/{file.name}", file.read_bytes())
    wheel.add("opshift/_library.py", mirror.write(mirror.HEADER.read_text()).encode())
    wheel.add("opshift/libopshift.so", library.read_bytes(), executable=True)
    for file, path in sorted(shipped.items()):
        wheel.add(f"opshift/{file}", path.read_bytes(), executable=True)
    # The library finds it beside itself, the command in ../libexec.
    wheel.add("opshift/opshift-ort", helper.read_bytes(), executable=True)
    wheel.add(f"opshift-{version()}.data/data/libexec/opshift-ort", helper.read_bytes(), executable=True)
    wheel.add(f"opshift-{version()}.data/scripts/opshift", command.read_bytes(), executable=True)
    described_as, texts = wheel_metadata()
    for file, text in texts.items():
        wheel.add(f"{info}/licenses/{file}", text)
    wheel.add(f"{info}/METADATA", described_as)
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: opshift\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.close()
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"opshift-{version()}.dist-info"
    directory = pathlib.Path(metadata_directory) / name
    directory.mkdir()
    (directory / "METADATA").write_bytes(wheel_metadata()[0])
    return name


def sources():
    """What belongs to the source, as paths below TOP: what git tracks; else, in a source distribution, all files."""
    if (TOP / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout
        return sorted(name for name in listed.decode().split("\0") if name and (TOP / name).is_file())
    if not (TOP / "PKG-INFO").exists():
        sys.exit("opshift: a source distribution is made from a clone, or from another one of the kind; here 'make dist' "
                 "makes an archive")
    made = re.compile(r"^build[^/]*/|(^|/)(\.deps|\.libs|autom4te\.cache|__pycache__)/|^PKG-INFO$|\.l?[oa]$")
    names = (path.relative_to(TOP).as_posix() for path in TOP.rglob("*") if path.is_file())
    return sorted(name for name in names if not made.search(name))


def build_sdist(sdist_directory, config_settings=None):
    """Its bytes depend on the sources alone, and on SOURCE_DATE_EPOCH."""
    top = f"opshift-{version()}"
    when = int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))
    with open(pathlib.Path(sdist_directory) / f"{top}.tar.gz", "wb") as file, \
            gzip.GzipFile("", "wb", fileobj=file, mtime=when) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(name, data, executable=False):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), when, 0o755 if executable else 0o644
            archive.addfile(entry, io.BytesIO(data))
        for name in sources():
            add(name, (TOP / name).read_bytes(), os.access(TOP / name, os.X_OK))
        add("PKG-INFO", metadata())
    return f"{top}.tar.gz"


if __name__ == "__main__":
    print(build_wheel(os.environ.get("OPSHIFT_WHEELS", ".")))
