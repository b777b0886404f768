"""What bench/predicted predicts from: test programs, programs after the paper's, and pbzip2."""
import pathlib
import random
import subprocess
import sys

import instrumented_programs
from failing_programs import TESTS, UNRESOLVED, failing_sources, flags_of, name_of, read_head
from hunt_programs import Program, matching
from hunt_trials import in_parallel
from points_programs import HOOKS, LEVEL, build_with_hooks
from source_folder import SOURCE_FOLDER

BUILT = pathlib.Path(__file__).resolve().parent / "programs" / "predict"
SOURCES = pathlib.Path(SOURCE_FOLDER) / "bench" / "programs" / "predict"


def expected_of(source):
    return read_head(source).built_by("gcc", LEVEL).expect


def built(sources, pattern, folder, parallel, most):
    """Programs of these sources with such names, built with hooks; `most` of them, None: all."""
    by_name = {name_of(source): source for source in sources}
    programs = matching([Program(name, (str(folder / name.replace("/", "-")),)) for name in by_name], pattern)[:most]
    in_parallel(parallel, [lambda source=by_name[program.name]: build_with_hooks(source, folder)
                           for program in programs])
    return programs


def failing_programs(pattern, folder, parallel, most=None):
    sources = [source for source in failing_sources() if expected_of(source) not in ("passed", UNRESOLVED)]
    return built(sources, pattern, folder, parallel, most)


def correct_programs(pattern, folder, parallel, most=None):
    """Those whose heads ask for hooks: they are about memory accesses."""
    sources = sorted(path for path in (TESTS / "programs" / "passed").glob("*")
                     if path.suffix in (".c", ".cpp") and HOOKS in flags_of(path) and expected_of(path) == "passed")
    return built(sources, pattern, folder, parallel, most)


def papers_programs(pattern, most=None):
    programs = [Program(source.stem, (str(BUILT / source.stem),)) for source in sorted(SOURCES.glob("*.cpp"))]
    for program in programs:
        if not pathlib.Path(program.command[0]).is_file():
            sys.exit(f"predicted: {program.command[0]} is not built: ./dev bench predicted builds it")
    return matching(programs, pattern)[:most]


def lines_of(program):
    return len((SOURCES / f"{program.name}.cpp").read_text().splitlines())


def pbzip2(size):
    """The program that decompresses that many bytes, built with hooks in the current folder."""
    folder = instrumented_programs.build("pbzip2", "unravel-cc")
    digits = random.Random(1).choices(b"0123456789abcdef", k=size)
    pathlib.Path("digits").write_bytes(bytes(digits))
    subprocess.run([folder / "pbzip2", "-k", "-f", "-b1", "digits"], check=True)
    return Program("pbzip2 -d", (str(folder / "pbzip2"), "-d", "-c", "-p4", str(pathlib.Path("digits.bz2").resolve())))
