"""What bench/points hunts: failing test programs with hooks, programs whose bugs appear late, and worker pools."""
import os
import pathlib
import re
import sys

from failing_programs import UNRESOLVED, build_program, failing_sources, flags_of, name_of, read_head
from hunt_programs import Program, matching
from hunt_trials import UNRAVEL, in_parallel
from source_folder import SOURCE_FOLDER

BUILT = pathlib.Path(__file__).resolve().parent / "programs"
SOURCES = pathlib.Path(SOURCE_FOLDER) / "bench" / "programs"

# What a part hunts; the held ones are only for the end.
FOLDERS = {"appear": "appear", "workers": "workers", "held": "workers/held"}
# Runs that a bug in a pool may take, in the mean.
WORKERS_TARGET = 60

HOOKS = "-fsanitize=thread"
LEVEL = "-O1"


def programs_of(part, pattern):
    """The built programs of one of the folders above, with such names."""
    folder = FOLDERS[part]
    target = None if part == "appear" else WORKERS_TARGET
    programs = [Program(source.stem, (str(BUILT / folder / source.stem),), target)
                for source in sorted((SOURCES / folder).glob("*.cpp"))]
    for program in programs:
        if not pathlib.Path(program.command[0]).is_file():
            sys.exit(f"points: {program.command[0]} is not built: ./dev bench points builds it")
    return matching(programs, pattern)


def levels_of(program):
    """How many orders in a row its bug needs, by its head."""
    text = (SOURCES / FOLDERS["appear"] / f"{program.name}.cpp").read_text()
    return re.search(r"// Needs: (two|three) levels", text)[1]


def has_hooks_and_fails(source):
    head = read_head(source).built_by("gcc", LEVEL)
    return HOOKS in flags_of(source) and head.expect not in ("passed", UNRESOLVED)


def build_with_hooks(source, folder):
    """As a user would to hunt: by our compiler drivers and GCC."""
    flags = [flag for flag in flags_of(source) if flag not in (HOOKS, LEVEL)]
    return build_program(source, folder, (UNRAVEL.parent / "unravel-cc", UNRAVEL.parent / "unravel-c++"),
                         [LEVEL, *flags], {**os.environ, "UNRAVEL_CC": "gcc", "UNRAVEL_CXX": "g++"})


def test_programs(pattern, folder, parallel):
    """Those that fail and have hooks, with such names, built into the folder."""
    sources = {name_of(source): source for source in failing_sources() if has_hooks_and_fails(source)}
    programs = matching([Program(name, (str(folder / name.replace("/", "-")),)) for name in sources], pattern)
    in_parallel(parallel, [lambda source=sources[program.name]: build_with_hooks(source, folder)
                           for program in programs])
    return programs
