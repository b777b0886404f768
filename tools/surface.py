#!/usr/bin/env python3
"""The surface of libc and of the kernel: src/runtime/surface has a row for every function.

Usage: surface.py check RUNTIME      fails if the tables miss a name, or say what is not so
       surface.py limits             prints what is not controlled, for docs/limits.md
       surface.py write              puts that into docs/limits.md

RUNTIME is libunravel-rt.so. The functions are those of this machine's libc.so.6, the system calls
those of its kernel headers. With another version of glibc than the tables were made for, `check`
prints what is new and what is gone, and does not fail for it.
"""
import collections
import ctypes
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SURFACE = ROOT / "src/runtime/surface"
RUNTIME_SOURCES = ROOT / "src/runtime"
LIMITS = ROOT / "docs/limits.md"
BEGIN = "<!-- What follows is written by tools/surface.py. -->\n"
END = "<!-- Up to here. -->\n"
GLIBC = "2.36"
# Where system calls by number are answered.
ROUTERS = ("system_calls", "system_call_routes", "system_call_signals")

KINDS = ("controlled", "warned", "passed")
Group = collections.namedtuple("Group", "line kind says names")


class Wrong(Exception):
    """Something in a table that is not so."""


def parse(text):
    """The groups of a table: a heading, then lines of names up to an empty line."""
    groups = []
    open_group = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            open_group = False
            continue
        if not open_group:
            kind, _, says = line.partition(" ")
            if kind not in KINDS or not says:
                raise Wrong(f"line {number}: a group begins with '{' or '.join(KINDS)}' and a file or a sentence")
            groups.append(Group(number, kind, says, []))
            open_group = True
        else:
            groups[-1].names.extend(line.split())
    for group in groups:
        if not group.names:
            raise Wrong(f"line {group.line}: the group has no names")
        if group.kind != "controlled" and not group.says.endswith("."):
            raise Wrong(f"line {group.line}: '{group.says}' is no sentence")
    return groups


def is_pattern(name):
    return any(letter in name for letter in "*?[")


def assign(groups, names):
    """name -> group. Says what no group has, what two have, and what is there for nothing."""
    found, wrong = {}, []
    for group in groups:
        for name in filter(lambda name: not is_pattern(name), group.names):
            if name in found:
                wrong.append(f"line {group.line}: {name} is in the group of line {found[name].line}, too")
            found[name] = group
    gone = [name for name in found if name not in names]
    explicit = set(found)
    for group in groups:
        for pattern in filter(is_pattern, group.names):
            matched = fnmatch.filter(names, pattern)
            for name in matched:
                if name in explicit and found[name].kind != "passed":
                    continue
                if name in found:
                    wrong.append(f"line {group.line}: {pattern} matches {name}, which line {found[name].line} has")
                found[name] = group
            if not [name for name in matched if found.get(name) is group]:
                gone.append(pattern)
    new = [name for name in names if name not in found]
    return found, wrong, sorted(new), sorted(gone)


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library):
    """Names that a library defines for others, without those that are private to glibc."""
    listing = output_of("nm", "-D", "--defined-only", "--format=posix", library)
    names = (line.split() for line in listing.splitlines())
    return {name.split("@")[0] for name, kind, *_ in names if kind in "TWiBDVR" and "@GLIBC_PRIVATE" not in name
            and "@@GLIBC_PRIVATE" not in name}


def libc():
    for line in output_of("ldconfig", "-p").splitlines():
        if found := re.search(r"libc\.so\.6 \(libc6,x86-64.*=> (\S+)", line):
            return found[1]
    raise Wrong("ldconfig knows no libc.so.6 for x86-64")


def glibc_version():
    version = ctypes.CDLL("libc.so.6").gnu_get_libc_version
    version.restype = ctypes.c_char_p
    return version().decode()


def system_calls():
    """Names of the calls that the kernel's headers know."""
    source = "#include <asm/unistd_64.h>\n"
    macros = subprocess.run(["cc", "-E", "-dM", "-"], input=source, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"#define __NR_(\w+) \d+", macros))


def table(name):
    return (SURFACE / name).read_text()


