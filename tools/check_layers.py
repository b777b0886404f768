#!/usr/bin/env python3
"""Fails if a file under src/ includes what its room may not know, or links it.

A room is a folder of src/. The runtime has rooms inside: it is injected into programs, so
it must need the C library and nothing more, and its core not even system calls.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "wire": "",
    "base": "",
    "runtime": "wire",
    "data": "base wire",
    "run": "base wire data symbolize",
    "symbolize": "base data",
    "predict": "base data",
    "store": "base data",
    "explore": "base data run store",
    "simplify": "base data run store",
    "isolate": "base data run store explore",
    "noise": "base data run store",
    "breakpoints": "base data run store",
    "report": "base data symbolize",
    "investigate": "base wire data run store symbolize predict explore simplify isolate noise"
    " breakpoints",
    "cli": "base data run store predict investigate report",
}

# src/runtime/start.cpp ties the rooms together and may include all of them.
RUNTIME_MAY_INCLUDE = {
    "core": "",
    "os": "",
    "process": "core os",
    "interpose": "core os process",
    "hooks": "core os process",
}

# C++ headers that bring neither constructors nor a need for the C++ library.
BARE_HEADERS = set(
    "algorithm array atomic bit cerrno compare cstddef cstdint cstring limits new type_traits"
    " utility".split()
)
C_STANDARD_HEADERS = {"errno.h", "limits.h", "stddef.h", "stdint.h", "string.h"}

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)')
ROOM = re.compile(r"unravel_room\(\s*NAME\s+(\w+)(?:\s+DEPS([\s\w]*?))?(?:\s+LIBS[^)]*)?\)")


def runtime_room(path):
    """The runtime's inner room of a path like runtime/core/turn.hpp; None for runtime/start.cpp."""
    return path.parts[1] if len(path.parts) > 2 else None


def check_own(file, target):
    """What is wrong with `file` including our own header `target`, both relative to src/."""
    room, wanted = file.parts[0], target.parts[0]
    if len(target.parts) < 2:
        return f'write the room too: "{file.parent}/{target}"'
    if wanted not in MAY_INCLUDE:
        return f"there is no room {wanted}"
    if wanted != room and wanted not in MAY_INCLUDE[room].split():
        return f"{room} may not include {wanted}"
    inner = runtime_room(file)
    if room != "runtime" or wanted != "runtime" or inner is None:
        return None
    inner_wanted = runtime_room(target)
    if inner_wanted != inner and inner_wanted not in RUNTIME_MAY_INCLUDE[inner].split():
        return f"runtime/{inner} may not include {target}"
    return None


def check_system(file, header):
    """What is wrong with `file`, relative to src/, including a header from outside."""
    room = file.parts[0]
    pure = room == "wire" or (room == "runtime" and runtime_room(file) == "core")
    if pure and header not in BARE_HEADERS | C_STANDARD_HEADERS:
        return f"{file.parent} may not include <{header}>: it is pure logic"
    if room == "runtime" and header not in BARE_HEADERS and not header.endswith(".h"):
        return f"runtime may not include <{header}>: it would need the C++ library"
    return None


def check_file(file, text):
    room = file.parts[0]
    if room not in MAY_INCLUDE:
        return [f"src/{file}:1: there is no room {room}; add it to the table"]
    if room == "runtime" and runtime_room(file) not in {None, *RUNTIME_MAY_INCLUDE}:
        return [f"src/{file}:1: runtime has no room {runtime_room(file)}; add it to the table"]
    if room == "wire" and file.suffix != ".hpp":
        return [f"src/{file}:1: wire has headers only: both sides of the boundary compile it"]
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        own = found[1] == '"'
        what = check_own(file, pathlib.Path(found[2])) if own else check_system(file, found[2])
        if what:
            wrong.append(f"src/{file}:{number}: {what}")
    return wrong


def check_links(text):
    """The link lists in src/CMakeLists.txt must repeat the table."""
    linked = {name: set(deps.split()) for name, deps in ROOM.findall(text)}
    wrong = []
    for room, may_include in MAY_INCLUDE.items():
        if room != "runtime" and linked.get(room) != set(may_include.split()):
            wrong.append(f"src/CMakeLists.txt:1: the DEPS of {room} are not '{may_include}'")
    return wrong


def main():
    src = pathlib.Path(__file__).resolve().parent.parent / "src"
    wrong = check_links((src / "CMakeLists.txt").read_text())
    for path in sorted(src.rglob("*")):
        if path.suffix in {".cpp", ".hpp", ".c", ".h", ".S"}:
            wrong += check_file(path.relative_to(src), path.read_text())
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
