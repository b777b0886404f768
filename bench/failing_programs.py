"""The programs of tests/programs that fail, what their heads say, and how they are built."""
import pathlib
import subprocess
import sys

from source_folder import SOURCE_FOLDER

TESTS = pathlib.Path(SOURCE_FOLDER) / "tests"
sys.path.insert(0, str(TESTS / "roundtrip"))
from head import UNRESOLVED, read_head  # noqa: E402, F401

FOLDERS = ("assert", "deadlock", "exit", "livelock", "lost-wakeup", "signal", "terminate")


def name_of(source):
    return f"{source.parent.name}/{source.stem}"


def failing_sources():
    return sorted((path for folder in FOLDERS for path in (TESTS / "programs" / folder).glob("*")
                   if path.suffix in (".c", ".cpp")), key=name_of)


def flags_of(source):
    for line in source.read_text().splitlines():
        if line.startswith("// flags: "):
            return line.removeprefix("// flags: ").split()
    return []


def build_program(source, folder, compilers, flags, environment=None):
    """Its file. `compilers` are the one for C and the one for C++."""
    is_c = source.suffix == ".c"
    compiler, standard = (compilers[0], "-std=c11") if is_c else (compilers[1], "-std=c++20")
    binary = pathlib.Path(folder) / name_of(source).replace("/", "-")
    done = subprocess.run([compiler, standard, "-g", "-pthread", *flags, source, "-o", binary],
                          capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{name_of(source)} cannot be built:\n{done.stderr}")
    return binary