def check_functions(text, names, runtime):
    """What is wrong with the table of functions; what is new and what is gone."""
    groups = parse(text)
    found, wrong, new, gone = assign(groups, names)
    for name, group in sorted(found.items()):
        if name not in names:
            continue
        if group.kind == "passed" and name in runtime:
            wrong.append(f"line {group.line}: {name} is passed, but the runtime has it: {place_of(name)}")
        if group.kind != "passed" and name not in runtime:
            wrong.append(f"line {group.line}: {name} is {group.kind}, but the runtime does not have it")
        if group.kind == "controlled":
            wrong.extend(check_place(group, name))
    warned = {name for name, group in found.items() if group.kind == "warned"}
    noted = set(re.findall(r"^UNRAVEL_WARNED\((\w+)\)", source("interpose/forwarded_functions.inc"), re.M))
    for name in sorted(warned ^ noted):
        wrong.append(f"{name}: the table and interpose/forwarded_functions.inc do not agree that it is warned about")
    return wrong, new, gone


def check_system_calls(text, names):
    groups = parse(text)
    found, wrong, new, gone = assign(groups, names)
    routed = set(re.findall(r"\bSYS_(\w+)", "".join(source(f"interpose/{file}.cpp") for file in ROUTERS)))
    for name, group in sorted(found.items()):
        if group.kind == "passed" and name in routed:
            wrong.append(f"line {group.line}: system call {name} is passed, but interpose/system_call*.cpp names it")
        if group.kind != "passed" and name not in routed:
            wrong.append(f"line {group.line}: system call {name} is {group.kind}, but interpose/system_call*.cpp does not name it")
    return wrong, new, gone


def source(path):
    file = RUNTIME_SOURCES / path
    return file.read_text() if file.exists() else ""


def check_place(group, name):
    text = source(group.says)
    if not text:
        return [f"line {group.line}: there is no src/runtime/{group.says}"]
    if not re.search(rf"\b{re.escape(name)}\b", text):
        return [f"line {group.line}: src/runtime/{group.says} does not have {name}: {place_of(name)}"]
    return []


def place_of(name):
    files = [file for file in RUNTIME_SOURCES.rglob("*") if file.suffix in (".cpp", ".inc", ".S")]
    places = [str(file.relative_to(RUNTIME_SOURCES)) for file in sorted(files)
              if re.search(rf"^(?:UNRAVEL_EXPORT|[A-Z_]+\().*\b{re.escape(name)}\b", file.read_text(), re.M)]
    return f"it is in {' and '.join(places)}" if places else "no file has it"


def check(runtime):
    names = exported(libc())
    own = exported(runtime)
    wrong, new, gone = check_functions(table("functions.txt"), names, own)
    more_wrong, more_new, more_gone = check_system_calls(table("system_calls.txt"), system_calls())
    wrong += more_wrong
    lists = {"functions that the table does not have": new, "functions of the table that libc does not have": gone,
             "system calls that the table does not have": more_new,
             "system calls of the table that the headers do not have": more_gone}
    for what, found in lists.items():
        if found:
            print(f"{what}: {' '.join(found)}")
    if limits() not in LIMITS.read_text():
        wrong.append(f"{LIMITS.relative_to(ROOT)} does not say what the tables say: tools/surface.py write")
    print("\n".join(wrong), end="\n" if wrong else "")
    version = glibc_version()
    if version != GLIBC:
        print(f"the tables are for glibc {GLIBC}, this is {version}")
        return 0
    return 1 if wrong or any(lists.values()) else 0


def limits():
    """What is not controlled, by what the tables say of it."""
    lines = [BEGIN, "\n"]
    for title, name, code in (("Functions", "functions.txt", "`{}`"), ("System calls", "system_calls.txt", "`{}`")):
        for group in parse(table(name)):
            if group.kind == "warned":
                names = ", ".join(code.format(each) for each in group.names)
                lines.append(f"- {group.says} {title}: {names}.\n")
    lines.append(END)
    return "".join(lines)


def write():
    text = LIMITS.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    LIMITS.write_text(before + limits() + after)


def main():
    match sys.argv[1:]:
        case ["check", runtime]:
            return check(runtime)
        case ["limits"]:
            print(limits(), end="")
        case ["write"]:
            write()
        case _:
            sys.exit(__doc__.strip())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        sys.exit(str(wrong))
